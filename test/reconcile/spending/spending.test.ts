import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DesiredKey,
  type KeyMetadata,
  keyId,
  type ObservedKey,
  quota,
  type UsageEntry,
  windowEnd,
} from '../../../src/domain/index.ts';
import {
  exhaustionOf,
  type KeySpending,
  type LogTally,
  spendingByGroup,
  spendingByKey,
  tallyUsage,
  unitsByDay,
} from '../../../src/reconcile/index.ts';
import { plainKey } from '../../plain-key.ts';

/** 2027-01-15T08:00:00Z. */
const NOW = 1_800_000_000;
const DAY = 86_400;
const RATE = { digits: 500_000n, scale: 0 };

const entry = (at: number, spent: number, more: Partial<UsageEntry> = {}): UsageEntry => ({
  identity: `${at}|${spent}|${more.keyName ?? ''}`,
  at,
  keyId: keyId(1),
  keyName: 'a',
  model: 'alpha-chat-1',
  spent: quota(spent),
  ...more,
});

async function* pagesOf(entries: readonly UsageEntry[], size = 2) {
  for (let i = 0; i < entries.length; i += size) yield entries.slice(i, i + size);
}

const tallied = (entries: readonly UsageEntry[], since = 0, maxPages = 1000): Promise<LogTally> =>
  tallyUsage(pagesOf(entries.toSorted((a, b) => b.at - a.at)), { since, maxPages });

const limited = (remain: number, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(1, { name: 'a', unlimited: false, remain: quota(remain), ...more });

interface Case {
  readonly keys: readonly ObservedKey[];
  readonly entries: readonly UsageEntry[];
  readonly since?: number;
  readonly maxPages?: number;
  readonly budget?: DesiredKey['budget'];
  readonly metadata?: KeyMetadata;
}

async function spendings({ keys, entries, since = NOW - 7 * DAY, maxPages, budget, metadata }: Case) {
  const tally = await tallied(entries, 0, maxPages);
  return spendingByKey({
    observed: { keys, quotaPerUnit: RATE },
    tally,
    now: NOW,
    since,
    declarationOf: ({ name }) => (budget === undefined ? undefined : ({ name, budget } as DesiredKey)),
    metadataOf: () => metadata,
  });
}

const one = async (given: Case): Promise<KeySpending> => {
  const [first] = await spendings(given);
  if (!first) throw new Error('no key');
  return first;
};

describe('the usage of a key', () => {
  it('is exact beyond the numbers that a double holds', async () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const tally = await tallied([entry(NOW - 3, huge), entry(NOW - 2, huge), entry(NOW - 1, 2)]);
    expect(tally.cells[0]?.units).toBe(2n * BigInt(huge) + 2n);
  });

  it('of a part of a day leaves out what was spent earlier on that day, however far the log was read', async () => {
    const since = NOW - 3600;
    const entries = [entry(since - 1, 500), entry(since, 20), entry(NOW - 1, 3)].toSorted((a, b) => b.at - a.at);
    const tally = await tallyUsage(pagesOf(entries), { since: 0, maxPages: 9, boundaries: [since] });
    const [spending] = spendingByKey({
      observed: { keys: [limited(1000)], quotaPerUnit: RATE },
      tally,
      now: NOW,
      since,
      declarationOf: () => undefined,
      metadataOf: () => undefined,
    });
    expect(spending).toMatchObject({ units: 23n, requests: 2, burn: { units: 23n, seconds: 3600 } });
  });

  it('of a window of an hour counts the entries of that hour, whatever remains', async () => {
    const began = Math.floor(NOW / 3600) * 3600;
    const entries = [entry(began - 1, 500), entry(began, 20)].toSorted((a, b) => b.at - a.at);
    const tally = await tallyUsage(pagesOf(entries), { since: began - DAY, maxPages: 9, boundaries: [began] });
    const budget = { kind: 'window', amount: { quota: quota(1000) }, per: 'hour' } as const;
    const [spending] = spendingByKey({
      observed: { keys: [limited(1000)], quotaPerUnit: RATE },
      tally,
      now: NOW + 60,
      since: began - DAY,
      declarationOf: ({ name }) => ({ name, budget }) as DesiredKey,
      metadataOf: () => undefined,
    });
    expect(spending?.budget).toMatchObject({ granted: 1000n, used: 20n, remaining: 1000n, window: 'hour' });
  });

  it('has no line for logins and top-ups, which name no key, and none of them is the use of a key without a name', async () => {
    const login = entry(NOW - 1, 0, { keyId: undefined, keyName: '', isOther: true });
    const used = entry(NOW - 9, 5, { keyId: undefined, keyName: '' });
    const nameless = limited(0, { name: '' });
    expect(await spendings({ keys: [], entries: [login] })).toEqual([]);
    expect((await one({ keys: [nameless], entries: [login, used] })).lastUsed).toBe(NOW - 9);
  });

  it('subtracts refunds, and counts no request for them', async () => {
    const { units, requests } = await one({
      keys: [limited(0)],
      entries: [entry(NOW - 9, 70), entry(NOW - 5, -70, { identity: 'r' })],
    });
    expect([units, requests]).toEqual([0n, 1]);
  });

  it.each<[string, Case, KeySpending['evidence']]>([
    ['adds up to its record', { keys: [limited(0, { used: quota(5) })], entries: [entry(NOW - 1, 5)] }, 'complete'],
    [
      'lacks what its record reports',
      { keys: [limited(0, { used: quota(9) })], entries: [entry(NOW - 1, 5)] },
      'incomplete',
    ],
    ['has more than its record', { keys: [limited(0, { used: quota(1) })], entries: [entry(NOW - 1, 5)] }, 'unproven'],
    ['has no record to compare with', { keys: [limited(0)], entries: [entry(NOW - 1, 5)] }, 'unproven'],
    [
      'was not read far enough',
      {
        keys: [limited(0, { used: quota(5) })],
        entries: [entry(NOW - 1, 1), entry(NOW - 2, 1), entry(NOW - 3, 3)],
        maxPages: 1,
      },
      'cut',
    ],
  ])('has a log that %s', async (_, given, evidence) => {
    expect((await one(given)).evidence).toBe(evidence);
  });

  it('shows of a window what the record lacks, if the log has less', async () => {
    const { budget } = await one({
      keys: [limited(400)],
      entries: [entry(NOW - 60, 100)],
      budget: { kind: 'window', amount: { quota: quota(1000) }, per: 'month' },
    });
    expect(budget).toEqual({
      granted: 1000n,
      used: 600n,
      remaining: 400n,
      window: 'month',
      refillsAt: Date.UTC(2027, 1, 1) / 1000,
    });
  });

  it('projects no exhaustion beyond the refill of its window', async () => {
    const budget = { kind: 'window', amount: { quota: quota(1000) }, per: 'day' } as const;
    const slow = await one({ keys: [limited(900)], entries: [entry(NOW - 60, 100)], budget });
    expect(slow.exhaustsAt).toBeUndefined();
    const fast = await one({ keys: [limited(10)], entries: [entry(NOW - 60, 7000)], budget });
    expect(fast.exhaustsAt).toBe(NOW + Math.floor((10 * 7 * DAY) / 7000));
  });

  it('projects by the time that a new key exists, and by an hour at least', async () => {
    const entries = [entry(NOW - 1, 100)];
    expect((await one({ keys: [limited(100, { createdAt: NOW - 10 })], entries })).burn.seconds).toBe(3600);
    expect((await one({ keys: [limited(100, { createdAt: NOW - DAY })], entries })).exhaustsAt).toBe(NOW + DAY);
  });

  it('goes to the live key of a name only where it is one, and else to nobody', async () => {
    const unnamed = entry(NOW - 1, 5, { keyId: undefined });
    expect((await spendings({ keys: [limited(0)], entries: [unnamed] })).map(({ units }) => units)).toEqual([5n]);
    const twins = [limited(0), plainKey(2, { name: 'a' })];
    const shared = await spendings({ keys: twins, entries: [unnamed] });
    expect(shared.map(({ units, key }) => [units, key?.id])).toEqual([
      [0n, 1],
      [0n, 2],
      [5n, undefined],
    ]);
  });

  it('of a key that was deleted is listed without a budget', async () => {
    const [deleted] = await spendings({ keys: [], entries: [entry(NOW - 1, 5)] });
    expect([deleted?.key, deleted?.budget, deleted?.units]).toEqual([undefined, undefined, 5n]);
  });

  it('counts entries of a clock that is ahead as of today', async () => {
    const tally = await tallied([entry(NOW + 3 * DAY, 5)]);
    expect(unitsByDay(tally.cells, NOW - DAY, NOW)).toEqual([0n, 5n]);
  });
});

