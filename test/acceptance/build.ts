import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PROGRAM, scriptWords } from '../script-words.ts';

const root = resolve(import.meta.dirname, '../..');

/** When the newest file below a folder was written. */
function newest(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name);
    return Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }, 0);
}

function isFresh(): boolean {
  if (!existsSync(PROGRAM)) return false;
  const built = statSync(PROGRAM).mtimeMs;
  return ['src', 'constructs'].every((folder) => !existsSync(join(root, folder)) || newest(join(root, folder)) < built);
}

/** Builds the program that the acceptance tests run, once, and only when a source is newer than it. */
export default function build(): void {
  if (isFresh()) return;
  const { status } = spawnSync(process.execPath, [...scriptWords('scripts/build.ts')], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}
