// Compiles into a folder beside `dist` and swaps the two: a program that runs from `dist` meanwhile never finds half of it.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const atInstall = process.argv.includes('--at-install');

if (atInstall && !existsSync(compiler)) {
  // `npm ci --omit=dev`: whoever installs without the compiler brings a built `dist`, or wants none.
  console.log('build: skipped, because the compiler is not installed');
  process.exit(0);
}

const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const scratch = mkdtempSync(join(cache, 'build-'));
try {
  const fresh = join(scratch, 'dist');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh], {
    cwd: root,
    stdio: 'inherit',
  });
  // Imported late: whoever installs without the compiler has no CDK and no bundler either.
  const { CDKS, compileConstructs } = await import('./constructs/compile.mjs');
  if (status !== 0 || !CDKS.every((cdk) => compileConstructs(fresh, cdk))) {
    process.exitCode = 1;
  } else {
    const program = join(fresh, 'src/cli/main.js');
    if (existsSync(program)) chmodSync(program, 0o755);
    const { bundleProvider } = await import('./provider/bundle.mjs');
    await bundleProvider(fresh);
    const dist = join(root, 'dist');
    if (existsSync(dist)) renameSync(dist, join(scratch, 'old'));
    renameSync(fresh, dist);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
