import { randomBytes } from 'node:crypto';
import { startReferenceGateway } from '../../src/reference/index.ts';
import type { ServerKind } from './kinds.ts';
import {
  COMPLETION_RATIO,
  GROUPS,
  headersOf,
  MODEL,
  MODEL_RATIO,
  type Owner,
  type Peer,
  userHeaders,
  VIDEO_MODEL,
  VIDEO_PRICE,
  WEALTH,
} from './peer.ts';
import { startSoraUpstream } from './sora-upstream.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

interface Answer {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
}

type Headers = Readonly<Record<string, string>>;

interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Headers;
}

async function send(
  url: string,
  { method, path, body, headers }: Request,
): Promise<{ answer: Answer; cookie: string }> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
  const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { answer: JSON.parse(text) as Answer, cookie: cookie.join('; ') };
}

/** Sends a request that must succeed. */
async function ask<T>(url: string, request: Request): Promise<T> {
  const { answer } = await send(url, request);
  if (!answer.success) throw new Error(`${request.method} ${request.path}: ${answer.message}`);
  return answer.data as T;
}

/** Logs in, and makes an access token. Servers remember a login by a cookie or by a token in the answer. */
async function login(url: string, credentials: Credentials): Promise<Owner> {
  const { answer, cookie } = await send(url, { method: 'POST', path: '/api/user/login', body: credentials });
  if (!answer.success) throw new Error(`${credentials.username} cannot log in: ${answer.message}`);
  const {
    id,
    user,
    access_token: session,
  } = answer.data as {
    id?: number;
    user?: { id: number };
    access_token?: string;
  };
  const userId = id ?? user?.id ?? 0;
  const accessToken = await ask<string>(url, {
    method: 'GET',
    path: '/api/user/token',
    headers: {
      cookie,
      ...userHeaders(userId),
      ...(session === undefined ? {} : { authorization: `Bearer ${session}` }),
    },
  });
  return { userId, accessToken };
}

/** Makes the first administrator of a server that has none. A node of it that does not know of that yet rejects this, and accepts the login. */
async function setUp(url: string, { username, password }: Credentials): Promise<void> {
  const { status } = await ask<{ status: boolean }>(url, { method: 'GET', path: '/api/setup' });
  if (status) return;
  const mode = { SelfUseModeEnabled: false, DemoSiteEnabled: false };
  const body = { username, password, confirmPassword: password, ...mode };
  await send(url, { method: 'POST', path: '/api/setup', body });
}

const UPSTREAM_KEY = 'upstream'.repeat(6);

/** Starts what a server forwards its requests to. */
const startUpstream = () =>
  startReferenceGateway({
    profile: 'contract',
    seed: {
      quotaPerUnit: 500_000,
      accounts: [{ userId: 1, username: 'upstream', quota: 5_000_000_000 }],
      groups: { default: { desc: 'Default' } },
      models: { [MODEL]: {}, [VIDEO_MODEL]: { price: VIDEO_PRICE, task: { queueSeconds: 0, runSeconds: 1 } } },
      keys: [{ name: 'channel', key: UPSTREAM_KEY, unlimited_quota: true }],
      limits: { api: null, search: null, reveal: null },
    },
  });

/** Types of channels, as servers number them. */
const CHANNEL = { openai: 1, sora: 55 };

interface Channel {
  readonly type: number;
  readonly model: string;
  readonly upstream: string;
}

/** A server with the credentials of its administrator. */
interface Administration {
  readonly url: string;
  readonly headers: Headers;
  readonly kind: ServerKind;
}

async function openChannel({ url, headers, kind }: Administration, { type, model, upstream }: Channel): Promise<void> {
  const channel = {
    type,
    name: `upstream-${randomBytes(4).toString('hex')}`,
    key: `sk-${UPSTREAM_KEY}`,
    base_url: upstream,
    models: model,
    group: GROUPS.join(),
    groups: GROUPS,
    priority: Math.floor(Date.now() / 1000),
  };
  await ask(url, { method: 'POST', path: '/api/channel/', headers, body: kind.channelBody(channel) });
}

