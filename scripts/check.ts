// Everything that must hold before a change goes in: `npm run check`, which is `npm test`, which is what CI runs.
// It stops after the first row of steps in which one fails. The last line counts the tests and contains nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { renderTally, runTests } from './run-tests.ts';

const root = resolve(import.meta.dirname, '..');

type Step = readonly [name: string, words: readonly string[]];

/** The steps of one row run at once: each of them keeps one core busy. */
const STEPS: readonly (readonly Step[])[] = [
  [
    ['format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
    // Before the types: the examples see the package as its users do, in its built form.
    ['build', ['--import', 'tsx', 'scripts/build.ts']],
  ],
  [
    ['types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
    ['generated files', ['--import', 'tsx', 'scripts/generate.ts', '--check']],
  ],
];

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

async function pass([name, words]: Step): Promise<boolean> {
  const since = Date.now();
  const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  process.stdout.write(`${output}${errors}check: ${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
  return status === 0;
}

for (const row of STEPS) {
  const results = await Promise.all(row.map(pass));
  if (results.every(Boolean)) continue;
  process.stdout.write('check: stopped; the tests were not run\n');
  process.exit(1);
}

const since = Date.now();
const { tally, ok } = runTests({ command: [process.execPath] });
process.stdout.write(`check: tests ${ok ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
if (tally) process.stdout.write(`${renderTally(tally)}\n`);
process.exit(ok ? 0 : 1);
