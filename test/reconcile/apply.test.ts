import { describe, expect, it } from 'vitest';
import { type DesiredState, EXIT, Fault, type FaultCode, keyName, quota } from '../../src/domain/index.ts';
import { type ApplyEvent, apply, exitOf, observe, plan, verdict } from '../../src/reconcile/index.ts';
import type { Hook, MemoryStore } from '../contract/memory-store.ts';
import { applied, declare, emptyAccount, live, NOW, planOf, state, verbs } from './account.ts';

const grant = { budget: { kind: 'unlimited' } } as const;

/** Throws at the nth time (from 1) that an operation is entered, before it takes effect. */
function failing(operation: Parameters<Hook>[0], code: FaultCode, when: (n: number) => boolean = () => true): Hook {
  let n = 0;
  return (entered) => {
    if (entered !== operation) return;
    n += 1;
    if (when(n)) throw new Fault(code, `${operation} failed on purpose`);
  };
}

/** Lets the operation take effect and loses its answer: by throwing out of the store's method after the fact. */
function losing(store: MemoryStore, operation: 'create' | 'update' | 'setEnabled' | 'delete', times = 1): void {
  const real = store[operation].bind(store) as (...args: unknown[]) => Promise<void>;
  let left = times;
  Object.assign(store, {
    [operation]: async (...args: unknown[]) => {
      await real(...args);
      left -= 1;
      if (left >= 0) throw new Fault('gateway.connection-lost', 'the answer was lost');
    },
  });
}

const states = (report: Awaited<ReturnType<typeof applied>>): string[] =>
  report.outcomes.map((o) => `${o.change.verb} ${o.change.name}: ${o.state}`);

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
    const report = await applied(store, state(declared, { scope: ['*'], prune: 'delete' }));
    expect(report.outcomes.every((o) => o.state === 'applied')).toBe(true);
    expect(report.outcomes).toHaveLength(7);
    expect(exitOf(report)).toBe(EXIT.done);
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
    expect(verdict(report)).toMatchObject({ code: 'apply.incomplete', detail: { first: 'gateway.refused' } });
  });

  it('apply.not-converged: writes that were accepted and did not hold are in the plan made again', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a'));
    store.hook = (operation) => {
      const record = store.records.get(id);
      if (operation === 'walk' && record) record.group = 'default';
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(report.after && verbs(report.after)).toEqual(['update a']);
    expect(verdict(report)?.code).toBe('apply.not-converged');
    expect(exitOf(report)).toBe(EXIT.partial);
  });

  it('checks a saved plan’s changes by what the gateway shows, without a manifest', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const desired = state([declare('a', { group: 'vip' }), declare('b', grant)]);
    const made = await planOf(store, desired);
    const observed = await observe(store, state([]), { now: NOW });
    const report = await apply(made, store, { observed, now: () => NOW, concurrency: 1 });
    expect(report.after?.changes).toEqual([]);
    expect(exitOf(report)).toBe(EXIT.done);
  });

  it('tells the watcher each phase and each outcome', async () => {
    const events: ApplyEvent[] = [];
    await applied(emptyAccount(), state([declare('a', grant), declare('b', grant)]), {
      onEvent: (e) => events.push(e),
    });
    expect(events.map((e) => (e.kind === 'outcome' ? `outcome ${e.done}/${e.total}` : `${e.kind} ${e.phase}`))).toEqual(
      ['phase create', 'step create', 'step create', 'outcome 1/2', 'outcome 2/2', 'phase verify'],
    );
  });
});

