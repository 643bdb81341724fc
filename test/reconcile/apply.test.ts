import { describe, expect, it } from 'vitest';
import { Fault, keyName } from '../../src/domain/index.ts';
import { type ApplyEvent, apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { applied, declare, emptyAccount, live, NOW, planOf, state, verbs } from './account.ts';
import { failing, states } from './going-wrong.ts';

const grant = { budget: { kind: 'unlimited' } } as const;

describe('apply', () => {
  it('carries out every verb and converges', async () => {
    const store = emptyAccount();
    for (const name of ['del', 'off', 'on', 'upd', 'old']) store.seed(live(name), { status: name === 'on' ? 2 : 1 });
    const declared = [
      declare('upd', { group: 'vip' }),
      declare('on'),
      declare('off', { enabled: false }),
      declare('new', grant),
      declare('born-disabled', { ...grant, enabled: false }),
      declare('ren', { renamedFrom: keyName('old') }),
    ];
    const desired = state(declared, { scope: ['*'], prune: 'delete' });
    const report = await applied(store, desired, { allowEnable: ['on'] });
    expect(report.outcomes.every((o) => o.state === 'applied' && o.remark === undefined)).toBe(true);
    expect(report.outcomes).toHaveLength(7);
    expect(reportFaults(report)[0]).toBeUndefined();
    const names = [...store.records.values()].map((r) => `${r.name} ${r.status}`).sort();
    expect(names).toEqual(['born-disabled 2', 'new 1', 'off 2', 'on 1', 'ren 1', 'upd 1']);
  });

  it('does nothing at all when nothing is pending', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const report = await applied(store, state([declare('a')]));
    expect(report).toMatchObject({ outcomes: [], interrupted: false });
    expect(store.calls).toEqual({ quotaPerUnit: 1, groups: 1, models: 1, walk: 1 });
  });

  it.each([
    [true, 3],
    [false, 4],
  ])('walks no more than it must after creates (enabled: %s)', async (enabled, walks) => {
    const store = emptyAccount();
    await applied(store, state([declare('a', { ...grant, enabled }), declare('b', grant)]));
    expect(store.calls.walk).toBe(walks);
  });

  it('renames a chain from its free end', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.seed(live('b'));
    const order: string[] = [];
    store.hook = (operation, id) => operation === 'update' && order.push(String(id));
    await applied(
      store,
      state([declare('b', { renamedFrom: keyName('a') }), declare('c', { renamedFrom: keyName('b') })]),
    );
    expect(order).toEqual(['2', '1']);
    expect([...store.records.values()].map((r) => r.name)).toEqual(['b', 'c']);
  });

  it('skips a rename whose name was not freed, with the reason', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.seed(live('b'));
    store.hook = failing('update', 'gateway.refused', (n) => n === 1);
    const report = await applied(
      store,
      state([declare('b', { renamedFrom: keyName('a') }), declare('c', { renamedFrom: keyName('b') })]),
    );
    expect(states(report)).toEqual(['rename c: failed', 'rename b: skipped']);
    expect([...store.records.values()].map((r) => r.name)).toEqual(['a', 'b']);
  });

  it('one failed change does not stop the others, and what depends on it is skipped', async () => {
    const store = emptyAccount();
    const expired = store.seed(live('a', { expires: NOW - 5 }), { status: 3 });
    store.seed(live('b'));
    store.hook = (operation, id) => {
      if (operation === 'update' && id === expired) throw new Fault('gateway.refused', 'no');
    };
    const report = await applied(store, state([declare('a', { expires: null }), declare('b', { group: 'vip' })]));
    expect(states(report).sort()).toEqual(['enable a: skipped', 'update a: failed', 'update b: applied']);
    expect(reportFaults(report)[0]).toMatchObject({ code: 'apply.incomplete', detail: { first: 'gateway.refused' } });
  });

  it('apply.not-kept: names each setting that was accepted and did not hold, with both values', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a'));
    store.hook = (operation) => {
      const record = store.records.get(id);
      if (operation === 'walk' && record) record.group = 'default';
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(report.after && verbs(report.after)).toEqual(['update a']);
    expect(reportFaults(report)).toMatchObject([
      {
        code: 'apply.not-kept',
        message: 'The gateway accepted and did not keep: group of “a” (sent "vip", stored "default").',
      },
    ]);
  });

  it('checks a saved plan’s changes by what the gateway shows, without a manifest', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const desired = state([declare('a', { group: 'vip' }), declare('b', grant)]);
    const made = await planOf(store, desired);
    const observed = await observe(store, state([]), { now: NOW });
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect(report.after?.changes).toEqual([]);
    expect(reportFaults(report)[0]).toBeUndefined();
  });

  it('checks every verb of a saved plan', async () => {
    const store = emptyAccount();
    for (const name of ['del', 'off', 'on', 'old']) store.seed(live(name), { status: name === 'on' ? 2 : 1 });
    const declared = [
      declare('off', { enabled: false }),
      declare('on'),
      declare('ren', { renamedFrom: keyName('old') }),
    ];
    const desired = state(declared, { scope: ['*'], prune: 'delete' });
    const made = await planOf(store, desired, { allowEnable: ['on'] });
    const observed = await observe(store, state([]), { now: NOW });
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect(states(report)).toEqual([
      'disable off: applied',
      'rename ren: applied',
      'enable on: applied',
      'delete del: applied',
    ]);
    expect(report.after?.changes).toEqual([]);
  });

  it.each<[string, Parameters<typeof declare>[1], object, string]>([
    ['update', { group: 'vip' }, { group: 'default' }, 'a'],
    ['rename', { renamedFrom: keyName('a') }, { name: 'a' }, 'b'],
    ['disable', { enabled: false }, { status: 1 }, 'a'],
    ['enable', {}, { status: 2 }, 'a'],
  ])('sees that %s of a saved plan did not hold', async (verb, declared, forgotten, name) => {
    const store = emptyAccount();
    const id = store.seed(live('a'), { status: verb === 'enable' ? 2 : 1 });
    const made = await planOf(store, state([declare(name, declared)]), { allowEnable: [name] });
    const observed = await observe(store, state([]), { now: NOW });
    store.hook = (operation) => operation === 'walk' && Object.assign(store.records.get(id) ?? {}, forgotten);
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect(states(report)).toEqual([`${verb} ${name}: applied`]);
    expect(reportFaults(report)[0]?.code).toBe('apply.not-converged');
  });

  it('sees that a saved plan’s new key was not born disabled', async () => {
    for (const keeps of [true, false]) {
      const store = emptyAccount();
      const made = await planOf(store, state([declare('a', { ...grant, enabled: false })]));
      store.hook = (operation) => {
        const record = store.records.get(1);
        if (operation === 'walk' && record?.status === 2 && !keeps) record.status = 1;
      };
      const observed = await observe(store, state([]), { now: NOW });
      const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
      expect(reportFaults(report)[0]?.code).toBe(keeps ? undefined : 'apply.not-converged');
    }
  });

  it('skips renames that form a circle, as a saved plan could hold them', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'b']) store.seed(live(name));
    const desired = state([declare('x', { renamedFrom: keyName('a') }), declare('y', { renamedFrom: keyName('b') })]);
    const observed = await observe(store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    const turned = made.changes.map((change) => ({ ...change, name: keyName(change.name === 'x' ? 'b' : 'a') }));
    const report = await apply({ ...made, changes: turned }, store, { observed, now: () => NOW, concurrency: 1 });
    expect(report.outcomes.map((o) => o.state === 'skipped' && o.reason)).toEqual(
      Array(2).fill('the renames form a cycle'),
    );
    expect(store.calls.update).toBeUndefined();
  });

  it('emits an event for each phase and each outcome', async () => {
    const events: ApplyEvent[] = [];
    await applied(emptyAccount(), state([declare('a', grant), declare('b', grant)]), {
      onEvent: (e) => events.push(e),
    });
    const shown = events.map((e) => {
      const where = e.kind === 'outcome' ? '' : ` ${e.phase}`;
      return `${e.kind}${where} ${e.kind === 'phase' ? e.total : `${e.done}/${e.total}`}`;
    });
    expect(shown).toEqual([
      'phase create 2',
      'step create 1/2',
      'step create 2/2',
      'outcome 1/2',
      'outcome 2/2',
      'phase verify 1',
    ]);
  });
});

