import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
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

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run of tests, for what several files of tests share. */
    sharedFolder: string;
  }
}

function buildProgram(): void {
  if (isFresh()) return;
  const { status } = spawnSync(process.execPath, [...scriptWords('scripts/build.ts')], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed');
}

/** Builds the program that the acceptance tests run, once, and only when a source is newer than it. Returns the clean-up. */
export default function prepare({ provide }: TestProject): () => void {
  buildProgram();
  const shared = mkdtempSync(join(tmpdir(), 'keyplane-tests-'));
  provide('sharedFolder', shared);
  return () => rmSync(shared, { recursive: true, force: true });
}
