import { once } from 'node:events';
import { connect } from 'node:net';
import {
  type ReferenceGateway,
  type ReferenceOptions,
  type Seed,
  startReferenceGateway,
} from '../../src/reference/index.ts';

/** Unix seconds at which every test gateway begins. */
export const START = 1_800_000_000;

export const ANNA = { userId: 42, accessToken: 'token-of-anna' };
export const BERT = { userId: 43, accessToken: 'token-of-bert' };

export const UNLIMITED = { api: null, search: null, reveal: null, keysPerUser: null };

export const SEED: Seed = {
  quotaPerUnit: 500_000,
  accounts: [
    { ...ANNA, username: 'anna', quota: 1_000_000 },
    { ...BERT, username: 'bert', quota: 5_000, groups: ['default'], models: ['chat-a'] },
  ],
  groups: { default: { ratio: 1, desc: 'Default' }, vip: { ratio: 0.5, desc: 'Very important' } },
  models: { 'chat-a': { ratio: 2, completionRatio: 3 }, 'chat-b': {}, 'image-a': { price: 0.04 } },
  limits: UNLIMITED,
};

/** The settings of a full update or a create that restrict nothing. */
export const SETTINGS = {
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: true,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  cross_group_retry: false,
  smart_routing: false,
  smart_route_tiers: '',
};

export type Body = Record<string, unknown>;

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is not. */
  readonly json: Body | undefined;
  readonly success: unknown;
  readonly data: unknown;
}

export interface TestGateway extends ReferenceGateway {
  /** Sends a request as Anna, or with other headers. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  as(account: { userId: number; accessToken: string }): Record<string, string>;
  control(method: string, path: string, body?: unknown): Promise<Body>;
  /** The stored keys, newest last. */
  storedKeys(): Promise<Body[]>;
  createKey(settings: Body, headers?: Record<string, string>): Promise<number>;
}

const parsed = (text: string): Body | undefined => {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
};

export const headersOf = ({ userId, accessToken }: { userId: number; accessToken: string }) => ({
  authorization: `Bearer ${accessToken}`,
  'new-api-user': String(userId),
});

export async function send(url: string, method: string, body?: unknown, headers: Record<string, string> = {}) {
  const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    ...payload,
  });
  const text = await response.text();
  const json = parsed(text);
  return { status: response.status, headers: response.headers, text, json, success: json?.success, data: json?.data };
}

/** Starts a gateway with the control endpoints, whose clock does not move by itself. */
export async function startTestGateway(options: ReferenceOptions = {}): Promise<TestGateway> {
  const gateway = await startReferenceGateway({ control: true, seed: SEED, now: () => START, ...options });
  const control = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await send(`${gateway.url}/_reference${path}`, method, body);
    return answer.json ?? {};
  };
  const call: TestGateway['call'] = (method, path, body, headers = headersOf(ANNA)) =>
    send(gateway.url + path, method, body, headers);
  const storedKeys = async () => (await control('GET', '/state')).keys as Body[];
  return {
    ...gateway,
    call,
    as: headersOf,
    control,
    storedKeys,
    async createKey(settings, headers) {
      const answer = await call('POST', '/api/token/', { ...SETTINGS, ...settings }, headers);
      if (answer.success !== true) throw new Error(`not created: ${answer.text}`);
      return Number((await storedKeys()).at(-1)?.id);
    },
  };
}

export const itemsOf = (answer: TestAnswer): Body[] => (answer.data as { items: Body[] }).items;
export const namesOf = (answer: TestAnswer): unknown[] => itemsOf(answer).map(({ name }) => name);

/** The bytes that the gateway sends before it closes the connection; empty when it sends none. */
export async function rawAnswer(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  await once(socket, 'close');
  return text;
}
