// Everything that must hold before a change goes in: `npm run check`, which is `npm test`, which is what CI runs.
// Stops at the first step that fails. The last line counts the tests and stands alone.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { GENERATORS } from './generate.mjs';
import { renderTally, runTests } from './run-tests.mjs';

const root = resolve(import.meta.dirname, '..');
const node = process.execPath;

const STEPS = [
  ['format and lint', [node, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  // Before the types: examples see the package as others do, by what was built.
  ['build', [node, 'scripts/build.mjs']],
  ['types', [node, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ...GENERATORS.map((script) => [`up to date: ${script}`, [node, script, '--check']]),
];

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

function step(name, [program, ...args]) {
  const since = Date.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  process.stdout.write(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
  return status === 0;
}

if (!STEPS.every(([name, command]) => step(name, command))) {
  process.stdout.write('check: stopped; the tests were not run\n');
  process.exit(1);
}

const since = Date.now();
const { tally, ok } = runTests({ command: [node] });
process.stdout.write(`check: tests ${ok ? 'passed' : 'FAILED'} (${seconds(since)})\n`);
if (tally) process.stdout.write(`${renderTally(tally)}\n`);
process.exit(ok ? 0 : 1);
