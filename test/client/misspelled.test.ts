import type { ChatRequest, DeltaVideoRequest, GatewayClient, ImageRequest, ImageResult, KeyToCreate } from 'keyplane';
import { expect, it } from 'vitest';

/** Compiled against the built declarations; never run. */
async function misspelled(gateway: GatewayClient, image: ImageResult): Promise<void> {
  const messages = [{ role: 'user', content: 'hello' }] as const;
  // @ts-expect-error it is `temperature`
  ({ model: 'a', messages, temprature: 1 }) satisfies ChatRequest;
  // @ts-expect-error a role is one of four
  ({ model: 'a', messages: [{ role: 'human', content: 'hello' }] }) satisfies ChatRequest;
  // @ts-expect-error a part of text has a text
  ({ model: 'a', messages: [{ role: 'user', content: [{ type: 'text', txt: 'hello' }] }] }) satisfies ChatRequest;
  // @ts-expect-error there are three qualities, and auto
  ({ model: 'alpha-image-2', prompt: 'a fox', quality: 'best' }) satisfies ImageRequest;
  const metadata = { content: [{ type: 'text', text: 'a wave' }], resolution: '768P', duration: 4 } as const;
  // @ts-expect-error it is `metadata`
  ({ model: 'delta-H3', prompt: 'a wave', meta: metadata }) satisfies DeltaVideoRequest;
  ({ model: 'delta-H3', prompt: 'a wave', metadata }) satisfies DeltaVideoRequest;
  // @ts-expect-error a new key needs an amount that it may spend
  ({ name: 'a' }) satisfies KeyToCreate;
  // @ts-expect-error it is `models`
  await gateway.keys.update(1, { model: ['alpha-chat-1'] });
  // @ts-expect-error an update takes the ID of a key, not an older record of it
  await gateway.keys.update({ id: 1, name: 'a' }, { group: 'vip' });
  // @ts-expect-error the raw API is not part of the client
  await gateway.system.updateKey({}, {});
  // @ts-expect-error it is `timeoutMs`
  await gateway.keys.get(1, { timeout: 1000 });
  // @ts-expect-error a link has no bytes
  if (image.kind === 'link') image.bytes satisfies Uint8Array;
  if (image.kind === 'bytes') image.bytes satisfies Uint8Array;
  if (image.kind === 'link') image.url satisfies string;
}

it('rejects misspelled fields when it is compiled', () => {
  expect(misspelled).toBeTypeOf('function');
});
