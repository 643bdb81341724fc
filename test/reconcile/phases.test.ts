import { describe, expect, it } from 'vitest';
import { Fault, keyId, keyName, quota } from '../../src/domain/index.ts';
import { type ApplyEvent, reportFaults } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { applied, declare, declareNew, emptyAccount, live, state, verbs } from './account.ts';
import { failing, states } from './going-wrong.ts';
import { checksWith } from './report-text.ts';

const OWNED = { scope: ['*'], prune: 'delete' } as const;
const vip = (...names: readonly string[]) => state(names.map((name) => declare(name, { group: 'vip' })));

/** Keys by name; one whose name begins with `off` is disabled. */
function accountOf(names: readonly string[], more: Parameters<typeof emptyAccount>[0] = {}): MemoryStore {
  const store = emptyAccount(more);
  for (const name of names) store.seed(live(name), { status: name.startsWith('off') ? 2 : 1 });
  return store;
}

/** `update 1` for the begin of a phase, `update 1/1` for a step, `1/6` for an outcome. */
const eventText = (event: ApplyEvent): string => {
  if (event.kind === 'outcome') return `${event.done}/${event.total}`;
  return event.kind === 'phase' ? `${event.phase} ${event.total}` : `${event.phase} ${event.done}/${event.total}`;
};

async function eventsOf(store: MemoryStore, ...[desired, more]: [Parameters<typeof applied>[1], object?]) {
  const events: string[] = [];
  const onEvent = (event: ApplyEvent): void => void events.push(eventText(event));
  const report = await applied(store, desired, { concurrency: 1, allowEnable: ['off'], onEvent, ...more });
  return { events, report };
}

describe('the events of a run', () => {
  it('announce each phase that has something to do, and count its steps', async () => {
    const keys = [
      declare('on', { enabled: false }),
      declare('ren', { renamedFrom: keyName('old') }),
      declareNew('new'),
      declare('off', { group: 'vip' }),
    ];
    const { events } = await eventsOf(accountOf(['on', 'old', 'off', 'del']), state(keys, OWNED));
    const phases = ['status 1', 'status 1/1', '1/6', 'rename 1', 'rename 1/1', '2/6', 'create 1', 'create 1/1', '3/6'];
    const rest = ['update 1', 'update 1/1', '4/6', 'status 1', '5/6', 'status 1/1', 'delete 1', 'verify 1', '6/6'];
    const sorted = (texts: readonly string[]) => [...texts].sort();
    expect(sorted(events)).toEqual(sorted([...phases, ...rest]));
    expect(events.filter((event) => /^[a-z]+ \d+$/.test(event))).toEqual([
      'status 1',
      'rename 1',
      'create 1',
      'update 1',
      'status 1',
      'delete 1',
      'verify 1',
    ]);
  });

  it('announce a phase although the first of its changes is no longer possible', async () => {
    const store = accountOf(['a', 'b']);
    store.hook = (operation) => operation === 'readMany' && store.records.delete(1);
    const off = state(['a', 'b'].map((name) => declare(name, { enabled: false })));
    expect((await eventsOf(store, off)).events).toEqual(['status 2', '1/2', '2/2', 'status 2/2', 'verify 1']);
  });

  it('are none where nothing is to do', async () => {
    expect((await eventsOf(accountOf(['a']), state([declare('a')]))).events).toEqual([]);
  });
});

describe('the requests of a run', () => {
  const suspended = state([declareNew('a', { enabled: false })]);
  const off = state([declare('a', { enabled: false })]);
  const pruned = state([], OWNED);
  const twoGone = (store: MemoryStore): void => {
    store.hook = (operation) => operation === 'readMany' && store.records.delete(1);
  };
  it.each<[string, boolean, readonly string[], Parameters<typeof applied>[1], object, (store: MemoryStore) => void]>([
    [
      'an update, where no record shows the use',
      false,
      ['a'],
      vip('a'),
      { walk: 2, tryRead: 1, update: 1, readMany: 1, usage: 3 },
      () => {},
    ],
    [
      'an update, where records show it',
      true,
      ['a'],
      vip('a'),
      { walk: 2, tryRead: 1, update: 1, readMany: 1 },
      () => {},
    ],
    ['a disable', true, ['a'], off, { walk: 2, readMany: 1, setEnabled: 1 }, () => {}],
    ['a new key that is disabled', true, [], suspended, { walk: 4, create: 1, setEnabled: 1 }, () => {}],
    ['a new key, whose log nobody needs', false, [], state([declareNew('a')]), { walk: 3, create: 1 }, () => {}],
    ['a delete', true, ['a'], pruned, { walk: 2, readMany: 1, delete: 1 }, () => {}],
    ['a delete of a key that is gone', true, ['a'], pruned, { walk: 2, readMany: 1 }, twoGone],
    [
      'a create whose name is taken, and an update',
      true,
      ['b'],
      state([declareNew('a'), declare('b', { group: 'vip' })]),
      { walk: 3, tryRead: 1, update: 1, readMany: 1 },
      (store) => {
        store.hook = (operation) => operation === 'walk' && store.calls.walk === 2 && store.seed(live('a'));
      },
    ],
    [
      'a create whose name is taken',
      true,
      [],
      state([declareNew('a')]),
      { walk: 3 },
      (store) => {
        store.hook = (operation) => operation === 'walk' && store.calls.walk === 2 && store.seed(live('a'));
      },
    ],
  ])('%s', async (_, reportsUse, names, desired, expected, arrange) => {
    const store = accountOf(names, { reportsUse });
    arrange(store);
    await applied(store, desired);
    const { quotaPerUnit: _rate, groups: _groups, models: _models, wallet: _wallet, ...calls } = store.calls;
    expect(calls).toEqual(expected);
  });
});

