import type { Seed } from '../../../src/reference/index.ts';
import { type Body, SEED, send, startTestGateway, type TestAnswer, type TestGateway } from '../harness.ts';

const priced = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { price: 0.01 }]));

const RIGGED: Seed = {
  ...SEED,
  accounts: [{ userId: 42, username: 'anna', accessToken: 'token-of-anna', quota: 1_000_000_000 }],
  models: {
    'chat-a': { ratio: 2, completionRatio: 3 },
    'chat-cheap': { ratio: 1, completionRatio: 1 },
    'text-embedding-3-small': { ratio: 4 },
    'eta-embedding-001': { ratio: 1 },
    ...priced(['alpha-image-2', 'beta-imagine-image-2.0', 'gamma-image-2.0', 'gamma-image-edit-plus']),
    ...priced(['eta-2.5-flash-image']),
  },
  keys: [
    { id: 1, name: 'plain', key: 'plain', unlimited_quota: true },
    { id: 2, name: 'bound', key: 'bound', unlimited_quota: true },
  ],
};

/** A gateway whose faults are scripted one at a time. */
export interface FailureGateway extends TestGateway {
  /** The next request that matches is served so. */
  next(fault: Body): Promise<void>;
  post(path: string, body: unknown, key?: string): Promise<TestAnswer>;
  chat(more?: Body, key?: string): Promise<TestAnswer>;
  /** The newest entry of the usage log. */
  lastEntry(): Promise<Body>;
}

export const PONG = [{ role: 'user', content: 'Reply with exactly: ping and pong' }];

export async function startFailureGateway(): Promise<FailureGateway> {
  const gateway = await startTestGateway({ seed: RIGGED });
  const post: FailureGateway['post'] = (path, body, key = 'plain') =>
    send(gateway.url + path, 'POST', body, { authorization: `Bearer sk-${key}` });
  return {
    ...gateway,
    post,
    chat: (more = {}, key) => post('/v1/chat/completions', { model: 'chat-a', messages: PONG, ...more }, key),
    async next(fault) {
      const { error } = await gateway.control('POST', '/faults', fault);
      if (error !== undefined) throw new Error(JSON.stringify(error));
    },
    async lastEntry() {
      const { log } = await gateway.control('GET', '/state');
      return (log as Body[]).at(-1) ?? {};
    },
  };
}

/** The data of every event of a stream, in its order. */
export const eventsIn = ({ text }: TestAnswer): readonly unknown[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => (data.startsWith('{') ? JSON.parse(data) : data));
