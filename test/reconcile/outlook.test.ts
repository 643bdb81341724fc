import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type Change,
  type DesiredKey,
  decimalOf,
  type Edit,
  type Edits,
  type KeyId,
  keyId,
  keyName,
  type ObservedKey,
  type Quota,
  quota,
  type Unverified,
} from '../../src/domain/index.ts';
import { driftOf, observe, outlookOf, plan } from '../../src/reconcile/index.ts';
import { raiseOf, withoutDue } from '../../src/reconcile/plan/outlook.ts';
import type { MemoryOptions } from '../contract/memory-store.ts';
import { plainKey } from '../plain-key.ts';
import { declare, emptyAccount, live, NOW, state, TRUSTED, verbs } from './account.ts';

const DAY = 86_400;
const LIMITS = { low: { percent: 10 }, expiring: 14 * DAY };
const UNIT = 500_000;
const dollars = (usd: number) => ({ quota: quota(usd * UNIT) });
const monthly: Budget = { kind: 'window', amount: dollars(5), per: 'month' };

async function stand(
  budget: Budget | undefined,
  key: { remain: number; used?: number; expires?: number | null; status?: number },
  more: Partial<MemoryOptions> = { reportsUse: true },
) {
  const store = emptyAccount(more);
  store.seed(live('a', { remain: quota(key.remain * UNIT), expires: key.expires ?? null }), {
    used: (key.used ?? 0) * UNIT,
    ...(key.status ? { status: key.status } : {}),
  });
  const desired = state([declare('a', budget ? { budget } : {})]);
  const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
  const made = plan(desired, observed, NOW);
  const outlook = outlookOf(made, { desired, observed, now: NOW }, LIMITS);
  const { due, low, expiring, drift } = outlook;
  expect(driftOf(made, { desired, observed, now: NOW })).toEqual(drift);
  return { due: due.length, low: low.length, expiring: expiring.length, drift: verbs(drift), notes: made.notes };
}

const quiet = { due: 0, low: 0, expiring: 0, drift: ['keep a'] };

describe('the outlook of an account', () => {
  it('calls the refill of a new window due, which is not drift', async () => {
    expect(await stand(monthly, { remain: 1, used: 4 })).toMatchObject({ ...quiet, due: 1 });
    expect(await stand(monthly, { remain: 0, used: 5, status: 4 })).toMatchObject({ ...quiet, due: 1 });
    expect(await stand(monthly, { remain: 5, used: 5 })).toMatchObject(quiet);
  });

  it('calls a remainder drift that is less than earlier use explains, and one that is more', async () => {
    expect(await stand(monthly, { remain: 1, used: 3 })).toMatchObject({ ...quiet, drift: ['update a'] });
    expect(await stand(monthly, { remain: 9, used: 4 })).toMatchObject({ ...quiet, drift: ['update a'] });
    expect(await stand({ kind: 'lifetime', amount: dollars(5) }, { remain: 1, used: 0 })).toMatchObject({
      ...quiet,
      drift: ['update a'],
    });
  });

  it('takes less for due where the gateway does not report the use of a key', async () => {
    expect(await stand(monthly, { remain: 1 }, { reportsUse: false })).toMatchObject({ ...quiet, due: 1 });
  });

  it('calls a refill at the threshold of `below` due', async () => {
    const below: Budget = { kind: 'top-up', amount: dollars(5), below: dollars(1) };
    expect(await stand(below, { remain: 0.95, used: 4.05 })).toMatchObject({ ...quiet, due: 1, notes: [] });
    expect(await stand(below, { remain: 4, used: 1 })).toMatchObject({ ...quiet, notes: [] });
  });

  it('finds a manual top-up of a `below` key as far as it can be known', async () => {
    const below: Budget = { kind: 'top-up', amount: dollars(5), below: dollars(1) };
    const notes = [{ code: 'topped-up-by-hand', data: { name: 'a' } }];
    expect(await stand(below, { remain: 2.95, used: 4.05 })).toMatchObject({ ...quiet, notes });
    expect(await stand(below, { remain: 20 }, { reportsUse: false })).toMatchObject({ ...quiet, notes });
    // After a refill, and without figures of use, a top-up within the amount looks like a refill.
    expect(await stand(below, { remain: 4, used: 5.5 })).toMatchObject({ ...quiet, notes: [] });
    expect(await stand(below, { remain: 2.95 }, { reportsUse: false })).toMatchObject({ ...quiet, notes: [] });
  });

  it('finds keys with little left, unless a refill is due', async () => {
    const once: Budget = { kind: 'lifetime', amount: dollars(5) };
    expect(await stand(once, { remain: 0.49, used: 4.51 })).toMatchObject({ ...quiet, low: 1 });
    expect(await stand(once, { remain: 0.5, used: 4.5 })).toMatchObject(quiet);
    expect(await stand(undefined, { remain: 0.01 })).toMatchObject(quiet);
    expect(await stand(monthly, { remain: 0.1, used: 4.9 })).toMatchObject({ ...quiet, due: 1 });
  });

  it('finds keys that expire soon, to the second', async () => {
    expect(await stand(undefined, { remain: 1, expires: NOW + 14 * DAY })).toMatchObject({ ...quiet, expiring: 1 });
    expect(await stand(undefined, { remain: 1, expires: NOW + 14 * DAY + 1 })).toMatchObject(quiet);
    expect(await stand(undefined, { remain: 1, expires: NOW })).toMatchObject({ expiring: 0 });
  });
});

