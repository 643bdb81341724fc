import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { LOG_TYPE } from '../../../src/wire/index.ts';
import { type Body, SEED, START, send, startTestGateway, type TestAnswer, type TestGateway } from '../harness.ts';

const WALLET = 1_000_000;
const GRANT = 100_000;

const PAID: Seed = {
  ...SEED,
  accounts: [{ userId: 42, username: 'anna', accessToken: 'token-of-anna', quota: WALLET }],
  groups: { default: {}, vip: { ratio: 0.5 } },
  models: {
    'chat-a': { ratio: 2, completionRatio: 3 },
    'image-a': { price: 0.01, family: 'gamma-image' },
    'film-a': { price: 0.02, family: 'download-video' },
    'text-embedding-3-small': { ratio: 4 },
    failing: { fails: { status: 503, message: 'the upstream sleeps' } },
  },
  keys: [
    { id: 1, name: 'plain', key: 'plain', remain_quota: GRANT },
    { id: 2, name: 'vip', key: 'vip', remain_quota: GRANT, group: 'vip' },
    { id: 3, name: 'tight', key: 'tight', remain_quota: 100 },
  ],
};

let gateway: TestGateway;
let ticks = 0;

let failsAt = 0;

/** A second and a half at each look, one of which may fail. */
const tick = (): number => {
  ticks += 1500;
  if (ticks === failsAt) throw new Error('the clock stopped');
  return ticks;
};

beforeEach(async () => {
  [ticks, failsAt] = [0, 0];
  gateway = await startTestGateway({ seed: PAID, ticks: tick });
});
afterEach(() => gateway.close());

const post = (path: string, body: unknown, key = 'plain'): Promise<TestAnswer> =>
  send(gateway.url + path, 'POST', body, { authorization: `Bearer sk-${key}` });

const CHAT = { model: 'chat-a', max_tokens: 50, messages: [{ role: 'user', content: 'Reply with exactly: pong' }] };

const usageIn = ({ json }: TestAnswer): Body => (json?.usage ?? {}) as Body;
const errorIn = ({ json }: TestAnswer): Body => (json?.error ?? {}) as Body;

const state = () => gateway.control('GET', '/state');
const logOf = async (): Promise<Body[]> => (await state()).log as Body[];
const lastEntry = async (): Promise<Body> => (await logOf()).at(-1) ?? {};

async function balances(key: number): Promise<readonly unknown[]> {
  const { accounts, keys } = (await state()) as { accounts: Body[]; keys: Body[] };
  const stored = keys.find(({ id }) => id === key);
  return [accounts[0]?.quota, accounts[0]?.used_quota, stored?.remain_quota, stored?.used_quota];
}

describe('the bill of a request', () => {
  it('charges tokens by the ratio, and completions by the completion ratio too', async () => {
    const usage = usageIn(await post('/v1/chat/completions', CHAT));
    const cost = (Number(usage.prompt_tokens) + 3 * Number(usage.completion_tokens)) * 2;
    expect(cost).toBeGreaterThan(0);
    expect(await balances(1)).toEqual([WALLET - cost, cost, GRANT - cost, cost]);
  });

  it('is multiplied by the ratio of the group', async () => {
    const { total_tokens: tokens } = usageIn(
      await post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a b c d' }, 'vip'),
    );
    expect(await lastEntry()).toMatchObject({ group: 'vip', quota: Number(tokens) * 2 });
  });

  it('charges images and tasks by their price', async () => {
    const input = { messages: [{ role: 'user', content: [{ text: 'a fox' }] }] };
    await post('/v1/images/generations', { model: 'image-a', input, parameters: { n: 2, size: '512*512' } });
    expect(await lastEntry()).toMatchObject({ model_name: 'image-a', quota: 2 * 5000 });
    await post('/v1/video/generations', { model: 'film-a', prompt: 'a wave', seconds: '1', size: '64x64' });
    expect(await lastEntry()).toMatchObject({ model_name: 'film-a', quota: 10_000 });
  });

  it('is multiplied by the ratio of the group for models with a price too', async () => {
    await post('/v1/video/generations', { model: 'film-a', prompt: 'a wave', seconds: '1', size: '64x64' }, 'vip');
    expect(await lastEntry()).toMatchObject({ group: 'vip', quota: 5000 });
  });

  it('is logged with every field of the contract', async () => {
    const body = { ...CHAT, stream: true, reasoning_effort: 'low' };
    await post('/v1/chat/completions', body);
    const { other, ...entry } = await lastEntry();
    expect(entry).toEqual({
      id: 1,
      user_id: 42,
      created_at: START,
      type: LOG_TYPE.consumption,
      content: '',
      username: 'anna',
      token_name: 'plain',
      model_name: 'chat-a',
      quota: (Number(entry.prompt_tokens) + 3 * Number(entry.completion_tokens)) * 2,
      prompt_tokens: expect.any(Number),
      completion_tokens: expect.any(Number),
      use_time: expect.any(Number),
      is_stream: true,
      channel: 1,
      channel_name: '',
      token_id: 1,
      group: 'default',
      ip: '127.0.0.1',
      request_id: expect.stringMatching(/^\w{24}$/),
    });
    expect(entry.use_time).toBeGreaterThanOrEqual(3);
    expect(JSON.parse(String(other))).toEqual({
      billing_source: 'wallet',
      model_price: -1,
      model_ratio: 2,
      cache_ratio: 1,
      cache_tokens: 0,
      completion_ratio: 3,
      group_ratio: 1,
      user_group_ratio: -1,
      reasoning_effort: 'low',
      request_conversion: [],
      request_path: '/v1/chat/completions',
      frt: 1500,
    });
  });

  it('is zero for listing models and counting tokens', async () => {
    await post('/v1/messages/count_tokens', CHAT);
    await send(`${gateway.url}/v1/models`, 'GET', undefined, { authorization: 'Bearer sk-plain' });
    expect([await balances(1), await logOf()]).toEqual([[WALLET, 0, GRANT, 0], []]);
  });
});

