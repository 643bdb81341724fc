import { describe, expect, it } from 'vitest';
import { type DesiredState, Fault, type FaultCode, keyName } from '../../src/domain/index.ts';
import { applied, declare, declareNew, emptyAccount, live, state } from './account.ts';
import { failing, losing, states } from './going-wrong.ts';

const OWNED = { scope: ['*'], prune: 'delete' } as const;

/** The names of the keys that are there and enabled. */
const usable = (store: ReturnType<typeof emptyAccount>): string[] =>
  [...store.records.values()].flatMap(({ name, status }) => (status === 1 ? [name] : [])).sort();

describe('pruning waits for the keys that replace what it removes', () => {
  it.each(['delete', 'disable'] as const)(
    'does not %s a key when the create of its successor was refused',
    async (prune) => {
      const store = emptyAccount();
      store.seed(live('prod-old'));
      store.hook = failing('create', 'gateway.refused');
      const report = await applied(store, state([declareNew('prod-new')], { ...OWNED, prune }));
      expect(states(report)).toEqual(['create prod-new: failed', `${prune} prod-old: skipped`]);
      expect(report.outcomes[1]).toMatchObject({
        reason: 'held back, because the create of “prod-new” did not succeed',
        remedy: 'prune-anyway',
      });
      expect(usable(store)).toEqual(['prod-old']);
    },
  );

  const withOneCreate = state([declareNew('new')], OWNED);
  it.each<[string, DesiredState, (store: ReturnType<typeof emptyAccount>) => void]>([
    [
      'a rename failed',
      state([declare('b', { renamedFrom: keyName('a') })], OWNED),
      (store) => {
        store.hook = failing('update', 'gateway.refused');
      },
    ],
    [
      'a rename was skipped',
      state([declare('b', { renamedFrom: keyName('a') })], OWNED),
      (store) => {
        // Somebody else takes the name after the plan was made.
        store.hook = (operation) => {
          if (operation === 'walk' && store.calls.walk === 2) store.seed(live('b'));
        };
      },
    ],
    [
      'the outcome of a create is unknown',
      withOneCreate,
      (store) => {
        store.hook = failing('create', 'gateway.timeout');
      },
    ],
    [
      'another key took the name',
      withOneCreate,
      (store) => {
        store.hook = (operation) => {
          if (operation === 'walk' && store.calls.walk === 2) store.seed(live('new'));
        };
      },
    ],
    [
      'a new key could not be disabled',
      state([declareNew('new', { enabled: false })], OWNED),
      (store) => {
        store.hook = failing('setEnabled', 'gateway.refused');
      },
    ],
  ])('deletes nothing when %s', async (_title, desired, trouble) => {
    const store = emptyAccount();
    for (const name of ['a', 'doomed']) store.seed(live(name));
    trouble(store);
    const report = await applied(store, desired);
    const doomed = report.outcomes.filter(({ change }) => change.verb === 'delete');
    expect(doomed.map(({ state }) => state)).toContain('skipped');
    expect(doomed.some(({ state }) => state === 'applied')).toBe(false);
    expect(usable(store)).toContain('doomed');
  });

  it.each(['delete', 'disable'] as const)(
    'does not %s the last enabled key when the enable of another was refused',
    async (prune) => {
      const store = emptyAccount();
      store.seed(live('old'));
      store.seed(live('stays'), { status: 2 });
      store.hook = failing('setEnabled', 'gateway.refused');
      const report = await applied(store, state([declare('stays')], { ...OWNED, prune }), { allowEnable: ['stays'] });
      expect(states(report)).toEqual(['enable stays: failed', `${prune} old: skipped`]);
      expect(usable(store)).toEqual(['old']);
    },
  );

  it('deletes when a response was lost and the new key was found', async () => {
    const store = emptyAccount();
    store.seed(live('old'));
    losing(store, 'create');
    const report = await applied(store, withOneCreate);
    expect(states(report)).toEqual(['create new: applied', 'delete old: applied']);
  });

  it('is not held back by a failed update, which replaces nothing', async () => {
    const store = emptyAccount();
    for (const name of ['kept', 'old']) store.seed(live(name));
    store.hook = failing('update', 'gateway.refused');
    const report = await applied(store, state([declare('kept', { group: 'vip' })], OWNED));
    expect(states(report)).toEqual(['update kept: failed', 'delete old: applied']);
  });

  it('prunes all the same when the run permits it', async () => {
    const store = emptyAccount();
    store.seed(live('old'));
    store.hook = failing('create', 'gateway.refused');
    const report = await applied(store, withOneCreate, { pruneAnyway: true });
    expect(states(report)).toEqual(['create new: failed', 'delete old: applied']);
  });

  it('neither deletes nor disables after a check of a written key failed', async () => {
    for (const prune of ['delete', 'disable'] as const) {
      const store = emptyAccount();
      store.seed(live('old'));
      const prove = async () => {
        throw new Fault('gateway.unreachable' satisfies FaultCode, 'the checks could not run');
      };
      await applied(store, state([declareNew('new')], { ...OWNED, prune }), { prove });
      expect(usable(store)).toEqual(['new', 'old']);
    }
  });
});

describe('a declared disable', () => {
  it('runs first', async () => {
    const store = emptyAccount();
    for (const name of ['leaked', 'a', 'c']) store.seed(live(name));
    const writes: string[] = [];
    store.hook = (operation, id) =>
      ['create', 'update', 'setEnabled', 'delete'].includes(operation) && writes.push(`${operation} ${id ?? ''}`);
    const keys = [declare('leaked', { enabled: false, group: 'vip' }), declare('b', { renamedFrom: keyName('a') })];
    await applied(store, state([...keys, declareNew('new')], OWNED));
    expect(writes[0]).toBe('setEnabled 1');
    expect(writes).toHaveLength(5);
  });

  it('waits for nothing: not for the creates, nor for the update of its own settings', async () => {
    const store = emptyAccount();
    store.seed(live('leaked'));
    store.hook = (operation) => {
      if (operation === 'create' || operation === 'update') throw new Fault('gateway.refused', 'no');
    };
    const keys = [declare('leaked', { enabled: false, group: 'vip' }), declareNew('new')];
    const report = await applied(store, state(keys));
    expect(states(report)).toEqual(['disable leaked: applied', 'create new: failed', 'update leaked: failed']);
    expect(usable(store)).toEqual([]);
  });
});
