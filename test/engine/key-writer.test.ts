import { describe, expect, it } from 'vitest';
import { decimalOf, Fault, type KeyId, keyId, type ObservedState, quota } from '../../src/domain/index.ts';
import { type KeyWriterOptions, openKeyWriter, openSharedClaim } from '../../src/engine/index.ts';
import type { KeyStore, LateCreates } from '../../src/reconcile/index.ts';
import { RunTime } from '../contract/lock-time.ts';
import { faultOf, MemoryClaims } from '../contract/memory-claims.ts';
import type { MemoryOptions, MemoryStore } from '../contract/memory-store.ts';
import { declare, declareNew, emptyAccount, live, NOW, planOf, state } from '../reconcile/account.ts';

const UNLIMITED = { unlimited: true, remain: quota(0) };

function open(more: Partial<KeyWriterOptions> = {}, account: Partial<MemoryOptions> = {}) {
  const store = emptyAccount(account);
  const writer = openKeyWriter({ store, now: () => NOW, ...more });
  const ids = () => [...store.records.keys()];
  return { store, writer, ids };
}

async function seen(store: KeyStore): Promise<ObservedState> {
  const [quotaPerUnit, keys] = await Promise.all([store.quotaPerUnit(), store.walk()]);
  return { account: store.account, quotaPerUnit, keys, used: new Map() };
}

/** The claim of a run, and the claims that are at the gateway at each write. */
function openClaim(store: MemoryStore, claims: MemoryClaims) {
  const held: number[] = [];
  store.hook = (operation) => {
    if (['create', 'update', 'setEnabled', 'delete'].includes(operation)) held.push(claims.stored.size);
  };
  const holder = async () => ({ process: 7, host: 'runner', since: 1_800_000_000 });
  const claim = openSharedClaim(claims, { timeoutSeconds: 0, settleSeconds: 0 }, { time: new RunTime(), holder });
  return { claim, held };
}

const declared = async (store: MemoryStore, keys: Parameters<typeof state>[0]) => {
  const desired = state(keys);
  return { desired, observed: await seen(store), plan: await planOf(store, desired) };
};

describe('the writer of single keys', () => {
  it('rejects the plan of another account by every way to it, before it writes', async () => {
    const { store, writer, ids } = open();
    const id = store.seed(live('a'));
    const other = emptyAccount({ account: { url: 'memory://other', userId: 2 } });
    other.seed(live('a'));
    const observed = await seen(other);
    const [key] = observed.keys;
    if (!key) throw new Error('no key');
    const desired = state([declare('a', { group: 'vip' })]);
    const foreign = { desired, observed, plan: await planOf(other, desired) };
    const works = [
      () => writer.reconcile(foreign),
      () => writer.create({ desired: declareNew('b'), ceiling: UNLIMITED }, observed),
      () => writer.edit({ key, name: 'c', fields: {} }, observed),
      () => writer.changeEach('delete', observed),
    ];
    for (const work of works) expect(await faultOf(work())).toMatchObject({ code: 'plan.foreign' });
    expect(ids()).toEqual([id]);
    expect(await store.walk()).toMatchObject([{ name: 'a', group: 'default' }]);
  });

  it('rejects credentials of another user, before it writes', async () => {
    const { store, writer, ids } = open({}, { owner: 9 });
    const id = store.seed(live('a'));
    const observed = { account: store.account, quotaPerUnit: decimalOf(1), keys: [], used: new Map() };
    const codes = await Promise.all(
      [
        writer.changeEach('delete', observed),
        writer.create({ desired: declareNew('b'), ceiling: UNLIMITED }, observed),
        writer.settleTwins([], { isDisabled: false }),
        writer.removeDuplicates([id], {}),
      ].map(async (work) => (await faultOf(work)).code),
    );
    expect(new Set(codes)).toEqual(new Set(['credentials.other-account']));
    expect(ids()).toEqual([id]);
  });

  it('guards what is declared: a policy and a missing budget, whoever made the plan', async () => {
    const { store, writer, ids } = open();
    const id = store.seed(live('a'));
    const policies = [{ budget: { usd: decimalOf(1) } }];
    const rich = declare('a', { budget: { kind: 'lifetime', amount: { usd: decimalOf(50) } } });
    const write = await declared(store, [rich]);
    const ruled = { ...write, desired: { ...write.desired, policies } };
    expect(await faultOf(writer.reconcile(ruled))).toMatchObject({ code: 'guard.policy' });
    expect(await faultOf(writer.reconcile(await declared(store, [declare('new')])))).toMatchObject({
      code: 'guard.no-budget',
    });
    expect(ids()).toEqual([id]);
    expect(await store.walk()).toMatchObject([{ remain: 5_000_000 }]);
    // The same declaration in other words is judged by those in which it was written.
    await writer.reconcile({ ...ruled, judged: state([declare('a')]) });
    expect(await store.walk()).toMatchObject([{ remain: 25_000_000 }]);
  });

  it('leaves a key that somebody changed since it was planned', async () => {
    const { store, writer } = open();
    store.seed(live('a'));
    const observed = await seen(store);
    const stored = store.records.get(1);
    if (stored) stored.name = 'of somebody else';
    const report = await writer.changeEach('delete', observed);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale' }]);
    expect(await store.walk()).toMatchObject([{ name: 'of somebody else' }]);
  });

  it('takes the claim before each write, and writes nothing once it is lost', async () => {
    const claims = new MemoryClaims();
    const store = emptyAccount();
    store.seed(live('a'));
    const { claim, held } = openClaim(store, claims);
    const writer = openKeyWriter({ store, now: () => NOW, claim });
    await writer.changeEach('disable', { ...(await seen(store)), keys: [] });
    expect(claims.stored.size).toBe(0);
    await writer.reconcile(await declared(store, [declareNew('b')]));
    await writer.changeEach('disable', await seen(store));
    expect(held).toEqual([1, 1, 1]);
    claims.stored.clear();
    await claim.release();
    const lost = openKeyWriter({
      store,
      now: () => NOW,
      locks: { ensureHeld: () => Promise.reject(new Fault('apply.lock-lost', 'lost')) },
    });
    const report = await lost.changeEach('delete', await seen(store));
    expect(report).toMatchObject({ fatal: { code: 'apply.lock-lost' } });
    expect(await store.walk()).toHaveLength(2);
  });
});

