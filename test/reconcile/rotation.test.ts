import { describe, expect, it } from 'vitest';
import { Fault, type KeyId, keyId, type Plan, quota, type Rotation, type UnixSeconds } from '../../src/domain/index.ts';
import {
  type ApplyOptions,
  apply,
  observe,
  type PlanOptions,
  type ProveSecrets,
  plan,
  planDestroy,
} from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from './account.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const ROTATE: Rotation = { every: 90 * DAY, overlap: 7 * DAY };
const $ = (usd: number) => quota(usd * 500_000);
const MONTHLY = { kind: 'window', amount: { quota: $(25) }, per: 'month' } as const;

const proven: ProveSecrets = async (ids) => new Map(ids.map((id) => [id, undefined]));
const refused: ProveSecrets = async (ids) =>
  new Map(ids.map((id) => [id, new Fault('gateway.refused', 'the secret is rejected')]));

/** An account with a clock, in which a manifest is applied again and again. */
function world({ reportsTimes = true, reportsUse = true } = {}) {
  let now: UnixSeconds = NOW;
  const store = new MemoryStore({ reportsUse, reportsTimes, now: () => now });
  const trust = { assumeLogComplete: !reportsUse } as const;
  return {
    store,
    pass: (seconds: number) => {
      now += seconds;
    },
    now: () => now,
    async plan(desired: ReturnType<typeof state>, options: PlanOptions = {}): Promise<Plan> {
      return plan(desired, await observe(store, desired, { now, ...trust }), now, options);
    },
    async apply(desired: ReturnType<typeof state>, options: PlanOptions = {}, more: Partial<ApplyOptions> = {}) {
      const observed = await observe(store, desired, { now, ...trust });
      const made = plan(desired, observed, now, options);
      return apply(made, store, {
        observed,
        desired,
        now: () => now,
        concurrency: 4,
        proveSecrets: proven,
        ...trust,
        ...more,
      });
    },
    names: () => [...store.records.values()].map(({ name, status }) => `${name}${status === 1 ? '' : ' off'}`),
    only: (part: string) => keyId([...store.records.values()].find(({ name }) => name.includes(part))?.id ?? 0),
  };
}

const text = ({ changes }: Pick<Plan, 'changes'>): string[] =>
  changes.map((change) => `${change.verb} ${change.name}${'reason' in change ? ` ${change.reason}` : ''}`);