async function setPrices({ url, headers, kind: { pricePath } }: Administration): Promise<void> {
  if (pricePath === undefined) return;
  const price = { input: MODEL_RATIO, output: MODEL_RATIO * COMPLETION_RATIO };
  const body = { model: MODEL, type: 'tokens', channel_type: CHANNEL.openai, ...price };
  // It refuses a price that an earlier file of tests has set.
  await send(url, { method: 'POST', path: pricePath, headers, body });
}

async function setOptions({ url, headers }: Administration): Promise<void> {
  const options = {
    ModelRatio: JSON.stringify({ [MODEL]: MODEL_RATIO }),
    CompletionRatio: JSON.stringify({ [MODEL]: COMPLETION_RATIO }),
    ModelPrice: JSON.stringify({ [VIDEO_MODEL]: VIDEO_PRICE }),
    UserUsableGroups: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, group]))),
    GroupRatio: JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, 1]))),
    // Otherwise a busy machine refuses requests.
    'performance_setting.monitor_enabled': 'false',
    // The films of the upstream are on this machine.
    'fetch_setting.enable_ssrf_protection': 'false',
  };
  for (const [key, value] of Object.entries(options)) {
    await ask(url, { method: 'PUT', path: '/api/option/', headers, body: { key, value } });
  }
}

async function makeOwner({ url, headers, kind }: Administration, quota: number): Promise<Owner> {
  const username = `owner-${randomBytes(3).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  const user = { username, password, display_name: username, role: 1 };
  await ask(url, { method: 'POST', path: '/api/user/', headers, body: user });
  const owner = await login(url, { username, password });
  // one-api makes a key for each account.
  const made = await ask<unknown>(url, { method: 'GET', path: kind.keys.path, headers: headersOf(owner) });
  for (const { id } of kind.keys.read(made)) {
    await ask(url, { method: 'DELETE', path: `/api/token/${id}`, headers: headersOf(owner) });
  }
  // Added, because a server with Redis keeps accounts in a cache, and does not renew it for a balance that is replaced.
  const path = kind.walletPath?.(owner.userId) ?? '/api/user/manage';
  const grant = { id: owner.userId, action: 'add_quota', mode: 'add', value: quota, quota };
  if (quota > 0) await send(url, { method: 'POST', path, headers, body: grant });
  const stored = await ask<{ quota: number }>(url, { method: 'GET', path: `/api/user/${owner.userId}`, headers });
  // Versions before 0.12.7 ignore an action that they do not know.
  if (stored.quota < quota) await ask(url, { method: 'PUT', path: '/api/user/', headers, body: { ...stored, quota } });
  return owner;
}

/** Prepares a running server: an administrator if it has none, a channel, prices. */
export async function openServer(url: string, administrator: Credentials, kind: ServerKind): Promise<Peer> {
  if (!kind.isSetUp) await setUp(url, administrator);
  const administration: Administration = { url, headers: headersOf(await login(url, administrator)), kind };
  const upstream = await startUpstream();
  const sora = await startSoraUpstream(upstream.url);
  await openChannel(administration, { type: CHANNEL.openai, model: MODEL, upstream: upstream.url });
  if (kind.has.videos)
    await openChannel(administration, { type: CHANNEL.sora, model: VIDEO_MODEL, upstream: sora.url });
  const { headers } = administration;
  if (kind.renewPath) await ask(url, { method: 'POST', path: kind.renewPath, headers });
  await setOptions(administration);
  await setPrices(administration);
  const { version } = await ask<{ version: string }>(url, { method: 'GET', path: '/api/status' });
  return {
    name: process.env.KEYPLANE_ACCEPTANCE_NAME ?? version,
    url,
    kind,
    makeOwner: (wealth) => makeOwner(administration, WEALTH[wealth]),
    async close() {
      await sora.close();
      await upstream.close();
    },
  };
}
