import { describe, expect, it } from 'vitest';
import {
  type DesiredState,
  decimalOf,
  type KeyId,
  keyId,
  keyName,
  type ObservedKey,
  type ObservedState,
  planNote,
  quota,
  type Unverified,
} from '../../src/domain/index.ts';
import { fingerprint, leavesNoRoom, narrow, plan, planDestroy, planNamed, preview } from '../../src/reconcile/index.ts';
import { plainKey } from '../plain-key.ts';
import { declare, declareNew, NOW, state, verbs } from './account.ts';

const seen = (keys: readonly ObservedKey[], more: Partial<ObservedState> = {}): ObservedState => ({
  account: { url: 'memory://account', userId: 1 },
  quotaPerUnit: decimalOf(500_000),
  keys,
  used: new Map(),
  ...more,
});

const named = (id: number, name: string, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(id, { name, ...more });
const planned = (desired: DesiredState, keys: readonly ObservedKey[], more: Partial<ObservedState> = {}) =>
  plan(desired, seen(keys, more), NOW, { allowEnable: ['on'] });

describe('a preview', () => {
  it('is the plan without the exposure of the keys and without the fingerprint', () => {
    const desired = state([declare('on', { group: 'vip' }), declareNew('new')]);
    const observed = seen([named(1, 'on', { status: 'disabled' }), named(2, 'other')]);
    const options = { allowEnable: ['on'] };
    const { policies, fingerprint: print, ...rest } = plan(desired, observed, NOW, options);
    expect(policies.length).toBeGreaterThan(0);
    expect(print).toMatch(/^sha256:/);
    expect(preview(desired, observed, NOW, options)).toEqual(rest);
  });
});

describe('the room for new keys', () => {
  const keysOf = (n: number) => Array.from({ length: n }, (_, index) => plainKey(index + 1));
  const wanted = (creates: number) =>
    state([declare('key-1', { group: 'vip' }), ...Array.from({ length: creates }, (_, n) => declareNew(`new-${n}`))]);

  it.each([
    [998, 0, false, undefined],
    [999, 0, false, undefined],
    [997, 1, false, undefined],
    [998, 1, true, undefined],
    [998, 2, true, undefined],
    [999, 1, true, undefined],
    [999, 2, true, 1001],
    [1000, 0, false, undefined],
    [1000, 1, false, 1001],
    [1001, 0, false, undefined],
  ])('of %i keys and %i creates: a claim takes a place: %s, noted total: %s', (keys, creates, claimed, total) => {
    const { changes, notes } = planned(wanted(creates), keysOf(keys));
    expect(leavesNoRoom(changes, { keys: keysOf(keys) })).toBe(claimed);
    const message = `the account will have ${total} keys; most gateways allow 1000 for each user, and refuse further ones`;
    const limits = notes.filter(({ code }) => code === 'key-limit');
    expect(limits).toEqual(total === undefined ? [] : [planNote('key-limit', message)]);
  });
});

describe('the order of a plan', () => {
  const mixed = [named(5, 'b'), named(4, 'a'), named(3, 'twin'), named(2, 'twin'), named(1, 'twin')];

  it.each([false, true])('depends on names and IDs, not on the order of the listing (reversed: %s)', (reversed) => {
    const keys = reversed ? [...mixed].reverse() : mixed;
    const made = planned(state([declare('b'), declare('a')], { scope: ['*'], prune: 'delete' }), keys);
    expect(made.changes.map((change) => 'id' in change && change.id)).toEqual([1, 2, 3, 4, 5]);
    expect(made.policies.map(({ name, id }) => `${name} ${id}`)).toEqual(['a 4', 'b 5', 'twin 1', 'twin 2', 'twin 3']);
    expect(made.fingerprint).toBe(planned(state([declare('a'), declare('b')], { scope: ['*'] }), mixed).fingerprint);
  });

  it('puts a pruned disable after an enable, and a declared one before all else', () => {
    const desired = state([declare('on'), declare('off', { enabled: false }), declareNew('new')], {
      scope: ['*'],
      prune: 'disable',
    });
    const keys = [named(1, 'pruned'), named(2, 'on', { status: 'disabled' }), named(3, 'off')];
    expect(verbs(planned(desired, keys))).toEqual(['disable off', 'create new', 'enable on', 'disable pruned']);
  });

  it('puts notes that are about no key first', () => {
    const desired = state([declareNew('A', { group: 'vip', models: ['m'] }), declare('B')]);
    expect(planned(desired, []).notes).toEqual([
      planNote('groups-unverified', 'the groups were not verified: the gateway lists them in an unknown format'),
      planNote('models-unverified', 'the models were not verified: no API key was given to list them with'),
      planNote('no-budget', 'no budget is declared, and a new key needs one', 'B'),
    ]);
  });
});

describe('the notes about one key', () => {
  const limited = { unlimited: false, remain: quota(0) } as const;
  const lifetime = (units: number) => ({ kind: 'lifetime', amount: { quota: quota(units) } }) as const;
  const topUp = { kind: 'top-up', amount: { quota: quota(10) }, below: { quota: quota(5) } } as const;
  it.each<[string, Parameters<typeof declare>[1], Partial<ObservedKey>, string[]]>([
    ['expired', { group: '' }, { expires: NOW }, ['expired-undeclared: expired; its expiry is not declared']],
    ['expired as declared', { expires: NOW }, { expires: NOW }, ['expired-as-declared: expired, as declared']],
    ['expires later', {}, { expires: NOW + 1 }, []],
    ['expired, declared disabled', { enabled: false }, { expires: NOW, status: 'disabled' }, []],
    ['exhausted', {}, limited, ['exhausted-as-declared: its budget is used up']],
    ['exhausted, declared disabled', { enabled: false }, { ...limited, status: 'disabled' }, []],
    [
      'disabled, status not managed',
      { enabled: undefined },
      { ...limited },
      ['exhausted-as-declared: its budget is used up'],
    ],
    [
      'topped up by hand',
      { budget: topUp },
      { unlimited: false, remain: quota(50), used: quota(0) },
      [
        'topped-up-by-hand: the key was topped up by hand: it holds more than its budget ever granted; `below` leaves that as it is',
      ],
    ],
    ['within its grant', { budget: lifetime(50) }, { unlimited: false, remain: quota(50), used: quota(0) }, []],
  ])('%s', (_, declared, observed, expected) => {
    const { notes } = planned(state([declare('a', declared)]), [named(1, 'a', observed)]);
    expect(notes.map(({ code, message }) => `${code}: ${message}`)).toEqual(expected);
  });
});

describe('a budget whose use', () => {
  const lifetime = { kind: 'lifetime', amount: { quota: quota(100) } } as const;
  const window = { kind: 'window', amount: { quota: quota(100) }, per: 'hour' } as const;
  const key = (more: Partial<ObservedKey> = {}) =>
    named(1, 'a', { unlimited: false, remain: quota(10), used: quota(30), ...more });
  const edited = (
    budget: typeof lifetime | typeof window,
    more: { used?: ReadonlyMap<KeyId, ReturnType<typeof quota>>; unverified?: ReadonlyMap<KeyId, Unverified> },
    of = key(),
  ) => {
    const { changes, notes } = planned(state([declare('a', { budget, group: 'vip' })]), [of], more);
    const edits = changes.flatMap((change) => ('edits' in change ? change.edits : []));
    const remain = edits.find(({ field }) => field === 'remain')?.after;
    return [remain, ...notes.flatMap(({ code }) => (code.startsWith('groups') ? [] : [code]))];
  };
  const unverified = (reason: Unverified) => ({ unverified: new Map([[keyId(1), reason]]) });
  const used = new Map([[keyId(1), quota(60)]]);

  it.each<[string, Parameters<typeof edited>, unknown[]]>([
    ['a record reports leaves the rest of a lifetime', [lifetime, {}], [70]],
    ['no record reports leaves a lifetime whole', [lifetime, {}, key({ used: undefined as never })], [100]],
    ['the log shows is preferred', [lifetime, { used }], [40]],
    ['a record reports does not count for a window', [window, {}], [100]],
    ['the log shows within a window', [window, { used }], [40]],
    ['could not be determined stays unwritten', [window, unverified('busy')], [undefined, 'budget-unverified']],
    ['is in a log that is too long stays unwritten', [window, unverified('log-too-long')], [undefined]],
    [
      'the log shows in part is written so far',
      [window, { used, ...unverified('log-incomplete') }],
      [40, 'log-incomplete'],
    ],
  ])('%s', (_, args, expected) => {
    expect(edited(...args)).toEqual(expected);
  });
});

describe('a plan', () => {
  it('shows the wallet where it was read', () => {
    expect(planned(state([]), [], { wallet: quota(7) }).wallet).toBe(7);
    expect(planned(state([]), [])).not.toHaveProperty('wallet');
  });

  it('shows where each key is declared', () => {
    const place = { file: 'keys.yaml', line: 3, column: 5 };
    const desired = state([
      declareNew('new', { place }),
      declare('on', { place, group: 'vip' }),
      declare('kept', { place }),
    ]);
    const made = planned(desired, [named(1, 'on', { status: 'disabled' }), named(2, 'kept')]);
    expect(made.changes.map((change) => [change.verb, 'place' in change && change.place])).toEqual(
      ['create', 'update', 'enable', 'keep'].map((verb) => [verb, place]),
    );
    expect(planned(state([declare('kept')]), [named(2, 'kept')]).changes[0]).not.toHaveProperty('place');
  });

  it('retains the source of a rename by ID whose new name is taken', () => {
    const desired = state([declare('b', { renamedFrom: keyId(1) })], { scope: ['*'], prune: 'delete' });
    const made = planned(desired, [named(1, 'a'), named(2, 'b'), named(3, 'c')]);
    expect(verbs(made)).toEqual(['delete c', 'keep b', 'retain a']);
    expect(made.changes[2]).toMatchObject({ id: 1, reason: 'rename-source' });
  });

  it('that is narrowed to the old name of a key keeps the policy of that key alone', () => {
    const desired = state([
      declare('new', { renamedFrom: keyName('old') }),
      declare('other', { renamedFrom: keyName('x') }),
    ]);
    const made = planned(desired, [named(1, 'old'), named(2, 'x')]);
    expect(narrow(made, { names: ['old'] }).policies.map(({ name }) => name)).toEqual(['new']);
  });

  it('of a destruction gives the reason for each key', () => {
    const desired = state([declare('smart')], { scope: ['*'], protect: ['root'] });
    const keys = [
      named(1, 'smart', { smartRouting: true }),
      named(2, 'found', { smartRouting: true }),
      named(3, 'root'),
    ];
    expect(planDestroy(desired, seen(keys), NOW).changes).toMatchObject([
      { verb: 'delete', name: 'smart', id: 1, reason: 'destroyed' },
      { verb: 'retain', name: 'found', id: 2, reason: 'smart-routing' },
      { verb: 'retain', name: 'root', id: 3, reason: 'protected' },
    ]);
  });

  it.each([
    ['enable', 'permitted'],
    ['disable', 'declared'],
    ['delete', 'destroyed'],
  ] as const)('of named keys makes one change of each: %s', (verb, reason) => {
    const made = planNamed(verb, seen([named(2, 'b'), named(1, 'a')]), NOW);
    expect(made).toMatchObject({
      changes: [
        { verb, reason, id: 1, name: 'a', before: { id: 1, status: 'enabled' } },
        { verb, reason, id: 2, name: 'b', before: { id: 2, status: 'enabled' } },
      ],
      at: NOW,
      owned: 2,
      invisible: 0,
      notes: [],
      policies: [],
    });
  });
});

describe('plan.ambiguous', () => {
  it('shows what distinguishes the keys of each name', () => {
    const seenAt = { used: quota(3), createdAt: 100, accessedAt: 200 };
    const off = { group: 'vip', status: 'disabled' } as const;
    const keys = [named(1, 'a', seenAt), named(2, 'a', off), named(3, 'b'), named(4, 'b')];
    const facts = (id: number, name: string, more: object = {}) => ({
      id,
      name,
      group: '',
      status: 'enabled',
      ...more,
    });
    const detail = {
      ambiguous: [
        { name: 'a', ids: [1, 2], keys: [facts(1, 'a', seenAt), facts(2, 'a', off)] },
        { name: 'b', ids: [3, 4], keys: [facts(3, 'b'), facts(4, 'b')] },
      ],
    };
    const names = '“a” is the name of keys 1 and 2; “b” is the name of keys 3 and 4';
    expect(() => planned(state([declare('b'), declare('a')]), keys)).toThrow(
      expect.objectContaining({
        message: `Several live keys match one declared name: ${names}.`,
        hint: 'Find out which one is in use, then delete or rename the other one in the gateway.',
        remedy: 'remove-duplicates',
        detail,
      }),
    );
  });
});

describe('a plan', () => {
  const made = planned(state([declare('a', { group: 'vip' }), declareNew('new')]), [named(1, 'a'), named(2, 'b')]);

  it('is plain data, which nothing computes when it is read', () => {
    const accessors = (value: unknown): readonly string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([name, { get, value: member }]) =>
            get ? [name] : accessors(member),
          );
    expect(accessors(made)).toEqual([]);
    expect(structuredClone(made)).toEqual(made);
  });

  it('does not change with what it was made of', () => {
    const make = (key: ObservedKey) => planned(state([declare('a')]), [key]);
    const key = named(1, 'a');
    const early = make(key);
    Object.assign(key, { group: 'vip' });
    expect(early.fingerprint).toBe(make(named(1, 'a')).fingerprint);
    expect(early.fingerprint).not.toBe(make(key).fingerprint);
  });
});

