import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Tasks } from '../../../checks/index.ts';
import type { AccountRef } from '../../../domain/index.ts';

/** Differs between a process and the next one with its id; null where the system does not tell. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in parentheses, which may hold anything; the start time is the 22nd.
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
 * The paid tasks of an account. The command line writes the same lines: what one of them submitted, the other goes on with.
 *
 * @param now milliseconds since 1970
 */
export async function openLedger(file: string, { url, userId }: AccountRef, now: () => number): Promise<Tasks> {
  const { openTaskFile } = await import('../../../checks/index.ts');
  return openTaskFile({
    path: resolve(file),
    account: `${url} ${userId}`,
    run: randomUUID(),
    owner: { pid: process.pid, host: hostname(), started: await startOf(process.pid) },
    // Of a process on another machine nobody here knows whether it lives.
    isAlive: async ({ pid, host, started }) =>
      host !== hostname() || (isRunning(pid) && (await startOf(pid)) === started),
    now,
    // Only a person who has looked may say so, and a plan is run by nobody in particular.
    resubmit: false,
  });
}
