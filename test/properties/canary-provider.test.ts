import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../src/gateway/index.ts';
import { decodeValue, encodeValue } from '../../src/terraform/codec/msgpack.ts';
import { isUnknown, type TerraformObject, type TerraformValue } from '../../src/terraform/codec/value.ts';
import { keyplaneProvider } from '../../src/terraform/keyplane/provider.ts';
import { type Draft, decode, encode } from '../../src/terraform/protocol/message.ts';
import { type Method, PROVIDER } from '../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../src/terraform/provider/handlers.ts';
import { type Schema, typeOf } from '../../src/terraform/provider/schema.ts';
import { openLog } from '../../src/terraform/serve/log.ts';
import { openAccount } from '../cli/account.ts';
import { NOW } from '../cli/terminal.ts';
import { bytesOf } from '../terraform/keyplane/served.ts';
import { MODELS_KEY, partsIn, SEED, TOKEN } from './canary.ts';
import { type Instead, openPlanter } from './planter.ts';

const KEY = 'keyplane_api_key';
const BUDGET = { unlimited: null, usd: 1, quota: null, per: 'lifetime', below: null, initial: null };

/** Every text of an answer. The bytes of MessagePack and JSON hold their texts as they are. */
const textsOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => {
    if (value instanceof Map) return [...value];
    return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  });

type Bytes = { readonly msgpack: Uint8Array } | undefined;
type Config = Readonly<Record<string, TerraformValue>>;

/** The provider, called without a socket; each message is encoded and decoded as on one. */
async function openProvider() {
  const account = await openAccount('keys: {}\n', SEED, 'deployed');
  const planter = await openPlanter(account.url, TOKEN);
  const emitted: string[] = [];
  const log = openLog({
    env: { TF_LOG: 'trace' },
    write: (line) => emitted.push(line),
    now: () => new Date(NOW * 1000),
  });
  // Waiting takes no time.
  const clock = { now: () => NOW * 1000, sleep: async () => {} };
  const provider = keyplaneProvider({ KEYPLANE_MODELS_KEY: `sk-${MODELS_KEY}` }, () => NOW, {
    trace: (event: TraceEvent) => log('debug', 'request', { ...event }),
    clock,
  });
  const handlers = handlersOf(provider, new AbortController());
  const context = { signal: new AbortController().signal };
  type Handler = (request: object, around: typeof context) => unknown;

  const call = async <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>): Promise<A[]> => {
    const [name = ''] = Object.entries(PROVIDER).find(([, each]) => each.name === method.name) ?? [];
    const handler = Object.entries(handlers).find(([each]) => each === name)?.[1] as Handler;
    const answered = await handler(decode(method.request, encode(method.request, request)), context);
    const answers: A[] = [];
    const drafts = Symbol.asyncIterator in Object(answered) ? (answered as AsyncIterable<Draft<A>>) : [answered];
    for await (const draft of drafts) answers.push(decode(method.response, encode(method.response, draft as Draft<A>)));
    return answers;
  };
  const ask = async <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>): Promise<A> => {
    const answers = await call(method, request);
    emitted.push(textsOf(answers));
    return answers.at(-1) as A;
  };
  const schema = provider.resources[KEY]?.schema as Schema;
  const type = typeOf(schema);
  const objectIn = (bytes: Bytes) => (bytes ? (decodeValue(bytes.msgpack, type) as TerraformObject) : undefined);
  const nothing = { msgpack: encodeValue(null, type), json: new Uint8Array() };

  /** Plans and applies as core does: what the configuration omits stays, or is computed. */
  async function change(prior: TerraformObject | undefined, config: Config | undefined) {
    const priorState = prior ? bytesOf(schema, prior) : nothing;
    const wanted = config ? bytesOf(schema, config) : nothing;
    const proposed = prior && config ? { ...prior, ...config } : config;
    const request = { typeName: KEY, priorState, config: wanted };
    const planned = await ask(PROVIDER.planResourceChange, {
      ...request,
      proposedNewState: proposed ? bytesOf(schema, proposed) : nothing,
    });
    if (!planned.plannedState) return undefined;
    const applied = await ask(PROVIDER.applyResourceChange, {
      ...request,
      plannedState: planned.plannedState,
      plannedPrivate: planned.plannedPrivate,
    });
    return objectIn(applied.newState);
  }

  /** The only answers that may have a secret: those with an attribute that the schema calls sensitive, which is removed. */
  async function askSecret() {
    for (const [method, secretSchema, read] of [
      [PROVIDER.readDataSource, provider.dataSources.keyplane_api_key_secret?.schema, 'state'],
      [PROVIDER.openEphemeralResource, provider.ephemerals.keyplane_api_key_secret?.schema, 'result'],
    ] as const) {
      const own = secretSchema as Schema;
      const request = { typeName: 'keyplane_api_key_secret', config: bytesOf(own, { id: 1 }) };
      const [answer] = await call(method as Method, request as object);
      const { [read]: bytes, ...rest } = answer as Record<string, unknown>;
      emitted.push(textsOf(rest));
      if (bytes === undefined) continue;
      const state = decodeValue((bytes as { msgpack: Uint8Array }).msgpack, typeOf(own)) as TerraformObject;
      const open = Object.entries(state ?? {}).filter(([name]) => own.attributes[name]?.isSensitive !== true);
      emitted.push(textsOf(open));
    }
  }

  const configure = () =>
    ask(PROVIDER.configureProvider, {
      config: bytesOf(provider.schema, {
        url: planter.url,
        user_id: 42,
        access_token: TOKEN,
        lock: 'none',
        settle: '0s',
      }),
    });
  const readData = (typeName: string, config: Config) =>
    ask(PROVIDER.readDataSource, {
      typeName,
      config: bytesOf(provider.dataSources[typeName]?.schema as Schema, config),
    });

  /** Everything that core can ask. */
  async function run() {
    await readData('keyplane_account', {});
    await readData('keyplane_groups', {});
    await readData(KEY, { id: 1 });
    await readData('keyplane_api_keys', {});
    await readData('keyplane_models', {});
    await readData('keyplane_usage', { since: new Date((NOW - 60) * 1000).toISOString() });
    await readData('keyplane_check', { key_id: 1, module: 'chat', model: 'alpha-chat-1' });
    await askSecret();
    const action = { typeName: 'keyplane_check' };
    const config = bytesOf(provider.actions.keyplane_check?.schema as Schema, { key_id: 1, module: 'chat' });
    await ask(PROVIDER.invokeAction, { ...action, config });
    await ask(PROVIDER.listResource, {
      typeName: KEY,
      config: bytesOf(provider.listResources[KEY]?.schema as Schema, {}),
      includeResourceObject: true,
    });
    const imported = await ask(PROVIDER.importResourceState, { typeName: KEY, id: '1' });
    const [first] = imported.importedResources;
    const read = await ask(PROVIDER.readResource, {
      typeName: KEY,
      state: first?.state ?? nothing,
      private: first?.private ?? new Uint8Array(),
    });
    const prior = objectIn(read.newState);
    if (prior) await change(prior, { name: 'app-1', group: 'default', models: null });
    const made = await change(undefined, { name: 'app-new', group: 'vip', budget: BUDGET });
    if (made && !Object.values(made).some(isUnknown)) await change(made, undefined);
  }

  return {
    planter,
    configure,
    run,
    change,
    ask,
    provider,
    emitted: () => emitted.splice(0).join('\n'),
    async close() {
      await provider.close();
      await planter.close();
      await account.close();
    },
  };
}

