// Makes every generated file anew from what was built. With --check each generator only compares, and fails on a difference.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const GENERATORS = [
  'scripts/generate-manifest.mjs',
  'scripts/generate-cli-docs.mjs',
  'scripts/generate-reference.mjs',
  'scripts/generate-limits.mjs',
  'scripts/generate-check-modules.mjs',
  'scripts/generate-transcripts.mjs',
  'scripts/generate-provider-docs.mjs',
  'scripts/generate-constructs.mjs',
];

if (process.argv[1] === import.meta.filename) {
  const cwd = resolve(import.meta.dirname, '..');
  const failed = GENERATORS.filter(
    (script) => spawnSync(process.execPath, [script, ...process.argv.slice(2)], { cwd, stdio: 'inherit' }).status !== 0,
  );
  for (const script of failed) process.stdout.write(`generate: ${script} failed\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
