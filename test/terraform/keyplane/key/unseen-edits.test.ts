import { beforeEach, describe, expect, it } from 'vitest';
import { type KeyId, type KeySettings, quota } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { planKey } from '../../../../src/terraform/keyplane/key/plan/plan.ts';
import { readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { updateKey } from '../../../../src/terraform/keyplane/key/write/update.ts';
import { createKey, endKey } from '../../../../src/terraform/keyplane/key/write/write.ts';
import type { ResourceInstance } from '../../../../src/terraform/provider/definition.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { NOW } from '../../../reconcile/account.ts';
import { contextOver } from '../context.ts';
import { budgetOf, configOf } from '../core.ts';

const DECLARED: TerraformObject = {
  name: 'one',
  enabled: true,
  budget: budgetOf({ quota: 5000, per: 'lifetime' }),
  group: 'default',
  models: ['alpha-chat-1'],
  allow_ips: ['10.0.0.0/8'],
  expires_at: '2030-01-01T00:00:00Z',
};

const proposed = (written: TerraformObject, prior?: ResourceInstance) => {
  const config = configOf(written);
  return { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior?.state) };
};

/** An edit of each setting of a key, with the text of the error. */
const EDITS: Readonly<Record<string, readonly [Partial<KeySettings>, string]>> = {
  name: [{ name: 'theirs' }, '`name` was "one", and is now "theirs"'],
  group: [{ group: 'vip' }, '`group` was "default", and is now "vip"'],
  models: [{ models: ['other'] }, '`models` was ["alpha-chat-1"], and is now ["other"]'],
  allow_ips: [{ allowIps: null }, '`allow_ips` was ["10.0.0.0/8"], and is now ["anywhere"]'],
  expires_at: [{ expires: null }, '`expires_at` was "2030-01-01T00:00:00Z", and is now "never"'],
  budget: [{ remain: quota(99_000) }, 'what the key may spend was changed: 99000 quota units remain now'],
};

/** Another value of each attribute than {@link DECLARED} and {@link EDITS} have. */
const OTHER: TerraformObject = {
  name: 'renamed',
  group: 'gold',
  models: ['third'],
  allow_ips: ['192.0.2.1/32'],
  expires_at: '2031-01-01T00:00:00Z',
  budget: budgetOf({ quota: 9000, per: 'lifetime' }),
};

const AS_DECLARED: Partial<KeySettings> = {
  name: 'one',
  group: 'default',
  models: ['alpha-chat-1'],
  allowIps: ['10.0.0.0/8'],
  expires: Date.parse('2030-01-01T00:00:00Z') / 1000,
  remain: quota(5000),
};

const ATTRIBUTES = Object.keys(EDITS);

const CASES = Object.entries(EDITS).map(([attribute, [settings, text]]) => [attribute, settings, text] as const);

