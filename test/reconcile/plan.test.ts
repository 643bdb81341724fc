import { describe, expect, it } from 'vitest';
import {
  type DesiredKey,
  type IpRule,
  type KeySettings,
  keyName,
  type Plan,
  planNote,
  quota,
  type UnixSeconds,
} from '../../src/domain/index.ts';
import { narrow, observe, plan, planDestroy, reportFaults } from '../../src/reconcile/index.ts';
import { applied, declare, declareNew, emptyAccount, live, NOW, planOf, state, verbs } from './account.ts';

describe('plan', () => {
  it('creates what is declared and not there, with the gateway’s defaults spelled out', async () => {
    const made = await planOf(emptyAccount(), state([declare('new', { budget: { kind: 'unlimited' } })]));
    expect(made.changes).toEqual([
      {
        verb: 'create',
        name: 'new',
        enabled: true,
        settings: { ...live('new'), group: '', unlimited: true, remain: 0 },
      },
    ]);
  });

  it('notes that a new key has no budget', async () => {
    const made = await planOf(emptyAccount(), state([declare('new')]));
    expect(made.notes).toEqual([expect.objectContaining({ code: 'no-budget', data: { name: 'new' } })]);
  });

  it.each([
    ['expired-as-declared', { expires: NOW - 1 }],
    ['expired-undeclared', {}],
  ])('notes %s of a key that has expired', async (code, declared) => {
    const store = emptyAccount();
    store.seed(live('a', { expires: (NOW - 1) as UnixSeconds }));
    expect((await planOf(store, state([declare('a', declared as Partial<DesiredKey>)]))).notes).toMatchObject([
      { code },
    ]);
  });

  it('leaves fields alone that are not declared', async () => {
    const store = emptyAccount();
    store.seed(
      live('a', { group: 'vip', models: ['m'], allowIps: ['10.0.0.0/8'], expires: NOW + 60, remain: quota(7) }),
    );
    expect(verbs(await planOf(store, state([declare('a')])))).toEqual(['keep a']);
  });

  it.each<[string, Parameters<typeof live>[1], Parameters<typeof declare>[1], object]>([
    ['group', { group: 'default' }, { group: 'vip' }, { field: 'group', before: 'default', after: 'vip' }],
    ['crossGroupRetry', {}, { crossGroupRetry: true }, { field: 'crossGroupRetry', before: false, after: true }],
    [
      'models',
      { models: ['b', 'a'] },
      { models: ['a', 'c'] },
      { field: 'models', before: ['a', 'b'], after: ['a', 'c'] },
    ],
    ['models lifted', { models: ['a'] }, { models: null }, { field: 'models', before: ['a'], after: null }],
    [
      'allowIps',
      { allowIps: ['10.1.2.3/8'] },
      { allowIps: ['192.0.2.1/32' as IpRule] },
      { field: 'allowIps', before: ['10.0.0.0/8'], after: ['192.0.2.1/32'] },
    ],
    ['expires', { expires: NOW + 5 }, { expires: null }, { field: 'expires', before: NOW + 5, after: null }],
    ['budget', {}, { budget: { kind: 'unlimited' } }, { field: 'unlimited', before: false, after: true }],
    [
      'tiers that nothing replaces',
      { smartRouting: true, smartRouteTiers: '[1]' },
      { smartRouting: '' },
      { field: 'smartRouteTiers', before: '[1]', after: '' },
    ],
    [
      'smart routing without tiers',
      { smartRouting: false },
      { smartRouting: '' },
      { field: 'smartRouting', before: false, after: true },
    ],
    [
      'smart routing',
      { smartRouting: true, smartRouteTiers: '{"a": 1}' },
      { smartRouting: '{"a":2}' },
      { field: 'smartRouteTiers', before: '{"a":1}', after: '{"a":2}' },
    ],
  ])('updates %s, with before and after', async (_, settings, declared, edit) => {
    const store = emptyAccount();
    store.seed(live('a', settings));
    const [change] = (await planOf(store, state([declare('a', declared)]))).changes;
    expect(change).toMatchObject({ verb: 'update', id: 1, edits: [edit] });
  });

  it.each<[string, Parameters<typeof live>[1], Parameters<typeof declare>[1]]>([
    ['models in another order, twice', { models: ['b', 'a', 'b'] }, { models: ['a', 'b'] }],
    ['an address written as a range', { allowIps: ['10.1.2.3/8'] }, { allowIps: ['10.0.0.0/8' as IpRule] }],
    ['a bare address', { allowIps: ['203.0.113.7'] }, { allowIps: ['203.0.113.7/32' as IpRule] }],
    ['no tiers', { smartRouting: true, smartRouteTiers: '' }, { smartRouting: '' }],
    [
      'tiers with other white space',
      { smartRouting: true, smartRouteTiers: '{ "a" : 1 }' },
      { smartRouting: '{"a":1}' },
    ],
  ])('sees no difference in %s', async (_, settings, declared) => {
    const store = emptyAccount();
    store.seed(live('a', settings));
    expect(verbs(await planOf(store, state([declare('a', declared)])))).toEqual(['keep a']);
  });

  it('renames in place, with other edits in the same change', async () => {
    const store = emptyAccount();
    store.seed(live('checkout'));
    const renamed = declare('prod-checkout', { renamedFrom: keyName('checkout'), group: 'vip' });
    const [change] = (await planOf(store, state([renamed]))).changes;
    expect(change).toMatchObject({ verb: 'rename', name: 'prod-checkout', from: 'checkout', id: 1 });
    expect(change?.verb === 'rename' && change.edits.map((e) => e.field)).toEqual(['name', 'group']);
  });

  it('renames a chain, each key keeping its id', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.seed(live('b'));
    const chain = state([declare('b', { renamedFrom: keyName('a') }), declare('c', { renamedFrom: keyName('b') })]);
    expect((await planOf(store, chain)).changes).toMatchObject([
      { verb: 'rename', name: 'b', from: 'a', id: 1 },
      { verb: 'rename', name: 'c', from: 'b', id: 2 },
    ]);
  });

  it.each([[['b']], [['b~20261120-0900']], [['b', 'c']], [['a', 'c']]])(
    'plan.ambiguous: %j are left of a chain of renames, and a rename would take a declared name away',
    async (left) => {
      const store = emptyAccount();
      for (const name of left) store.seed(live(name));
      const chain = ['b', 'c', 'd'].map((name, i) => declare(name, { renamedFrom: keyName('abc'.charAt(i)) }));
      await expect(planOf(store, state(chain))).rejects.toMatchObject({ code: 'plan.ambiguous' });
    },
  );

  it('does not rename again when the new name is there, and retains the old key even under prune: delete', async () => {
    const store = emptyAccount();
    store.seed(live('old'));
    store.seed(live('new'));
    const made = await planOf(
      store,
      state([declare('new', { renamedFrom: keyName('old') })], { scope: ['*'], prune: 'delete' }),
    );
    expect(made.changes).toMatchObject([
      { verb: 'keep', name: 'new' },
      { verb: 'retain', name: 'old', reason: 'rename-source' },
    ]);
  });

  it('plan.ambiguous: two live keys with one declared name, with both ids', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    store.seed(live('a'));
    const desired = state([declare('a')]);
    const refusal = {
      code: 'plan.ambiguous',
      message: expect.stringContaining('1 and 2'),
      detail: { ambiguous: [{ name: 'a', ids: [1, 2] }] },
    };
    await expect(planOf(store, desired)).rejects.toMatchObject(refusal);
    const walk = store.walk.bind(store);
    store.walk = async () => [...(await walk())].reverse();
    await expect(planOf(store, desired)).rejects.toMatchObject(refusal);
  });

  it('plan.ambiguous: lists all such names, in order', async () => {
    const store = emptyAccount();
    for (const name of ['b', 'a', 'b', 'a']) store.seed(live(name));
    await expect(planOf(store, state([declare('b'), declare('a')]))).rejects.toMatchObject({
      detail: {
        ambiguous: [
          { name: 'a', ids: [2, 4] },
          { name: 'b', ids: [1, 3] },
        ],
      },
    });
  });

  it('reports only the number of keys outside the scope', async () => {
    const store = emptyAccount();
    store.seed(live('other'));
    store.seed(live('prod-a'));
    const made = await planOf(store, state([declare('prod-a')], { scope: ['prod-*'], prune: 'delete' }));
    expect(verbs(made)).toEqual(['keep prod-a']);
    expect(made.invisible).toBe(1);
  });

  it.each([
    ['never', 1, {}, { verb: 'retain', reason: 'prune-never' }],
    ['disable', 1, {}, { verb: 'disable', reason: 'pruned' }],
    ['disable', 2, {}, { verb: 'retain', reason: 'already-disabled' }],
    ['disable', 4, {}, { verb: 'disable', reason: 'pruned' }],
    ['delete', 1, {}, { verb: 'delete', reason: 'pruned' }],
    ['delete', 1, { smartRouting: true }, { verb: 'retain', reason: 'smart-routing' }],
  ] as const)('with prune: %s and status %i, undeclared (%o): %o', async (prune, status, settings, change) => {
    const store = emptyAccount();
    store.seed(live('prod-x', settings), { status });
    expect((await planOf(store, state([], { scope: ['prod-*'], prune }))).changes).toMatchObject([change]);
  });

  it('retains a protected key whatever prune is', async () => {
    const store = emptyAccount();
    store.seed(live('prod-root'));
    const made = await planOf(store, state([], { scope: ['*'], prune: 'delete', protect: ['*root'] }));
    expect(made.changes).toMatchObject([{ verb: 'retain', reason: 'protected' }]);
  });

  it('notes a live key that differs only by case, and does not take it over', async () => {
    const store = emptyAccount();
    store.seed(live('Prod-A'));
    const made = await planOf(store, state([declare('prod-a', { budget: { kind: 'unlimited' } })]));
    expect(verbs(made)).toEqual(['create prod-a']);
    expect(made.notes).toMatchObject([
      { code: 'case-differs', data: { name: 'prod-a' }, message: expect.stringContaining('“Prod-A”') },
    ]);
  });

  it('orders notes by name, then by code', async () => {
    const store = emptyAccount();
    store.seed(live('B'));
    const made = await planOf(store, state([declare('b'), declare('a')]));
    expect(made.notes.map((note) => `${note.data?.name} ${note.code}`)).toEqual([
      'a no-budget',
      'b case-differs',
      'b no-budget',
    ]);
  });

  it('takes a key that gives its name away for no twin of the new key of that name', async () => {
    const store = emptyAccount();
    store.seed(live('a'));
    const made = await planOf(
      store,
      state([declare('a', { budget: { kind: 'unlimited' } }), declare('b', { renamedFrom: keyName('a') })]),
    );
    expect(verbs(made)).toEqual(['rename b', 'create a']);
    expect(made.notes).toEqual([]);
  });

  it('notes models that are written although the gateway cannot be asked for them', async () => {
    const codes = async (store: ReturnType<typeof emptyAccount>, models: readonly string[]) => {
      store.seed(live('a', { models: ['m'] }));
      return (await planOf(store, state([declare('a', { models })]))).notes.map((note) => note.code);
    };
    expect(await codes(emptyAccount(), ['n'])).toEqual(['models-unverified']);
    expect(await codes(emptyAccount(), ['m'])).toEqual([]);
    expect(await codes(emptyAccount({ models: ['n'] }), ['n'])).toEqual([]);
  });

  it('notes a group that is written although the gateway does not report its groups', async () => {
    const made = async (group: string) =>
      planOf(emptyAccount({ groups: null }), state([declare('a', { group, budget: { kind: 'unlimited' } })]));
    expect((await made('vip')).notes.map((note) => note.code)).toEqual(['groups-unverified']);
    expect((await made('')).notes).toEqual([]);
  });

  it('orders declared disables first, then renames, and deletes last', async () => {
    const store = emptyAccount();
    for (const name of ['del', 'off', 'on', 'upd', 'old']) store.seed(live(name), { status: name === 'on' ? 2 : 1 });
    const declared = [
      declare('upd', { group: 'vip' }),
      declare('on'),
      declare('off', { enabled: false }),
      declare('new', { budget: { kind: 'unlimited' } }),
      declare('ren', { renamedFrom: keyName('old') }),
    ];
    const desired = state(declared, { scope: ['*'], prune: 'delete' });
    const made = await planOf(store, desired, { allowEnable: ['on'] });
    expect(verbs(made)).toEqual(['disable off', 'rename ren', 'create new', 'update upd', 'enable on', 'delete del']);
  });

  it('narrow keeps only what is about the named keys, by old name too', async () => {
    const store = emptyAccount();
    store.seed(live('old'));
    const made = await planOf(store, state([declare('ren', { renamedFrom: keyName('old') }), declare('x')]));
    expect(verbs(narrow(made, { names: ['ol*'] }))).toEqual(['rename ren']);
    expect(narrow(made, { names: ['ol*'] }).notes).toEqual([]);
    const unverified = planNote('groups-unverified', 'not verified');
    expect(narrow({ ...made, notes: [unverified] }, { names: ['ol*'] }).notes).toEqual([unverified]);
    expect(narrow(made, { names: ['x'] }).notes).toMatchObject([{ code: 'no-budget', data: { name: 'x' } }]);
  });
});

