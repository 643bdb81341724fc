import { describe, expect, it } from 'vitest';
import { type KeyId, quota } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { planKey } from '../../../../src/terraform/keyplane/key/plan/plan.ts';
import { importKey, readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { updateKey } from '../../../../src/terraform/keyplane/key/write/update.ts';
import { createKey } from '../../../../src/terraform/keyplane/key/write/write.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { clientOver, contextOver } from '../context.ts';

function open(reportsUse: boolean, assumeLogComplete = false) {
  const store = new MemoryStore({ reportsUse, now: () => NOW });
  const warnings: string[] = [];
  return { store, context: contextOver(store, warnings, { assumeLogComplete }), warnings };
}

const configOf = (written: TerraformObject): TerraformObject => ({
  ...Object.fromEntries(Object.keys(KEY_SCHEMA.attributes).map((name) => [name, null])),
  ...written,
});

const BUDGET = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };

/** Plans a change of a created key. Core shows the attributes of the result that differ from the prior state. */
async function replanned(before: TerraformObject, after: TerraformObject) {
  const { context, warnings } = open(true);
  const [first, second] = [before, after].map((written) => configOf({ name: 'app', ...written }));
  const created = await createKey(
    {
      prior: undefined,
      config: first as TerraformObject,
      planned: plannedBySchema(KEY_SCHEMA, first as TerraformObject),
    },
    context,
  );
  const [prior, config] = [created.instance, second as TerraformObject];
  if (!prior) throw new Error('not created');
  const planned = await planKey({ prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) }, context);
  return { prior: prior.state, planned, warnings };
}

describe('a plan', () => {
  it.each([[{ per: 'hour' }], [{ per: 'month' }], [{ initial: true }], [{ below: { usd: 1, quota: null } }]])(
    'shows a budget whose amount stays and whose policy becomes %j',
    async (policy) => {
      const [before, after] = [
        { ...BUDGET, usd: 5 },
        { ...BUDGET, usd: 5, ...policy },
      ];
      const { prior, planned } = await replanned({ budget: before }, { budget: after });
      expect([prior.budget, planned.budget]).toEqual([before, after]);
      const { planned: undone } = await replanned({ budget: after }, { budget: before });
      expect(undone.budget).toEqual(before);
    },
  );

  it.each([true, false])('rejects a budget below one unit, at the attribute (new key: %s)', async (isNew) => {
    const budget = { ...BUDGET, usd: 0.0000001 };
    const { context } = open(true);
    const config = configOf({ name: 'app', budget });
    const thrown = await (isNew
      ? planKey({ prior: undefined, config, planned: plannedBySchema(KEY_SCHEMA, config) }, context)
      : replanned({ budget: { ...BUDGET, usd: 5 } }, { budget })
    ).catch((fault: unknown) => fault);
    expect(thrown).toMatchObject({
      diagnostics: [
        {
          severity: 'error',
          path: ['budget'],
          summary: '“app”: A budget of $0.0000001 is less than one quota unit: one dollar is 500000 units.',
          detail: 'Set `usd = 0`, or an amount of at least one unit.',
        },
      ],
    });
  });

  it('of an import shows that a disabled key will be enabled, and warns', async () => {
    const { store, context, warnings } = open(true);
    const id = store.seed(live('leaked', { unlimited: false, remain: quota(5) })) as KeyId;
    await store.setEnabled(id, false);
    const imported = await importKey('name=leaked', context);
    const prior = await readKey(imported, context);
    if (!prior) throw new Error('not read');
    const planned = async (enabled: boolean | null) => {
      const config = configOf({ name: 'leaked', budget: { ...BUDGET, quota: 5 }, enabled });
      return await planKey({ prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) }, context);
    };
    expect(await planned(null)).toMatchObject({ enabled: false });
    expect(await planned(false)).toMatchObject({ enabled: false });
    expect(warnings).toEqual([]);
    expect([prior.state.enabled, (await planned(true)).enabled]).toEqual([false, true]);
    expect(warnings).toEqual(['The disabled key "leaked" (id 1) will be enabled']);
  });
});

