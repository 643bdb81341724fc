import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DesiredKey, TERRAFORM_NAMES } from '../../../src/domain/index.ts';
import { type ConvertInput, convertManifest } from '../../../src/manifest/index.ts';
import { ROOT } from '../../architecture/repository.ts';
import { declared, ODD } from '../../manifest/write/declared.ts';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectSettled } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** Keys that people made by hand, each with something that is not as new keys are. */
const KEYS = [
  {
    name: 'full',
    group: 'vip',
    model_limits_enabled: true,
    model_limits: 'b,a,we"ird ${x},%{y}',
    allow_ips: '10.1.2.3/8',
    expired_time: 1_990_000_000,
  },
  { name: 'open', unlimited_quota: true },
  { name: 'spent/of', remain_quota: 250_000, used_quota: 500_000 },
  { name: 'spent.of', status: 2, remain_quota: 7 },
  { name: 'ended', status: 3, expired_time: 1_600_000_000, remain_quota: 500_000 },
  { name: 'odd', model_limits_enabled: true, model_limits: '', allow_ips: 'no address', remain_quota: 1 },
  { name: 'any', model_limits_enabled: true, model_limits: 'any,other', unlimited_quota: true },
  { name: '日本 "${env:X}" \\', smart_routing: true, smart_route_tiers: '{"b":"<&>${z}","a":[2]}', remain_quota: 5 },
  { name: 'cafe\u0301', unlimited_quota: true },
];

const FILES = [
  ['hcl', 'main.tf'],
  ['hcl-json', 'main.tf.json'],
] as const;

const ONLY_IMPORTS = /8 to import, 0 to add, 0 to change, 0 to destroy/;

describe.each(PROFILES)('keys that import writes for terraform (%s)', (profile) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace(KEYS, profile);
    stack = await openStack(place, '');
  });
  afterEach(() => place?.close());

  // What a profile changes is what is known of a key, not how it is written: one language shows it.
  const languages = profile === 'contract' ? FILES.slice(0, 1) : FILES;

  it.each(languages)('are adopted as they are: %s', async (language, file) => {
    await stack.write('main.tf', '');
    const { code, stderr } = await place.run(['import', '--to', language, '--out', file, '--yes']);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^1 key cannot be written for Terraform:\n.*\(id 9\): Terraform would change/);
    expect((await stack.run('fmt', '-check', '-diff')).stdout).toBe('');
    const before = await place.keys();
    const planned = await stack.run('plan');
    expect(planned.stdout + planned.stderr).toMatch(ONLY_IMPORTS);
    const applied = await stack.run('apply', '-auto-approve');
    expect(applied.code, applied.stderr).toBe(0);
    await expectSettled(stack);
    expect(await place.keys()).toEqual(before);
  });

  it.each(profile === 'contract' ? [] : ['cdk'])('are adopted as they are: %s', async () => {
    const { code, stderr } = await place.run(['import', '--to', 'cdk', '--out', 'main.ts']);
    expect(code, stderr).toBe(0);
    await stack.write('main.tf', '');
    await stack.write('cdk.tf.json', await synthesize(place));
    // For the backend that CDK writes.
    expect((await stack.run('init')).code).toBe(0);
    const planned = await stack.run('plan');
    expect(planned.stdout + planned.stderr).toMatch(ONLY_IMPORTS);
  });
});

