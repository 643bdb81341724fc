import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packedTarball } from '../packed.ts';

const run = promisify(execFile);

const folder = await mkdtemp(join(tmpdir(), 'keyplane-shaken-'));
beforeAll(async () => {
  const home = join(folder, 'node_modules/keyplane');
  await mkdir(home, { recursive: true });
  await run('tar', ['-xzf', await packedTarball(), '--strip-components=1', '-C', home]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Bundle {
  readonly bytes: number;
  /** The files that something is left of, without the hashes in their names. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

const optionsFor = (contents: string) =>
  ({
    stdin: { contents, resolveDir: folder },
    absWorkingDir: folder,
    bundle: true,
    minify: true,
    platform: 'node',
    logLevel: 'silent',
  }) satisfies BuildOptions;

/** Bundles a program as its author would, from the packed package. */
async function bundled(contents: string): Promise<Bundle> {
  const { metafile, warnings } = await build({
    ...optionsFor(contents),
    metafile: true,
    write: false,
    format: 'esm',
    external: ['sharp', 'libsql', '@aws-sdk/client-secrets-manager'],
  });
  const [output] = Object.values(metafile.outputs);
  const left = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = left.map(([path]) => /chunks\/(.+)-[\w-]{8}\.js$/.exec(path)?.[1]);
  return {
    bytes: output?.bytes ?? Number.NaN,
    files: names.filter((name) => name !== undefined).sort(),
    warnings: warnings.map(({ text }) => text),
  };
}

describe('a program that is bundled with the packed package', () => {
  it('contains one file of the package if it takes only Secret: the class, and nothing else', async () => {
    const { bytes, ...rest } = await bundled(
      "import { Secret } from 'keyplane'; console.log(new Secret(process.argv[2]));",
    );
    expect(rest).toEqual({ files: ['secret'], warnings: [] });
    expect(bytes).toBeLessThan(600);
  });

  it('contains no schema, parser or client if it takes only a question about a plan', async () => {
    const { bytes, ...rest } = await bundled("import { hasDrift } from 'keyplane'; console.log(hasDrift);");
    expect(rest).toEqual({ files: ['domain', 'rolldown-runtime'], warnings: [] });
    expect(bytes).toBeLessThan(40_000);
  });

  it('contains no client of a gateway and no parser if it takes the store in memory', async () => {
    const { bytes, ...rest } = await bundled("import { memoryStore } from 'keyplane/store'; console.log(memoryStore);");
    expect(rest).toEqual({ files: ['domain', 'memory', 'rolldown-runtime', 'secret', 'store', 'zod'], warnings: [] });
    expect(bytes).toBeLessThan(150_000);
  });

  it('bundles without a warning if it takes all of it', async () => {
    expect((await bundled("import * as keyplane from 'keyplane'; console.log(keyplane);")).warnings).toEqual([]);
  });

  it('runs as one CommonJS file, as serverless platforms bundle it, without the optional packages', async () => {
    const outfile = join(folder, 'bundled.cjs');
    const program = `import { createKeyplane, defineManifest } from 'keyplane'; import { memoryStore } from 'keyplane/store';
      const keyplane = createKeyplane({ store: memoryStore(), stateFolder: process.argv[2] });
      const planned = async () => keyplane.plan(await defineManifest({ keys: { a: { budget: 'unlimited' } } }));
      planned().then(({ plan }) => console.log(plan.changes.map(({ verb }) => verb).join()));`;
    await build({ ...optionsFor(program), format: 'cjs', outfile });
    const { stdout } = await run(process.execPath, [outfile, join(folder, 'state')]);
    expect(stdout).toBe('create\n');
  });
});
