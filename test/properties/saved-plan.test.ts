import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountInQuota,
  canonicalJson,
  decimalOf,
  exceedsExposure,
  isNameBefore,
  keyId,
  type Policy,
  pendingChanges,
  tryParseQuarantine,
} from '../../src/domain/index.ts';
import { decodePlan, encodePlan } from '../../src/manifest/index.ts';
import { apply, observe, plan, resume } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { account, desired, NOW, settings } from './arbitrary.ts';

type Record = MemoryStore['records'] extends Map<number, infer R> ? R : never;

/** Something that happens to an account between a plan and its apply; `who` selects a key. */
type Event =
  | { readonly kind: 'spend'; readonly who: number; readonly units: number }
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'edit'; readonly who: number; readonly patch: Partial<Record> }
  | { readonly kind: 'delete'; readonly who: number }
  | { readonly kind: 'seed'; readonly settings: Parameters<MemoryStore['seed']>[0] };

const who = fc.nat(7);
const spend: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('spend' as const),
  who,
  units: fc.integer({ min: 1, max: 9_000_000 }),
});
const time: fc.Arbitrary<Event> = fc.record({
  kind: fc.constant('time' as const),
  seconds: fc.constantFrom(60, 3600, 86_400, 31 * 86_400),
});
const patch: fc.Arbitrary<Partial<Record>> = fc.oneof(
  fc.record({ status: fc.constantFrom(1, 2, 3, 4) }),
  fc.record({ remain_quota: fc.integer({ min: 0, max: 30_000_000 }) }),
  fc.record({ unlimited_quota: fc.boolean() }),
  fc.record({ group: fc.constantFrom('default', 'vip') }),
  fc.record({ allow_ips: fc.constantFrom('', '10.0.0.0/8') }),
  fc.record({ name: fc.constantFrom('prod-a', 'old', 'else') }),
);
const edit: fc.Arbitrary<Event> = fc.record({ kind: fc.constant('edit' as const), who, patch });
const traffic = fc.array(fc.oneof(spend, time), { maxLength: 4 });
const anything = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.oneof(spend, time, edit) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('seed' as const), settings }) },
  ),
  { maxLength: 3 },
);

interface World {
  readonly store: MemoryStore;
  now: number;
}

function worldOf(keys: typeof account extends fc.Arbitrary<infer K> ? K : never, reportsUse: boolean): World {
  const world: World = { now: NOW, store: new MemoryStore({ reportsUse, now: () => world.now }) };
  for (const { settings: of, status, used, extra } of keys) {
    const id = world.store.seed(of, { status, used: 0, extra });
    if (used > 0) world.store.spend(id, used);
    Object.assign(world.store.records.get(id) ?? {}, { remain_quota: of.remain });
  }
  return world;
}

function happen(world: World, event: Event): void {
  const { store } = world;
  if (event.kind === 'time') world.now += event.seconds;
  if (event.kind === 'seed') store.seed(event.settings);
  if (!('who' in event)) return;
  const ids = [...store.records.keys()];
  const id = ids[event.who % Math.max(1, ids.length)];
  const record = id === undefined ? undefined : store.records.get(id);
  if (id === undefined || record === undefined) return;
  if (event.kind === 'spend') store.spend(keyId(id), event.units);
  if (event.kind === 'edit') Object.assign(record, event.patch);
  if (event.kind === 'delete') store.records.delete(id);
}

const copyOf = ({ store }: World): Map<number, Record> => structuredClone(store.records);

/** The most that a record can hold at once under a policy that was shown; undefined: no limit was promised. */
function promised(policy: Policy, units: bigint): number | undefined {
  if (policy.kind === 'window') return Number(amountInQuota(policy.amount, decimalOf(500_000)));
  return policy.kind === 'lifetime' ? Number(units) : undefined;
}

/** Applies a saved plan after some events, and returns the account before and after; undefined when it was refused. */
async function replay(world: World, state: Parameters<typeof plan>[0], events: readonly Event[]) {
  const { store } = world;
  const made = plan(state, await observe(store, state, { now: world.now }), world.now);
  const saved = decodePlan(JSON.stringify(encodePlan(made, state)));
  for (const event of events) happen(world, event);
  const { now } = world;
  const before = copyOf(world);
  const resumed = await observe(store, state, { now }).then(
    (observed) => ({ observed, ...resume(saved, { desired: saved.desired ?? state, observed, now }) }),
    () => undefined,
  );
  if (!resumed || resumed.stale.length > 0) return { saved, before, refused: true as const };
  const { observed, leftOut } = resumed;
  const report = await apply(resumed.plan, store, {
    observed,
    desired: state,
    leftOut,
    now: () => now,
    concurrency: 4,
  });
  return { saved, before, after: copyOf(world), resumed, report, refused: false as const };
}

