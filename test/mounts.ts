import { execFileSync } from 'node:child_process';

const run = (...words: readonly string[]): void =>
  void execFileSync(words[0] ?? '', words.slice(1), { stdio: 'ignore' });

function tryRun(...words: readonly string[]): boolean {
  try {
    run(...words);
    return true;
  } catch {
    return false;
  }
}

/** The reason for skipping a test that needs a mount. */
export const NO_MOUNT = 'this process may not mount a file system';

/** Mounts a small file system; returns undefined where this process may not. */
export function tryMount(
  folder: string,
): { readonly remount: (mode: 'ro' | 'rw') => void; readonly unmount: () => void } | undefined {
  if (!tryRun('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)) return undefined;
  return {
    remount: (mode) => run('mount', '-o', `remount,${mode}`, folder),
    unmount: () => run('umount', folder),
  };
}

/** Mounts one file over another one, as containers do; returns undefined where this process may not. */
export const tryMountFile = (file: string, over: string): { readonly unmount: () => void } | undefined =>
  tryRun('mount', '--bind', file, over) ? { unmount: () => run('umount', over) } : undefined;