describe('the fingerprint of an account', () => {
  const keys = [named(1, 'a', { unlimited: false, remain: quota(5), used: quota(3) }), named(2, 'b')];
  const of = (...changed: readonly Partial<ObservedKey>[]) =>
    fingerprint(
      seen([]),
      keys.map((key, n) => ({ ...key, ...changed[n] })),
    );

  it('is a hash, in any order of the keys', () => {
    // Plans that earlier versions saved contain it.
    expect(of()).toBe('sha256:84df5141e0e7e3999838fd69db05cef97012fd93e5312f54e9e156b331a8e614');
    expect(fingerprint(seen([]), [...keys].reverse())).toBe(of());
  });

  it.each<[string, boolean, Partial<ObservedKey>]>([
    ['consumption', true, { remain: quota(4), used: quota(4) }],
    ['an exhausted status', true, { status: 'exhausted' }],
    ['a grant', false, { remain: quota(6) }],
    ['a disable', false, { status: 'disabled' }],
    ['another name', false, { name: 'c' }],
  ])('with %s is the same: %s', (_, same, changed) => {
    expect(of(changed) === of()).toBe(same);
  });

  it('changes with the rate', () => {
    expect(fingerprint(seen([], { quotaPerUnit: decimalOf(1) }), keys)).not.toBe(of());
  });
});
