import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decimalOf, type Guardrails } from '../../../src/domain/index.ts';
import { type TerraformObject, UNKNOWN } from '../../../src/terraform/codec/value.ts';
import { planKey } from '../../../src/terraform/keyplane/key/plan/plan.ts';
import { KEY_SCHEMA } from '../../../src/terraform/keyplane/key/schema.ts';
import { updateKey } from '../../../src/terraform/keyplane/key/write/update.ts';
import { createKey } from '../../../src/terraform/keyplane/key/write/write.ts';
import { readPolicyFiles } from '../../../src/terraform/keyplane/policies.ts';
import { DiagnosticError, type ProtocolDiagnostic } from '../../../src/terraform/provider/diagnostics.ts';
import { plannedBySchema } from '../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../contract/memory-store.ts';
import { NOW } from '../../reconcile/account.ts';
import { contextOver } from './context.ts';

const POLICY: Guardrails = { budget: { usd: decimalOf(10) }, expires: true, owner: true };
const BUDGET = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };
const GOOD = { name: 'app', budget: { ...BUDGET, usd: 5, per: 'lifetime' }, expires_at: '2100-01-01T00:00:00Z' };
const BAD = { ...GOOD, budget: { ...BUDGET, usd: 50, per: 'lifetime' } };

const configOf = (written: TerraformObject): TerraformObject => ({
  ...Object.fromEntries(Object.keys(KEY_SCHEMA.attributes).map((name) => [name, null])),
  ...written,
});

function open(policies: readonly Guardrails[]) {
  const store = new MemoryStore({ reportsUse: true, now: () => NOW });
  const warnings: string[] = [];
  const contextWith = (rules: readonly Guardrails[]) => contextOver(store, warnings, { policies: rules });
  const changeTo = (written: TerraformObject, prior?: TerraformObject) => {
    const config = configOf(written);
    return { config, planned: plannedBySchema(KEY_SCHEMA, config, prior) };
  };
  return { store, warnings, contextWith, context: contextWith(policies), changeTo };
}

/** The errors of a call, as attribute and text. */
async function errorsOf(work: Promise<unknown>): Promise<readonly (readonly [unknown, string])[]> {
  const done = await work.then(
    (result) => (result as { readonly diagnostics?: readonly ProtocolDiagnostic[] }).diagnostics ?? [],
    (error: unknown) => {
      if (error instanceof DiagnosticError) return error.diagnostics;
      throw error;
    },
  );
  const errors = done.filter(({ severity }) => severity === 'error');
  return errors.map(({ path, summary, detail = '' }) => [path?.[0], `${summary} ${detail}`] as const);
}