describe('the proof of written keys', () => {
  const keys = [
    declare('off', { group: 'vip' }),
    declare('on', { enabled: false }),
    declare('ren', { renamedFrom: keyName('old') }),
    declare('upd', { group: 'vip' }),
    declareNew('new'),
  ];

  it.each<[string, Parameters<typeof failing> | undefined, readonly string[][]]>([
    ['once, and not those that were disabled or deleted', undefined, [['ren', 'new', 'off', 'upd']]],
    ['but not those whose write failed', ['update', 'gateway.refused'], [['new']]],
  ])('gets their names %s', async (_, trouble, expected) => {
    const store = accountOf(['on', 'old', 'off', 'upd', 'del']);
    if (trouble) store.hook = failing(...trouble);
    const asked: (readonly string[])[] = [];
    const prove = async (names: readonly string[]) => {
      asked.push(names);
      return undefined;
    };
    const report = await applied(store, state(keys, OWNED), { prove, allowEnable: ['off'], concurrency: 1 });
    expect(asked).toEqual(expected);
    expect(report).not.toHaveProperty('checks');
    expect(report).not.toHaveProperty('unverified', []);
  });

  it('is not asked for where nothing was written that could be proven', async () => {
    let asked = 0;
    const prove = async () => {
      asked += 1;
      return checksWith(['passed']);
    };
    await applied(accountOf(['a']), state([declare('a', { enabled: false })]), { prove });
    await applied(accountOf(['a']), state([], OWNED), { prove });
    expect(asked).toBe(0);
    const report = await applied(accountOf(['a']), vip('a'), { prove });
    expect([asked, report.checks?.results.length]).toEqual([1, 1]);
  });

  it('that spends of a new key is taken into account: the keys are read again', async () => {
    const store = accountOf([]);
    const prove = async () => {
      store.spend(keyId(1), 5);
      return checksWith(['passed']);
    };
    const budget = { kind: 'lifetime', amount: { quota: quota(100) } } as const;
    const report = await applied(store, state([declareNew('a', { budget })]), { prove });
    expect([report.after && verbs(report.after), reportFaults(report), store.calls.walk]).toEqual([['keep a'], [], 4]);
  });
});

describe('a run that lost its lock', () => {
  const lost = new Fault('apply.lock-lost', 'another run has the lock');

  it('writes nothing more, asks once, and reports it', async () => {
    const store = accountOf(['a', 'b']);
    let asked = 0;
    const ensureHeld = async () => {
      asked += 1;
      throw lost;
    };
    const report = await applied(store, vip('a', 'b'), { ensureHeld, concurrency: 1 });
    expect(states(report)).toEqual(['update a: skipped', 'update b: skipped']);
    expect([report.fatal, asked, store.calls.update]).toEqual([lost, 1, undefined]);
  });

  it('is not at fault when its interruption ended the request', async () => {
    const abort = new AbortController();
    const ensureHeld = async () => {
      abort.abort();
      throw lost;
    };
    const report = await applied(accountOf(['a']), vip('a'), { ensureHeld, signal: abort.signal });
    expect([states(report), report.fatal, report.interrupted]).toEqual([['update a: skipped'], undefined, true]);
  });

  it('takes nothing back, and reports the budgets', async () => {
    const store = accountOf(['a']);
    store.hook = (operation) => operation === 'update' && store.spend(keyId(1), 70);
    const ensureHeld = async () => {
      if (store.calls.update) throw lost;
    };
    const report = await applied(store, vip('a'), { ensureHeld });
    expect([store.calls.update, report.corrections, report.unverified]).toEqual([1, [], ['a']]);
  });
});
