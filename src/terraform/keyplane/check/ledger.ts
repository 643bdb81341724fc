import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { TaskLedger } from '../../../checks/index.ts';
import type { KeyStore } from '../../../reconcile/index.ts';

/** Distinguishes a process from a later one with its ID; null where the system does not report it. */
async function startTimeOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in parentheses, which may hold anything; the start time is the 22nd field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Opens the ledger of an account’s paid tasks. The command line shares its format: either resumes the tasks of the other.
 *
 * @param store the key store of the account
 * @param now milliseconds since 1970
 */
export async function openLedger(
  file: string,
  store: Pick<KeyStore, 'account' | 'usage'>,
  now: () => number,
): Promise<TaskLedger> {
  const { openTaskFile } = await import('../../../checks/index.ts');
  return openTaskFile({
    path: resolve(file),
    account: store.account,
    usage: () => store.usage(),
    run: randomUUID(),
    owner: { pid: process.pid, host: hostname(), started: await startTimeOf(process.pid) },
    // A process on another machine counts as alive, because nobody here can know.
    isAlive: async ({ pid, host, started }) =>
      host !== hostname() || (isRunning(pid) && (await startTimeOf(pid)) === started),
    now,
    // Only a person may decide to submit a task again, and a plan may run unattended.
    resubmit: false,
  });
}