describe('planDestroy', () => {
  it('deletes what is declared or in scope; protected and undeclared Smart Routing keys are retained', async () => {
    const store = emptyAccount();
    store.seed(live('prod-a'));
    store.seed(live('prod-b'));
    store.seed(live('prod-smart', { smartRouting: true }));
    store.seed(live('prod-root'));
    store.seed(live('other'));
    const desired = state([declare('prod-a')], { scope: ['prod-*'], protect: ['*-root'] });
    const made = planDestroy(desired, await observe(store, desired, { now: NOW }), NOW);
    expect(verbs(made)).toEqual(['delete prod-a', 'delete prod-b', 'retain prod-root', 'retain prod-smart']);
    expect(made.invisible).toBe(1);
  });
});

describe('fingerprint', () => {
  it('moves with a setting, not with consumption, a lazy status, or keys outside the scope', async () => {
    const store = emptyAccount({ reportsUse: true });
    const id = store.seed(live('a'));
    const other = store.seed(live('other'));
    const desired = state([declare('a')]);
    const first = (await planOf(store, desired)).fingerprint;
    store.spend(id, 5_000_000);
    store.spend(other, 1);
    Object.assign(store.records.get(id) ?? {}, { status: 4 });
    Object.assign(store.records.get(other) ?? {}, { group: 'vip' });
    expect((await planOf(store, desired)).fingerprint).toBe(first);
    Object.assign(store.records.get(id) ?? {}, { group: 'vip' });
    expect((await planOf(store, desired)).fingerprint).not.toBe(first);
  });
});