/** The program as `npm install` and `cdktf synth` would have it. */
async function synthesize({ folder }: Place): Promise<string> {
  for (const name of ['cdktf', 'constructs', 'keyplane']) {
    await mkdir(join(folder, 'node_modules'), { recursive: true });
    await symlink(name === 'keyplane' ? ROOT : join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const { code } = await transform(await readFile(join(folder, 'main.ts'), 'utf8'), { loader: 'ts' });
  await writeFile(join(folder, 'main.mjs'), code);
  execFileSync(process.execPath, ['main.mjs'], { cwd: folder });
  return await readFile(join(folder, 'cdktf.out/stacks/keys/cdk.tf.json'), 'utf8');
}

interface PlannedKey {
  readonly values: { readonly name: string; readonly [attribute: string]: unknown };
}

type Shown = Readonly<Record<string, unknown>>;

/** The attributes that Terraform shows of a key, without those that are null. */
function shown({ name, ...fields }: Shown): Shown {
  const attributes = Object.values(TERRAFORM_NAMES).flatMap((attribute): [string, unknown][] => {
    const value = fields[attribute] ?? null;
    if (value === null) return [];
    if (attribute === 'smart_routing_tiers') return [[attribute, value === '' ? '' : JSON.parse(String(value))]];
    return [[attribute, Array.isArray(value) ? [...value].sort() : value]];
  });
  return { name, ...Object.fromEntries(attributes) };
}

/** Numbers beyond what JavaScript holds are compared as this text of the plan. */
const planned = (key: DesiredKey): Shown => {
  const text = convertManifest({ manifest: of([key]), language: 'hcl-json', now: 0 }).text;
  const resources = (JSON.parse(text) as { resource: { keyplane_api_key: Record<string, Shown> } }).resource;
  const [resource] = Object.values(resources.keyplane_api_key);
  const unescaped = JSON.parse(JSON.stringify(resource), (_, value) =>
    typeof value === 'string' ? value.replace(/\$\$\{/g, () => '${').replace(/%%\{/g, '%{') : value,
  ) as Shown;
  return shown({ enabled: true, ...unescaped });
};

const of = (keys: readonly DesiredKey[]): ConvertInput['manifest'] => ({
  gateway: {},
  desired: { keys, ownership: { prune: 'never', protect: [] } },
  checks: [],
  selections: new Map(),
  verbatim: new Map(),
});

/** Many generated keys together, because starting terraform is slow. Each has a name of its own; none a group that there is not. */
function manyKeys(): readonly DesiredKey[] {
  const samples = fc.sample(declared, { numRuns: 60, seed: 7 }).flatMap(({ desired }) => desired.keys);
  const all = [...ODD.map((name) => ({ name, enabled: true }) as DesiredKey), ...samples];
  const byName = new Map(all.map((key) => [key.name.toLowerCase(), key]));
  return [...byName.values()].filter(({ name }) => name === name.normalize('NFC')).map(({ group: _, ...key }) => key);
}

describe('whatever things are called', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    const models = manyKeys().flatMap((key) => key.models ?? []);
    place = await openPlace([], 'contract', Object.fromEntries(models.map((model) => [model, {}])));
    stack = await openStack(place, '');
  });
  afterEach(() => place?.close());

  it('terraform fmt leaves it as it is, with checks too', async () => {
    const samples = fc.sample(declared, { numRuns: 60, seed: 3 });
    const texts = samples.map((manifest) => convertManifest({ manifest, language: 'hcl', now: 0 }).text);
    await stack.write('main.tf', texts.join('\n'));
    expect(texts.join('').match(/^data "keyplane_check"/gm)?.length).toBeGreaterThan(50);
    expect(await stack.run('fmt', '-check', '-diff')).toMatchObject({ code: 0, stdout: '' });
  });

  it.each(FILES)('terraform reads in %s what was declared', async (language, file) => {
    // A plan refuses a new key without a budget.
    const keys = manyKeys().map(({ group: _, models, ...rest }) => ({
      budget: { kind: 'unlimited' as const },
      ...rest,
      ...(models === null ? { models } : {}),
    }));
    await stack.write('main.tf', '');
    await stack.write(file, convertManifest({ manifest: of(keys), language, now: 0 }).text);
    expect((await stack.run('fmt', '-check', '-diff')).stdout).toBe('');
    const plan = await stack.run('plan', '-out', 'plan.bin');
    expect(plan.code, plan.stderr).toBe(0);
    const { stdout } = await stack.run('show', '-json', 'plan.bin');
    const root = (JSON.parse(stdout) as { planned_values: { root_module: { resources: readonly PlannedKey[] } } })
      .planned_values.root_module;
    const plans = new Map(root.resources.map(({ values }) => [values.name, shown(values)]));
    expect(plans.size).toBe(keys.length);
    expect(plans.size).toBeGreaterThan(100);
    // What is not declared is what the gateway makes of it.
    for (const key of keys) expect(plans.get(key.name), key.name).toMatchObject(planned(key));
  });
});
