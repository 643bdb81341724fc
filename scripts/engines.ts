// Runs the provider’s tests with each engine, one after the other, and stores the outcomes, of which `npm run generate` makes a
// page: `KEYPLANE_TEST_ENGINES=/opt/terraform-1.15/terraform:/opt/opentofu/tofu npm run test:engines`. Default: `terraform`.
// Engines that are not named keep their rows. Needs a build.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { EngineReport } from './engine-report.ts';
import { ENGINES_FILE, type EngineRow, engineRows } from './generate/engines.ts';

const root = resolve(import.meta.dirname, '..');
const SUITE = ['test/acceptance/terraform', 'test/acceptance/constructs'];

interface Identity {
  readonly product: string;
  readonly version: string;
}

function identify(engine: string): Identity {
  const text = execFileSync(engine, ['version'], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: tmpdir() } });
  const [, product, version] = /^(Terraform|OpenTofu) v([\d.]+)/m.exec(text) ?? [];
  if (product === undefined || version === undefined) throw new Error(`${engine} is neither Terraform nor OpenTofu`);
  return { product, version };
}

function run(engine: string, folder: string): EngineReport {
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', `--reporter=${join(import.meta.dirname, 'engine-report.ts')}`];
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...SUITE, ...reporters], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, KEYPLANE_TEST_ENGINE: engine, ENGINE_REPORT: file },
  });
  return JSON.parse(readFileSync(file, 'utf8')) as EngineReport;
}

const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const folder = mkdtempSync(join(tmpdir(), 'keyplane-engines-'));
let rows: readonly EngineRow[] = engineRows();
try {
  for (const engine of (process.env.KEYPLANE_TEST_ENGINES ?? 'terraform').split(delimiter)) {
    const identity = identify(engine);
    const row: EngineRow = { ...identity, commit, ...run(engine, folder) };
    const others = rows.filter(({ product, version }) => `${product} ${version}` !== `${row.product} ${row.version}`);
    rows = [...others, row];
    writeFileSync(ENGINES_FILE, `${JSON.stringify(rows, null, 2)}\n`);
    if (row.failed > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
