import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TerraformValue } from '../../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../../src/terraform/protocol/services.ts';
import type { Schema } from '../../../../src/terraform/provider/schema.ts';
import { bytesOf, openServed, provider, type Served } from '../served.ts';

let served: Served;
beforeEach(async () => {
  served = await openServed();
});
afterEach(() => served.close());

const typeName = 'keyplane_check';
const requestOf = (config: Readonly<Record<string, TerraformValue>>) => ({
  typeName,
  config: bytesOf(provider.actions.keyplane_check?.schema as Schema, config),
});
const CHAT = { key_id: 1, module: 'chat', model: 'alpha-chat-1' };

describe('the action keyplane_check, as core calls it', () => {
  it('is listed, validated, planned and invoked with lines of progress', async () => {
    expect((await served.client.ask('provider', PROVIDER.getMetadata, {})).actions).toEqual([{ typeName }]);
    const request = requestOf(CHAT);
    expect((await served.client.ask('provider', PROVIDER.validateActionConfig, request)).diagnostics).toEqual([]);
    expect((await served.client.ask('provider', PROVIDER.planAction, request)).diagnostics).toEqual([]);
    expect(await served.stage.counts()).not.toHaveProperty('POST /v1/chat/completions');
    const events = await served.client.stream('provider', PROVIDER.invokeAction, request);
    expect(events.at(-1)).toMatchObject({ completed: { diagnostics: [] } });
    expect(events.slice(0, -1).map(({ progress }) => progress?.message)).toContain(
      'chat (alpha-chat-1) with the key "open": passed',
    );
  });

  it('ends with an error when the check fails', async () => {
    const events = await served.client.stream('provider', PROVIDER.invokeAction, requestOf({ ...CHAT, key_id: 5 }));
    expect(events.at(-1)?.completed?.diagnostics).toMatchObject([
      { severity: 1, summary: 'The check failed', detail: expect.stringContaining('the key is disabled') },
    ]);
  });

  it('is refused at the argument that is wrong, before it is done and while it is', async () => {
    const wrong = requestOf({ ...CHAT, module: 'chatter', timeout: 'long' });
    const { diagnostics } = await served.client.ask('provider', PROVIDER.validateActionConfig, wrong);
    expect(diagnostics.map(({ attribute }) => attribute?.steps)).toEqual([
      [{ attributeName: 'module' }],
      [{ attributeName: 'timeout' }],
    ]);
    const costly = requestOf({ key_id: 1, module: 'image', model: 'alpha-image-1' });
    const judged = await served.client.ask('provider', PROVIDER.validateActionConfig, costly);
    expect(judged.diagnostics).toMatchObject([{ attribute: { steps: [{ attributeName: 'costly' }] } }]);
    const events = await served.client.stream('provider', PROVIDER.invokeAction, costly);
    expect(events).toMatchObject([
      { completed: { diagnostics: [{ attribute: { steps: [{ attributeName: 'costly' }] } }] } },
    ]);
  });
});