describe.each([true, false])(
  'a key that somebody edits between a plan and its apply (use reported: %s)',
  (reportsUse) => {
    let store: MemoryStore;
    let id: KeyId;
    const warnings: string[] = [];

    /** Another process of the provider, as core starts one for each command. */
    const process = () =>
      contextOver(store, warnings, { limits: { allowUnknownGroups: true, allowUnknownModels: true } });

    /** Edits the key as another person. */
    const edit = (settings: Partial<KeySettings>) => store.update(id, () => settings);

    /** Plans, as a plan that is saved does: the state is refreshed first. */
    async function plan(from: ResourceInstance, written: TerraformObject) {
      const context = process();
      const prior = await readKey(from, context);
      if (prior === undefined) throw new Error('gone');
      const change = proposed(written, prior);
      return { ...change, prior, planned: await planKey(change, context) };
    }

    let created: ResourceInstance;
    beforeEach(async () => {
      store = new MemoryStore({ reportsUse, now: () => NOW });
      warnings.splice(0);
      const { instance } = await createKey(proposed(DECLARED), process());
      if (instance === undefined) throw new Error('not created');
      created = instance;
      id = instance.state.id as KeyId;
    });

    const apply = async (change: Awaited<ReturnType<typeof plan>>) => {
      const context = process();
      // Core plans again right before it applies.
      await planKey(change, context);
      return await updateKey(change, context);
    };

    describe.each(CASES)('in its %s', (attribute, settings, text) => {
      const others = ATTRIBUTES.filter((name) => name !== attribute);
      const refused = {
        diagnostics: [
          {
            severity: 'error',
            summary: `The key "${attribute === 'name' ? 'theirs' : 'one'}" (id 1) has changed since Terraform last read it`,
            detail: expect.stringContaining(`Somebody changed it: ${text}. This plan would overwrite that`),
            path: [attribute],
          },
        ],
      };

      it('keeps the edit where the plan changes another attribute', async () => {
        for (const other of others) {
          const change = await plan(created, { ...DECLARED, [other]: OTHER[other] ?? null });
          await edit(settings);
          const before = await store.tryRead(id);
          await expect(apply(change), other).rejects.toMatchObject(refused);
          expect(await store.tryRead(id)).toEqual(before);
          await edit(AS_DECLARED);
        }
      });

      it('keeps the edit where the plan changes the same attribute to something else', async () => {
        const change = await plan(created, { ...DECLARED, [attribute]: OTHER[attribute] ?? null });
        await edit(settings);
        await expect(apply(change)).rejects.toMatchObject(refused);
        expect(await store.tryRead(id)).toMatchObject(settings);
      });

      it('overwrites it where a refreshed plan shows it', async () => {
        await edit(settings);
        const other = attribute === 'group' ? 'models' : 'group';
        const change = await plan(created, { ...DECLARED, [other]: OTHER[other] ?? null });
        expect(change.prior.state[attribute]).not.toEqual(change.planned[attribute]);
        const { diagnostics } = await apply(change);
        expect(diagnostics).toEqual([]);
        const { name, budget } = DECLARED;
        expect((await readKey(created, process()))?.state).toMatchObject({ name, budget });
        expect(await store.tryRead(id)).not.toMatchObject(settings);
      });

      it('leaves it alone where the configuration omits the attribute', async () => {
        const { [attribute]: _, ...rest } = DECLARED;
        const other = attribute === 'group' ? 'models' : 'group';
        const change = await plan(created, { ...rest, [other]: OTHER[other] ?? null });
        await edit(settings);
        expect((await apply(change)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(await store.tryRead(id)).toMatchObject(settings);
      });

      it('is not deleted, unless only its budget is another', async () => {
        const prior = await readKey(created, process());
        if (prior === undefined) throw new Error('gone');
        await edit(settings);
        const ended = endKey(prior, process());
        if (attribute === 'budget') return await expect(ended).resolves.toBeUndefined();
        await expect(ended).rejects.toMatchObject({
          diagnostics: [
            { detail: expect.stringContaining(`${text}. The plan shows it as it was. The key was not deleted`) },
          ],
        });
        expect(store.records.has(id)).toBe(true);
      });
    });

    it('is kept where it is a generation of a key that rotates, of which the name is another', async () => {
      const rotating = { ...DECLARED, name: 'spin', rotation: { every: '90d', overlap: '7d', quiet: null } };
      const { instance } = await createKey(proposed(rotating), process());
      if (instance === undefined) throw new Error('not created');
      id = instance.state.id as KeyId;
      const quiet = await plan(instance, { ...rotating, group: 'gold' });
      expect((await apply(quiet)).diagnostics).toEqual([]);
      const change = await plan(
        { ...instance, state: { ...instance.state, group: 'gold' } },
        { ...rotating, models: ['third'] },
      );
      await edit({ group: 'vip', expires: null });
      await expect(apply(change)).rejects.toMatchObject({
        diagnostics: [{ detail: expect.stringMatching(/`group` was "gold", and is now "vip"; `expires_at` was/) }],
      });
      await expect(endKey(change.prior, process())).rejects.toMatchObject({
        diagnostics: [{ detail: expect.stringContaining('The key was not deleted') }],
      });
      expect(await store.tryRead(id)).toMatchObject({ group: 'vip', models: ['alpha-chat-1'] });
    });

    it('is written where somebody made the planned change itself', async () => {
      const change = await plan(created, { ...DECLARED, models: ['third'], group: 'gold' });
      await edit({ models: ['third'] });
      expect((await apply(change)).diagnostics).toEqual([]);
      expect(await store.tryRead(id)).toMatchObject({ models: ['third'], group: 'gold' });
    });

    it('names every edit in one error', async () => {
      const change = await plan(created, { ...DECLARED, expires_at: 'never' });
      await edit({ models: null, group: 'vip' });
      await expect(apply(change)).rejects.toMatchObject({
        diagnostics: [
          {
            detail: expect.stringMatching(
              /`group` was "default", and is now "vip"; `models` was \["alpha-chat-1"\], and is now \["any"\]/,
            ),
          },
        ],
      });
    });

    it('is not disabled again where somebody enabled it', async () => {
      await store.setEnabled(id, false);
      const change = await plan(created, { ...DECLARED, enabled: false, group: 'gold' });
      await store.setEnabled(id, true);
      await expect(apply(change)).rejects.toMatchObject({
        diagnostics: [{ detail: expect.stringContaining('`enabled` was false, and is now true'), path: ['enabled'] }],
      });
      expect(await store.tryRead(id)).toMatchObject({ status: 'enabled', group: 'default' });
    });

    it('is not deleted where somebody disabled it', async () => {
      const prior = await readKey(created, process());
      if (prior === undefined) throw new Error('gone');
      await store.setEnabled(id, false);
      await expect(endKey(prior, process())).rejects.toMatchObject({
        diagnostics: [{ detail: expect.stringContaining('`status` was "enabled", and is now "disabled"') }],
      });
    });

    it('shows no credential that somebody put into a setting', async () => {
      const pasted = `sk-${'c4n4ry'.repeat(8)}`;
      const change = await plan(created, { ...DECLARED, expires_at: 'never' });
      await edit({ group: pasted, name: pasted });
      const thrown: unknown = await apply(change).catch((fault: unknown) => fault);
      expect(thrown).toMatchObject({ diagnostics: [{ severity: 'error' }] });
      expect(JSON.stringify(thrown)).not.toContain('c4n4ry');
    });

    it('is changed where it was only used', async () => {
      const change = await plan(created, { ...DECLARED, group: 'gold' });
      store.spend(id, 1200);
      expect((await apply(change)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(await store.tryRead(id)).toMatchObject({ group: 'gold', remain: 3800 });
      const exhausting = await plan(created, { ...DECLARED, group: 'vip' });
      store.spend(id, 3800);
      expect((await apply(exhausting)).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(await store.tryRead(id)).toMatchObject({ group: 'vip', remain: 0 });
    });

    it('goes on to exchange its name after a run that was killed in between', async () => {
      const change = await plan(created, { ...DECLARED, name: 'two' });
      await edit({ name: `keyplane-swap-${id}` });
      expect((await apply(change)).diagnostics).toEqual([]);
      expect(await store.tryRead(id)).toMatchObject({ name: 'two' });
    });
  },
);
