import { describe, expect, it } from 'vitest';
import { SETTINGS, START, startTestGateway, type TestGateway } from '../harness.ts';

const LIVE = { expired_time: -1, unlimited_quota: false, remain_quota: 10 };
const EXPIRED = { ...LIVE, expired_time: START };
const EXHAUSTED = { ...LIVE, remain_quota: 0 };
const OVERDRAWN = { ...LIVE, remain_quota: -3 };
const UNLIMITED = { ...LIVE, unlimited_quota: true, remain_quota: -3 };

/** A status, conditions and a requested status: the status afterwards and whether the request succeeded. */
const TRANSITIONS: readonly [
  from: number,
  under: string,
  requested: 1 | 2,
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

async function inState(gateway: TestGateway, status: number, conditions: object): Promise<number> {
  const id = await gateway.createKey({ name: `from ${status}` });
  await gateway.control('PATCH', `/keys/${id}`, { ...conditions, status });
  return id;
}

describe.each(['contract', 'deployed'] as const)('the status of a key, profile %s', (profile) => {
  // A deployed gateway checks only the cause of a status: see deployed-rows.test.ts.
  const checked = TRANSITIONS.filter(
    ([from, under, , , granted]) => profile === 'contract' || !((from === 2 && !granted) || under.includes(' but ')),
  );

  it.each(checked)(
    'changes from %i on a key that is %s, when it is set to %i, to %i',
    async (from, _under, requested, to, granted, conditions) => {
      const gateway = await startTestGateway({ profile });
      const id = await inState(gateway, from, conditions);
      const [before] = await gateway.storedKeys();
      const answer = await gateway.call('PUT', '/api/token/?status_only=true', { id, status: requested });
      expect([answer.status, answer.success]).toEqual([200, granted]);
      expect((await gateway.storedKeys())[0]).toEqual({ ...before, status: to });
      await gateway.close();
    },
  );

  it.each(USES)(
    'changes from %i on a key that is %s, when it is used, to %i',
    async (from, _under, to, usable, conditions) => {
      const gateway = await startTestGateway({ profile });
      await inState(gateway, from, conditions);
      const [before] = await gateway.storedKeys();
      const answer = await gateway.call('GET', '/v1/models', undefined, { authorization: `Bearer sk-${before?.key}` });
      expect(answer.status).toBe(usable ? 200 : 401);
      expect((await gateway.storedKeys())[0]).toEqual({ ...before, status: to });
      await gateway.close();
    },
  );

  it('does not change while nobody uses the key, however much time passes', async () => {
    const gateway = await startTestGateway({ profile });
    const id = await gateway.createKey({ name: 'lazy', expired_time: START + 10 });
    await gateway.control('POST', '/clock', { advance: 3600 });
    expect((await gateway.call('GET', `/api/token/${id}`)).data).toMatchObject({ status: 1 });
    await gateway.control('POST', '/spend', { keyId: id, quota: 1 });
    expect((await gateway.call('GET', `/api/token/${id}`)).data).toMatchObject({ status: 3 });
    await gateway.close();
  });

  it('needs two steps to be repaired: the cause, then the status', async () => {
    const gateway = await startTestGateway({ profile });
    const id = await inState(gateway, 3, EXPIRED);
    const repaired = { ...SETTINGS, id, name: 'repaired' };
    expect((await gateway.call('PUT', '/api/token/', repaired)).success).toBe(true);
    expect((await gateway.storedKeys())[0]?.status).toBe(3);
    expect((await gateway.call('PUT', '/api/token/?status_only=true', { id, status: 1 })).success).toBe(true);
    expect((await gateway.storedKeys())[0]?.status).toBe(1);
    await gateway.close();
  });
});
