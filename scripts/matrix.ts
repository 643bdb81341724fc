// Runs all tests under each Node.js that Keyplane supports: the one that runs this, and the others through npx.
// A version that is not available fails the run.
import { spawnSync } from 'node:child_process';
import { renderTally, runTests } from './run-tests.ts';

const VERSIONS = ['20', '22', '24'];
const filters = process.argv.slice(2);

type Command = readonly [program: string, ...words: string[]];

function commandFor(major: string): Command {
  if (process.versions.node.split('.')[0] === major) return [process.execPath];
  return ['npx', '-y', '-p', `node@${major}`, 'node'];
}

function versionOf([program, ...args]: Command): string | undefined {
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
