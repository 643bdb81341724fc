import { describe, expect, it } from 'vitest';
import { chargesFor, type SentCheck } from '../../../src/checks/cost/charges.ts';
import { estimatesFrom, type PricedRequest } from '../../../src/checks/cost/estimate.ts';
import { keyId, quota, type UsageEntry } from '../../../src/domain/index.ts';

const AT = 1_800_000_000;
const CHAT = '/v1/chat/completions';

const entry = (given: Partial<UsageEntry> & { spent: UsageEntry['spent'] }): UsageEntry => ({
  identity: JSON.stringify(given),
  at: AT,
  keyId: keyId(1),
  keyName: 'prod-shop',
  model: 'alpha-chat-1',
  ...given,
});

const sent = (given: Partial<SentCheck> = {}): SentCheck => ({
  keyId: keyId(1),
  model: 'alpha-chat-1',
  paths: [CHAT],
  streamed: false,
  requestIds: [],
  requests: 1,
  usages: [],
  startedAt: AT * 1000,
  endedAt: AT * 1000 + 800,
  ...given,
});

const unitsOf = (checks: readonly SentCheck[], entries: readonly UsageEntry[]) =>
  chargesFor(checks, entries).map((charge) => charge?.units);

describe('what a check was charged', () => {
  it('is reported by the ids of its requests, whatever else the key did', () => {
    const log = [entry({ spent: quota(5), requestId: 'a' }), entry({ spent: quota(7), requestId: 'b' })];
    expect(unitsOf([sent({ requestIds: ['a'] }), sent({ requestIds: ['b'] })], log)).toEqual([5, 7]);
  });

  it('is the sum of its requests and of what was given back', () => {
    const log = [
      entry({ spent: quota(50), requestId: 'a' }),
      entry({ spent: quota(-20), requestId: 'a' }),
      entry({ spent: quota(3), requestId: 'b' }),
    ];
    expect(unitsOf([sent({ requestIds: ['a', 'b'], requests: 2 })], log)).toEqual([33]);
  });

  it('has the refund of its task, whichever request id that has', () => {
    const task = { taskId: 'task-1' };
    const log = [
      entry({ spent: quota(-50), requestId: 'refund', ...task }),
      entry({ spent: quota(50), requestId: 'a' }),
      entry({ spent: quota(-7), requestId: 'refund-2', taskId: 'task-2' }),
    ];
    expect(unitsOf([sent({ requestIds: ['a'], ...task })], log)).toEqual([0]);
    expect(unitsOf([sent(task)], [entry({ spent: quota(50), ...task })])).toEqual([50]);
    expect(unitsOf([sent({ requestIds: ['a'], ...task })], log.slice(0, 1))).toEqual([undefined]);
  });

  it('is not taken from an entry of another time when the id is not in the log yet', () => {
    expect(unitsOf([sent({ requestIds: ['a'] })], [entry({ spent: quota(5), requestId: 'z' })])).toEqual([undefined]);
  });

  it('is reported by key, model and time where the gateway names no request', () => {
    const log = [
      entry({ spent: quota(5) }),
      entry({ spent: quota(100), keyId: keyId(2) }),
      entry({ spent: quota(200), model: 'alpha-chat-2' }),
      entry({ spent: quota(300), at: AT - 60 }),
      entry({ spent: quota(400), at: AT + 60 }),
    ];
    expect(unitsOf([sent()], log)).toEqual([5]);
  });

  it('is reported by the path and the stream, where the log has them', () => {
    const log = [
      entry({ spent: quota(5), path: `${CHAT}?x=1`, streamed: false }),
      entry({ spent: quota(6), path: CHAT, streamed: true }),
      entry({ spent: quota(7), path: '/v1/responses', streamed: false }),
    ];
    expect(unitsOf([sent(), sent({ streamed: true })], log)).toEqual([5, 6]);
  });

  it('is identified by the usage that the answer reports', () => {
    const log = [
      entry({ spent: quota(5), promptTokens: 9, completionTokens: 3 }),
      entry({ spent: quota(8), promptTokens: 20, completionTokens: 1 }),
    ];
    const [short, long] = [
      { input: 9, output: 3 },
      { input: 20, output: 1 },
    ].map((used) => sent({ usages: [used] }));
    expect(unitsOf([short as SentCheck, long as SentCheck], log)).toEqual([5, 8]);
  });

  it('is an equal share where checks are indistinguishable but every request cost the same', () => {
    const log = [1, 2, 3].map((n) => entry({ spent: quota(4), identity: String(n) }));
    expect(unitsOf([sent(), sent({ requests: 2 })], log)).toEqual([4, 8]);
  });

  it('is not guessed where checks are indistinguishable', () => {
    const log = [entry({ spent: quota(4) }), entry({ spent: quota(5) })];
    expect(unitsOf([sent(), sent()], log)).toEqual([undefined, undefined]);
    expect(unitsOf([sent(), sent()], log.slice(0, 1))).toEqual([undefined, undefined]);
  });

  it('is not whole while one of its requests is not in the log', () => {
    const check = sent({ requestIds: ['a', 'b'], requests: 2 });
    const [a, b] = ['a', 'b'].map((requestId) => entry({ spent: quota(5), requestId }));
    expect(chargesFor([check], [a as UsageEntry])).toMatchObject([{ units: 5, isWhole: false }]);
    expect(chargesFor([check], [a, b] as UsageEntry[])).toMatchObject([{ units: 10, isWhole: true }]);
  });

  it('is not reported where more was paid in that time than it sent: somebody else uses the key', () => {
    const log = [1, 2, 3].map((n) => entry({ spent: quota(50), identity: String(n) }));
    expect(unitsOf([sent()], log)).toEqual([undefined]);
    expect(unitsOf([sent()], [entry({ spent: quota(50) }), entry({ spent: quota(-20) })])).toEqual([30]);
  });

  it('has the model that was billed', () => {
    const log = [entry({ spent: quota(4), requestId: 'a', model: 'alpha-chat-0' })];
    expect(chargesFor([sent({ requestIds: ['a'] })], log)[0]?.models).toEqual(['alpha-chat-0']);
  });
});

