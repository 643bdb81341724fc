// One executable of Node.js and the provider for the platform of this machine (a “single executable application”).
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';
import { bundling } from '../bundle.ts';

const root = resolve(import.meta.dirname, '../..');

/** The markers that Node.js looks for in its own executable, from its documentation. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const onMac = process.platform === 'darwin';
const sign = (...words: readonly string[]): unknown => execFileSync('codesign', words, { stdio: 'inherit' });

/** Returns the blob: the whole provider in one file, with V8's code cache, so that a start does not compile it. */
async function prepare(scratch: string): Promise<Buffer> {
  const main = join(scratch, 'provider.cjs');
  await build({
    ...bundling,
    entryPoints: [join(root, 'src/terraform/main.ts')],
    format: 'cjs',
    outfile: main,
  });
  const output = join(scratch, 'provider.blob');
  const config = join(scratch, 'sea.json');
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(output);
}

/** Returns the bytes of the executable. */
export async function buildBinary(): Promise<Buffer> {
  const scratch = mkdtempSync(join(tmpdir(), 'keyplane-binary-'));
  try {
    const program = join(scratch, 'provider');
    copyFileSync(process.execPath, program);
    if (onMac) sign('--remove-signature', program);
    const blob = await prepare(scratch);
    await inject(program, RESOURCE, blob, {
      sentinelFuse: FUSE,
      ...(onMac ? { machoSegmentName: 'NODE_SEA' } : {}),
    });
    if (onMac) sign('--sign', '-', program);
    return readFileSync(program);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