describe('a key that somebody else changes during a run of terraform', () => {
  it.each<[string, object, RegExp]>([
    ['group', { group: 'theirs' }, /group is now "theirs" \(was "default"\)/],
    ['status', { status: 2 }, /status is now disabled/],
  ])('keeps their %s, and the run fails with what it was', async (_what, person, message) => {
    const { store, context } = open(true);
    const id = store.seed(live('a'));
    const prior = await importKey('name=a', context);
    const config = configOf({ name: 'a', group: 'vip' });
    const planned = await planKey(
      { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) },
      context,
    );
    // Right before the key is read for the update.
    store.hook = (operation) => {
      if (operation === 'tryRead') Object.assign(store.records.get(id) ?? {}, person);
    };
    const { diagnostics } = await updateKey({ prior, config, planned }, context);
    const [error] = diagnostics.filter(({ severity }) => severity === 'error');
    expect(error).toMatchObject({
      summary: expect.stringMatching(message),
      detail: expect.stringMatching(/^Plan again/),
    });
    expect(error).not.toHaveProperty('path');
    expect(store.records.get(id)).toMatchObject(person);
  });
});

/** The error of a plan that would enable a key without showing it. */
const UNSEEN = {
  diagnostics: [
    {
      summary: 'The key "leaked" (id 1) has been disabled since the last refresh',
      path: ['enabled'],
      severity: 'error',
    },
  ],
};