describe('trouble', () => {
  it('apply.duplicate: two new keys of one name are reported with both ids and neither is touched', async () => {
    const store = emptyAccount();
    store.hook = (operation) => {
      if (operation === 'create') store.seed(live('a'));
    };
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([
      { state: 'failed', fault: { code: 'apply.duplicate', detail: { ids: [1, 2] } } },
    ]);
    expect(store.records.size).toBe(2);
  });

  it('gateway.not-found: a key that vanished between plan and apply', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a'));
    store.hook = (operation) => operation === 'tryRead' && store.records.delete(id);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'gateway.not-found' } }]);
    expect(report.after && verbs(report.after)).toEqual(['create a']);
  });

  it('plan.ambiguous: reports a twin that appeared meanwhile in the plan made again', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = (operation) => operation === 'update' && store.seed(live('a'));
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(reportFaults(report)[0]?.code).toBe('plan.ambiguous');
  });

  it('refused credentials end the run: nothing more is begun', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'credentials.refused');
    const keys = Array.from({ length: 20 }, (_, i) => declare(`k${i}`, grant));
    const report = await applied(store, state(keys), { concurrency: 1 });
    expect(store.calls.create).toBe(1);
    expect(report.outcomes.filter((o) => o.state === 'skipped')).toHaveLength(19);
    expect(reportFaults(report)[0]?.code).toBe('credentials.refused');
  });

  it('a gateway that is not there ends the run after three tries', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'gateway.unreachable', (n) => n > 2);
    const keys = Array.from({ length: 20 }, (_, i) => declare(`k${i}`, grant));
    const report = await applied(store, state(keys), { concurrency: 1 });
    expect(store.calls.create).toBe(5);
    expect(reportFaults(report)[0]?.code).toBe('apply.incomplete');
    expect(report.fatal?.code).toBe('gateway.unreachable');
  });

  it('an interruption keeps the deletes from being begun', async () => {
    const store = emptyAccount();
    for (const name of ['a', 'b', 'c']) store.seed(live(name));
    const abort = new AbortController();
    store.hook = (operation) => operation === 'update' && abort.abort();
    const desired = state([declare('a', { group: 'vip' })], { scope: ['*'], prune: 'delete' });
    const report = await applied(store, desired, { signal: abort.signal });
    expect(states(report)).toEqual(['update a: applied', 'delete b: skipped', 'delete c: skipped']);
    expect(store.records.size).toBe(3);
    expect(report.after).toBeUndefined();
  });

  it('deletes go a hundred at a time, and an interruption keeps the rest', async () => {
    const store = emptyAccount();
    for (let n = 0; n < 250; n += 1) store.seed(live(`k${n}`));
    const [abort, batches] = [new AbortController(), [] as number[]];
    const real = store.delete.bind(store);
    store.delete = async (ids) => {
      batches.push(ids.length);
      if (batches.length === 2) abort.abort();
      return await real(ids);
    };
    const everything = state([], { scope: ['*'], prune: 'delete' });
    const report = await applied(store, everything, { signal: abort.signal });
    expect(batches).toEqual([100, 100]);
    expect(report.outcomes.filter((o) => o.state === 'applied')).toHaveLength(200);
    expect(report.outcomes.filter((o) => o.state === 'skipped')).toHaveLength(50);
    expect(reportFaults(await applied(store, everything))[0]).toBeUndefined();
    expect(batches).toEqual([100, 100, 50]);
  });

  it('an interruption lets running changes finish, skips the rest, and still finds what was created', async () => {
    const store = emptyAccount();
    const abort = new AbortController();
    store.hook = (operation) => {
      if (operation === 'create' && store.calls.create === 3) abort.abort();
    };
    const keys = Array.from({ length: 10 }, (_, i) => declare(`k${i}`, grant));
    const report = await applied(store, state(keys), { concurrency: 1, signal: abort.signal });
    expect(report.outcomes.filter((o) => o.state === 'applied')).toHaveLength(3);
    expect(report.outcomes.filter((o) => o.state === 'skipped')).toHaveLength(7);
    expect(report.interrupted).toBe(true);
    expect(reportFaults(report)[0]?.code).toBe('gateway.interrupted');
    expect(reportFaults(await applied(store, state(keys)))[0]).toBeUndefined();
    expect(store.records.size).toBe(10);
  });
});
