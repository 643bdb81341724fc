import { readFileSync, realpathSync } from 'node:fs';

/** The file escapes spaces, tabs, line breaks and backslashes. */
const unescaped = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/**
 * Is this file mounted on its own, as containers mount files? It can be written to, but no other file can take its place. False
 * where the system does not list its mounts.
 */
export function isMountPoint(path: string): boolean {
  try {
    const real = realpathSync(path);
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return mounts.some((line) => unescaped(line.split(' ')[4] ?? '') === real);
  } catch {
    return false;
  }
}

/** @throws an error whose message ends a sentence */
export function refuseMountPoint(path: string): void {
  if (isMountPoint(path))
    throw new Error('it is mounted as a single file, which cannot be replaced; mount its folder instead');
}
