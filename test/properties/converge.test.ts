import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type DesiredState, matchesAnyGlob, pendingChanges } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { TRUSTED } from '../reconcile/account.ts';
import { account, desired, type LiveKey, NOW } from './arbitrary.ts';

const bodies = fc.record({ reportsUse: fc.boolean() });

function storeOf(keys: readonly LiveKey[], reportsUse: boolean): MemoryStore {
  const store = new MemoryStore({ reportsUse, now: () => NOW });
  for (const { settings, status, used, extra } of keys) {
    const id = store.seed(settings, { status, used: 0, extra });
    if (used > 0) store.spend(id, used);
    const record = store.records.get(id);
    if (record) record.remain_quota = settings.remain;
  }
  return store;
}

async function run(store: MemoryStore, state: DesiredState) {
  const observed = await observe(store, state, { now: NOW, ...TRUSTED });
  const made = plan(state, observed, NOW);
  return {
    made,
    report: await apply(made, store, { observed, desired: state, now: () => NOW, concurrency: 4, ...TRUSTED }),
  };
}

describe('for any observed account and any valid manifest', () => {
  it('apply converges: every change is applied and a new plan is empty', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, bodies, async (keys, state, { reportsUse }) => {
        const store = storeOf(keys, reportsUse);
        const { report } = await run(store, state);
        expect(report.outcomes.filter((o) => o.state !== 'applied')).toEqual([]);
        expect(report.fatal).toBeUndefined();
        expect(reportFaults(report)[0]).toBeUndefined();
        const again = plan(state, await observe(store, state, { now: NOW, ...TRUSTED }), NOW);
        expect(pendingChanges(again)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('no key that was disabled is enabled without a permission', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, bodies, async (keys, state, { reportsUse }) => {
        const store = storeOf(keys, reportsUse);
        const disabled = [...store.records.values()].filter(({ status }) => status === 2).map(({ id }) => id);
        await run(store, state);
        for (const id of disabled) expect([undefined, 2]).toContain(store.records.get(id)?.status);
      }),
      { numRuns: 150 },
    );
  });

  it('the plan does not depend on the order of keys on either side', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, fc.infiniteStream(fc.nat()), async (keys, state, order) => {
        const store = storeOf(keys, false);
        const observed = await observe(store, state, { now: NOW, ...TRUSTED });
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, at: order.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const shuffled = plan(
          { ...state, keys: shuffle(state.keys) },
          { ...observed, keys: shuffle(observed.keys), groups: shuffle(observed.groups ?? []) },
          NOW,
        );
        const text = (value: unknown) => canonicalJson(JSON.parse(JSON.stringify(value, bigints)));
        expect(text(shuffled)).toBe(text(plan(state, observed, NOW)));
      }),
      { numRuns: 150 },
    );
  });

  it('keys outside the scope are byte for byte as before', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, bodies, async (keys, state, { reportsUse }) => {
        const store = storeOf(keys, reportsUse);
        const declared = new Set<string | number>(state.keys.flatMap((k) => [k.name, k.renamedFrom ?? k.name]));
        const outside = [...store.records.values()].filter(
          (r) => !declared.has(r.name) && !matchesAnyGlob(state.ownership.scope ?? [], r.name),
        );
        const before = JSON.stringify(outside);
        await run(store, state);
        expect(JSON.stringify(outside.map((r) => store.records.get(r.id)))).toBe(before);
      }),
      { numRuns: 150 },
    );
  });

  it('fields of a record that nobody knows survive every update', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, async (keys, state) => {
        const store = storeOf(keys, true);
        const extras = new Map([...store.records].map(([id], i) => [id, keys[i]?.extra ?? {}]));
        await run(store, state);
        for (const [id, record] of store.records) {
          for (const [field, value] of Object.entries(extras.get(id) ?? {})) {
            expect(record[field]).toEqual(value);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('no key is lost or doubled: only planned deletes remove, only planned creates add', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, async (keys, state) => {
        const store = storeOf(keys, false);
        const before = new Set(store.records.keys());
        const { made } = await run(store, state);
        const deleted = new Set<number>(made.changes.flatMap((c) => (c.verb === 'delete' ? [c.id] : [])));
        for (const id of before) expect(store.records.has(id)).toBe(!deleted.has(id));
        const creates = made.changes.filter((c) => c.verb === 'create').length;
        expect(store.records.size).toBe(before.size - deleted.size + creates);
      }),
      { numRuns: 150 },
    );
  });
});

function bigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
