import { describe, expect, it } from 'vitest';
import { type DesiredState, keyName, quota, type UnixSeconds } from '../../src/domain/index.ts';
import { guard, type Limits, observe, plan } from '../../src/reconcile/index.ts';
import { declare, declareNew, emptyAccount, live, NOW, state } from './account.ts';

async function judge(
  names: readonly string[],
  desired: ReturnType<typeof state>,
  limits: Limits = {},
  models?: string[],
  disabled: readonly string[] = [],
) {
  const store = emptyAccount(models ? { models } : {});
  for (const name of names) {
    store.seed(live(name, { models: ['old-model'] }), disabled.includes(name) ? { status: 2 } : {});
  }
  return judgeStore(store, desired, limits);
}

async function judgeStore(store: ReturnType<typeof emptyAccount>, desired: DesiredState, limits: Limits) {
  const observed = await observe(store, desired, { now: NOW });
  const allowEnable = desired.keys.map(({ name }) => name);
  return guard(plan(desired, observed, NOW, { allowEnable }), { desired, observed }, limits);
}

const many = (n: number): string[] => Array.from({ length: n }, (_, i) => `k${i}`);
const pruning = (keep: readonly string[], prune: 'delete' | 'disable' = 'delete') =>
  state(
    keep.map((name) => declare(name)),
    { scope: ['*'], prune },
  );

