import { describe, expect, it } from 'vitest';
import { type DesiredState, Fault, type FaultCode } from '../../src/domain/index.ts';
import { reportFaults } from '../../src/reconcile/index.ts';
import { applied, declare, declareNew, emptyAccount, live, state } from './account.ts';
import { failing, losing, states } from './going-wrong.ts';

const grant = { budget: { kind: 'unlimited' } } as const;

describe('a lost answer', () => {
  it('of a create is looked up: the key is found, and not made twice', async () => {
    const store = emptyAccount();
    losing(store, 'create');
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([{ state: 'applied', id: 1, remark: expect.stringContaining('lost') }]);
    expect(store.records.size).toBe(1);
    expect(reportFaults(report)[0]).toBeUndefined();
  });

  it('gateway.indeterminate: of a create that is not to be found, is not sent again; the next run makes the key', async () => {
    const store = emptyAccount();
    store.hook = failing('create', 'gateway.timeout', (n) => n === 1);
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([
      {
        state: 'indeterminate',
        fault: { code: 'gateway.indeterminate', message: expect.stringContaining('was lost (gateway.timeout)') },
      },
    ]);
    expect(store.calls.create).toBe(1);
    expect(reportFaults(report)[0]?.code).toBe('gateway.indeterminate');
    expect(reportFaults(await applied(store, state([declare('a', grant)])))[0]).toBeUndefined();
    expect(store.records.size).toBe(1);
  });

  it('of a create that cannot be looked up is reported as indeterminate', async () => {
    const store = emptyAccount();
    store.hook = failing('walk', 'gateway.timeout', (n) => n > 2);
    const report = await applied(store, state([declare('a', grant)]));
    expect(report.outcomes).toMatchObject([
      { state: 'indeterminate', fault: { message: expect.stringContaining('the lookup failed') } },
    ]);
    expect(report.fatal?.code).toBe('gateway.timeout');
    expect(store.records.size).toBe(1);
  });

  it.each([true, false])('of an update is looked up: it took effect (use reported: %s)', async (reportsUse) => {
    const store = emptyAccount({ reportsUse });
    store.seed(live('a'));
    losing(store, 'update');
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(states(report)).toEqual(['update a: applied']);
    expect(store.calls.update).toBe(1);
  });

  it('of the look after an update, which reports the key as missing although the list has it, leaves the outcome open', async () => {
    const store = emptyAccount({ reportsUse: true });
    store.seed(live('a'));
    const readMany = store.readMany.bind(store);
    store.readMany = (ids) => (store.calls.update ? Promise.resolve(new Map()) : readMany(ids));
    const report = await applied(store, state([declare('a', { group: 'vip' })]));
    expect(report.outcomes).toMatchObject([
      { state: 'indeterminate', fault: { message: expect.stringContaining('and listed it afterwards') } },
    ]);
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
    const report = await applied(store, state([declare('a', declared)]), { allowEnable: ['a'] });
    expect(states(report)).toEqual([`${verb} a: applied`]);
  });

  it('of a status change that did not happen is indeterminate', async () => {
    const store = emptyAccount();
    store.seed(live('a'), { status: 2 });
    store.hook = failing('setEnabled', 'gateway.timeout');
    const report = await applied(store, state([declare('a')]), { allowEnable: ['a'] });
    expect(states(report)).toEqual(['enable a: indeterminate']);
  });

  const pruned: DesiredState = state([], { scope: ['*'], prune: 'delete' });
  it('of a delete is settled by the walk', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    losing(store, 'delete');
    expect(states(await applied(store, pruned))).toEqual(['delete a: applied']);
  });

  it.each<[FaultCode, string]>([
    ['gateway.timeout', 'indeterminate'],
    ['gateway.connection-lost', 'indeterminate'],
    ['gateway.refused', 'failed'],
  ])('of a delete that has not happened so far (%s) is %s', async (code, expected) => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('delete', code);
    expect(states(await applied(store, pruned))).toEqual([`delete a: ${expected}`]);
  });

  // Some gateways report an error after the commit.
  it.each<[string, 'create' | 'update' | 'setEnabled', DesiredState, FaultCode]>([
    ['update a', 'update', state([declare('a', { group: 'vip' })]), 'gateway.refused'],
    ['disable a', 'setEnabled', state([declare('a', { enabled: false })]), 'gateway.refused'],
    ['create b', 'create', state([declare('a'), declare('b', grant)]), 'gateway.indeterminate'],
  ])('of a refused %s that cannot be looked up is indeterminate', async (change, operation, desired, code) => {
    const store = emptyAccount();
    store.seed(live('a'));
    const unreadable = async () => Promise.reject(new Fault('gateway.timeout', 'unreadable'));
    store.hook = (entered) => {
      if (entered !== operation) return;
      store.tryRead = unreadable;
      store.walk = unreadable;
      throw new Fault('gateway.refused', 'the database is locked');
    };
    const { outcomes } = await applied(store, desired);
    expect(outcomes).toMatchObject([{ state: 'indeterminate', fault: { code } }]);
    expect(outcomes.map(({ change: { verb, name } }) => `${verb} ${name}`)).toEqual([change]);
  });

  it('of the disable of a new key is looked up', async () => {
    const store = emptyAccount();
    losing(store, 'setEnabled');
    const report = await applied(store, state([declare('a', { budget: { kind: 'unlimited' }, enabled: false })]));
    expect(states(report)).toEqual(['create a: applied']);
  });

  const suspended = (name: string) => declare(name, { budget: { kind: 'unlimited' }, enabled: false });

  it.each<[FaultCode, boolean, string]>([
    ['gateway.refused', true, 'and is still enabled'],
    ['gateway.timeout', true, 'and is still enabled'],
    ['gateway.timeout', false, 'and may still be enabled'],
  ])('of the disable of a new key (%s, readable: %s) puts the live key first', async (code, readable, words) => {
    const store = emptyAccount();
    store.hook = failing('setEnabled', code);
    if (!readable) store.tryRead = async () => Promise.reject(new Fault('gateway.timeout', 'unreadable'));
    const report = await applied(store, state([declareNew('a'), suspended('b')]));
    expect(states(report)).toEqual(['create b: left-enabled', 'create a: applied']);
    expect(report.outcomes[0]).toMatchObject({
      id: 2,
      fault: { code, message: expect.stringContaining(`“b” was created (ID 2) ${words}`), remedy: 'disable-keys' },
    });
    expect(reportFaults(report)[0]).toMatchObject({ code: 'apply.left-enabled', detail: { names: ['b'] } });
  });

  it('gateway.not-found: a new key that is gone when its disable is looked up is not enabled', async () => {
    const store = emptyAccount();
    store.setEnabled = async (id) => {
      await store.delete([id]);
      throw new Fault('gateway.connection-lost', 'the answer was lost');
    };
    const report = await applied(store, state([suspended('a')]));
    expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'gateway.not-found' } }]);
  });

  it('of the look for new keys that must be disabled puts those first that exist, or may', async () => {
    const store = emptyAccount();
    const create = store.create.bind(store);
    store.create = async (settings) => {
      await create(settings);
      if (settings.name === 'c') throw new Fault('gateway.timeout', 'the answer was lost');
    };
    store.hook = failing('walk', 'gateway.timeout', (n) => n > 2);
    const report = await applied(store, state([declareNew('a'), suspended('b'), suspended('c')]));
    expect(states(report)).toEqual(['create b: left-enabled', 'create c: indeterminate', 'create a: indeterminate']);
    expect(report.outcomes[1]).toMatchObject({ fault: { hint: expect.stringContaining('it is enabled') } });
  });

  it('and no walk to look it up: indeterminate', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.hook = failing('walk', 'gateway.timeout', (n) => n > 1);
    const report = await applied(store, pruned);
    expect(states(report)).toEqual(['delete a: indeterminate']);
    expect(report.fatal?.code).toBe('gateway.timeout');
    expect([report.after, store.calls.walk]).toEqual([undefined, 2]);
  });
});
