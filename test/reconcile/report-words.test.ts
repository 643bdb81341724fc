import { expect, it } from 'vitest';
import { Fault, keyId, keyName } from '../../src/domain/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, declareNew, live, state } from './account.ts';
import { losing } from './going-wrong.ts';
import { before, checksWith, creating, failingAt, observedWith, reportsOf, type Scene } from './report-text.ts';

const golden = (name: string) => `../golden/report/${name}.txt`;

const unreadable = async (): Promise<never> => Promise.reject(new Fault('gateway.timeout', 'no answer'));
const suspended = (name: string) => declareNew(name, { enabled: false });
const OWNED = { scope: ['*'], prune: 'delete' } as const;
const set = (fields: object) => (store: MemoryStore) => void Object.assign(store.records.get(1) ?? {}, fields);
const off = state([declare('a', { enabled: false })]);
const on = state([declare('off')]);
const vip = (...names: readonly string[]) => state(names.map((name) => declare(name, { group: 'vip' })));

it('the report of an apply names the outcome of each create', async () => {
  const text = await reportsOf([
    ['somebody takes the name', [], state([declareNew('a')]), before('walk', (s) => s.seed(live('a')), 2)],
    [
      'two other keys of the name appear, with other settings',
      [],
      state([declareNew('a')]),
      before('create', (s) => {
        for (const group of ['x', 'y']) s.seed(live('a', { group }));
      }),
    ],
    [
      'the same, for a key that must be disabled',
      [],
      state([suspended('a')]),
      before('create', (s) => s.seed(live('a', { group: 'x' }))),
    ],
    ['the gateway forgets it', [], state([declareNew('a')]), creating(() => {})],
    ['the gateway forgets one that must be disabled', [], state([suspended('a')]), creating(() => {})],
    [
      'its answer is lost, and the key is there',
      [],
      state([declareNew('a')]),
      (store) => {
        losing(store, 'create');
      },
    ],
    [
      'an error is reported after the key was made',
      [],
      state([declareNew('a')]),
      creating((store, settings) => {
        store.seed(settings);
        throw new Fault('gateway.refused', 'database is locked');
      }),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('1-creates'));
});

it('the report of an apply names what is unknown of a create', async () => {
  const blind = (store: MemoryStore, settings: Parameters<MemoryStore['create']>[0]) => {
    store.seed(settings);
    store.walk = unreadable;
  };
  const text = await reportsOf([
    ['the new keys cannot be listed', [], state([declareNew('a'), suspended('b')]), creating(blind)],
    [
      'its answer is lost, and the keys cannot be listed',
      [],
      state([suspended('a')]),
      creating((store, settings) => {
        blind(store, settings);
        throw new Fault('gateway.timeout', 'no answer');
      }),
    ],
    [
      'its answer is lost, and the key is not there',
      [],
      state([suspended('a')]),
      creating(() => {
        throw new Fault('gateway.timeout', 'no answer');
      }),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('2-unknown-creates'));
});

it('the report of an apply gives the reason why a create was not sent', async () => {
  // The gateway refuses the third create and the sixth.
  const seven = state(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => declareNew(name)));
  const full = failingAt('create', 'gateway.refused', (n) => n % 3 === 0);
  /** The first listing, which the plan is made from, is empty. */
  const hidden: Scene[3] = (store) => {
    const walk = store.walk.bind(store);
    store.walk = async () => {
      store.walk = walk;
      return [];
    };
  };
  const vanishing: Scene[3] = (store) => {
    store.hook = (operation) => {
      const [first] = store.records.keys();
      if (operation === 'walk' && first !== undefined) store.records.delete(first);
    };
  };
  const text = await reportsOf([
    [
      'the plan did not see the key that it renames',
      ['a'],
      state([declareNew('b', { renamedFrom: keyName('a') })]),
      hidden,
    ],
    ['nor by its ID', ['a'], state([declareNew('b', { renamedFrom: keyId(1) })]), hidden],
    ['the account becomes full', [], seven, full, { observed: observedWith(996) }],
    ['keys vanish from every listing', ['o1', 'o2', 'o3', 'o4', 'o5', 'o6', 'o7'], state([declareNew('a')]), vanishing],
    [
      'the credentials expire',
      [],
      state([declareNew('a'), declareNew('b')]),
      failingAt('create', 'credentials.refused'),
    ],
    [
      'the keys cannot be listed again',
      [],
      state([declareNew('a')]),
      failingAt('walk', 'gateway.timeout', (n) => n === 2),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('3-creates-not-sent'));
});

it('the report of an apply names the twins of creates that another run made as well', async () => {
  const text = await reportsOf([
    [
      'another run makes one twin',
      [],
      state([declareNew('a')]),
      creating((store, settings) => {
        for (let n = 0; n < 2; n += 1) store.seed(settings);
      }),
    ],
    [
      'other runs make two twins',
      [],
      state([declareNew('a')]),
      creating((store, settings) => {
        for (let n = 0; n < 3; n += 1) store.seed(settings);
      }),
    ],
    [
      'another run doubles the first key, and its twin is used',
      [],
      state([declareNew('a'), declareNew('b'), declareNew('c')]),
      creating((store, settings) => {
        store.seed(settings);
        if (settings.name === 'a') store.spend(store.seed(settings), 5);
      }),
    ],
    [
      'its answer is lost, and a key of its name with other settings is there as well',
      [],
      state([declareNew('a')]),
      (store) => {
        before('create', (s) => s.seed(live('a', { group: 'x' })))(store);
        losing(store, 'create');
      },
    ],
    [
      'another run makes a twin whose use cannot be looked up',
      [],
      state([declareNew('a')]),
      creating((store, settings) => {
        for (let n = 0; n < 2; n += 1) store.seed(settings);
        failingAt('usage', 'gateway.unavailable')(store);
      }),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('4-twins'));
});

it('the report of an apply names the outcome of each change of a key that exists', async () => {
  const gone = (operation: string, nth = 1) => before(operation, (s) => s.records.delete(1), nth);
  const pruned = state([], OWNED);
  const text = await reportsOf([
    ['an updated key is gone before', ['a'], vip('a'), gone('tryRead')],
    ['an updated key is gone before its write', ['a'], vip('a'), gone('update')],
    ['a disabled key is gone', ['a'], off, gone('readMany')],
    ['a deleted key is gone', ['a'], pruned, gone('readMany')],
    ['a refused update', ['a'], vip('a'), failingAt('update', 'gateway.refused')],
    ['a refused disable', ['a'], off, failingAt('setEnabled', 'gateway.refused')],
    ['an unreachable gateway', ['a'], off, failingAt('setEnabled', 'gateway.unreachable')],
    [
      'keys that cannot be read again',
      ['a'],
      off,
      (s) => {
        s.readMany = unreadable;
      },
    ],
    [
      'a delete without effect',
      ['a'],
      pruned,
      (s) => {
        s.delete = async () => true;
      },
    ],
    [
      'a delete that nothing shows',
      ['a'],
      pruned,
      before('delete', (s) => {
        s.walk = unreadable;
      }),
    ],
    [
      'an enable without its update',
      ['off'],
      state([declare('off', { group: 'vip' })]),
      failingAt('update', 'gateway.refused'),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('5-changes'));
});

it('the report of an apply names what somebody else had done', async () => {
  const text = await reportsOf([
    ['it is disabled already', ['a'], off, before('readMany', set({ status: 2 }))],
    ['it is enabled already', ['off'], on, before('readMany', set({ status: 1 }))],
    ['it was renamed and disabled', ['a'], vip('a'), before('tryRead', set({ name: 'mine', status: 2 }))],
    [
      'the name is taken',
      ['a'],
      state([declare('b', { renamedFrom: keyName('a') })]),
      before('walk', (s) => s.seed(live('b')), 2),
    ],
  ]);
  await expect(text).toMatchFileSnapshot(golden('6-changes-of-others'));
});

it('the report of an apply gives the reason why nothing was pruned', async () => {
  const swapped = (...names: readonly string[]) =>
    state(
      names.map((name) => declareNew(name)),
      OWNED,
    );
  const refusing: Scene[3] = failingAt('create', 'gateway.refused');
  const undisturbed = (): void => {};
  const proving = (...verdicts: Parameters<typeof checksWith>[0]) => ({ prove: async () => checksWith(verdicts) });
  const abort = new AbortController();
  const text = await reportsOf([
    ['a create failed', ['old'], swapped('a'), refusing],
    ['three creates failed', ['old'], swapped('a', 'b', 'c'), refusing],
    ['one of two checks failed', ['old'], swapped('a'), undisturbed, proving('passed', 'failed')],
    ['the checks passed', ['old'], swapped('a'), undisturbed, proving('passed', 'passed')],
    ['interrupted', ['old'], swapped('a'), before('create', () => abort.abort()), { signal: abort.signal }],
  ]);
  await expect(text).toMatchFileSnapshot(golden('7-not-pruned'));
});

it('the report of an apply lists what the gateway does not show afterwards', async () => {
  const forgetting =
    (fields: object): Scene[3] =>
    (store) => {
      store.hook = (operation) => {
        if (operation === 'walk') for (const record of store.records.values()) Object.assign(record, fields);
      };
    };
  const five = ['a', 'b', 'c', 'd', 'e'];
  const many = state(['a', 'b', 'c'].map((name) => declare(name, { group: 'vip', crossGroupRetry: true })));
  const text = await reportsOf([
    ['settings that did not hold', ['a', 'b', 'c'], many, forgetting({ group: 'default', cross_group_retry: false })],
    [
      'the only setting of a new key did not hold',
      [],
      state([declareNew('a', { group: 'vip' })]),
      forgetting({ group: 'x' }),
    ],
    ['somebody reverts a status', ['a'], state([declare('a', { enabled: false })]), forgetting({ status: 1 })],
    [
      'somebody reverts two',
      ['a', 'b'],
      state(['a', 'b'].map((name) => declare(name, { enabled: false }))),
      forgetting({ status: 1 }),
    ],
    ['five settings did not hold', five, vip(...five), forgetting({ group: 'default' })],
  ]);
  await expect(text).toMatchFileSnapshot(golden('8-not-converged'));
});

it('the report of an apply lists the keys that may work or spend more than declared', async () => {
  const vanishing = before('setEnabled', (s) => s.records.delete(1));
  const text = await reportsOf([
    ['two keys stay enabled', [], state([suspended('a'), suspended('b')]), failingAt('setEnabled', 'gateway.refused')],
    ['one budget is unverified', ['a'], vip('a'), failingAt('usage', 'gateway.unavailable')],
    ['two are', ['a', 'b'], vip('a', 'b'), failingAt('usage', 'gateway.unavailable')],
    ['a new key is gone when it is disabled', [], state([suspended('a')]), vanishing],
  ]);
  await expect(text).toMatchFileSnapshot(golden('9-exposed-and-unverified'));
});