let opened: Awaited<ReturnType<typeof openProvider>>;
beforeEach(async () => {
  opened = await openProvider();
});
afterEach(() => opened.close());

const ANSWERS: readonly (readonly [string, Instead])[] = [
  ['a page', { status: 502, headers: { 'content-type': 'text/html' }, body: `<p>${TOKEN} ${MODELS_KEY}</p>` }],
  ['a message', { status: 200, headers: {}, body: JSON.stringify({ success: false, message: `no sk-${MODELS_KEY}` }) }],
  ['an error', { status: 500, headers: {}, body: JSON.stringify({ error: { message: encodeURIComponent(TOKEN) } }) }],
  ['a redirect', { status: 302, headers: { location: `/login?t=${encodeURIComponent(TOKEN)}` }, body: '' }],
  ['a header', { status: 400, headers: { 'x-oneapi-request-id': TOKEN }, body: '{}' }],
];

describe('secrets that are planted in front of the provider for Terraform', () => {
  it('are looked for in everything that core can ask, which ends without an error', async () => {
    const { configure, run, emitted } = opened;
    await configure();
    await run();
    const seen = emitted();
    expect(seen).not.toContain('"severity":1');
    expect(partsIn(seen)).toEqual([]);
  });

  it.each([
    ['the account', /\.(username|group|desc)$/],
    ['the names of keys', /^GET \/api\/.*\.(name|token_name)$/],
    ['the settings of keys', /\/api\/token.*\.(group|model_limits|allow_ips)$/],
    ['models and their answers', /models.*\.id$|\.model$|\.content$/],
  ])('leave it in sensitive attributes only: %s', async (_, leaves) => {
    const { planter, configure, run, emitted } = opened;
    planter.plantIn(leaves);
    await configure();
    await run();
    expect(partsIn(emitted())).toEqual([]);
    expect(planter.takeSeen().length).toBeGreaterThan(10);
  });

  it.each(ANSWERS)('are in no diagnostic and no line of the log when a fault has them: %s', async (_, answer) => {
    const { planter, configure, run, emitted } = opened;
    for (const isConfigured of [true, false]) {
      if (isConfigured) await configure();
      planter.answer((path) => (path.startsWith('/api/status') ? undefined : answer));
      if (!isConfigured) await configure();
      await run();
      expect(partsIn(emitted())).toEqual([]);
      planter.answer(undefined);
    }
  });
});
