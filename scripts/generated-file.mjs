// How every generator brings its files to where they belong: written when they differ, or with --check only compared.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
export const checking = process.argv.includes('--check');

function tryRead(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the file at `path`, from the top of the repository, what is wanted; with --check fails when it is not. */
export function settle(path, wanted) {
  const file = resolve(root, path);
  if (tryRead(file) === wanted) return;
  if (checking) {
    process.stdout.write(`${path} is not up to date: run \`npm run generate\`\n`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
  process.stdout.write(`wrote ${path}\n`);
}