/** The outlook of an account, from facts alone. */
function look(
  desired: readonly DesiredKey[],
  keys: readonly ObservedKey[],
  more: {
    used?: readonly [KeyId, Quota][];
    unverified?: readonly [KeyId, Unverified][];
    usd?: number;
    only?: KeyId;
  } = {},
) {
  const { used = [], unverified, usd, only } = more;
  const facts = { account: { url: 'memory://account', userId: 1 }, quotaPerUnit: decimalOf(UNIT), keys };
  const observed = { ...facts, used: new Map(used), ...(unverified && { unverified: new Map(unverified) }) };
  const made = plan(state(desired), observed, NOW);
  const changes =
    only === undefined ? made.changes : made.changes.filter((change) => 'id' in change && change.id === only);
  const limits = usd === undefined ? LIMITS : { ...LIMITS, low: { usd: decimalOf(usd) } };
  return outlookOf({ ...made, changes }, { desired: state(desired), observed, now: NOW }, limits);
}

describe('a refill', () => {
  const daily: Budget = { kind: 'window', amount: { quota: quota(500) }, per: 'day' };
  const MIDNIGHT = NOW - DAY / 2;
  it.each<[string, Budget, Partial<ObservedKey>, number, number]>([
    ['is due as far as it was used before the window', daily, { used: quota(500) }, 100, 1],
    ['is not due for what no use explains', daily, { used: quota(499) }, 100, 0],
    ['is due for a key that is older than the window', daily, { used: quota(500), createdAt: MIDNIGHT - 1 }, 100, 1],
    ['is not due for a key that is as old as the window', daily, { used: quota(500), createdAt: MIDNIGHT }, 100, 0],
    ['is due where the use is not reported', daily, {}, 100, 1],
    ['is never due for a lifetime', { ...daily, kind: 'lifetime' } as Budget, {}, 100, 0],
  ])('%s', (_, budget, more, used, due) => {
    const key = plainKey(1, { name: 'a', unlimited: false, remain: quota(0), ...more });
    const outlook = look([declare('a', { budget })], [key], { used: [[key.id, quota(used)]] });
    expect(outlook.due).toEqual(due === 0 ? [] : [{ name: 'a', id: 1, live: 0, declared: 400 }]);
    expect(verbs(outlook.drift)).toEqual([due === 0 ? 'update a' : 'keep a']);
  });

  const before = { ...plainKey(1), unlimited: false };
  const group: Edit = { field: 'group', before: 'a', after: 'b' };
  const remain = (from: number, to: number): Edit => ({ field: 'remain', before: quota(from), after: quota(to) });
  const edited = (verb: 'update' | 'rename', ...edits: Edits): Change =>
    ({ verb, name: 'a', id: keyId(1), before, edits, ...(verb === 'rename' && { from: 'b' }) }) as Change;

  it.each<[string, Change, ReturnType<typeof raiseOf>]>([
    ['an update', edited('update', remain(1, 2)), { live: quota(1), declared: quota(2) }],
    ['a rename', edited('rename', group, remain(1, 2)), { live: quota(1), declared: quota(2) }],
    ['no amount', edited('update', group), undefined],
    ['the same amount', edited('update', remain(2, 2)), undefined],
    ['a lower amount', edited('update', remain(2, 1)), undefined],
    [
      'a limit that is lifted',
      edited('update', remain(1, 2), { field: 'unlimited', before: false, after: true }),
      undefined,
    ],
    ['a new limit', { ...edited('update', remain(1, 2)), before: plainKey(1) } as Change, undefined],
    ['a kept key', { verb: 'keep', name: 'a', id: keyId(1) }, undefined],
  ])('is at most the raise of a limited key that stays limited: %s', (_, change, raise) => {
    expect(raiseOf(change)).toEqual(raise);
  });

  const status = (verb: 'enable' | 'disable', reason: string): Change =>
    ({ verb, name: 'a', id: keyId(1), before, reason }) as Change;
  const kept: Change = { verb: 'keep', name: 'a', id: keyId(1) };
  const place = { file: 'keys.yaml', line: 1, column: 1 };
  const create: Change = { verb: 'create', name: keyName('c'), settings: live('c'), enabled: true };
  const other: Change = { verb: 'update', name: 'b', id: keyId(2), before, edits: [remain(1, 2)] };
  it.each<[string, Change[], Change[]]>([
    ['an update of nothing else is none', [edited('update', remain(1, 2))], [kept]],
    [
      'the position of a key stays',
      [{ ...edited('update', remain(1, 2)), place } as Change],
      [{ ...kept, place } as Change],
    ],
    ['the other settings stay', [edited('update', remain(1, 2), group)], [edited('update', group)]],
    ['a rename stays', [edited('rename', group, remain(1, 2))], [edited('rename', group)]],
    ['a repair is part of it', [edited('update', remain(1, 2)), status('enable', 'repaired')], [kept]],
    ['a permitted enable stays', [status('enable', 'permitted')], [status('enable', 'permitted')]],
    [
      'a disable stays',
      [edited('update', remain(1, 2)), status('disable', 'declared')],
      [status('disable', 'declared')],
    ],
    ['a key that is kept stays so', [kept], [kept]],
    ['a create stays', [create], [create]],
    ['other keys stay', [other], [other]],
  ])('is taken out of a plan: %s', (_, changes, left) => {
    const made = plan(
      state([]),
      { account: { url: 'a:b', userId: 1 }, quotaPerUnit: decimalOf(1), keys: [], used: new Map() },
      NOW,
    );
    expect(withoutDue({ ...made, changes }, new Set([keyId(1)])).changes).toEqual(left);
  });
});

