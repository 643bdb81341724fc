import { describe, expect, it } from 'vitest';
import { type Budget, type KeyId, keyId, quota } from '../../../src/domain/index.ts';
import { apply, observe, plan } from '../../../src/reconcile/index.ts';
import { recordedUse, unwritten } from '../../../src/reconcile/usage/record-lag.ts';
import { plainKey } from '../../plain-key.ts';
import { declare, emptyAccount, live, NOW, state } from '../account.ts';

const DAY = 86_400;

const daily = (amount: number): Budget => ({ kind: 'window', amount: { quota: quota(amount) }, per: 'day' });

/**
 * A key of a gateway that writes records later than the log. It was used yesterday, and today until a minute and a half ago; a minute ago the
 * record was written, and what it spent since is only in the log.
 */
function openLagging({ filtersLog = false, entries = 1, bornBefore = 40 * DAY } = {}) {
  let now = NOW - DAY;
  const store = emptyAccount({ reportsUse: true, filtersLog, now: () => now });
  const id = store.seed(live('a', { remain: quota(10_000) }));
  const record = () => store.records.get(id) as { remain_quota: number; used_quota: number };
  Object.assign(record(), { created_time: NOW - bornBefore });
  store.spend(id, 400);
  record().remain_quota = 10_000;
  for (let n = entries; n > 0; n -= 1) {
    now = NOW - 90 - n * 60;
    store.spend(id, 600 / entries);
  }
  /** Spends units that are not on the record until they are written. */
  const spendUnwritten = (units: number, secondsAgo = 2) => {
    now = NOW - secondsAgo;
    store.spend(id, units);
    move(-units);
    return () => move(units);
  };
  const move = (units: number): void => {
    record().remain_quota -= units;
    record().used_quota += units;
  };
  const edits = async (budget = daily(10_000)) => {
    const desired = state([declare('a', { budget })]);
    const observed = await observe(store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    const { notes, changes } = made;
    const after = changes.flatMap((change) => ('edits' in change ? change.edits.map((edit) => edit.after) : []));
    const run = () => apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
    return { after, notes: notes.map(({ code }) => code), run };
  };
  return { store, record, spendUnwritten, edits };
}

describe('use that the log shows before the record does', () => {
  const NOTHING = { after: [], notes: [] };

  it('is not taken away: the record loses it by itself', async () => {
    const { spendUnwritten, edits } = openLagging();
    const write = spendUnwritten(200);
    expect(await edits()).toMatchObject(NOTHING);
    write();
    expect(await edits()).toMatchObject(NOTHING);
  });

  it('is taken away where it is so old that the record should have it', async () => {
    const { spendUnwritten, edits } = openLagging();
    spendUnwritten(200, 61);
    expect(await edits()).toMatchObject({ after: [9200], notes: [] });
  });

  it('does not hide what a key holds beyond that', async () => {
    const { record, spendUnwritten, edits } = openLagging();
    spendUnwritten(200);
    record().remain_quota += 500;
    expect(await edits()).toMatchObject({ after: [9400], notes: [] });
  });

  it('is exactly known where the log was read back to the creation of the key', async () => {
    const { record, spendUnwritten, edits } = openLagging({ bornBefore: DAY });
    const write = spendUnwritten(200);
    expect(await edits()).toMatchObject(NOTHING);
    record().remain_quota += 50;
    expect(await edits()).toMatchObject({ after: [9400], notes: [] });
    record().remain_quota -= 50;
    write();
    expect(await edits()).toMatchObject(NOTHING);
  });

  it('is not taken away by a raise either', async () => {
    const { record, spendUnwritten, edits } = openLagging();
    const write = spendUnwritten(200);
    const raised = await edits(daily(20_000));
    expect(raised).toMatchObject({ after: [19_400], notes: [] });
    await raised.run();
    write();
    expect(record().remain_quota).toBe(19_200);
    expect(await edits(daily(20_000))).toMatchObject(NOTHING);
  });

  it('spares the pages of a long log', async () => {
    const { store, spendUnwritten, edits } = openLagging({ filtersLog: true, entries: 600 });
    spendUnwritten(200);
    expect(await edits()).toMatchObject(NOTHING);
    expect(store.calls).toMatchObject({ usage: 4, sumUsage: 1 });
  });

  it('counts for nothing where the record reports no use, or an entry has no key ID', async () => {
    const { store, spendUnwritten, edits } = openLagging();
    spendUnwritten(200);
    for (const entry of store.log) Object.assign(entry, { keyId: undefined });
    expect(await edits()).toMatchObject({ after: [9200] });
    const key = plainKey(1, { remain: quota(50), unlimited: false });
    expect(unwritten(key, { life: 70, recent: 20 })).toBe(0);
  });
});

describe('what a record does not have yet', () => {
  const ID: KeyId = keyId(1);
  const needOf = (remain: number, unlimited = false) => ({
    key: plainKey(ID, { remain: quota(remain), used: quota(50), unlimited }),
    since: 1,
    granted: quota(100),
  });

  it.each([
    ['all that its life has and it does not', { life: 70, recent: 5 }, 0, 20],
    ['that, with later entries', { life: 70, recent: 5 }, 3, 23],
    ['nothing where it has more than the log', { life: 40, recent: 5 }, 3, 0],
    ['at most the last minute and later entries', { life: undefined, recent: 5 }, 3, 8],
  ])('is %s', (_, lag, later, units) => {
    expect(unwritten(needOf(60).key, lag, later)).toBe(units);
  });

  it.each([
    ['exactly', 60, false, { life: 55, recent: 0 }, 40],
    ['as far as the key holds too much', 60, false, { life: undefined, recent: 20 }, 40],
    ['and no further than the last minute', 60, false, { life: undefined, recent: 3 }, 42],
    ['and not at all where it does not', 50, false, { life: undefined, recent: 20 }, 45],
    ['nor where it has no limit', 60, true, { life: undefined, recent: 20 }, 45],
    ['nor where nothing is known', 60, false, undefined, 45],
  ])('is left out of the use of 45 units: %s', (_, remain, unlimited, lag, units) => {
    expect(recordedUse(needOf(remain, unlimited), 45, lag)).toBe(units);
  });
});