describe('guard', () => {
  it('guard.mass-change: refuses when more than 30 % of the owned keys would end', async () => {
    expect(await judge(many(10), pruning(many(10).slice(4)))).toMatchObject([
      { code: 'guard.mass-change', path: [], data: { count: 4, names: ['k0', 'k1', 'k2', 'k3'] } },
    ]);
    expect(await judge(many(10), pruning(many(10).slice(4)), { maxDeletes: 3 })).toMatchObject([
      { message: '4 of 10 owned keys would be deleted or disabled; the limit is 3.' },
    ]);
    expect(await judge(many(10), pruning(many(10).slice(4), 'disable'))).toMatchObject([{ code: 'guard.mass-change' }]);
  });

  it.each([
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
    [7, 3],
    [10, 3],
    [11, 4],
    [100, 30],
  ])('rounds 30 %% of %i keys up: %i may end, one more may not', async (owned, most) => {
    expect(await judge(many(owned), pruning(many(owned).slice(most)))).toEqual([]);
    const codes = (await judge(many(owned), pruning(many(owned).slice(most + 1)))).map(({ code }) => code);
    expect(codes).toContain('guard.mass-change');
  });

  it.each(['delete', 'disable'] as const)('guard.last-key: refuses to %s all owned keys', async (prune) => {
    expect(await judge(many(5), pruning([], prune), { maxDeletes: 5 })).toMatchObject([
      {
        code: 'guard.last-key',
        path: [],
        message: 'All owned keys (5) would be deleted or disabled: no owned key would remain enabled.',
        data: { count: 5, names: many(5) },
      },
    ]);
    expect(await judge(many(1), pruning([], prune))).toMatchObject([{ code: 'guard.last-key' }]);
    expect(await judge(many(1), pruning([], prune), { allowLastKey: true })).toEqual([]);
    const replaced = state([declare('new', { budget: { kind: 'unlimited' } })], { scope: ['*'], prune });
    expect(await judge(many(2), replaced, { maxDeletes: 2 })).toMatchObject([{ code: 'guard.last-key' }]);
  });

  it('guard.last-key: refuses to disable the last key that is enabled, and names it', async () => {
    const off = many(4).slice(1);
    const desired = state(
      many(4).map((name) => declare(name, { enabled: false })),
      { scope: ['*'] },
    );
    expect(await judge(many(4), desired, {}, undefined, off)).toMatchObject([
      { code: 'guard.last-key', message: expect.stringMatching(/^The last enabled key, “k0”, would be/) },
    ]);
    const swapped = state([
      declare('k0', { enabled: false }),
      declare('k1'),
      ...off.slice(1).map((name) => declare(name, { enabled: false })),
    ]);
    expect(await judge(many(4), swapped, {}, undefined, off)).toEqual([]);
  });

  it('guard.last-key: does not concern keys that were all disabled before', async () => {
    expect(await judge(many(4), pruning(many(4).slice(1)), {}, undefined, many(4))).toEqual([]);
    const unmanaged = many(4).slice(1);
    const desired = state(
      unmanaged.map((name) => declare(name, { enabled: undefined })),
      { scope: ['*'], prune: 'delete' },
    );
    expect(await judge(many(4), desired, {}, undefined, many(4))).toEqual([]);
  });

  it('guard.last-key: names all keys where several are the last that are enabled', async () => {
    const desired = state([declare('k0', { enabled: undefined })], { scope: ['*'], prune: 'delete' });
    expect(await judge(many(3), desired, { maxDeletes: 2 }, undefined, many(1))).toMatchObject([
      {
        code: 'guard.last-key',
        message: 'Every enabled key would be deleted or disabled: no owned key would remain enabled.',
      },
    ]);
  });

  it.each<[string, Parameters<typeof declare>[1]]>([
    ['the new expiry of a key that is disabled at the same time', { enabled: false, expires: NOW + 100 }],
    ['another edit of an expired key', { enabled: undefined, group: 'default' }],
  ])('guard.last-key: does not count as a key that works: %s', async (_, declared) => {
    const store = emptyAccount();
    const isExpired = declared?.enabled === undefined;
    store.seed(live('a', isExpired ? { expires: NOW - 1, group: 'vip' } : {}));
    store.seed(live('b'), { status: isExpired ? 1 : 2 });
    const desired = state([declare('a', declared), declare('b', isExpired ? { enabled: false } : {})]);
    const observed = await observe(store, desired, { now: NOW });
    expect(guard(plan(desired, observed, NOW), { desired, observed }, {})).toMatchObject([{ code: 'guard.last-key' }]);
  });

  it('counts a key whose expiry the plan moves into the past as one that ends', async () => {
    const past = NOW - 1;
    const expiring = (count: number) =>
      state(many(4).map((name, i) => declare(name, i < count ? { expires: past } : {})));
    expect(await judge(many(4), expiring(2))).toEqual([]);
    expect(await judge(many(4), expiring(3))).toMatchObject([
      {
        code: 'guard.mass-change',
        message: '3 of 4 owned keys would be deleted, disabled or expired; the limit is 2, 30 % of them.',
        data: { count: 3, names: ['k0', 'k1', 'k2'] },
      },
    ]);
    expect(await judge(many(4), expiring(4), { maxDeletes: 4 })).toMatchObject([{ code: 'guard.last-key' }]);
    expect(await judge(many(4), expiring(4), { maxDeletes: 4, allowLastKey: true })).toEqual([]);
  });

  it('counts a key whose budget the plan takes away as one that ends, and no key that had none', async () => {
    const nothing = { kind: 'lifetime', amount: { quota: quota(0) } } as const;
    const store = emptyAccount();
    for (const name of many(4)) store.seed(live(name, name === 'k3' ? { remain: quota(0) } : {}));
    const broke = (count: number) =>
      state(many(4).map((name, i) => declare(name, i < count || i === 3 ? { budget: nothing } : {})));
    expect(await judgeStore(store, broke(2), {})).toEqual([]);
    expect(await judgeStore(store, broke(3), {})).toMatchObject([
      {
        code: 'guard.mass-change',
        message: '3 of 4 owned keys would be deleted, disabled or left without a budget; the limit is 2, 30 % of them.',
        data: { count: 3, names: ['k0', 'k1', 'k2'] },
      },
    ]);
    const one = emptyAccount();
    one.seed(live('a'));
    expect(await judgeStore(one, state([declare('a', { budget: nothing })]), {})).toMatchObject([
      { code: 'guard.last-key' },
    ]);
    expect(await judgeStore(one, state([declare('a', { budget: nothing })]), { allowLastKey: true })).toEqual([]);
  });

  it('guard.last-key: does not count a key as enabled that has expired, or expires by this plan', async () => {
    const past = NOW - 1;
    const only = (expires: UnixSeconds | null | undefined, liveExpires: UnixSeconds | null) => {
      const store = emptyAccount();
      store.seed(live('a'));
      store.seed(live('b', { expires: liveExpires }));
      const keys = [declare('b', expires === undefined ? {} : { expires })];
      return judgeStore(store, state(keys, { scope: ['*'], prune: 'delete' }), { maxDeletes: 2 });
    };
    expect(await only(undefined, past)).toMatchObject([
      { code: 'guard.last-key', message: expect.stringMatching(/^The last enabled key, “a”, would be/) },
    ]);
    expect(await only(past, null)).toMatchObject([{ code: 'guard.last-key' }]);
    expect(await only(null, past)).toEqual([]);
    expect(await only(undefined, null)).toEqual([]);
  });

  it('counts only keys that end: any number may be made and edited', async () => {
    const desired = state([...many(10).map((name) => declare(name, { group: 'vip' })), declareNew('new')]);
    expect(await judge(many(10), desired)).toEqual([]);
    expect(await judge(many(10), desired, { maxDeletes: 0 })).toEqual([]);
  });

  it('replaces the share with an explicit limit, in both directions', async () => {
    expect(await judge(many(10), pruning(many(1)), { maxDeletes: 9 })).toEqual([]);
    expect(await judge(many(3), pruning(many(1)), { maxDeletes: 1 })).toMatchObject([{ data: { count: 2 } }]);
    expect(await judge(many(2), pruning(many(1)), { maxDeletes: 0 })).toMatchObject([{ data: { count: 1 } }]);
  });

  it.each([
    ['disabled', [declare('root', { enabled: false })]],
    ['renamed', [declare('other', { renamedFrom: keyName('root') })]],
  ])('guard.protected: refuses a protected key being %s, until it is allowed', async (_, keys) => {
    const desired = state(keys, { protect: ['root'] });
    const limits = { allowLastKey: true };
    expect(await judge(['root'], desired, limits)).toMatchObject([
      { code: 'guard.protected', data: { names: ['root'] } },
    ]);
    expect(await judge(['root'], desired, { ...limits, allowProtected: true })).toEqual([]);
  });

  it.each(['delete', 'disable'] as const)(
    'guard.protected: refuses a plan that was made before, to %s it',
    async (prune) => {
      const store = emptyAccount();
      for (const name of many(4)) store.seed(live(name));
      const before = pruning(many(4).slice(1), prune);
      const observed = await observe(store, before, { now: NOW });
      const desired = { ...before, ownership: { ...before.ownership, protect: ['k0'] } };
      expect(guard(plan(before, observed, NOW), { desired, observed }, {})).toMatchObject([
        { code: 'guard.protected', data: { names: ['k0'] } },
      ]);
    },
  );

  it('names eight keys in a message and counts the others', async () => {
    const disabling = (count: number) =>
      state(
        many(count).map((name) => declare(name, { enabled: false })),
        { protect: ['*'] },
      );
    const [whole] = await judge(many(8), disabling(8), { maxDeletes: 8, allowLastKey: true });
    expect(whole?.message).toBe(
      'A protected key would be disabled, deleted or renamed: “k0”, “k1”, “k2”, “k3”, “k4”, “k5”, “k6”, “k7”.',
    );
    const desired = disabling(10);
    const [refusal] = await judge(many(10), desired, { maxDeletes: 10, allowLastKey: true });
    expect(refusal?.message).toMatch(/“k0”, .*“k7”, and 2 more\.$/);
    expect(refusal?.data).toEqual({ names: many(10) });
  });

  it('escapes line breaks in the names of live keys', async () => {
    const [refusal] = await judge(['a\nerror: forged'], state([], { scope: ['*'], prune: 'delete', protect: ['a*'] }));
    expect(refusal).toBeUndefined();
    const renamed = state([declare('b', { renamedFrom: 'a\nerror: forged' as never })], { protect: ['a*'] });
    const [forged] = await judge(['a\nerror: forged'], renamed);
    expect(forged?.message).toContain('“a\\u{a}error: forged”');
  });

  it('lets other settings of a protected key change', async () => {
    expect(await judge(['root'], state([declare('root', { group: 'vip' })], { protect: ['root'] }))).toEqual([]);
  });

  it('guard.no-budget: refuses to create keys without a budget, whatever is allowed; live keys keep theirs', async () => {
    const desired = state([declare('live'), declare('new'), declare('other'), declareNew('free')]);
    const refusals = await judge(['live'], desired, { maxDeletes: 9, allowProtected: true, allowUnknownGroups: true });
    expect(refusals).toMatchObject([
      {
        code: 'guard.no-budget',
        message: 'A new key has no budget: “new”, “other”.',
        data: { names: ['new', 'other'] },
      },
    ]);
    expect(await judge(['live'], state([declare('live')]))).toEqual([]);
    expect(await judge(['live'], state([declareNew('LIVE')]))).toEqual([]);
  });

  it('guard.unknown-group: on a new key and on an edit, until it is allowed', async () => {
    const desired = state([declare('a', { group: 'nope' }), declareNew('b', { group: 'nope' })]);
    expect(await judge(['a'], desired)).toEqual([
      {
        severity: 'error',
        code: 'guard.unknown-group',
        path: [],
        message: 'The account does not have these groups: “nope”. It has “default”, “vip”.',
        data: { names: ['b', 'a'] },
      },
    ]);
    const bare = emptyAccount({ groups: [] });
    expect(await judgeStore(bare, state([declareNew('b', { group: 'nope' })]), {})).toMatchObject([
      { message: 'The account does not have these groups: “nope”. It has none.' },
    ]);
    expect(await judge(['a'], desired, { allowUnknownGroups: true })).toEqual([]);
    expect(await judge(['a'], state([declareNew('b', { group: '' })]))).toEqual([]);
  });

  it('guard.unknown-group: on a key that is renamed, too', async () => {
    const desired = state([declare('b', { renamedFrom: keyName('a'), group: 'nope' })]);
    expect(await judge(['a'], desired)).toMatchObject([{ code: 'guard.unknown-group', data: { names: ['b'] } }]);
  });

  it('does not judge groups that the gateway does not report', async () => {
    const store = emptyAccount({ groups: null });
    const desired = state([declareNew('a', { group: 'anything' })]);
    const observed = await observe(store, desired, { now: NOW });
    expect(guard(plan(desired, observed, NOW), { desired, observed }, {})).toEqual([]);
  });

  it('guard.unknown-model: only for models that are newly set, and only where models are known', async () => {
    const desired = state([declare('a', { models: ['new-model', 'old-model'] })]);
    expect(await judge(['a'], desired)).toEqual([]);
    expect(await judge(['a'], desired, {}, ['new-model'])).toEqual([]);
    expect(await judge(['a'], desired, {}, ['other'])).toMatchObject([
      {
        code: 'guard.unknown-model',
        message: 'The account does not have these models: “new-model”.',
        data: { names: ['a'] },
      },
    ]);
    const several = state([
      declare('a', { models: null }),
      declareNew('b', { models: ['new-model'] }),
      declareNew('c'),
    ]);
    expect(await judge(['a'], several, {}, ['other'])).toMatchObject([{ data: { names: ['b'] } }]);
    expect(await judge(['a'], state([declare('a', { group: 'vip' })]), {}, ['other'])).toEqual([]);
    expect(await judge(['a'], desired, { allowUnknownModels: true }, ['other'])).toEqual([]);
  });

  it('reports all reasons together', async () => {
    const desired = state([declare('root', { enabled: false, group: 'nope' })], { protect: ['root'] });
    const codes = (await judge(['root'], desired, { maxDeletes: 0 })).map((refusal) => refusal.code);
    expect(codes).toEqual(['guard.mass-change', 'guard.last-key', 'guard.protected', 'guard.unknown-group']);
  });
});
