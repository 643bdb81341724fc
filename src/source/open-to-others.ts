import { statSync } from 'node:fs';

const OTHERS = 0o077;

/**
 * May others than its owner read or change this file? Some file systems, such as those of Windows drives and network shares, give
 * every file the permissions with which they were mounted. False for anything else than a file, and where the system has no such
 * permissions.
 */
export function isOpenToOthers(path: string): boolean {
  if (process.platform === 'win32') return false;
  try {
    const found = statSync(path);
    return found.isFile() && (found.mode & OTHERS) !== 0;
  } catch {
    return false;
  }
}
