import { describe, expect, it } from 'vitest';
import { type KeyId, quota } from '../../../../src/domain/index.ts';
import { type TerraformObject, UNKNOWN } from '../../../../src/terraform/codec/value.ts';
import type { Client } from '../../../../src/terraform/keyplane/client.ts';
import { planKey } from '../../../../src/terraform/keyplane/key/plan/plan.ts';
import { importKey, readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { updateKey } from '../../../../src/terraform/keyplane/key/write/update.ts';
import { createKey } from '../../../../src/terraform/keyplane/key/write/write.ts';
import type { ResourceInstance } from '../../../../src/terraform/provider/definition.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { contextOver } from '../context.ts';
import { budgetOf, configOf } from '../core.ts';

/** One account with one resource, whose commands are a refresh and a plan, and an apply of that plan. */
function open(limits: Client['limits'] = {}) {
  const store = new MemoryStore({ reportsUse: true, now: () => NOW });
  const warnings: string[] = [];
  const context = () => contextOver(store, warnings, { limits });
  let prior: ResourceInstance | undefined;
  return {
    store,
    take: () => warnings.splice(0),
    setPrior(instance: ResourceInstance) {
      prior = instance;
    },
    async import(by: string) {
      prior = await importKey(by, context());
    },
    /** Refreshes and plans. */
    async plan(written: TerraformObject) {
      if (prior) prior = await readKey(prior, context());
      const config = configOf({ name: 'app', ...written });
      const planned = plannedBySchema(KEY_SCHEMA, config, prior?.state);
      return await planKey({ prior, config, planned }, context());
    },
    async apply(written: TerraformObject) {
      const planned = await this.plan(written);
      const change = { config: configOf({ name: 'app', ...written }), planned };
      const { instance, diagnostics } = prior
        ? await updateKey({ ...change, prior }, context())
        : await createKey({ ...change, prior }, context());
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      prior = instance;
    },
  };
}

const BUDGET = budgetOf({ usd: 5 });

describe('a restriction that is removed from the configuration', () => {
  it.each<[string, TerraformObject]>([
    ['models', { models: ['a'] }],
    ['allow_ips', { allow_ips: ['10.0.0.0/8'] }],
    ['expires_at', { expires_at: '2037-01-01T00:00:00Z' }],
  ])('stays in force, and the plan warns by name until an apply records it: %s', async (name, restriction) => {
    const resource = open({ allowUnknownModels: true });
    await resource.apply({ budget: BUDGET, ...restriction });
    const [before] = await resource.store.walk();
    expect(resource.take()).toEqual([]);
    const warning = `\`${name}\` of the key "app" is no longer managed`;
    const planned = await resource.plan({ budget: BUDGET });
    expect([planned[name], planned.status]).toEqual([restriction[name], UNKNOWN]);
    expect(resource.take()).toEqual([warning]);
    await resource.apply({ budget: BUDGET });
    expect(resource.take()).toEqual([warning]);
    expect(await resource.store.walk()).toEqual([before]);
    expect(await resource.plan({ budget: BUDGET })).toMatchObject({ status: 'enabled', ...restriction });
    expect(resource.take()).toEqual([]);
  });

  it('goes without a warning when nothing was restricted', async () => {
    const resource = open();
    await resource.apply({ budget: BUDGET, models: ['any'], allow_ips: ['anywhere'], expires_at: 'never' });
    expect(await resource.plan({ budget: BUDGET })).toMatchObject({ status: 'enabled' });
    expect(resource.take()).toEqual([]);
  });
});

describe('a warning that changes nothing', () => {
  it('of models that were not verified is silenced when the provider allows unknown models', async () => {
    const [plain, silenced] = [open(), open({ allowUnknownModels: true })];
    for (const resource of [plain, silenced]) {
      await resource.plan({ budget: BUDGET, models: ['a'] });
    }
    expect(plain.take()).toEqual(['The models were not verified: no API key was given to list them with']);
    expect(silenced.take()).toEqual([]);
  });

  it.each([
    [null, []],
    [budgetOf({ usd: 0 }), ['Its budget is used up']],
  ])('of a used-up key with the declared budget %j is %j', async (budget, expected) => {
    const resource = open();
    const id = resource.store.seed(live('app', { unlimited: false, remain: quota(0) })) as KeyId;
    const { name, ...rest } = configOf({ name: 'app', id, enabled: true, budget });
    resource.setPrior({ state: { name, ...rest } as TerraformObject });
    await resource.plan({ budget });
    expect(resource.take()).toEqual(expected);
  });

  it.each([
    [null, []],
    [budgetOf({ quota: 0 }), ['Its budget is used up']],
  ])('of an imported used-up key with the declared budget %j is %j', async (budget, expected) => {
    const resource = open();
    resource.store.seed(live('app', { unlimited: false, remain: quota(0) }));
    await resource.import('name=app');
    await resource.plan({ budget });
    expect(resource.take()).toEqual(expected);
  });
});
