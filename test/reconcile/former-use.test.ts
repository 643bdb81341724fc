import { describe, expect, it } from 'vitest';
import { type Budget, type DesiredState, type KeyId, keyId, keyName, quota } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { reportFaults } from '../../src/reconcile/index.ts';
import type { MemoryOptions } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';

const DAY = 86_400;
const AMOUNT = { quota: quota(1000) };
const MONTHLY: Budget = { kind: 'window', amount: AMOUNT, per: 'month' };
const agree = async (): Promise<void> => {};

/** A gateway as the contract promises it, and ones that report more. */
const GATEWAYS: readonly (readonly [string, Partial<MemoryOptions> & { readonly hasNoIds?: true }])[] = [
  ['reports nothing of a key', { reportsUse: false }],
  ['reports nothing of a key, and names keys in its log without IDs', { reportsUse: false, hasNoIds: true }],
  ['reports the use of a key', { reportsUse: true }],
  ['reports use and times', { reportsUse: true, reportsTimes: true }],
  [
    'reports use and times, and names keys in its log without IDs',
    { reportsUse: true, reportsTimes: true, hasNoIds: true },
  ],
  ['reports use and times, and filters its log', { reportsUse: true, reportsTimes: true, filtersLog: true }],
];

function openAccount({ hasNoIds, ...options }: (typeof GATEWAYS)[number][1] = {}) {
  let now = NOW;
  const store = emptyAccount({ ...options, now: () => now });
  const engine = createEngine({ store, now: () => now, concurrency: 1 });
  const idOf = (name: string): KeyId => {
    const found = [...store.records.values()].find((record) => record.name === name);
    if (found === undefined) throw new Error(`there is no key ${name}`);
    return keyId(found.id);
  };
  return {
    store,
    engine,
    idOf,
    pass: (seconds: number) => {
      now += seconds;
    },
    apply: (desired: DesiredState) => engine.apply(desired, { confirm: agree, assumeLogComplete: true }),
    spend(name: string, units: number) {
      store.spend(idOf(name), units);
      const [entry] = store.log;
      if (hasNoIds && entry) store.log[0] = { ...entry, keyId: undefined };
    },
    remains: (name: string) => store.records.get(idOf(name))?.remain_quota,
    remove: (name: string) => store.records.delete(idOf(name)),
  };
}

const APP = state([declare('app', { budget: MONTHLY })]);

describe.each(GATEWAYS)('where the gateway %s, a key that is created again in a window', (_, gateway) => {
  it('gets what the deleted one left, by each later run as well, and all in the next window', async () => {
    const { apply, engine, spend, remains, remove, pass } = openAccount(gateway);
    await apply(APP);
    spend('app', 400);
    remove('app');
    const { plan } = await engine.plan(APP);
    expect(plan.notes.map(({ code, data }) => [code, data?.name])).toContainEqual(['former-use', 'app']);
    const report = await apply(APP);
    expect(reportFaults(report)).toEqual([]);
    expect(remains('app')).toBe(600);
    spend('app', 100);
    for (let run = 0; run < 2; run += 1) {
      await apply(APP);
      expect(remains('app')).toBe(500);
    }
    remove('app');
    await apply(APP);
    expect(remains('app')).toBe(500);
    pass(30 * DAY);
    await apply(APP);
    expect(remains('app')).toBe(1000);
  });

  it('gets nothing where all of it was used, and never less than nothing', async () => {
    const { apply, spend, remains, remove } = openAccount(gateway);
    await apply(APP);
    spend('app', 1300);
    remove('app');
    await apply(APP);
    expect(remains('app')).toBe(0);
    await apply(APP);
    expect(remains('app')).toBe(0);
  });

  it('gets what is left after a destroy', async () => {
    const { apply, engine, spend, remains } = openAccount(gateway);
    await apply(APP);
    spend('app', 400);
    await engine.destroy(APP, { confirm: agree });
    await apply(APP);
    expect(remains('app')).toBe(600);
  });

  it('gets what is left after it was pruned', async () => {
    const { apply, spend, remains, store } = openAccount(gateway);
    const scope = ['app*'] as never;
    const two = state([declare('app', { budget: MONTHLY }), declare('app-2', { budget: MONTHLY })], {
      scope,
      prune: 'delete',
    });
    await apply(two);
    spend('app', 400);
    spend('app-2', 1);
    await apply({ ...two, keys: two.keys.slice(1) });
    expect([...store.records.values()].map(({ name }) => name)).toEqual(['app-2']);
    await apply(two);
    expect([remains('app'), remains('app-2')]).toEqual([600, 999]);
  });

  it('gets what is left where its rotated generations were deleted', async () => {
    const { apply, engine, spend, remains, store } = openAccount(gateway);
    const rotate = { every: 90 * DAY, overlap: DAY };
    const desired = state([declare('app', { budget: MONTHLY, rotate })]);
    await apply(desired);
    const [first = { name: '' }] = store.records.values();
    spend(first.name, 300);
    await engine.apply(desired, {
      confirm: agree,
      rotate: new Map([['app', { end: 'leaked' as const }]]),
      assumeLogComplete: true,
    });
    const second = [...store.records.values()].at(-1) ?? { name: '' };
    expect(remains(second.name)).toBe(700);
    spend(second.name, 100);
    for (const { name } of [first, second])
      store.records.delete([...store.records.values()].find((each) => each.name === name)?.id ?? 0);
    await apply(desired);
    expect([...store.records.values()].map(({ remain_quota }) => remain_quota)).toEqual([600]);
  });
});