type Applied = Extract<Awaited<ReturnType<typeof replay>>, { refused: false }>;

/** A key in quarantine as it was before. An update cannot write the debt of a key, so the one that states the quarantine writes 0. */
function beforeQuarantine<R extends Pick<Record, 'name' | 'remain_quota'>>(
  record: R,
  { name, remain_quota }: Record,
): R {
  const stated = tryParseQuarantine(record.name);
  if (!stated || !isNameBefore(name, stated)) return record;
  const isDebtWritten = remain_quota < 0 && record.remain_quota === 0;
  return { ...record, name, ...(isDebtWritten && { remain_quota }) };
}

function expectSubset({ saved, before, after }: Applied): void {
  const ids = (...verbs: string[]) =>
    new Set<number>(pendingChanges(saved).flatMap((c) => (verbs.includes(c.verb) && 'id' in c ? [c.id] : [])));
  const creates = new Set<string>(pendingChanges(saved).flatMap((c) => (c.verb === 'create' ? [c.name] : [])));
  const marked = new Set<number>(
    pendingChanges(saved).flatMap((c) => (c.verb === 'disable' && c.reason === 'quarantined' ? [c.id] : [])),
  );
  for (const id of before.keys()) if (!after.has(id)) expect(ids('delete')).toContain(id);
  for (const [id, record] of after) {
    const then = before.get(id);
    if (!then) expect(creates).toContain(record.name);
    else {
      if (then.status !== record.status) expect(ids(record.status === 1 ? 'enable' : 'disable')).toContain(id);
      const { status: _a, ...settingsThen } = then;
      // The disable of a quarantine also gives the key a name that states it.
      const { status: _b, ...settingsNow } = marked.has(id) ? beforeQuarantine(record, then) : record;
      if (canonicalJson(settingsThen) !== canonicalJson(settingsNow)) expect(ids('update', 'rename')).toContain(id);
    }
  }
}

function expectExposure({ saved, resumed, after }: Applied): void {
  const now = new Map(resumed.plan.policies.map((policy) => [policy.id ?? policy.name, policy]));
  for (const { id, name, after: policy, exposure } of saved.policies) {
    const today = now.get(id ?? name);
    if (today) expect(exceedsExposure(today.exposure.after, exposure.after)).toBe(false);
    const record = [...after.values()].find((each) => (id === undefined ? each.name === name : each.id === id));
    if (record?.status !== 1 || exposure.after.units + BigInt(exposure.after.unbounded) === 0n) continue;
    const most = promised(policy, exposure.after.units);
    if (most !== undefined) expect([record.unlimited_quota, record.remain_quota <= most]).toEqual([false, true]);
  }
}

const bodies = fc.boolean();

describe('for any account, any manifest and anything that happens between a plan and its apply', () => {
  it('a saved plan does what was reviewed, or less, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, bodies, anything, async (keys, state, reportsUse, events) => {
        const world = worldOf(keys, reportsUse);
        const run = await replay(world, state, events);
        if (run.refused) expect(copyOf(world)).toEqual(run.before);
        else {
          expectSubset(run);
          expectExposure(run);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('a saved plan survives spending and the start of new windows', async () => {
    await fc.assert(
      fc.asyncProperty(account, desired, bodies, traffic, async (keys, state, reportsUse, events) => {
        const expires = keys.some(({ settings: of }) => of.expires !== null && of.expires > NOW);
        fc.pre(!expires && state.keys.every(({ expires: at }) => at === undefined || at === null || at <= NOW));
        const run = await replay(worldOf(keys, reportsUse), state, events);
        if (run.refused) throw new Error('refused');
        expectSubset(run);
        expectExposure(run);
        expect(run.report.outcomes.filter(({ state: of }) => of !== 'applied')).toEqual([]);
        expect(run.report.after && pendingChanges(run.report.after)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });
});