describe('a key that rotates', () => {
  const desired = state([declare('app', { rotate: ROTATE, budget: MONTHLY })]);

  it('is created with its date, and stays until it is due', async () => {
    const { apply: run, plan: look, names, pass } = world();
    await run(desired);
    expect(names()).toEqual(['app~20261120-1200']);
    pass(90 * DAY - 1);
    expect(text(await look(desired))).toEqual(['keep app~20261120-1200']);
    pass(1);
    expect(text(await look(desired))).toEqual(['create app~20270218-1200', 'keep app~20261120-1200']);
  });

  it('goes through successor, overlap, disable and delete', async () => {
    const { apply: run, plan: look, names, pass, store } = world();
    store.seed(live('app', { remain: $(25) }));
    pass(90 * DAY);
    const made = await look(desired);
    expect(text(made)).toEqual(['create app~20270218-1200', 'keep app']);
    expect(made.notes.map(({ code }) => code)).toEqual(['rotation-due']);
    expect((await run(desired)).outcomes.map(({ state: each }) => each)).toEqual(['applied']);
    expect(names()).toEqual(['app', 'app~20270218-1200']);
    pass(7 * DAY - 1);
    expect(text(await look(desired))).toEqual(['keep app~20270218-1200', 'retain app overlap']);
    pass(1);
    expect(text(await look(desired))).toEqual(['disable app rotated', 'keep app~20270218-1200']);
    const ended = await run(desired);
    expect(ended.outcomes).toMatchObject([{ state: 'applied', change: { verb: 'disable', of: 'app' } }]);
    expect(text(ended.after as Plan).filter((each) => !each.startsWith('keep'))).toEqual([]);
    expect(names()).toEqual(['app off', 'app~20270218-1200']);
    await run(desired);
    expect(names()).toEqual(['app~20270218-1200']);
    expect(text(await look(desired))).toEqual(['keep app~20270218-1200']);
  });

  it('makes one successor, with the same name in concurrent runs, after months without a run', async () => {
    const first = world();
    first.store.seed(live('app', { remain: $(25) }));
    first.pass(400 * DAY + 5 * HOUR);
    const [one] = (await first.plan(desired)).changes;
    first.pass(3 * HOUR);
    const [two] = (await first.plan(desired)).changes;
    expect([one?.name, two?.name]).toEqual(['app~20271115-1200', 'app~20271115-1200']);
  });

  it('gives a saved plan the name that was reviewed', async () => {
    const { plan: look, now, pass } = world();
    const [saved] = (await look(desired)).changes;
    const madeAt = now();
    pass(2 * HOUR);
    expect((await look(desired, { madeAt })).changes[0]?.name).toBe(saved?.name);
  });

  it('lives for a whole overlap after a late successor was made', async () => {
    const { apply: run, plan: look, pass, store } = world();
    store.seed(live('app', { remain: $(25) }));
    pass(130 * DAY);
    await run(desired);
    pass(7 * DAY - 60);
    expect(text(await look(desired)).at(-1)).toBe('retain app overlap');
  });

  it.each<[string, { status?: number; enabled?: boolean; protect?: string[] }, string | undefined]>([
    ['is disabled', { status: 2 }, 'rotation-waits'],
    ['is declared disabled', { enabled: false }, undefined],
    ['is protected', { protect: ['app'] }, undefined],
  ])('gets no successor while it %s', async (_, { status = 1, enabled = true, protect = [] }, code) => {
    const { plan: look, pass, store } = world();
    store.seed(live('app', { remain: $(25) }), { status });
    pass(100 * DAY);
    const made = await look(state([declare('app', { rotate: ROTATE, enabled })], { protect }));
    expect(made.changes.filter(({ verb }) => verb === 'create')).toEqual([]);
    expect(made.notes.map((note) => note.code).filter((each) => each.startsWith('rotation'))).toEqual(
      code ? [code] : [],
    );
  });

  it('gives its successor the restrictions that nobody declared', async () => {
    const { apply: run, pass, store } = world();
    store.seed(live('app', { allowIps: ['10.0.0.0/8'], models: ['m'], group: 'vip', remain: $(3) }));
    pass(90 * DAY);
    await run(state([declare('app', { rotate: ROTATE })]));
    expect([...store.records.values()].at(-1)).toMatchObject({
      name: 'app~20270218-1200',
      allow_ips: '10.0.0.0/8',
      model_limits: 'm',
      group: 'vip',
      remain_quota: $(3),
    });
  });

  it('does not rotate a third time before its old generation has ended', async () => {
    const fast = state([declare('app', { rotate: { every: 2 * DAY, overlap: DAY } })]);
    const { apply: run, plan: look, pass, store } = world();
    const id = store.seed(live('app'));
    pass(2 * DAY);
    await run(fast);
    for (let day = 0; day < 9; day += 1) {
      pass(DAY - HOUR);
      store.spend(id, 1);
      await run(fast);
    }
    const made = await look(fast);
    expect(text(made)).toContain('retain app in-use');
    expect(made.notes.map(({ code }) => code)).toContain('rotation-waits');
    expect(store.records.size).toBe(2);
  });
});