describe('a create of the writer', () => {
  const journalOf = (entries: { name: string; age: number; newestBefore: number }[]) => {
    const events: string[] = [];
    const late: LateCreates = {
      journal: {
        load: async () => ({ creates: entries.map((entry) => ({ ...entry, enabled: true })) }),
        record: async (creates) => void events.push(`record ${creates.map(({ name }) => name)}`),
        forget: async (names) => void events.push(`forget ${names}`),
        leftEnabled: async () => undefined,
      },
      settle: 120,
      wait: async ({ seconds }) => void events.push(`wait ${seconds}`),
    };
    return { late, events };
  };

  it('is recorded before it is sent, and waits for an earlier one of its name that was not answered', async () => {
    const { late, events } = journalOf([{ name: 'a', age: 20, newestBefore: 0 }]);
    const { store, writer } = open({ late });
    store.hook = (operation) => {
      if (operation === 'create') events.push('create');
    };
    await writer.create({ desired: declareNew('a'), ceiling: UNLIMITED }, await seen(store));
    expect(events.slice(0, 3)).toEqual(['wait 100', 'record a', 'create']);
  });

  it('notes the key that it made, and forgets one that made none', async () => {
    const noted: string[] = [];
    const notes = {
      made: (name: string, id: KeyId) => void noted.push(`${name} ${id}`),
      forget: async (name: string) => void noted.push(`forget ${name}`),
    };
    const { store, writer } = open({ notes });
    const create = async (name: string) =>
      writer.create({ desired: declareNew(name), ceiling: UNLIMITED }, await seen(store));
    await create('a');
    await create('a');
    store.hook = (operation) => {
      if (operation === 'create') throw new Fault('gateway.timeout', 'no answer');
    };
    await create('b');
    // What may still take effect stays recorded.
    expect(noted).toEqual(['a 1', 'forget a']);
  });
});

describe('the removal of duplicates', () => {
  it('looks up a delete whose answer was lost, and reports one that did not take effect', async () => {
    for (const isDone of [true, false]) {
      const { store } = open({}, { reportsUse: true });
      const used = store.seed(live('a'));
      const twin = store.seed(live('a'));
      store.spend(used, 5);
      const losing = Object.assign(Object.create(store) as MemoryStore, {
        delete: async (ids: readonly KeyId[]) => {
          if (isDone) await store.delete(ids);
          throw new Fault('gateway.timeout', 'no answer');
        },
      });
      const writer = openKeyWriter({ store: losing, now: () => NOW });
      const removal = await writer.removeDuplicates([twin], {});
      expect([[...removal.removed], removal.fault?.code]).toEqual(
        isDone ? [[twin], undefined] : [[], 'gateway.timeout'],
      );
    }
  });

  it('reports the keys that are gone when the gateway rejects a later delete', async () => {
    const { store } = open({}, { reportsUse: true });
    store.spend(store.seed(live('a')), 5);
    const ids = Array.from({ length: 101 }, () => store.seed(live('a')));
    let deletes = 0;
    const rejecting = Object.assign(Object.create(store) as MemoryStore, {
      delete: async (some: readonly KeyId[]) => {
        deletes += 1;
        if (deletes > 1) throw new Fault('gateway.refused', 'no longer allowed');
        return await store.delete(some);
      },
    });
    const writer = openKeyWriter({ store: rejecting, now: () => NOW });
    const removal = await writer.removeDuplicates(ids, {});
    expect([removal.removed.size, removal.fault?.code, store.records.size]).toEqual([100, 'gateway.refused', 2]);
  });

  it('removes no key that was used meanwhile, nor one that has no other of its name', async () => {
    const { store, writer, ids } = open({}, { reportsUse: true });
    const [a, b, alone] = [store.seed(live('a')), store.seed(live('a')), store.seed(live('b'))];
    store.spend(a, 5);
    store.spend(b, 5);
    expect(await writer.removeDuplicates([a, b, alone, keyId(99)], {})).toEqual({ removed: new Set() });
    expect(ids()).toEqual([a, b, alone]);
  });
});
