import { describe, expect, it } from 'vitest';
import { hasDrift, heldEnables, keyName, pendingChanges, quota } from '../../src/domain/index.ts';
import { reportFaults } from '../../src/reconcile/index.ts';
import { applied, declare, emptyAccount, live, NOW, planOf, state, verbs } from './account.ts';
import { states } from './going-wrong.ts';

const DISABLED = { status: 2 };

/** An account with one key that somebody disabled, and perhaps others. */
function withDisabled(name = 'ci-a', others: readonly string[] = []) {
  const store = emptyAccount();
  store.seed(live(name), DISABLED);
  for (const other of others) store.seed(live(other));
  return store;
}

const statusOf = (store: ReturnType<typeof emptyAccount>, id = 1) => store.records.get(id)?.status;

describe('a key that is disabled live and enabled in the manifest', () => {
  it('is a held enable, which comes first and is drift', async () => {
    const made = await planOf(
      withDisabled('ci-b', ['ci-a']),
      state([declare('ci-a', { group: 'vip' }), declare('ci-b')]),
    );
    expect(verbs(made)).toEqual(['hold ci-b', 'update ci-a']);
    expect(heldEnables(made)).toMatchObject([
      { name: 'ci-b', id: 1, reason: 'unpermitted', before: { status: 'disabled' } },
    ]);
    expect([hasDrift(made), pendingChanges(made).length]).toEqual([true, 1]);
    expect(pendingChanges({ changes: heldEnables(made) })).toEqual([]);
  });

  it('stays disabled while an apply does everything else and converges', async () => {
    const store = withDisabled('ci-a', ['ci-b']);
    const report = await applied(store, state([declare('ci-a'), declare('ci-b', { group: 'vip' })]));
    expect(states(report)).toEqual(['update ci-b: applied']);
    expect(reportFaults(report)).toEqual([]);
    expect(statusOf(store)).toBe(2);
    expect(store.calls.setEnabled).toBeUndefined();
  });

  it('gets its other fields, and its new name, and stays disabled', async () => {
    const store = withDisabled('old');
    const declared = declare('new', { renamedFrom: keyName('old'), group: 'vip', models: ['m'] });
    const report = await applied(store, state([declared]));
    expect(states(report)).toEqual(['rename new: applied']);
    expect(reportFaults(report)).toEqual([]);
    expect(report.after && verbs(report.after)).toEqual(['hold new']);
    expect(store.records.get(1)).toMatchObject({ name: 'new', group: 'vip', model_limits: 'm', status: 2 });
  });

  it('is held after prune: disable when it is declared again', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.seed(live('b'));
    await applied(store, state([declare('b')], { scope: ['*'], prune: 'disable' }));
    expect(verbs(await planOf(store, state([declare('a'), declare('b')])))).toEqual(['hold a', 'keep b']);
  });

  it('is held after it was created disabled and then declared enabled', async () => {
    const store = emptyAccount();
    await applied(store, state([declare('a', { enabled: false, budget: { kind: 'unlimited' } })]));
    expect(verbs(await planOf(store, state([declare('a')])))).toEqual(['hold a']);
  });
});

describe('a permission to enable', () => {
  it('is given by name', async () => {
    const store = withDisabled('ci-a');
    store.seed(live('ci-b'), DISABLED);
    const desired = state([declare('ci-a'), declare('ci-b')]);
    const made = await planOf(store, desired, { allowEnable: ['ci-a'] });
    expect(verbs(made)).toEqual(['hold ci-b', 'enable ci-a']);
    expect(made.changes[1]).toMatchObject({ reason: 'permitted' });
    await applied(store, desired, { allowEnable: ['ci-a'] });
    expect([statusOf(store, 1), statusOf(store, 2)]).toEqual([1, 2]);
  });

  const bases = {
    'declared it disabled': [[declare('a', { enabled: false })], 'enable a'],
    'declared it enabled': [[declare('a')], 'hold a'],
    'did not manage its status': [[declare('a', { enabled: undefined })], 'hold a'],
    'did not declare it': [[], 'hold a'],
    'declared another key disabled': [[declare('b', { enabled: false })], 'hold a'],
  } as const;

  it.each(Object.entries(bases))('follows from an earlier manifest that %s', async (_, [keys, expected]) => {
    const made = await planOf(withDisabled('a'), state([declare('a')]), { basis: state(keys) });
    expect(verbs(made)).toEqual([expected]);
    expect(made.changes[0]).toMatchObject({ reason: expected === 'enable a' ? 'base' : 'unpermitted' });
  });

  it('follows from the earlier name of a renamed key, and from no other key of its new name', async () => {
    const desired = state([declare('new', { renamedFrom: keyName('old') })]);
    const off = { enabled: false };
    const permitted = async (...keys: ReturnType<typeof declare>[]) =>
      verbs(await planOf(withDisabled('old'), desired, { basis: state(keys) })).includes('enable new');
    expect(await permitted(declare('old', off))).toBe(true);
    expect(await permitted(declare('new', { ...off, renamedFrom: keyName('old') }))).toBe(true);
    expect(await permitted(declare('old'), declare('new', off))).toBe(false);
  });

  it('does not enable what a gateway would refuse to enable', async () => {
    const store = emptyAccount();
    store.seed(live('a', { expires: NOW - 5 }), DISABLED);
    store.seed(live('b', { remain: quota(0) }), DISABLED);
    const made = await planOf(store, state([declare('a'), declare('b')]), { allowEnable: ['a', 'b'] });
    expect(heldEnables(made).map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      'a still-expired',
      'b still-exhausted',
    ]);
  });

  it('does not extend to a key that was enabled when the plan was made', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const basis = state([declare('a', { enabled: false })]);
    store.hook = (operation) => operation === 'update' && Object.assign(store.records.get(1) ?? {}, DISABLED);
    const report = await applied(store, state([declare('a', { group: 'vip' })]), { basis });
    expect(states(report)).toEqual(['update a: applied']);
    expect([reportFaults(report), statusOf(store)]).toEqual([[], 2]);
  });

  it('that was used counts as not converged when the key is disabled again', async () => {
    const store = withDisabled('a');
    store.hook = (operation) => operation === 'walk' && Object.assign(store.records.get(1) ?? {}, DISABLED);
    const report = await applied(store, state([declare('a')]), { allowEnable: ['a'] });
    expect(reportFaults(report)[0]?.code).toBe('apply.not-converged');
  });
});

describe('a key that somebody disables between plan and apply', () => {
  it('is unchanged by the update of its settings', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const desired = state([declare('a', { group: 'vip' })]);
    store.hook = (operation) => operation === 'tryRead' && Object.assign(store.records.get(1) ?? {}, DISABLED);
    const report = await applied(store, desired);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale' }]);
    expect(store.records.get(1)).toMatchObject({ group: 'default', status: 2 });
  });

  it('is not enabled because its expiry was corrected', async () => {
    const store = emptyAccount();
    store.seed(live('a', { expires: NOW - 5 }), { status: 3 });
    const desired = state([declare('a', { expires: null })]);
    store.hook = (operation) => operation === 'update' && Object.assign(store.records.get(1) ?? {}, DISABLED);
    const report = await applied(store, desired);
    expect(states(report).sort()).toEqual(['enable a: skipped', 'update a: applied']);
    expect(statusOf(store)).toBe(2);
    expect(reportFaults(report)[0]?.code).toBe('apply.incomplete');
  });
});