describe('the end of an old generation', () => {
  const desired = state([declare('app', { rotate: ROTATE })]);

  async function overlapping(options: Parameters<typeof world>[0] = {}) {
    const made = world(options);
    const id = made.store.seed(live('app'));
    made.store.spend(id, 10);
    made.pass(90 * DAY);
    await made.apply(desired);
    made.pass(7 * DAY);
    return { ...made, id };
  }

  it('waits for a day without use, and reports the last one', async () => {
    const { plan: look, pass, store, id } = await overlapping();
    store.spend(id, 5);
    pass(DAY - 1);
    const made = await look(desired);
    expect(text(made).at(-1)).toBe('retain app in-use');
    expect(made.notes.at(-1)).toMatchObject({
      code: 'old-generation',
      message: expect.stringContaining('last used 2027-02-25T12:00:00Z'),
    });
    pass(1);
    expect(text(await look(desired))[0]).toBe('disable app rotated');
  });

  it('waits for as long as `quiet` demands', async () => {
    const { plan: look, pass, store, id } = await overlapping();
    store.spend(id, 5);
    pass(2 * DAY);
    const patient = state([declare('app', { rotate: { ...ROTATE, quiet: 3 * DAY } })]);
    expect(text(await look(patient)).at(-1)).toBe('retain app in-use');
  });

  it('needs evidence: without times of use, a log that accounts for all use shows it', async () => {
    const { plan: look, store } = await overlapping({ reportsTimes: false });
    expect(text(await look(desired))[0]).toBe('disable app rotated');
    store.log.length = 0;
    const made = await look(desired);
    expect(text(made).at(-1)).toBe('retain app use-unknown');
    expect(text(await look(desired, { endAnyway: true }))[0]).toBe('disable app rotated');
  });

  it.each([
    ['nothing proves its successor', {}],
    ['its successor is rejected', { proveSecrets: refused }],
    ['the proof cannot be made', { proveSecrets: () => Promise.reject(new Fault('gateway.unreachable', 'gone')) }],
  ])('does not come when %s', async (_, more) => {
    const { plan: look, apply: run, names, store, now } = await overlapping();
    const observed = await observe(store, desired, { now: now() });
    const report =
      Object.keys(more).length === 0
        ? await apply(await look(desired), store, { observed, desired, now, concurrency: 1 })
        : await run(desired, {}, more);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', change: { verb: 'disable', name: 'app' } }]);
    expect(names()).toEqual(['app', 'app~20270218-1200']);
  });

  it('does not come when a check of the key fails', async () => {
    const { apply: run, names } = await overlapping();
    const result = { key: 'app', check: 'chat', verdict: 'failed' };
    const seen: (readonly string[])[] = [];
    const prove = async (keys: readonly string[]) => {
      seen.push(keys);
      return { results: [result] } as never;
    };
    await run(desired, {}, { prove });
    expect(seen).toEqual([['app']]);
    expect(names()).toEqual(['app', 'app~20270218-1200']);
  });

  it.each([
    ['waits until the readers of its sinks have the new secret', 300, ['wait 300', 'setEnabled']],
    ['waits a quarter of an hour at most', 86_400, ['wait 900', 'setEnabled']],
    ['does not wait for sinks that need no time', 0, ['setEnabled']],
  ])('%s', async (_, propagateSeconds, expected) => {
    const { apply: run, store } = await overlapping();
    const target = { file: 'key', format: 'raw' } as const;
    const deliver = [{ target, adopt: false, propagateSeconds, onDestroy: 'keep', folder: '/nowhere' } as const];
    const delivering = state([declare('app', { rotate: { ...ROTATE, quiet: DAY }, deliver })]);
    const order: string[] = [];
    store.hook = (operation) => void (operation === 'setEnabled' && order.push(operation));
    const sinks = { of: () => [], metadataOf: (key: string) => ({ key }) };
    const waitForReaders = async (seconds: number) => void order.push(`wait ${seconds}`);
    await run(delivering, {}, { sinks, waitForReaders });
    expect(order).toEqual(expected);
  });

  it.each([
    ['nobody looked at the sinks of its successor', 0, {}],
    ['the readers of its sinks need time, and the run does not wait', 300, { sinks: { of: () => [] } }],
  ])('does not come when %s', async (_, propagateSeconds, more) => {
    const { apply: run, names } = await overlapping();
    const target = { file: 'key', format: 'raw' } as const;
    const deliver = [{ target, adopt: false, propagateSeconds, onDestroy: 'keep', folder: '/nowhere' } as const];
    const report = await run(state([declare('app', { rotate: ROTATE, deliver })]), {}, more as Partial<ApplyOptions>);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', change: { verb: 'disable', name: 'app' } }]);
    expect(names()).toEqual(['app', 'app~20270218-1200']);
  });

  it('does not come while its successor is disabled', async () => {
    const { plan: look, store, only } = await overlapping();
    await store.setEnabled(only('2027'), false);
    expect(text(await look(desired))).toEqual(['hold app~20270218-1200 unpermitted', 'retain app successor-disabled']);
  });

  it('comes again for one that somebody enabled, and a person’s disable stays', async () => {
    const { plan: look, apply: run, store, id, names, pass } = await overlapping();
    await run(desired);
    await store.setEnabled(id, true);
    expect(text(await look(desired))[0]).toBe('disable app rotated');
    await run(desired);
    expect(names()[0]).toBe('app off');
    pass(1);
  });

  it('keeps a generation that a person disabled until its overlap is over', async () => {
    const made = world();
    const id = made.store.seed(live('app'));
    made.pass(90 * DAY);
    await made.apply(desired);
    await made.store.setEnabled(id, false);
    expect(text(await made.plan(desired))).toContain('retain app already-disabled');
    made.pass(7 * DAY);
    expect(text(await made.plan(desired))).toContain('delete app rotated');
  });

  it('does not count for the guard, and destroy deletes all generations', async () => {
    const { plan: look, store, now } = await overlapping();
    const observed = await observe(store, desired, { now: now() });
    const { guard } = await import('../../src/reconcile/index.ts');
    expect(guard(await look(desired), { desired, observed }, {})).toEqual([]);
    expect(text(planDestroy(desired, observed, now()))).toHaveLength(2);
  });
});