describe('groups of usage', () => {
  it('add up to the same as the keys, whatever the entries are', async () => {
    const some = fc.record({
      at: fc.integer({ min: NOW - 6 * DAY, max: NOW }),
      spent: fc.integer({ min: -1000, max: Number.MAX_SAFE_INTEGER }),
      id: fc.constantFrom(undefined, 1, 2, 3),
      model: fc.constantFrom(undefined, 'm', '__proto__', ''),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 30 }), async (drawn) => {
        const entries = drawn.map(({ at, spent, id, model }) => {
          const { model: _model, ...rest } = entry(at, spent);
          return {
            ...rest,
            keyId: id === undefined ? undefined : keyId(id),
            ...(model === undefined ? {} : { model }),
          };
        });
        const keys = await spendings({ keys: [limited(1), plainKey(2)], entries, metadata: { labels: { team: 'x' } } });
        const whole = entries.reduce((sum, { spent }) => sum + BigInt(spent), 0n);
        const total = (rows: readonly { units: bigint }[]): bigint => rows.reduce((sum, { units }) => sum + units, 0n);
        expect(total(keys)).toBe(whole);
        for (const by of ['owner', 'model', 'day', { label: 'team' }, { label: 'constructor' }] as const) {
          expect(total(spendingByGroup(keys, by))).toBe(whole);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('an exhaustion', () => {
  it('is exact, and never comes without a rate', () => {
    const at = (remaining: bigint, units: bigint) => exhaustionOf(remaining, { units, seconds: 60 }, NOW);
    expect(at(0n, 1n)).toBe(NOW);
    expect(at(-5n, 0n)).toBe(NOW);
    expect(at(10n, 0n)).toBeUndefined();
    expect(at(10n, -3n)).toBeUndefined();
    expect(at(10n, 3n)).toBe(NOW + 200);
    expect(at(10n ** 30n, 1n)).toBeUndefined();
  });
});

describe('the end of a window', () => {
  it.each([
    ['hour', '2027-01-15T09:00:00Z'],
    ['day', '2027-01-16T00:00:00Z'],
    ['week', '2027-01-18T00:00:00Z'],
    ['month', '2027-02-01T00:00:00Z'],
  ] as const)('of %s is %s', (window, end) => {
    expect(new Date(windowEnd(window, NOW) * 1000).toISOString()).toBe(new Date(end).toISOString());
  });
});
