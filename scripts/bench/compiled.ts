import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/** The folders of the compiled programs, which one listener removes: each that is added would count towards the most that Node.js expects. */
const folders: string[] = [];

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Compiles a measured program of this folder, so that plain Node.js can run it: loading TypeScript would count as its time and memory.
 *
 * @returns the path of the JavaScript, which is removed when this process ends
 */
export function compileProgram(name: string): string {
  // Inside the package, whose own exports a program imports.
  const build = join(root, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, 'bench-'));
  folders.push(folder);
  const outfile = join(folder, basename(name).replace(/\.ts$/, '.mjs'));
  buildSync({
    entryPoints: [join(import.meta.dirname, name)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