describe('an estimate', () => {
  const log = [2, 5, 0, -4].map((spent) => entry({ spent: quota(spent) }));

  const estimatesOf = (entries: readonly UsageEntry[]) =>
    estimatesFrom({ entries, groups: [], prices: [], keys: [], quotaPerUnit: 500_000 });

  const order = (given: Partial<PricedRequest> = {}): PricedRequest => ({
    model: 'alpha-chat-1',
    requests: 1,
    fingerprint: 'a',
    body: {},
    key: { id: keyId(1), group: '' },
    isMedia: false,
    unit: 'token',
    hasOutput: true,
    ...given,
  });

  it('is the mean of the payments for the model, rounded up, without refunds', () => {
    expect(estimatesOf(log).usual(order())).toEqual({ units: 4, isMaximum: false });
    expect(estimatesOf(log).usual(order({ requests: 3 }))?.units).toBe(11);
  });

  it('is not made up for a model that nobody paid for', () => {
    expect(estimatesOf(log).usual(order({ model: 'alpha-chat-2' }))).toBeUndefined();
    expect(estimatesOf([entry({ spent: quota(-3) })]).usual(order())).toBeUndefined();
  });

  it('follows what this run was charged for the same: the most of it', () => {
    const estimates = estimatesOf(log);
    for (const units of [9, 12, 7]) estimates.learn(order(), quota(units));
    expect(estimates.usual(order())).toEqual({ units: 12, isMaximum: false });
    expect(estimates.usual(order({ fingerprint: 'b' }))?.units).toBe(4);
  });

  it('follows the ratio of the group of each key, whether the account lists the key or not', () => {
    const keyOf = (id: number, group: string) => ({ id: keyId(id), group });
    const [plain, dear] = [keyOf(1, 'default'), keyOf(2, 'dear')];
    const groups = [
      { name: 'default', ratio: '1' },
      { name: 'dear', ratio: '3' },
    ];
    const prices = [{ by: 'token', model: 'alpha-chat-1', input: 1, output: 1 }] as const;
    const estimates = estimatesFrom({ entries: [], groups, prices, keys: [plain, dear], quotaPerUnit: 500_000 });
    const unitsFor = (key: PricedRequest['key']) => estimates.most(order({ body: { max_tokens: 100 }, key }))?.units;
    const once = unitsFor(plain) ?? 0;
    expect(once).toBeGreaterThan(100);
    // The second request of a group is answered from memory.
    for (const key of [plain, keyOf(3, 'default')]) expect(unitsFor(key)).toBe(once);
    for (const key of [dear, dear, keyOf(1, 'dear')]) expect(unitsFor(key)).toBe(3 * once);
  });

  it('learns nothing from a failure that is in the log with nothing spent', () => {
    const estimates = estimatesOf([]);
    estimates.learn(order(), quota(0));
    expect(estimates.usual(order())).toBeUndefined();
  });
});
