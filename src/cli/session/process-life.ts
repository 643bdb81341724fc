import { readFile } from 'node:fs/promises';

/** Is there a process with this id, whoever owns it? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Something that is the same as long as a process lives, and another for the next one with its id; null where the system does not tell. */
export async function processStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses, which may hold anything; the start time is the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie does nothing any more; it only waits for its parent to take notice.
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}
