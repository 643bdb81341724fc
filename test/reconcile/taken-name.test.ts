import { expect, it } from 'vitest';
import { keyName } from '../../src/domain/index.ts';
import { apply, moved, narrow, observe, plan } from '../../src/reconcile/index.ts';
import { declare, emptyAccount, live, NOW, state } from './account.ts';
import { failing, states } from './going-wrong.ts';

const chain = state([declare('b', { renamedFrom: keyName('a') }), declare('c', { renamedFrom: keyName('b') })]);

async function planned() {
  const store = emptyAccount();
  store.seed(live('a'));
  store.seed(live('b'));
  const observed = await observe(store, chain, { now: NOW });
  return { store, observed, made: plan(chain, observed, NOW) };
}

it('a chain of renames narrowed to its first key does not make two keys of one name', async () => {
  const { store, observed, made } = await planned();
  const narrowed = narrow(made, { names: ['a'] });
  const report = await apply(narrowed, store, { observed, desired: chain, now: () => NOW, concurrency: 1 });
  expect([...store.records.values()].map((record) => record.name)).toEqual(['a', 'b']);
  expect(report.outcomes).toMatchObject([{ state: 'skipped', reason: 'key 2 already has the name “b”' }]);
});

it('a key does not take a name that another got while a person was asked', async () => {
  const store = emptyAccount();
  store.seed(live('a'));
  const desired = state([declare('b', { renamedFrom: keyName('a') })]);
  const observed = await observe(store, desired, { now: NOW });
  const made = plan(desired, observed, NOW);
  store.seed(live('b'));
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
  expect([...store.records.values()].map((record) => record.name)).toEqual(['a', 'b']);
  expect(report.outcomes).toMatchObject([{ state: 'skipped', reason: 'key 2 already has the name “b”' }]);
});

it('plan.stale: no second key is made of a name that another got while a person was asked', async () => {
  const store = emptyAccount();
  const desired = state(['a', 'b'].map((name) => declare(name, { budget: { kind: 'unlimited' } })));
  const observed = await observe(store, desired, { now: NOW });
  const made = plan(desired, observed, NOW);
  store.seed(live('a'));
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
  expect(states(report)).toEqual(['create a: failed', 'create b: applied']);
  expect(report.outcomes[0]).toMatchObject({ fault: { code: 'plan.stale' } });
  expect([...store.records.values()].map((record) => record.name)).toEqual(['a', 'b']);
});

it('does not rename a key when the holder of the name cannot be looked up', async () => {
  const { store, observed, made } = await planned();
  store.hook = failing('walk', 'gateway.timeout');
  const report = await apply(made, store, { observed, desired: chain, now: () => NOW, concurrency: 1 });
  expect(states(report)).toEqual(['rename c: skipped', 'rename b: skipped']);
  expect(report.fatal?.code).toBe('gateway.timeout');
  expect(store.calls.update).toBeUndefined();
});

it.each([true, false])('a saved plan sees a second key of a name that it frees once (newer: %s)', async (newer) => {
  const { store, observed, made } = await planned();
  const twin = store.seed(live('b'));
  const keys = await store.walk();
  const now = { ...observed, keys: newer ? keys : [...keys].reverse() };
  expect(moved(made, now).map(({ name, what }) => `${name}: ${what}`)).toEqual([`b: key ${twin} now has this name`]);
});

it('plan.stale: no key is created that a listing hid under its earlier name, and nothing is pruned', async () => {
  const store = emptyAccount();
  for (const name of ['a', 'pruned', 'other']) store.seed(live(name));
  const renamed = declare('b', { renamedFrom: keyName('a'), budget: { kind: 'unlimited' } });
  const desired = state([renamed], { scope: ['*'], prune: 'delete', protect: ['other'] });
  const seen = await observe(store, desired, { now: NOW });
  const observed = { ...seen, keys: seen.keys.filter(({ name }) => name !== 'a') };
  const made = plan(desired, observed, NOW);
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
  expect(states(report)).toEqual(['create b: failed', 'delete pruned: skipped']);
  expect([...store.records.values()].map((record) => record.name)).toEqual(['a', 'pruned', 'other']);
});
