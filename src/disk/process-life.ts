import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

/** Is there a process with this id, whoever owns it? */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A value that distinguishes a process from others with the same id; null where the system has none. */
export async function processStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses, which may hold anything; the start time is the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie does nothing any more; it only waits for its parent to take notice.
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}

/** The words of the command line of a process. Without /proc, as on macOS, a word with spaces is several; none where nothing shows them. */
export async function commandLine(pid: number, proc = '/proc'): Promise<readonly string[]> {
  const text = await readFile(`${proc}/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (text !== undefined) return text.split('\0').filter(Boolean);
  // Loaded late: elsewhere nothing needs it.
  const { execFile } = await import('node:child_process');
  const args = ['-o', 'args=', '-p', String(pid)];
  const { stdout } = await promisify(execFile)('ps', args).catch(() => ({ stdout: '' }));
  return stdout.split(/\s+/).filter(Boolean);
}

/**
 * Names the processes that this one can see: a container may have the name of its host, and none of its processes. Null where the
 * system has no such names.
 */
export const processNamespace = (): Promise<string | null> => readlink('/proc/self/ns/pid').catch(() => null);

/** A process of some machine, distinguished from earlier and later ones with the same ID. */
export interface ProcessRef {
  readonly pid: number;
  readonly host: string;
  /** Earlier versions wrote none. */
  readonly namespace?: string | null;
  /** Null where the system does not report it. */
  readonly started: string | null;
}

export const processRef = async (pid: number, host: string = hostname()): Promise<ProcessRef> => ({
  pid,
  host,
  namespace: await processNamespace(),
  started: await processStart(pid),
});

/**
 * Returns whether a process of this machine has ended; undefined for a process of another machine or container, because nobody here
 * can know.
 */
export async function hasEnded(
  { pid, host, namespace, started }: ProcessRef,
  here: string = hostname(),
): Promise<boolean | undefined> {
  if (host !== here) return undefined;
  if (namespace !== undefined && namespace !== (await processNamespace())) return undefined;
  return !isRunning(pid) || (await processStart(pid)) !== started;
}