describe('quota on hold', () => {
  it('is the maximum cost of a request until its stream ends', async () => {
    await gateway.control('POST', '/faults', { kind: 'hold-midway', path: '/v1/chat/completions' });
    const answer = post('/v1/chat/completions', { ...CHAT, stream: true });
    await gateway.control('GET', '/held?wait=1');
    const { holds } = (await gateway.control('GET', '/holds')) as { holds: Body[] };
    const heldQuota = Number(holds[0]?.quota);
    expect(await balances(1)).toEqual([WALLET - heldQuota, heldQuota, GRANT - heldQuota, heldQuota]);
    await gateway.control('POST', '/release');
    await answer;
    const { quota } = await lastEntry();
    expect(Number(quota)).toBeLessThan(heldQuota);
    expect(await balances(1)).toEqual([WALLET - Number(quota), quota, GRANT - Number(quota), quota]);
    expect((await gateway.control('GET', '/holds')).holds).toEqual([]);
  });

  it('must be available even if the request would cost less', async () => {
    const refused = await post('/v1/chat/completions', CHAT, 'tight');
    expect([refused.status, errorIn(refused).code]).toEqual([403, 'pre_consume_token_quota_failed']);
    expect((await post('/v1/chat/completions', { ...CHAT, max_tokens: 1 }, 'tight')).status).toBe(200);
  });

  it('may be all that remains of the key', async () => {
    const film = { model: 'film-a', prompt: 'a wave', seconds: '1', size: '64x64' };
    await gateway.control('PATCH', '/keys/3', { remain_quota: 9_999 });
    expect((await post('/v1/video/generations', film, 'tight')).status).toBe(403);
    await gateway.control('PATCH', '/keys/3', { remain_quota: 10_000 });
    expect((await post('/v1/video/generations', film, 'tight')).status).toBe(200);
  });

  it('is returned when the upstream fails, and the log gives the reason', async () => {
    const answer = await post('/v1/chat/completions', { ...CHAT, model: 'failing' });
    expect([answer.status, errorIn(answer).message]).toEqual([503, 'the upstream sleeps']);
    expect(await balances(1)).toEqual([WALLET, 0, GRANT, 0]);
    expect(await lastEntry()).toMatchObject({ type: LOG_TYPE.error, quota: 0, content: 'the upstream sleeps' });
  });

  it('is returned when a stream fails inside the gateway', async () => {
    failsAt = 3000;
    await expect(post('/v1/chat/completions', { ...CHAT, stream: true })).rejects.toThrow();
    expect(await balances(1)).toEqual([WALLET, 0, GRANT, 0]);
    expect(await lastEntry()).toMatchObject({ type: LOG_TYPE.error, quota: 0, content: 'internal error' });
  });

  it('is returned when nothing satisfies the requested schema', async () => {
    const schema = { type: 'integer', minimum: 5, maximum: 4 };
    const response_format = { type: 'json_schema', json_schema: { name: 'none', schema } };
    expect((await post('/v1/chat/completions', { ...CHAT, response_format })).status).toBe(400);
    expect(await balances(1)).toEqual([WALLET, 0, GRANT, 0]);
  });

  it('is not taken for a request that breaks a limit', async () => {
    expect((await post('/v1/chat/completions', { ...CHAT, top_p: 2 })).status).toBe(400);
    expect([await balances(1), await logOf()]).toEqual([[WALLET, 0, GRANT, 0], []]);
  });

  it('pays for the part that was sent when the client disconnects', async () => {
    await gateway.control('POST', '/faults', { kind: 'hold-midway', path: '/v1/chat/completions' });
    const leaving = new AbortController();
    const long = {
      ...CHAT,
      messages: [{ role: 'user', content: 'What do rivers bring to the hills of the sea?' }],
      max_tokens: 500,
    };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: 'Bearer sk-plain', 'content-type': 'application/json' },
      body: JSON.stringify({ ...long, stream: true }),
    });
    await gateway.control('GET', '/held?wait=1');
    leaving.abort();
    await answer.text().catch(() => undefined);
    while (((await gateway.control('GET', '/holds')).holds as unknown[]).length > 0);
    const left = Number((await lastEntry()).completion_tokens);
    const whole = Number(usageIn(await post('/v1/chat/completions', long)).completion_tokens);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(whole / 2);
  });
});
