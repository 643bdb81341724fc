import { describe, expect, it } from 'vitest';
import { type Bench, SETTINGS, START, startBench } from '../harness.ts';

const LIVE = { expired_time: -1, unlimited_quota: false, remain_quota: 10 };
const EXPIRED = { ...LIVE, expired_time: START };
const EXHAUSTED = { ...LIVE, remain_quota: 0 };
const OVERDRAWN = { ...LIVE, remain_quota: -3 };
const UNLIMITED = { ...LIVE, unlimited_quota: true, remain_quota: -3 };

/** From a state, under conditions, by a wish: the state after it and whether the wish was granted. */
const TRANSITIONS: readonly [
  from: number,
  under: string,
  wish: 1 | 2,
  to: number,
  granted: boolean,
  conditions: object,
][] = [
  [1, 'valid', 2, 2, true, LIVE],
  [1, 'valid', 1, 1, true, LIVE],
  [2, 'valid', 1, 1, true, LIVE],
  [2, 'unlimited', 1, 1, true, UNLIMITED],
  [2, 'valid', 2, 2, true, LIVE],
  [2, 'expired', 1, 2, false, EXPIRED],
  [2, 'exhausted', 1, 2, false, EXHAUSTED],
  [3, 'expired', 1, 3, false, EXPIRED],
  [3, 'corrected', 1, 1, true, LIVE],
  [3, 'corrected but exhausted', 1, 3, false, EXHAUSTED],
  [3, 'expired', 2, 2, true, EXPIRED],
  [4, 'exhausted', 1, 4, false, EXHAUSTED],
  [4, 'overdrawn', 1, 4, false, OVERDRAWN],
  [4, 'corrected', 1, 1, true, LIVE],
  [4, 'made unlimited', 1, 1, true, UNLIMITED],
  [4, 'corrected but expired', 1, 4, false, EXPIRED],
  [4, 'exhausted', 2, 2, true, EXHAUSTED],
];

/** A use of a key in state 1 to 4: which state it finds it in after. */
const USES: readonly [from: number, under: string, to: number, usable: boolean, conditions: object][] = [
  [1, 'valid', 1, true, LIVE],
  [1, 'unlimited', 1, true, UNLIMITED],
  [1, 'expired', 3, false, EXPIRED],
  [1, 'exhausted', 4, false, EXHAUSTED],
  [1, 'overdrawn', 4, false, OVERDRAWN],
  [1, 'expired and exhausted', 3, false, { ...EXHAUSTED, expired_time: 5 }],
  [2, 'valid', 2, false, LIVE],
  [2, 'expired', 2, false, EXPIRED],
  [3, 'corrected', 3, false, LIVE],
  [4, 'corrected', 4, false, LIVE],
];

async function inState(bench: Bench, status: number, conditions: object): Promise<number> {
  const id = await bench.created({ name: `from ${status}` });
  await bench.control('PATCH', `/keys/${id}`, { ...conditions, status });
  return id;
}

describe.each(['contract', 'deployed'] as const)('the state of a key, profile %s', (profile) => {
  it.each(TRANSITIONS)(
    'is, from %i and %s, by the wish for %i, then %i',
    async (from, _under, wish, to, granted, conditions) => {
      const bench = await startBench({ profile });
      const id = await inState(bench, from, conditions);
      const [before] = await bench.storedKeys();
      const answer = await bench.call('PUT', '/api/token/?status_only=true', { id, status: wish });
      expect([answer.status, answer.success]).toEqual([200, granted]);
      expect((await bench.storedKeys())[0]).toEqual({ ...before, status: to });
      await bench.close();
    },
  );

  it.each(USES)('is, from %i and %s, after a use %i', async (from, _under, to, usable, conditions) => {
    const bench = await startBench({ profile });
    await inState(bench, from, conditions);
    const [before] = await bench.storedKeys();
    const answer = await bench.call('GET', '/v1/models', undefined, { authorization: `Bearer sk-${before?.key}` });
    expect(answer.status).toBe(usable ? 200 : 401);
    expect((await bench.storedKeys())[0]).toEqual({ ...before, status: to });
    await bench.close();
  });

  it('does not move while nobody uses the key, however late it is', async () => {
    const bench = await startBench({ profile });
    const id = await bench.created({ name: 'lazy', expired_time: START + 10 });
    await bench.control('POST', '/clock', { advance: 3600 });
    expect((await bench.call('GET', `/api/token/${id}`)).data).toMatchObject({ status: 1 });
    await bench.control('POST', '/spend', { keyId: id, quota: 1 });
    expect((await bench.call('GET', `/api/token/${id}`)).data).toMatchObject({ status: 3 });
    await bench.close();
  });

  it('needs two steps to be repaired: the cause, then the status', async () => {
    const bench = await startBench({ profile });
    const id = await inState(bench, 3, EXPIRED);
    const repaired = { ...SETTINGS, id, name: 'repaired' };
    expect((await bench.call('PUT', '/api/token/', repaired)).success).toBe(true);
    expect((await bench.storedKeys())[0]?.status).toBe(3);
    expect((await bench.call('PUT', '/api/token/?status_only=true', { id, status: 1 })).success).toBe(true);
    expect((await bench.storedKeys())[0]?.status).toBe(1);
    await bench.close();
  });
});