describe('what other keys used under a name', () => {
  const DEPLOYED = { reportsUse: true, reportsTimes: true };

  it('counts where somebody renamed the key away, and the next run creates it again', async () => {
    const { apply, store, idOf, spend, remains } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    Object.assign(store.records.get(idOf('app')) ?? {}, { name: 'something-else' });
    await apply(APP);
    expect(remains('app')).toBe(600);
  });

  it('counts once where the manifest renames the key and declares its former name again', async () => {
    const { apply, spend, remains } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    const renamed = state([
      declare('new', { budget: MONTHLY, renamedFrom: keyName('app') }),
      declare('app', { budget: MONTHLY }),
    ]);
    await apply(renamed);
    expect([remains('new'), remains('app')]).toEqual([600, 1000]);
  });

  it('counts under the former name where the key was deleted before its rename', async () => {
    const { apply, spend, remains, remove } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    remove('app');
    await apply(state([declare('new', { budget: MONTHLY, renamedFrom: keyName('app') })]));
    expect(remains('new')).toBe(600);
  });

  it('counts of other people’s deleted keys of the same name, too, and of none with another name', async () => {
    const { apply, store, remains } = openAccount(DEPLOYED);
    for (const name of ['app', 'app-2', 'App']) {
      const id = store.seed(live(name));
      store.spend(id, 10);
      store.records.delete(id);
    }
    await apply(APP);
    expect(remains('app')).toBe(990);
  });

  it('does not count from an earlier window, nor for a budget without a window', async () => {
    const { apply, spend, remains, remove, pass } = openAccount(DEPLOYED);
    const kinds: readonly [string, Budget][] = [
      ['monthly', MONTHLY],
      ['lifetime', { kind: 'lifetime', amount: AMOUNT }],
      ['initial', { kind: 'initial', amount: AMOUNT }],
      ['topped-up', { kind: 'top-up', amount: AMOUNT, below: { quota: quota(10) } }],
    ];
    const desired = state(kinds.map(([name, budget]) => declare(name, { budget })));
    await apply(desired);
    for (const [name] of kinds) spend(name, 400);
    pass(30 * DAY);
    for (const [name] of kinds) remove(name);
    await apply(desired);
    expect(kinds.map(([name]) => remains(name))).toEqual([1000, 1000, 1000, 1000]);
  });

  it('costs no page of the log where no key is created and each accounts for its allowance', async () => {
    const { apply, spend, store, engine } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    store.calls.usage = 0;
    await engine.plan(APP);
    expect(store.calls.usage).toBe(0);
  });

  it('costs a sum for each key instead of a long log where nothing was used', async () => {
    const { apply, store, engine } = openAccount({ ...DEPLOYED, filtersLog: true });
    const other = store.seed(live('other'));
    await apply(state([]));
    for (let entry = 0; entry < 2000; entry += 1) store.spend(other, 1);
    store.log.splice(0, store.log.length, ...store.log.map((entry, n) => ({ ...entry, at: NOW - n * 60 })));
    const { plan } = await engine.plan(APP);
    expect([plan.notes, store.calls.sumUsage, store.calls.usage]).toEqual([[], 1, 4]);
  });

  it('refuses a plan whose log is too long, and names the keys that need it', async () => {
    const { store, engine } = openAccount(DEPLOYED);
    const other = store.seed(live('other'));
    for (let entry = 0; entry < 500; entry += 1) store.spend(other, 1);
    const brief = createEngine({ store, now: () => NOW, concurrency: 1, maxLogPages: 2 });
    await expect(brief.plan(APP)).rejects.toMatchObject({ code: 'plan.usage-too-long', detail: { keys: ['app'] } });
    await engine.plan(APP);
  });

  it('lowers nothing, and reports the budget as unverified, where drift cannot read enough of the log', async () => {
    const { store, apply, spend, remove } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    remove('app');
    await apply(APP);
    const other = store.seed(live('other'));
    for (let entry = 0; entry < 500; entry += 1) store.spend(other, 1);
    const brief = createEngine({ store, now: () => NOW, concurrency: 1, maxLogPages: 2 });
    const { outlook } = await brief.drift(APP, { limits: { low: { percent: 10 }, expiring: 0 } });
    expect(outlook.unverified).toMatchObject([{ name: 'app', reason: 'log-too-long' }]);
    expect(outlook.drift.changes.map(({ verb }) => verb)).toEqual(['keep']);
  });

  it('stops the run before anything is written where the log cannot be read', async () => {
    const { store, apply, spend, remove } = openAccount(DEPLOYED);
    await apply(APP);
    spend('app', 400);
    remove('app');
    store.hook = (operation) => {
      if (operation === 'usage') throw new Error('the log cannot be read');
    };
    await expect(apply(APP)).rejects.toThrow('the log cannot be read');
    expect(store.records.size).toBe(0);
  });
});
