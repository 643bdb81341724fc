// Runs all tests under each Node.js that Keyplane supports: the one that runs this, and the others through npx.
// A version that can not be had is named, and fails the run: a matrix with a hole is not a matrix.
import { spawnSync } from 'node:child_process';
import { renderTally, runTests } from './run-tests.mjs';

const VERSIONS = ['20', '24'];
const filters = process.argv.slice(2);

function commandFor(major) {
  if (process.versions.node.split('.')[0] === major) return [process.execPath];
  return ['npx', '-y', '-p', `node@${major}`, 'node'];
}

function versionOf([program, ...args]) {
  const { status, stdout } = spawnSync(program, [...args, '--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const lines = VERSIONS.map((major) => {
  const command = commandFor(major);
  const version = versionOf(command);
  if (!version?.startsWith(`v${major}.`)) return { ok: false, text: `Node ${major}: not found, not tested` };
  const { tally, ok } = runTests({ command, filters });
  return { ok, text: `Node ${version}: ${tally ? renderTally(tally) : 'no report'}` };
});

for (const { text } of lines) process.stdout.write(`matrix: ${text}\n`);
process.exitCode = lines.every(({ ok }) => ok) ? 0 : 1;
