// Writes docs/cli.md from the built command tree; with --check only compares, and fails on a difference.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { renderCliDocs, TREE, VARIABLES } from '../dist/src/cli/index.js';

const check = process.argv.includes('--check');
const file = new URL('../docs/cli.md', import.meta.url);
const text = renderCliDocs(TREE, VARIABLES);

if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
  if (check) {
    process.stdout.write('docs/cli.md is out of date: npm run build && node scripts/generate-cli-docs.mjs\n');
    process.exitCode = 1;
  } else {
    await mkdir(new URL('.', file), { recursive: true });
    await writeFile(file, text);
    process.stdout.write('docs/cli.md was written\n');
  }
}
