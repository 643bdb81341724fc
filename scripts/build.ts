// Compiles into a new folder and then swaps it with `dist`: a program that runs from `dist` meanwhile never finds half of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundlePrograms } from './bundle.ts';
import { CDKS, compileConstructs } from './constructs/compile.ts';

const root = resolve(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

/** @returns whether it compiled; mistakes are printed */
async function compileSource(outDir: string): Promise<boolean> {
  const words = [compiler, '-p', 'tsconfig.build.json', '--outDir', outDir];
  const [status] = await once(spawn(process.execPath, words, { cwd: root, stdio: 'inherit' }), 'close');
  return status === 0;
}

const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const scratch = mkdtempSync(join(cache, 'build-'));
try {
  const fresh = join(scratch, 'dist');
  const compiled = await Promise.all([compileSource(fresh), ...CDKS.map((cdk) => compileConstructs(fresh, cdk))]);
  if (compiled.includes(false)) {
    process.exitCode = 1;
  } else {
    await bundlePrograms(fresh);
    const dist = join(root, 'dist');
    if (existsSync(dist)) renameSync(dist, join(scratch, 'old'));
    renameSync(fresh, dist);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
