// Everything that must hold before a change goes in: `npm run check`, which is `npm test`, which is what CI runs.
// It stops at the first step that fails. The last line counts the tests and contains nothing else.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { renderTally, runTests } from './run-tests.ts';

const root = resolve(import.meta.dirname, '..');

const STEPS: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  // Before the types: the examples see the package as its users do, in its built form.
  ['build', ['--import', 'tsx', 'scripts/build.ts']],
  ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['generated files', ['--import', 'tsx', 'scripts/generate.ts', '--check']],
];

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

function pass(name: string, words: readonly string[]): boolean {
  const since = Date.now();
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
  return status === 0;
}

if (!STEPS.every(([name, words]) => pass(name, words))) {
  process.stdout.write('check: stopped; the tests were not run\n');
  process.exit(1);
}

const since = Date.now();
const { tally, ok } = runTests({ command: [process.execPath] });
process.stdout.write(`check: tests ${ok ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
if (tally) process.stdout.write(`${renderTally(tally)}\n`);
process.exit(ok ? 0 : 1);
