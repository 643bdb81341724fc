import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeValue } from '../../../src/terraform/codec/msgpack.ts';
import type { Value } from '../../../src/terraform/codec/value.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import { PROVIDER, SERVICE_NAMES } from '../../../src/terraform/protocol/services.ts';
import { answersOf } from '../../../src/terraform/provider/answers.ts';
import { type Schema, typeOf } from '../../../src/terraform/provider/schema.ts';
import { issueCertificate } from '../../../src/terraform/serve/certificate.ts';
import { type Listening, listen } from '../../../src/terraform/serve/grpc.ts';
import { openStage, type Stage } from '../../checks/stage.ts';
import { openPluginClient, type PluginClient } from '../plugin-client.ts';

const server = issueCertificate(Date.now());
const core = issueCertificate(Date.now());
const provider = keyplaneProvider({}, () => Math.floor(Date.now() / 1000));

const bytesOf = ({ attributes }: Schema, config: Readonly<Record<string, Value>>) => {
  const whole = Object.fromEntries(Object.keys(attributes).map((name) => [name, config[name] ?? null]));
  return { msgpack: encodeValue(whole, typeOf({ attributes })), json: new Uint8Array() };
};

let stage: Stage;
let folder = '';
let listening: Listening;
let client: PluginClient;

beforeEach(async () => {
  stage = await openStage('contract');
  folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const stop = new AbortController();
  listening = await listen({
    socket: join(folder, 's'),
    mounted: [{ service: SERVICE_NAMES.provider, calls: PROVIDER, answers: answersOf(provider, stop) }],
    tls: { ...server, clientCertificate: core.certificate },
    stop: stop.signal,
    onDefect: (_, thrown) => {
      throw thrown;
    },
  });
  client = openPluginClient(join(folder, 's'), { own: core, theirs: server.certificate });
  const config = bytesOf(provider.schema, { url: stage.url, user_id: 42, access_token: 'token-of-anna' });
  const { diagnostics } = await client.ask('provider', PROVIDER.configureProvider, { config });
  expect(diagnostics).toEqual([]);
});
afterEach(async () => {
  client.close();
  listening.close();
  await stage.close();
  await rm(folder, { recursive: true });
});

const typeName = 'keyplane_check';
const requestOf = (config: Readonly<Record<string, Value>>) => ({
  typeName,
  config: bytesOf(provider.actions.keyplane_check?.schema as Schema, config),
});
const CHAT = { key_id: 1, module: 'chat', model: 'alpha-chat-1' };

describe('the action keyplane_check, as core calls it', () => {
  it('is told of, judged, planned, and done with lines of progress', async () => {
    expect((await client.ask('provider', PROVIDER.getMetadata, {})).actions).toEqual([{ typeName }]);
    const request = requestOf(CHAT);
    expect((await client.ask('provider', PROVIDER.validateActionConfig, request)).diagnostics).toEqual([]);
    expect((await client.ask('provider', PROVIDER.planAction, request)).diagnostics).toEqual([]);
    expect(await stage.counts()).not.toHaveProperty('POST /v1/chat/completions');
    const events = await client.stream('provider', PROVIDER.invokeAction, request);
    expect(events.at(-1)).toMatchObject({ completed: { diagnostics: [] } });
    expect(events.slice(0, -1).map(({ progress }) => progress?.message)).toContain(
      'chat (alpha-chat-1) with the key "open": passed',
    );
  });

  it('ends with an error when the check fails', async () => {
    const events = await client.stream('provider', PROVIDER.invokeAction, requestOf({ ...CHAT, key_id: 5 }));
    expect(events.at(-1)?.completed?.diagnostics).toMatchObject([
      { severity: 1, summary: 'The check failed', detail: expect.stringContaining('the key is disabled') },
    ]);
  });

  it('is refused at the argument that is wrong, before it is done and while it is', async () => {
    const wrong = requestOf({ ...CHAT, module: 'chatter', timeout: 'long' });
    const { diagnostics } = await client.ask('provider', PROVIDER.validateActionConfig, wrong);
    expect(diagnostics.map(({ attribute }) => attribute?.steps)).toEqual([
      [{ attributeName: 'module' }],
      [{ attributeName: 'timeout' }],
    ]);
    const costly = requestOf({ key_id: 1, module: 'image', model: 'alpha-image-1' });
    const events = await client.stream('provider', PROVIDER.invokeAction, costly);
    expect(events).toMatchObject([
      { completed: { diagnostics: [{ attribute: { steps: [{ attributeName: 'costly' }] } }] } },
    ]);
  });
});
