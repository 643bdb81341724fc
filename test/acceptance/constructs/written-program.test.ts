import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckSpec, DesiredKey } from '../../../src/domain/index.ts';
import { type Cdk, type ConvertInput, convertManifest, readManifest } from '../../../src/manifest/index.ts';
import { ROOT } from '../../architecture/repository.ts';
import { NOW } from '../../manifest/scratch.ts';
import { declared, meaning } from '../../manifest/write/declared.ts';

const run = promisify(execFile);

type Declared = ConvertInput['manifest'];

/** Many generated manifests as one, because a synthesis takes its time: names differ, also without regard to case. */
function large(isMeant: (of: object) => boolean = () => true): Declared {
  const samples = fc.sample(declared, { numRuns: 60, seed: 11 });
  const keys = new Map<string, DesiredKey>();
  for (const key of samples.flatMap(({ desired }) => desired.keys).filter(isMeant)) {
    if (!keys.has(key.name.toLowerCase())) keys.set(key.name.toLowerCase(), withoutRename(key));
  }
  const checks = new Map<string, CheckSpec>(
    samples.flatMap((each) => each.checks.filter(isMeant).map((spec) => [spec.name, spec])),
  );
  const all = [...keys.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const words = [...checks.keys()];
  return {
    gateway: { url: 'https://gateway.example.com', userId: 42 },
    desired: { keys: all, ownership: { prune: 'never', protect: [all[0], all[5]].flatMap((key) => key?.name ?? []) } },
    checks: [...checks.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    selections: new Map(all.slice(0, 4).map(({ name }) => [name, words])),
    verbatim: new Map(),
  };
}

/** The width of other characters depends on the method of counting. */
const isLatin = (of: object): boolean =>
  /^[\u0020-\u007e]*$/.test(JSON.stringify(of, (_, value) => (typeof value === 'bigint' ? 0 : value)));

const withoutRename = ({ renamedFrom: _, ...key }: DesiredKey): DesiredKey => key;

/** Media are costly by being there. */
const asTerraformHasIt = (manifest: Declared): Declared => ({
  ...manifest,
  checks: manifest.checks.map((spec) => (spec.module === 'image' ? { ...spec, schedule: 'costly' as const } : spec)),
});

describe.each<Cdk>(['cdktf', 'cdktn'])('a program that convert writes for %s', (cdk) => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-program-'));
    for (const name of [cdk, 'constructs', '@types/node']) {
      const link = join(folder, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(ROOT, 'node_modules', name), link);
    }
    await symlink(ROOT, join(folder, 'node_modules/keyplane'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function synthesize(manifest: Declared) {
    const { text } = convertManifest({ manifest, language: 'cdk', cdk, now: NOW });
    const { code } = await transform(text, { loader: 'ts' });
    await writeFile(join(folder, 'main.ts'), text);
    await writeFile(join(folder, 'main.mjs'), code);
    await run(process.execPath, ['main.mjs'], { cwd: folder });
    const reading = await readManifest([join(folder, 'cdktf.out')], { env: {}, cwd: folder, now: NOW });
    expect(reading.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    return reading.manifest;
  }

  it('declares what the manifest did, whatever things are called', async () => {
    const manifest = large();
    expect(manifest.desired.keys.length).toBeGreaterThan(50);
    expect(meaning(await synthesize(manifest))).toEqual(meaning(asTerraformHasIt(manifest)));
  });

  it('renames keys, and keeps those that have ended', async () => {
    const keys = [
      { name: 'ended', enabled: true, expires: 1_600_000_000 },
      { name: 'new', enabled: true, renamedFrom: 'old ${x}' },
    ] as unknown as readonly DesiredKey[];
    const manifest: Declared = {
      gateway: {},
      desired: { keys, ownership: { prune: 'never', protect: [] } },
      checks: [],
      selections: new Map(),
      verbatim: new Map(),
    };
    expect(meaning(await synthesize(manifest))).toEqual(meaning(manifest));
  });

  it('is typed, and formatted as formatters would', async () => {
    await synthesize(large(isLatin));
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
      noUnusedLocals: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }));
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    const formatter = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const words = [formatter, 'format', '--stdin-file-path=src/main.ts'];
    const input = await readFile(join(folder, 'main.ts'), 'utf8');
    const formatted = spawnSync(process.execPath, words, { cwd: ROOT, input, encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(formatted.stdout).toBe(input);
  });
});