describe('keys that need attention', () => {
  const limited = (id: number, remain: number, more: Partial<ObservedKey> = {}): ObservedKey =>
    plainKey(id, { name: `key-${id}`, unlimited: false, remain: quota(remain), ...more });
  const declared = (...ids: number[]) => ids.map((id) => declare(`key-${id}`, { enabled: undefined }));

  it('hold less than an amount of dollars, and work', () => {
    const keys = [
      limited(1, UNIT - 1),
      limited(2, UNIT),
      limited(3, 0, { unlimited: true }),
      limited(4, 1, { status: 'disabled' }),
      limited(5, 0, { status: 'exhausted' }),
    ];
    const { low } = look(declared(1, 2, 3, 4, 5), keys, { usd: 1 });
    expect(low).toEqual([
      { name: 'key-1', id: 1, remain: UNIT - 1, threshold: UNIT },
      { name: 'key-5', id: 5, remain: 0, threshold: UNIT },
    ]);
  });

  it('expire soon, and work', () => {
    const soon = { expires: NOW + DAY };
    const keys = [limited(1, 1, soon), limited(2, 1), limited(3, 1, { ...soon, status: 'disabled' })];
    expect(look(declared(1, 2, 3), keys).expiring).toEqual([{ name: 'key-1', id: 1, expires: NOW + DAY }]);
  });

  it('are unverified for a reason', () => {
    const outlook = look(declared(1, 2), [limited(1, 1), limited(2, 1)], { unverified: [[keyId(2), 'log-too-long']] });
    expect(outlook.unverified).toEqual([{ name: 'key-2', id: 2, reason: 'log-too-long' }]);
    expect(look(declared(1), [limited(1, 1)]).unverified).toEqual([]);
  });

  it('are those of the plan alone', () => {
    const outlook = look(declared(1, 2), [limited(1, 1), limited(2, 1)], { usd: 1, only: keyId(2) });
    expect(outlook.low.map(({ name }) => name)).toEqual(['key-2']);
  });
});