describe('a policy in the provider', () => {
  it('accepts a key that keeps its rules, and warns once that owners are not verified', async () => {
    const { context, warnings, changeTo } = open([POLICY]);
    for (const name of ['app', 'other']) await planKey({ prior: undefined, ...changeTo({ ...GOOD, name }) }, context);
    expect(warnings.filter((text) => text.includes('requires an owner'))).toHaveLength(1);
  });

  it('judges a total by each key alone, and warns once that it is not verified', async () => {
    const { context, warnings, changeTo } = open([{ totalExposure: { usd: decimalOf(8) } }]);
    for (const name of ['app', 'other']) await planKey({ prior: undefined, ...changeTo({ ...GOOD, name }) }, context);
    expect(warnings.filter((text) => text.includes('what all keys together can spend'))).toHaveLength(1);
    const errors = await errorsOf(planKey({ prior: undefined, ...changeTo(BAD) }, context));
    expect(errors).toEqual([['budget', expect.stringContaining('more than $8')]]);
  });

  it('rejects a new key at its attributes, when it is planned and when it is created', async () => {
    const { context, store, changeTo } = open([POLICY]);
    const change = { prior: undefined, ...changeTo({ ...BAD, expires_at: null }) };
    for (const work of [planKey, createKey]) {
      expect(await errorsOf(work(change, context))).toEqual([
        ['budget', expect.stringContaining('its budget of $50 is more than $10. Expected at most $10.')],
        ['expires_at', expect.stringContaining('it does not expire. Expected an expiry. Set `expires_at` to a time.')],
      ]);
    }
    expect(await store.walk()).toEqual([]);
  });

  it('leaves a value that is not known yet to the apply, and rejects it there', async () => {
    const { context, store, changeTo } = open([POLICY]);
    await planKey({ prior: undefined, ...changeTo({ ...GOOD, budget: UNKNOWN }) }, context);
    const partly = { ...BUDGET, usd: UNKNOWN, per: 'lifetime' };
    await planKey({ prior: undefined, ...changeTo({ ...GOOD, budget: partly }) }, context);
    expect(await errorsOf(createKey({ prior: undefined, ...changeTo(BAD) }, context))).toHaveLength(1);
    expect(await store.walk()).toEqual([]);
  });

  it('rejects a saved plan that is applied under another policy', async () => {
    const { contextWith, context, store, changeTo } = open([]);
    const { instance } = await createKey({ prior: undefined, ...changeTo(GOOD) }, context);
    if (!instance) throw new Error('not created');
    const change = { prior: instance, ...changeTo(BAD, instance.state) };
    const planned = await planKey(change, contextWith([]));
    const before = await store.walk();
    expect(await errorsOf(updateKey({ ...change, planned }, contextWith([POLICY])))).toEqual([
      ['budget', expect.stringContaining('is more than $10')],
    ]);
    expect(await store.walk()).toEqual(before);
  });

  it('rejects a saved plan of a key that rotates under another policy', async () => {
    const { contextWith, context, store, changeTo } = open([]);
    const rotation = { every: '90d', overlap: '7d', quiet: null };
    const { instance } = await createKey({ prior: undefined, ...changeTo({ ...GOOD, rotation }) }, context);
    if (!instance) throw new Error('not created');
    const change = { prior: instance, ...changeTo({ ...BAD, rotation }, instance.state) };
    const planned = await planKey(change, contextWith([]));
    const before = await store.walk();
    expect(await errorsOf(updateKey({ ...change, planned }, contextWith([POLICY])))).toEqual([
      ['budget', expect.stringContaining('is more than $10')],
    ]);
    expect(await store.walk()).toEqual(before);
  });

  it.each([GOOD, BAD])('judges a key that the plan has not read, by its declaration alone: %j', async (written) => {
    const { contextWith, context, store, changeTo } = open([]);
    const declared = { ...written, enabled: true };
    const { instance } = await createKey({ prior: undefined, ...changeTo(declared) }, context);
    if (!instance) throw new Error('not created');
    const later = contextWith([POLICY]);
    const walk = vi.spyOn(store, 'walk');
    const planned = planKey({ prior: instance, ...changeTo(declared, instance.state) }, later);
    expect(await errorsOf(planned)).toEqual(
      written === GOOD ? [] : [['budget', expect.stringContaining('is more than $10')]],
    );
    expect(walk).not.toHaveBeenCalled();
  });

  it('lets anybody disable a key that breaks a rule', async () => {
    const { contextWith, context, store, changeTo } = open([]);
    const { instance } = await createKey({ prior: undefined, ...changeTo(BAD) }, context);
    if (!instance) throw new Error('not created');
    const change = { prior: instance, ...changeTo({ ...BAD, enabled: false }, instance.state) };
    const planned = await planKey(change, contextWith([POLICY]));
    expect(await errorsOf(updateKey({ ...change, planned }, contextWith([POLICY])))).toEqual([]);
    expect(await store.walk()).toMatchObject([{ status: 'disabled' }]);
  });
});

describe('KEYPLANE_POLICY', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-policy-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('names the files of a manifest’s policies', async () => {
    const [a, b] = ['a.yaml', 'b.json'].map((name) => join(folder, name));
    await writeFile(`${a}`, 'version: 1\npolicy: { expires: 30d }\n');
    await writeFile(`${b}`, '{ "version": 1, "policy": { "models": ["alpha-*"] } }');
    expect(await readPolicyFiles({}, NOW)).toEqual([]);
    expect(await readPolicyFiles({ KEYPLANE_POLICY: '' }, NOW)).toEqual([]);
    expect(await readPolicyFiles({ KEYPLANE_POLICY: `${a}, ${b}` }, NOW)).toMatchObject([
      { expires: 30 * 86_400 },
      { models: ['alpha-*'] },
    ]);
  });

  it.each([
    ['that is missing', undefined, 'cannot be read'],
    ['with a misspelled rule', 'version: 1\npolicy: { expire: 30d }\n', ':2:11: Expected'],
    ['without a policy', 'version: 1\n', 'has no policy'],
  ])('ends the run for a file %s', async (_title, text, expected) => {
    const path = join(folder, 'policy.yaml');
    if (text !== undefined) await writeFile(path, text);
    const errors = await errorsOf(readPolicyFiles({ KEYPLANE_POLICY: path }, NOW));
    expect(errors.map(([, error]) => error).join()).toContain(expected);
    expect(errors.map(([, error]) => error).join()).toContain('KEYPLANE_POLICY');
  });
});
