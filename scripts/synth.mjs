// Synthesizes examples/cdk/ by both CDKs: `npm run synth` writes cdktf.out and cdktn.out, `npm run synth -- cdktf` one of them.
// CDKTF_OUTDIR says where else; so `cdktf synth` finds what it looks for. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { CDKS } from './constructs/compile.mjs';

const root = resolve(import.meta.dirname, '..');
const example = join(root, 'examples/cdk');

/** The one file that names the CDK, written for another. */
const naming = (cdk) => ({
  name: 'naming',
  setup({ onLoad }) {
    onLoad({ filter: /examples\/cdk\/cdk\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('cdktf', cdk),
      loader: 'ts',
    }));
  },
});

async function compile(cdk, outfile) {
  await build({
    entryPoints: [join(example, 'main.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
    plugins: [naming(cdk)],
  });
}

async function synthesize(cdk, outdir) {
  mkdirSync(join(root, '.build'), { recursive: true });
  const folder = mkdtempSync(join(root, '.build/synth-'));
  try {
    const program = join(folder, 'main.mjs');
    await compile(cdk, program);
    const env = { ...process.env, CDKTF_OUTDIR: outdir };
    const { status } = spawnSync(process.execPath, [program], {
      env,
      stdio: 'inherit',
    });
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((cdk) => !CDKS.includes(cdk));
if (unknown.length > 0) {
  process.stderr.write(`synth: ${unknown.join(', ')} is no CDK: ${CDKS.join(', ')}\n`);
  process.exit(2);
}
const chosen = asked.length > 0 ? asked : CDKS;
for (const cdk of chosen) {
  const outdir = (chosen.length === 1 && process.env.CDKTF_OUTDIR) || `${cdk}.out`;
  const status = await synthesize(cdk, outdir);
  if (status !== 0) process.exit(status);
  process.stdout.write(`synthesized examples/cdk by ${cdk}: ${outdir}\n`);
}