describe.each([true, false])('a key that terraform writes (use reported: %s)', (reportsUse) => {
  it('is not given back what it spends while it is changed', async () => {
    const { store, context } = open(reportsUse, true);
    const id = store.seed(live('busy', { unlimited: false, remain: quota(1000) })) as KeyId;
    store.spend(id, 100);
    const prior = await importKey('name=busy', context);
    const config = configOf({ name: 'busy', group: 'vip', budget: { ...BUDGET, quota: 5000 } });
    const planned = await planKey(
      { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) },
      context,
    );
    // Between the read and the write.
    store.hook = (operation) => {
      if (operation === 'update' && store.calls.update === 1) store.spend(id, 70);
    };
    const { instance, diagnostics } = await updateKey({ prior, config, planned }, context);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(await store.tryRead(id)).toMatchObject({ remain: 5000 - 170, group: 'vip' });
    expect(instance?.state).toMatchObject({ group: 'vip' });
  });

  it('is not refilled from a log that was deleted, and the plan warns of it', async () => {
    const { store, context, warnings } = open(reportsUse);
    const id = store.seed(live('busy', { unlimited: false, remain: quota(1000) })) as KeyId;
    store.spend(id, 100);
    store.log.splice(0);
    const prior = await importKey('name=busy', context);
    const config = configOf({ name: 'busy', group: 'vip', budget: { ...BUDGET, quota: 1000, per: 'month' } });
    const planned = await planKey(
      { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) },
      context,
    );
    expect(warnings).toContainEqual(expect.stringMatching(/^Budget unverified: the usage log/));
    await updateKey({ prior, config, planned }, context);
    expect(await store.tryRead(id)).toMatchObject({ remain: 900, group: 'vip' });
  });

  it('is the only one of its name after concurrent creates', async () => {
    const { store, context } = open(reportsUse);
    const config = configOf({ name: 'one', budget: { ...BUDGET, quota: 5 } });
    const planned = plannedBySchema(KEY_SCHEMA, config);
    const make = () => createKey({ prior: undefined, config, planned }, context);
    const ended = await Promise.all([make(), make(), make()]);
    expect(ended.filter(({ instance }) => instance)).toHaveLength(1);
    expect(await store.walk()).toHaveLength(1);
  });

  it('keeps tiers as they were where they are written otherwise and mean the same', async () => {
    const { store, context } = open(reportsUse);
    store.seed(live('routed', { smartRouting: true, smartRouteTiers: '[{"a":1,"b":[2]}]' }));
    const prior = await importKey('name=routed', context);
    const plannedOf = async (tiers: string) => {
      const config = configOf({ name: 'routed', smart_routing_tiers: tiers });
      return await planKey({ prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) }, context);
    };
    expect(await plannedOf('[ { "b": [2.0], "a": 1 } ]')).toEqual(prior.state);
    expect(await plannedOf('[{"a":1,"b":[3]}]')).toMatchObject({ smart_routing_tiers: '[{"a":1,"b":[3]}]' });
  });

  it('is reported when it is in two resources', async () => {
    const { store, context, warnings } = open(reportsUse);
    store.seed(live('one'));
    const instance = await importKey('1', context);
    await readKey(instance, context);
    expect(warnings).toEqual([]);
    await readKey(instance, context);
    expect(warnings).toEqual(['The key 1 ("one") is in two resources']);
  });

  it('is never shown like one without restrictions when its list holds the word for that', async () => {
    const { store, context, warnings } = open(reportsUse);
    store.seed(live('word', { models: ['any'], allowIps: ['anywhere'] }));
    const imported = await importKey('name=word', context);
    const read = await readKey(imported, context);
    expect(read?.state).toMatchObject({ models: null, allow_ips: null });
    expect(warnings).toEqual([
      'The live `models` of the key "word" cannot be declared: the model ID "any" has the spelling of the word for no restriction',
      'The live `allow_ips` of the key "word" cannot be declared: the line "anywhere" is not an IP address or range',
    ]);
    const written = { models: ['any'], allow_ips: ['anywhere'] };
    const config = configOf({ name: 'word', budget: { ...BUDGET, unlimited: true }, ...written });
    const refreshed = await readKey({ ...imported, state: { ...imported.state, ...written } }, context);
    expect(refreshed?.state).toMatchObject({ models: null, allow_ips: null });
    const planned = await planKey(
      { prior: imported, config, planned: plannedBySchema(KEY_SCHEMA, config, imported.state) },
      context,
    );
    await updateKey({ prior: imported, config, planned }, context);
    expect(await store.walk()).toMatchObject([{ models: null, allowIps: null }]);
  });

  describe.each([undefined, true, false])('with `enabled` written as %s', (enabled) => {
    it.each([false, true])('that someone disabled (refreshed before the plan: %s)', async (isRefreshed) => {
      const { store, context, warnings } = open(reportsUse);
      const config = configOf({ name: 'leaked', budget: { ...BUDGET, quota: 5 }, enabled: enabled ?? null });
      const created = await createKey(
        { prior: undefined, config, planned: plannedBySchema(KEY_SCHEMA, config) },
        context,
      );
      if (!created.instance) throw new Error('not created');
      const [key] = await store.walk();
      expect(key?.status).toBe(enabled === false ? 'disabled' : 'enabled');
      await store.setEnabled(key?.id as KeyId, false);
      // The next command is another process.
      const later = { ...context, client: clientOver(store) };
      const prior = isRefreshed ? await readKey(created.instance, later) : created.instance;
      if (!prior) throw new Error('not read');
      const planned = await planKey(
        { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) },
        later,
      );
      // A plan without a refresh compares with the state, unless something else changes.
      const renamed = { ...config, name: 'renamed' };
      const other = planKey(
        { prior, config: renamed, planned: plannedBySchema(KEY_SCHEMA, renamed, prior.state) },
        later,
      );
      if (enabled && !isRefreshed) await expect(other).rejects.toMatchObject(UNSEEN);
      else expect((await other).name).toBe('renamed');
      const warning = 'The disabled key "leaked" (id 1) will be enabled';
      expect(warnings).toEqual(enabled && isRefreshed ? [warning, warning] : []);
      if (isRefreshed && enabled) expect([prior.state.enabled, planned.enabled]).toEqual([false, true]);
      const update = updateKey({ prior, config, planned }, later);
      if (enabled && !isRefreshed) await expect(update).rejects.toMatchObject(UNSEEN);
      else await update;
      expect(await store.walk()).toMatchObject([{ status: enabled && isRefreshed ? 'enabled' : 'disabled' }]);
    });
  });
});