it('plan is pure: the same arguments give the same plan', async () => {
  const store = emptyAccount();
  store.seed(live('a'));
  const desired = state([declare('a', { group: 'vip' }), declare('b')]);
  const observed = await observe(store, desired, { now: NOW });
  expect(plan(desired, observed, NOW)).toEqual(plan(desired, observed, NOW));
});

describe('a record with a value that no key should have', () => {
  const oddAccount = () => {
    const store = emptyAccount();
    for (const name of ['a', 'b', 'foreign']) {
      const id = store.seed(live(name));
      if (name !== 'b') Object.assign(store.records.get(id) ?? {}, { status: 77, expired_time: -5 });
    }
    return store;
  };

  it('odd-record: is noted for each key that the manifest owns, and hides no other key', async () => {
    const { notes, changes } = await planOf(oddAccount(), state([declare('a'), declare('b')], { scope: ['a', 'b'] }));
    expect(notes.filter(({ code }) => code === 'odd-record')).toMatchObject([
      { data: { name: 'a' }, message: expect.stringMatching(/: status 77, expired_time -5$/) },
    ]);
    expect(changes.map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  it('is replaced only by a declared value', async () => {
    const { changes } = await planOf(oddAccount(), state([declare('a', { expires: null })]));
    expect(changes.filter(({ verb }) => verb === 'update')).toMatchObject([
      { edits: [{ field: 'expires', after: null }] },
    ]);
  });
});

describe('a gateway without a field for a setting', () => {
  const accountWithout = (...fields: readonly string[]) => {
    const store = emptyAccount();
    for (const name of ['a', 'b']) {
      const record = store.records.get(store.seed(live(name)));
      for (const field of fields) Reflect.deleteProperty(record ?? {}, field);
    }
    return store;
  };
  const declared = state([
    declare('a', { crossGroupRetry: true, smartRouting: '[]' }),
    declareNew('new', { crossGroupRetry: true }),
  ]);
  const supported = (notes: Plan['notes']) => notes.filter(({ code }) => code === 'not-supported');

  it('not-supported: leaves an optional setting out, and notes the keys that declare it', async () => {
    const store = accountWithout('smart_routing', 'smart_route_tiers', 'cross_group_retry');
    const { changes, notes } = await planOf(store, declared);
    expect(changes.map(({ verb, name }) => `${verb} ${name}`)).toEqual(['create new', 'keep a']);
    expect(supported(notes)).toMatchObject([
      {
        data: { name: 'a' },
        message: expect.stringContaining('cross-group retry and smart routing;'),
      },
      { data: { name: 'new' }, message: expect.stringContaining('does not have cross-group retry;') },
    ]);
    expect(reportFaults(await applied(store, state([declare('a', { crossGroupRetry: true })])))).toEqual([]);
  });

  it('names the field of a setting that is one of several', async () => {
    const { notes } = await planOf(accountWithout('smart_route_tiers'), declared);
    expect(supported(notes)).toMatchObject([
      { data: { name: 'a' }, message: expect.stringContaining('does not have smart routing;') },
    ]);
  });

  it('plans the setting as soon as one key shows the field', async () => {
    const store = accountWithout('cross_group_retry');
    store.seed(live('c'));
    const { changes, notes } = await planOf(store, state([declare('a', { crossGroupRetry: true })]));
    expect(changes).toMatchObject([{ verb: 'update', edits: [{ field: 'crossGroupRetry' }] }]);
    expect(supported(notes)).toEqual([]);
  });

  it('plans a setting that restricts the key all the same', async () => {
    const { changes } = await planOf(
      accountWithout('allow_ips'),
      state([declare('a', { allowIps: ['10.0.0.1/32' as IpRule] })]),
    );
    expect(changes).toMatchObject([{ verb: 'update', edits: [{ field: 'allowIps' }] }]);
  });
});

describe('a gateway whose keys have groups of their own for auto', () => {
  const GROUPS = { group: 'auto', crossGroupRetry: true } as const;
  const accountWith = (settings: Partial<KeySettings>, groups: readonly string[] | null) => {
    const store = emptyAccount({ groups: ['default', 'vip', 'auto'] });
    store.seed(live('a', settings), { extra: { auto_groups: groups } });
    return store;
  };
  const noted = (notes: Plan['notes'], code: string) =>
    notes.flatMap((note) => (note.code === code ? [note.message] : []));

  it('auto-groups-cleared: lists what a change of the group also clears', async () => {
    const desired = state([declare('a', { group: 'vip' })]);
    const { notes } = await planOf(accountWith(GROUPS, ['vip', 'default']), desired);
    expect(noted(notes, 'auto-groups-cleared')).toEqual([
      'with the group, the gateway also clears its groups for “auto” (vip, default) and cross-group retry',
    ]);
    const bare = accountWith({ group: 'auto' }, null);
    expect(noted((await planOf(bare, desired)).notes, 'auto-groups-cleared')).toEqual([]);
    const renamed = state([declare('b', { renamedFrom: keyName('a') })]);
    expect((await planOf(accountWith(GROUPS, ['vip']), renamed)).notes).toEqual([]);
  });

  it('not-supported: does not plan what the gateway clears in the group of the key, and a second apply has nothing to do', async () => {
    const store = accountWith({ group: 'vip' }, null);
    const desired = state([declare('a', { crossGroupRetry: true }), declareNew('new', { crossGroupRetry: true })]);
    const { changes, notes } = await planOf(store, desired);
    expect(verbs({ changes })).toEqual(['create new', 'keep a']);
    const text = 'this gateway keeps cross-group retry only in the group “auto”; the declared value has no effect';
    expect(noted(notes, 'not-supported')).toEqual([text, text]);
    expect(reportFaults(await applied(store, state([declare('a', { crossGroupRetry: true })])))).toEqual([]);
  });

  it('plans it in the group auto, and as soon as the key moves there', async () => {
    for (const before of ['auto', 'vip']) {
      const store = accountWith({ group: before }, null);
      const report = await applied(store, state([declare('a', GROUPS)]));
      expect([reportFaults(report), store.records.get(1)?.cross_group_retry]).toEqual([[], true]);
    }
  });

  it('keeps the groups for auto in every other update', async () => {
    const store = accountWith(GROUPS, ['gone']);
    await applied(store, state([declare('a', { models: ['gpt-4o'] })]));
    expect(store.records.get(1)).toMatchObject({ model_limits: 'gpt-4o', auto_groups: ['gone'] });
  });
});
