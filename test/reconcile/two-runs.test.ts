import { describe, expect, it } from 'vitest';
import { Fault, keyId, quota } from '../../src/domain/index.ts';
import { apply, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { applied, declareNew, emptyAccount, live, NOW, state } from './account.ts';
import { failing } from './going-wrong.ts';

const names = (n: number): string[] => Array.from({ length: n }, (_, i) => `key-${String(i).padStart(4, '0')}`);
const wanted = (n: number) => state(names(n).map((name) => declareNew(name)));

const doubled = (store: ReturnType<typeof emptyAccount>): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { name } of store.records.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([name]) => name);
};

describe('two runs that meet', () => {
  it.each([2, 3])('keep the smallest ID of each key that all of them created: %i runs', async (runs) => {
    const store = emptyAccount();
    const reports = await Promise.all(Array.from({ length: runs }, () => applied(store, wanted(30))));
    expect([doubled(store), store.records.size]).toEqual([[], 30]);
    expect([...store.records.values()][0]).toMatchObject({ id: 1, name: 'key-0000' });
    // A run never calls a key applied that it does not show.
    for (const { outcomes } of reports) {
      for (const outcome of outcomes) {
        if (outcome.state === 'applied' && outcome.id) expect(store.records.has(outcome.id)).toBe(true);
        else expect(outcome).toMatchObject({ state: 'failed', fault: { code: 'plan.stale' } });
      }
    }
    expect(reportFaults(await applied(store, wanted(30)))).toEqual([]);
  });

  it.each<[string, boolean]>([
    ['has disabled already', true],
    ['disables while its use is looked up', false],
  ])('settle the twin of a key that is declared disabled, and that the other run %s', async (_, already) => {
    const store = emptyAccount({ reportsUse: already });
    const create = store.create.bind(store);
    store.create = async (settings) => {
      store.seed(settings, already ? { status: 2 } : {});
      await create(settings);
    };
    store.hook = (operation) => {
      if (operation === 'usage') Object.assign(store.records.get(1) ?? {}, { status: 2 });
    };
    const report = await applied(store, state([declareNew('a', { enabled: false })]));
    expect(report.outcomes).toMatchObject([{ state: 'applied', id: 1 }]);
    expect([...store.records.keys()]).toEqual([1]);
  });

  it('report the twin that was deleted', async () => {
    const store = emptyAccount();
    const create = store.create.bind(store);
    store.create = async (settings) => {
      store.seed(settings);
      await create(settings);
    };
    const report = await applied(store, wanted(1));
    expect(report.outcomes).toMatchObject([
      { state: 'applied', id: 1, remark: expect.stringContaining('unused twin 2') },
    ]);
    expect(reportFaults(report)).toEqual([]);
  });

  it.each<[string, boolean, (store: ReturnType<typeof emptyAccount>) => void]>([
    ['was used, by its record', true, (store) => store.spend(keyId(2), 5)],
    ['was used, by the log', false, (store) => store.spend(keyId(2), 5)],
    [
      'was used, before a hundred entries of others',
      false,
      (store) => {
        store.spend(keyId(2), 5);
        for (let n = 0; n < 100; n += 1)
          store.log.unshift({ identity: `${n}`, at: NOW, keyId: keyId(9), keyName: 'x', spent: quota(1) });
      },
    ],
    ['differs', true, (store) => void Object.assign(store.records.get(2) ?? {}, { group: 'vip' })],
    ['was disabled', true, (store) => void Object.assign(store.records.get(2) ?? {}, { status: 2 })],
    [
      'is changed while its use is looked up',
      false,
      (store) => {
        store.hook = (operation) => {
          if (operation === 'usage') Object.assign(store.records.get(2) ?? {}, { group: 'vip' });
        };
      },
    ],
    [
      'is used while its use is looked up',
      false,
      (store) => {
        store.hook = (operation) => {
          if (operation === 'usage' && store.log.length === 0) store.spend(keyId(2), 5);
        };
      },
    ],
    [
      'would be all that a person left enabled while its use is looked up',
      false,
      (store) => {
        store.hook = (operation) => {
          if (operation === 'usage') Object.assign(store.records.get(1) ?? {}, { status: 2 });
        };
      },
    ],
    [
      'cannot be read again',
      true,
      (store) => {
        store.delete = async () => false;
      },
    ],
    [
      'has an unknown use',
      false,
      (store) => {
        store.log.push({ identity: 'x', at: NOW, keyId: undefined, keyName: 'key-0000', spent: quota(1) });
      },
    ],
  ])('apply.duplicate: stop, and delete nothing, where the twin %s', async (_, reportsUse, change) => {
    const store = emptyAccount({ reportsUse });
    const create = store.create.bind(store);
    store.create = async (settings) => {
      await create(settings);
      if (store.records.size > 1) return;
      store.seed(settings);
      change(store);
    };
    const report = await applied(store, wanted(30));
    expect([doubled(store), store.records.size]).toEqual([['key-0000'], 2]);
    expect(report.fatal).toMatchObject({ code: 'apply.duplicate', detail: { ids: [1, 2] } });
    const skipped = report.outcomes.filter(({ state: of }) => of === 'skipped');
    expect([report.outcomes.length, skipped.length]).toEqual([30, 29]);
  });

  it('keep the twin when somebody deletes the other key while its use is looked up', async () => {
    const store = emptyAccount({ reportsUse: false });
    const create = store.create.bind(store);
    store.create = async (settings) => {
      await create(settings);
      store.seed(settings);
      store.hook = (operation) => {
        if (operation === 'usage') store.records.delete(1);
      };
    };
    const report = await applied(store, wanted(1));
    expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'apply.duplicate' } }]);
    expect([...store.records.keys()]).toEqual([2]);
  });

  it.each([
    ['was alone all the time', true, [1], { state: 'applied', id: 1 }],
    ['may not have been alone', false, [1, 2], { state: 'failed', fault: { code: 'apply.duplicate' } }],
  ])('of keys of their own: the twin of a run that %s', async (_, isAlone, left, outcome) => {
    const store = emptyAccount();
    const create = store.create.bind(store);
    store.create = async (settings) => {
      await create(settings);
      store.seed(settings);
    };
    const report = await applied(store, wanted(1), { isAlone: async () => isAlone });
    expect(report.outcomes).toMatchObject([outcome]);
    expect([...store.records.keys()]).toEqual(left);
  });

  it('of keys of their own: keep the twin when the lock is lost while its use is looked up', async () => {
    const store = emptyAccount({ reportsUse: false });
    const create = store.create.bind(store);
    let isHeld = true;
    store.create = async (settings) => {
      await create(settings);
      store.seed(settings);
      store.hook = (operation) => {
        if (operation === 'usage') isHeld = false;
      };
    };
    const ensureHeld = async () => {
      if (!isHeld) throw new Fault('apply.lock-lost', 'another run has the lock');
    };
    await applied(store, wanted(1), { isAlone: async () => isHeld, ensureHeld });
    expect([...store.records.keys()]).toEqual([1, 2]);
  });

  it('never delete a key that was there before', async () => {
    const store = emptyAccount();
    store.seed(live('key-0000'));
    const observed = await observe(emptyAccount(), wanted(2), { now: NOW });
    const made = plan(wanted(2), observed, NOW);
    const report = await apply(made, store, { observed, desired: wanted(2), now: () => NOW, concurrency: 1 });
    expect(report.outcomes).toMatchObject([{ state: 'failed', fault: { code: 'plan.stale' } }, { state: 'applied' }]);
    expect(store.calls.delete).toBeUndefined();
  });

  it('stop at the batch in which another run catches up', async () => {
    const store = emptyAccount();
    let created = 0;
    store.hook = (operation) => {
      if (operation !== 'create') return;
      created += 1;
      if (created === 5) store.seed(live('key-0004'));
    };
    const report = await applied(store, wanted(200), { concurrency: 1 });
    expect(report.fatal).toMatchObject({ code: 'apply.duplicate', detail: { name: 'key-0004' } });
    expect(created).toBe(10);
    expect(doubled(store)).toEqual(['key-0004']);
  });

  it('do not create what the other has created meanwhile, and create the rest', async () => {
    const store = emptyAccount();
    let created = 0;
    store.hook = (operation) => {
      if (operation !== 'create') return;
      created += 1;
      if (created === 3) store.seed(live('key-0020'));
    };
    const report = await applied(store, wanted(30), { concurrency: 1 });
    expect(doubled(store)).toEqual([]);
    expect(report.outcomes.filter(({ state: of }) => of !== 'applied')).toMatchObject([
      { state: 'failed', change: { name: 'key-0020' }, fault: { code: 'plan.stale' } },
    ]);
  });

  it('walk where the newest keys are not all that are new', async () => {
    const store = emptyAccount();
    store.newest = async () => ({ keys: [], after: 2 });
    store.hook = (operation) => {
      if (operation === 'create' && store.calls.create === 1) store.seed(live('key-0001'));
    };
    const report = await applied(store, wanted(2), { concurrency: 1 });
    expect(report.outcomes.map(({ state: of, change }) => `${change.name} ${of}`).sort()).toEqual([
      'key-0000 applied',
      'key-0001 failed',
    ]);
    expect([doubled(store), store.calls.create]).toEqual([[], 1]);
  });

  it('create nothing more when the keys cannot be looked at', async () => {
    const store = emptyAccount();
    store.hook = failing('newest', 'gateway.timeout');
    const report = await applied(store, wanted(30));
    expect([store.calls.create, report.fatal?.code]).toEqual([1, 'gateway.timeout']);
  });

  it.each([
    [1, 0],
    [2, 1],
    [100, 2],
    [1000, 6],
  ])('cost one request between batches: %i creates, %i looks', async (n, looks) => {
    const store = emptyAccount();
    const report = await applied(store, wanted(n));
    expect(reportFaults(report)).toEqual([]);
    expect([store.calls.create, store.calls.newest ?? 0]).toEqual([n, looks]);
  });
});