describe('a destroy', () => {
  const long = `app-${'n'.repeat(40)}`;

  it.each([
    ['deletes a generation with a shortened name that no pattern protects', ['root-*'], 'delete'],
    ['retains one whose declared name is protected', [`${long.slice(0, -1)}?`], 'retain'],
  ])('%s', async (_case, protect, verb) => {
    const { store, apply: run, now } = world();
    const desired = state([declare(long, { rotate: ROTATE, budget: MONTHLY })], { protect });
    await run(desired);
    const observed = await observe(store, desired, { now: now() });
    expect(text(planDestroy(desired, observed, now()))).toEqual([expect.stringMatching(`^${verb} app-n`)]);
  });
});

describe('a rotation that somebody asks for', () => {
  const desired = state([declare('app', { budget: { kind: 'unlimited' } })]);
  const leaked = { rotate: new Map([['app', { end: 'leaked' as const }]]) };

  it('ends a leaked generation as soon as its successor is proven, used or not', async () => {
    const { apply: run, names, store } = world();
    const id = store.seed(live('app', { unlimited: true }));
    store.spend(id, 10);
    await run(desired, leaked);
    expect(names()).toEqual(['app', 'app~20261120-1200+0']);
    await run(desired);
    expect(names()).toEqual(['app off', 'app~20261120-1200+0']);
    await run(desired);
    expect(names()).toEqual(['app~20261120-1200+0']);
  });

  it('works twice in a minute, and ends both', async () => {
    const { apply: run, names, store } = world();
    store.seed(live('app', { unlimited: true }));
    await run(desired, leaked);
    await run(desired, leaked);
    expect(names()).toEqual(['app off', 'app~20261120-1200+0', 'app~20261120-1201+0']);
    await run(desired);
    expect(names()).toEqual(['app~20261120-1200+0 off', 'app~20261120-1201+0']);
  });

  it('remembers its own overlap', async () => {
    const { apply: run, plan: look, store, pass } = world();
    store.seed(live('app', { unlimited: true }));
    await run(desired, { rotate: new Map([['app', { end: { overlap: 2 * DAY } }]]) });
    pass(2 * DAY - 1);
    expect(text(await look(desired))).toContain('retain app overlap');
    pass(1);
    expect(text(await look(desired))).toContain('disable app rotated');
  });

  it('goes on although the declared schedule is gone, or the person has renamed the key', async () => {
    const { apply: run, names, store } = world();
    store.seed(live('app', { unlimited: true }));
    await run(desired, leaked);
    const renamed = state([declare('shop', { budget: { kind: 'unlimited' }, renamedFrom: 'app' as never })]);
    await run(renamed);
    expect(names()).toEqual(['shop off', 'shop~20261120-1200+0']);
  });
});

describe('hands on the generations', () => {
  const desired = state([declare('app', { rotate: ROTATE })]);

  async function rotated() {
    const made = world();
    const old = made.store.seed(live('app'));
    made.pass(90 * DAY);
    await made.apply(desired);
    return { ...made, old };
  }

  it('a deleted successor leaves the old generation as the current one', async () => {
    const { store, plan: look, only } = await rotated();
    store.records.delete(only('2027'));
    expect(text(await look(desired))).toEqual(['create app~20270218-1200', 'keep app']);
  });

  it('two keys with the name of one generation are ambiguous', async () => {
    const { store, plan: look } = await rotated();
    store.seed(live('app~20270218-1200'));
    await expect(look(desired)).rejects.toMatchObject({ code: 'plan.ambiguous' });
  });

  it('a key with the declared name that somebody made after the rotation is not ended with its generations', async () => {
    const { store, plan: look, only, pass } = await rotated();
    store.records.delete(only('app')); // Somebody deleted the first generation.
    store.seed(live('app'));
    pass(90 * DAY);
    await expect(look(desired)).rejects.toMatchObject({ code: 'plan.ambiguous' });
    await expect(look(state([], { scope: ['app'], prune: 'delete' }))).resolves.toBeDefined();
  });

  it('a name for a later time makes no generation younger', async () => {
    const { store, plan: look, pass } = await rotated();
    store.seed(live('app~20991231-2359'));
    pass(90 * DAY);
    const made = await look(desired);
    expect(made.notes.map(({ code }) => code)).toContain('rotation-waits');
  });

  it('undeclared generations are pruned by the scope of their key', async () => {
    const { plan: look } = await rotated();
    const pruned = await look(state([], { scope: ['app'], prune: 'delete' }));
    expect(text(pruned)).toEqual(['delete app pruned', 'delete app~20270218-1200 pruned']);
    const kept = await look(state([], { scope: ['*'], prune: 'delete', protect: ['app'] }));
    expect(text(kept)).toEqual(['retain app protected', 'retain app~20270218-1200 protected']);
  });
});

