// Runs after `npm install`, in plain JavaScript because tsx may be missing: `npm ci --omit=dev` installs no compiler. Such an
// installation brings a built `dist`, or does not need one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const isInstalled = ['tsx', 'typescript'].every((name) => existsSync(resolve(root, 'node_modules', name)));
if (isInstalled) {
  const build = ['--import', 'tsx', 'scripts/build.ts'];
  const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.log('build: skipped, because the compiler is not installed');
}