describe('a listing without a total that shifts while it is read', () => {
  /** Lets a walk see these names only; the last walk of the list and all after it are whole. */
  function shifting(views: readonly (readonly string[])[]) {
    const store = emptyAccount();
    for (const name of ['key-0000', 'other-1', 'other-2', 'other-3']) store.seed(live(name));
    const walk = store.walk.bind(store);
    let walks = 0;
    store.walk = async () => {
      const view = views[walks];
      walks += 1;
      return (await walk()).filter(({ name }) => view?.includes(name) ?? true);
    };
    return store;
  }

  it('hides a key from the plan and from the look before the creates: it is not created again', async () => {
    // Another client deletes a key during each walk; each time the hidden key moves to a page that was read already.
    const store = shifting([['other-1', 'other-2', 'other-3'], ['other-2', 'other-3'], ['other-3']]);
    const report = await applied(store, wanted(2), { concurrency: 1 });
    expect(doubled(store)).toEqual([]);
    expect(report.outcomes).toMatchObject([
      { state: 'failed', change: { name: 'key-0000' }, fault: { code: 'plan.stale' } },
      { state: 'applied' },
    ]);
  });

  it.each([
    [4, undefined],
    [5, 'gateway.listing-moves'],
  ])('is walked again while keys vanish: from %i walks', async (times, code) => {
    const store = emptyAccount();
    for (let n = 0; n < 10; n += 1) store.seed(live(`other-${n}`));
    store.hook = (operation) => {
      const [first] = store.records.keys();
      const walk = (store.calls.walk ?? 0) - 1;
      if (operation === 'walk' && first !== undefined && walk >= 1 && walk <= times) store.records.delete(first);
    };
    const report = await applied(store, wanted(1));
    expect([report.fatal?.code, store.calls.create]).toEqual([code, code ? undefined : 1]);
  });

  it('gateway.listing-moves: creates nothing when keys vanish from every walk', async () => {
    const store = emptyAccount();
    for (let n = 0; n < 10; n += 1) store.seed(live(`other-${n}`));
    store.hook = (operation) => {
      const [first] = store.records.keys();
      if (operation === 'walk' && first !== undefined) store.records.delete(first);
    };
    const report = await applied(store, wanted(2));
    expect([report.fatal?.code, store.calls.create]).toEqual(['gateway.listing-moves', undefined]);
    expect(store.calls.walk).toBeLessThanOrEqual(7);
  });
});
