import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../../../src/gateway/index.ts';
import { planKey } from '../../../../src/terraform/keyplane/key/plan/plan.ts';
import { planDelete } from '../../../../src/terraform/keyplane/key/plan/relabeled.ts';
import { importKey, readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { endKey } from '../../../../src/terraform/keyplane/key/write/write.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { contextFor } from '../context.ts';
import { budgetOf, configOf } from '../core.ts';

const REFUSED = 'This plan would delete the key 1 ("app"), which another resource of this state has';

/** An account whose only key has two resources. */
async function open() {
  const store = new MemoryStore({ reportsUse: true, now: () => NOW });
  store.seed(live('app'));
  const context = contextFor({ store } as unknown as Gateway);
  const held = await importKey('1', context);
  const keep = (prior = held) => {
    const config = configOf({ name: 'app' });
    return planKey({ prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) }, context);
  };
  return { store, context, held, keep };
}

describe('a key with two resources', () => {
  it('is not deleted by a plan that keeps it, whichever resource comes first', async () => {
    const first = await open();
    await first.keep();
    await expect(planDelete(first.held, first.context)).rejects.toThrow(REFUSED);
    const last = await open();
    await planDelete(last.held, last.context);
    await expect(last.keep()).rejects.toThrow(REFUSED);
  });

  it('is rejected by a plan that keeps both, also when an earlier version has put it into both', async () => {
    const { held, keep } = await open();
    await keep({ ...held, private: { ...held.private, imported: undefined } });
    await expect(keep({ ...held, private: { ...held.private, imported: undefined } })).rejects.toThrow(
      'The key 1 ("app") cannot be in two resources',
    );
  });

  it('is named where the new key of a tainted resource could not get its name', async () => {
    const { held, context, keep } = await open();
    const staying = { ...held, state: { ...held.state, on_destroy: 'disable' } };
    const config = configOf({ name: 'app', budget: budgetOf({ unlimited: true }) });
    const create = () =>
      planKey({ prior: undefined, config, planned: plannedBySchema(KEY_SCHEMA, config, undefined) }, context);
    await readKey(staying, context);
    await create();
    const text = 'The key 1 has the name "app", and keeps it if this plan replaces it';
    expect(context.warnings).toMatchObject([{ summary: text }]);
    await keep(staying);
    await expect(create()).rejects.toThrow('The key 1 keeps the name "app"');
  });

  it('is deleted by a plan that keeps neither', async () => {
    const { held, context } = await open();
    await planDelete(held, context);
    await planDelete(held, context);
    expect(context.warnings).toEqual([]);
  });

  it('is not deleted by an apply that changes it', async () => {
    const { store, held, context, keep } = await open();
    await keep();
    await expect(endKey(held, context)).rejects.toThrow('is managed by another resource of this run');
    expect(await store.walk()).toHaveLength(1);
  });

  it('is not looked for while the provider is not configured', async () => {
    const { held, context } = await open();
    await planDelete(held, { ...context, client: undefined });
    expect(context.client.run.plannedDeletes.size).toBe(0);
  });
});
