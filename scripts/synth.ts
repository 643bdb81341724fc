// Synthesizes examples/cdk/ with both CDKs: `npm run synth` writes cdktf.out and cdktn.out, `npm run synth -- cdktf` one of them.
// CDKTF_OUTDIR selects another folder, as `cdktf synth` expects. Needs a build.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { CDKS, type Cdk } from './constructs/compile.ts';

const root = resolve(import.meta.dirname, '..');
const example = join(root, 'examples/cdk');

/** Replaces the name of the CDK in the only file that mentions it. */
const naming = (cdk: Cdk): Plugin => ({
  name: 'naming',
  setup({ onLoad }) {
    onLoad({ filter: /examples\/cdk\/cdk\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('cdktf', cdk),
      loader: 'ts',
    }));
  },
});

async function compile(cdk: Cdk, outfile: string): Promise<void> {
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

async function synthesize(cdk: Cdk, outdir: string): Promise<number> {
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

const isCdk = (word: string): word is Cdk => (CDKS as readonly string[]).includes(word);

const words = process.argv.slice(2);
const unknown = words.filter((word) => !isCdk(word));
if (unknown.length > 0) {
  process.stderr.write(`synth: ${unknown.join(', ')} is not a CDK: expected ${CDKS.join(' or ')}\n`);
  process.exit(2);
}
const chosen = words.length > 0 ? words.filter(isCdk) : CDKS;
for (const cdk of chosen) {
  const outdir = (chosen.length === 1 && process.env.CDKTF_OUTDIR) || `${cdk}.out`;
  const status = await synthesize(cdk, outdir);
  if (status !== 0) process.exit(status);
  process.stdout.write(`synthesized examples/cdk by ${cdk}: ${outdir}\n`);
}
