import { describe, expect, it } from 'vitest';
import { KEY_RESOURCE } from '../../../../src/terraform/keyplane/key/resource.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { NOW } from '../../../reconcile/account.ts';
import { contextFor } from '../context.ts';
import { budgetOf, configOf } from '../core.ts';

describe('the plan of a new key', () => {
  it('makes no signal, which costs more than to decode its configuration', async () => {
    const store = new MemoryStore({ reportsUse: true, now: () => NOW });
    const { client, warn } = contextFor({ store } as never);
    let signals = 0;
    const context = {
      client,
      warn,
      get signal() {
        signals += 1;
        return new AbortController().signal;
      },
    };
    const config = configOf({ name: 'app', budget: budgetOf({ usd: 5 }) });
    const planned = await KEY_RESOURCE.plan(
      { prior: undefined, config, planned: plannedBySchema(KEY_SCHEMA, config) },
      context,
    );
    expect(planned).toMatchObject({ name: 'app' });
    expect(signals).toBe(0);
  });
});