describe('the budget of a key that rotates', () => {
  async function spent({ reportsUse = true, rotate = ROTATE } = {}) {
    const made = world({ reportsUse, reportsTimes: reportsUse });
    const desired = state([declare('app', { rotate, budget: MONTHLY })]);
    const old = made.store.seed(live('app', { remain: $(25) }));
    made.pass(90 * DAY);
    made.store.spend(old, $(10));
    await made.apply(desired);
    const current = keyId(Math.max(...made.store.records.keys()));
    return { ...made, desired, old, current };
  }
  const remains = (store: MemoryStore, id: KeyId) => store.records.get(id)?.remain_quota;

  it.each([true, false])(
    'goes on: what one generation used counts for the next (use reported: %s)',
    async (reportsUse) => {
      const { store, old, current, desired, apply: run } = await spent({ reportsUse });
      expect([remains(store, old), remains(store, current)]).toEqual([$(15), $(15)]);
      store.spend(current, $(4));
      store.spend(old, $(1));
      await run(desired);
      expect([remains(store, old), remains(store, current)]).toEqual([$(10), $(10)]);
    },
  );

  it('lets an old generation spend no more than `overlapBudget`, and never refills it', async () => {
    const rotate = { ...ROTATE, overlapBudget: { quota: $(2) } };
    const { store, old, current, desired, apply: run, plan: look, pass } = await spent({ rotate });
    await run(desired);
    expect([remains(store, old), remains(store, current)]).toEqual([$(2), $(15)]);
    expect((await look(desired)).notes.at(-1)?.message).toContain('it can also spend up to $2.00');
    store.spend(old, $(1));
    await run(desired);
    expect([remains(store, old), remains(store, current)]).toEqual([$(1), $(14)]);
    pass(6 * DAY);
    await run(desired);
    expect(remains(store, old)).toBe($(1));
  });

  it('keeps a disabled generation until its use no longer counts', async () => {
    const { store, old, current, desired, apply: run, pass, plan: look } = await spent();
    pass(8 * DAY);
    await run(desired);
    expect(store.records.get(old)?.status).toBe(2);
    expect(text(await look(desired))).toContain('retain app use-counts');
    await run(desired);
    expect(remains(store, current)).toBe($(15));
    pass(4 * DAY);
    await run(desired);
    expect(store.records.has(old)).toBe(false);
    expect(remains(store, current)).toBe($(25));
  });

  it('does not drift where generations in overlap use it, and does when somebody tops one up', async () => {
    const lifetime = { kind: 'lifetime', amount: { quota: $(100) } } as const;
    const desired = state([declare('app', { rotate: ROTATE, budget: lifetime })]);
    const { apply: run, plan: look, store, pass, only, now } = world();
    await run(desired);
    pass(90 * DAY);
    const old = only('app~20261120-1200');
    const { driftOf, observe: look2, reportFaults } = await import('../../src/reconcile/index.ts');
    expect(reportFaults(await run(desired))).toEqual([]);
    store.spend(old, $(5));
    const observed = await look2(store, desired, { now: now() });
    expect(text(await look(desired))).toContain('update app~20270218-1200');
    expect(text(driftOf(await look(desired), { desired, observed, now: now() }))).not.toContain(
      'update app~20270218-1200',
    );
    await run(desired);
    expect([...store.records.values()].map(({ remain_quota }) => remain_quota)).toEqual([$(95), $(95)]);
    // A top-up by hand is more than any use explains.
    const record = store.records.get(only('app~20270218-1200'));
    if (record) record.remain_quota += $(50);
    const topped = await look2(store, desired, { now: now() });
    expect(text(driftOf(await look(desired), { desired, observed: topped, now: now() }))).toContain(
      'update app~20270218-1200',
    );
  });

  it('keeps a lifetime budget exact for ever', async () => {
    const made = world();
    const desired = state([
      declare('app', { rotate: ROTATE, budget: { kind: 'lifetime', amount: { quota: $(100) } } }),
    ]);
    made.store.seed(live('app', { remain: $(100) }));
    for (let round = 0; round < 20; round += 1) {
      const current = keyId(Math.max(...made.store.records.keys()));
      made.store.spend(current, $(1));
      made.pass(10 * DAY);
      await made.apply(desired);
    }
    const records = [...made.store.records.values()];
    expect(records.filter(({ status }) => status === 1).length).toBeLessThanOrEqual(2);
    const used = records.reduce((sum, { used_quota }) => sum + used_quota, 0);
    expect(used).toBe($(20));
    expect(records.at(-1)?.remain_quota).toBe($(80));
  });
});
