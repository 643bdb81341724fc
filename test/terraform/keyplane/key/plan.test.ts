import { describe, expect, it } from 'vitest';
import { KEY_RESOURCE } from '../../../../src/terraform/keyplane/key/resource.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { startFamilyServer } from '../../../gateway/system/family-server.ts';
import { open } from '../../../gateway/system/scripted.ts';
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

  it('shows at the attribute what the gateway cannot hold, without advice to remove it', async () => {
    const { url } = await startFamilyServer('Veloera');
    const context = contextFor(open(url));
    const config = configOf({ name: 'app', budget: budgetOf({ usd: 5 }), allow_ips: ['10.0.0.0/8'] });
    await KEY_RESOURCE.plan({ prior: undefined, config, planned: plannedBySchema(KEY_SCHEMA, config) }, context);
    expect(context.warnings).toEqual([
      {
        summary: expect.stringMatching(/^An apply will refuse this change: Veloera v0\.3\.25 ignores address ranges/),
        path: ['allow_ips'],
      },
    ]);
  });
});