describe('a lost answer', () => {
  it('of a create is looked up: the key is found, and not made twice', async () => {
    const store = emptyAccount();
    losing(store, 'create');
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([{ state: 'applied', id: 1, remark: expect.stringContaining('lost') }]);
    expect(store.records.size).toBe(1);
    expect(exitOf(report)).toBe(EXIT.done);
  });

  it('gateway.indeterminate: of a create that is not to be found, is not sent again; the next run makes the key', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'gateway.timeout', (n) => n === 1);
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([{ state: 'indeterminate', fault: { code: 'gateway.indeterminate' } }]);
    expect(store.calls.create).toBe(1);
    expect(exitOf(report)).toBe(EXIT.error);
    expect(exitOf(await applied(store, state([declare('a', grant)])))).toBe(EXIT.done);
    expect(store.records.size).toBe(1);
  });

  it('of an update is looked up: it took effect', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    losing(store, 'update');
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(store.calls.update).toBe(1);
  });

  it('of an update that did not take effect is sent once more', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('update', 'gateway.timeout', (n) => n === 1);
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(store.calls.update).toBe(2);
  });

  it('of an update that never takes effect is indeterminate', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('update', 'gateway.timeout');
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: indeterminate']);
    expect(store.calls.update).toBe(2);
  });

  it.each([
    [1, { enabled: false }, 'disable'],
    [2, {}, 'enable'],
  ] as const)('of a status change is looked up (%i)', async (status, declared, verb) => {
    const store = emptyAccount();
    store.seed(live('a'), { status });
    losing(store, 'setEnabled');
    expect(states(await applied(store, state([declare('a', declared)])))).toEqual([`${verb} a: applied`]);
  });

  it('of a status change that did not happen is indeterminate', async () => {
    const store = emptyAccount();
    store.seed(live('a'), { status: 2 });
    store.hook = failing('setEnabled', 'gateway.timeout');
    expect(states(await applied(store, state([declare('a')])))).toEqual(['enable a: indeterminate']);
  });

  const pruned: DesiredState = state([], { scope: ['*'], prune: 'delete' });
  it('of a delete is settled by the walk', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    losing(store, 'delete');
    expect(states(await applied(store, pruned))).toEqual(['delete a: applied']);
  });

  it('of a delete that did not happen is a failure', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('delete', 'gateway.timeout');
    expect(states(await applied(store, pruned))).toEqual(['delete a: failed']);
  });

  it('and no walk to look it up: indeterminate', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('walk', 'gateway.timeout', (n) => n > 1);
    const report = await applied(store, pruned);
    expect(states(report)).toEqual(['delete a: indeterminate']);
    expect(report.fatal?.code).toBe('gateway.timeout');
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

  it('refused credentials end the run: nothing more is begun', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'credentials.refused');
    const keys = Array.from({ length: 20 }, (_, i) => declare(`k${i}`, grant));
    const report = await applied(store, state(keys), { concurrency: 1 });
    expect(store.calls.create).toBe(1);
    expect(report.outcomes.filter((o) => o.state === 'skipped')).toHaveLength(19);
    expect(exitOf(report)).toBe(EXIT.credentials);
  });

  it('a gateway that is not there ends the run after three tries', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'gateway.unreachable', (n) => n > 2);
    const keys = Array.from({ length: 20 }, (_, i) => declare(`k${i}`, grant));
    const report = await applied(store, state(keys), { concurrency: 1 });
    expect(store.calls.create).toBe(5);
    expect(exitOf(report)).toBe(EXIT.partial);
    expect(report.fatal?.code).toBe('gateway.unreachable');
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
    expect(verdict(report)?.code).toBe('gateway.interrupted');
    expect(exitOf(await applied(store, state(keys)))).toBe(EXIT.done);
    expect(store.records.size).toBe(10);
  });
});

describe('what a key spends while it is updated', () => {
  const racing = (tellsUse: boolean) => {
    const store = emptyAccount({ tellsUse });
    const id = store.seed(live('a', { remain: quota(1000) }));
    return { store, id };
  };

  it.each([true, false])('between plan and read is not given back (use told: %s)', async (tellsUse) => {
    const { store, id } = racing(tellsUse);
    const desired = state([declare('a', { budget: { kind: 'lifetime', amount: { quota: quota(1500) } } })]);
    const observed = await observe(store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    store.spend(id, 100);
    await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
    expect(store.records.get(id)?.remain_quota).toBe(1400);
  });

  it.each([true, false])(
    'between read and write is taken back at once and reported (use told: %s)',
    async (tellsUse) => {
      const { store, id } = racing(tellsUse);
      store.hook = (operation) => {
        if (operation === 'update' && store.calls.update === 1) store.spend(id, 70);
      };
      const report = await applied(store, state([declare('a', { group: 'vip' })]));
      expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: true }]);
      expect(store.records.get(id)).toMatchObject({ remain_quota: 930, group: 'vip' });
    },
  );

  it('again while it is taken back: the rounds go on', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => {
      if (operation === 'update' && (store.calls.update ?? 0) <= 2) store.spend(id, 10);
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toMatchObject([{ takenBack: true }]);
    expect(store.records.get(id)?.remain_quota).toBe(980);
  });

  it('and can not be taken back: that is reported', async () => {
    const { store, id } = racing(true);
    store.hook = (operation) => {
      if (operation !== 'update') return;
      if (store.calls.update === 1) store.spend(id, 70);
      else throw new Fault('gateway.refused', 'no');
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toEqual([{ id, name: 'a', units: 70, takenBack: false }]);
  });

  it('a grant that someone else made meanwhile is left alone where only the log tells', async () => {
    const { store, id } = racing(false);
    store.hook = (operation) => {
      const record = store.records.get(id);
      if (operation === 'update' && store.calls.update === 1 && record) store.spend(id, 5);
      if (operation === 'usage' && store.calls.update === 1 && record) record.remain_quota = 9000;
    };
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.corrections).toMatchObject([{ units: 5 }]);
  });

  it.each([0, 5])(
    'a grant that someone else made meanwhile is left alone where use is told (spent: %i)',
    async (spent) => {
      const { store, id } = racing(true);
      store.hook = (operation) => {
        const record = store.records.get(id);
        if (operation === 'update' && store.calls.update === 1 && spent > 0) store.spend(id, spent);
        if (operation === 'tryRead' && store.calls.tryRead === 2 && record) record.remain_quota += 9000;
      };
      const report = await applied(store, state([declare('a', { group: 'vip' })]));
      expect(report.corrections.map(({ units }) => units)).toEqual(spent > 0 ? [spent] : []);
      expect(store.records.get(id)?.remain_quota).toBe(10_000 - spent);
    },
  );

  it('an overdrawn limited key is written with 0, because less would be refused', async () => {
    const store = emptyAccount();
    const id = store.seed(live('a', { remain: quota(-5) }));
    expect(exitOf(await applied(store, state([declare('a', { group: 'vip' })])))).toBe(EXIT.done);
    expect(store.records.get(id)).toMatchObject({ remain_quota: 0, group: 'vip' });
  });
});
