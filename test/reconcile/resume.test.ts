import { describe, expect, it } from 'vitest';
import {
  type Budget,
  type DesiredState,
  decimalOf,
  keyId,
  keyName,
  type Moved,
  quota,
} from '../../src/domain/index.ts';
import { narrow, observe, plan, resume } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, emptyAccount, live, NOW, state, TRUSTED, verbs } from './account.ts';

const A = keyId(1);
const usd = (dollars: number) => ({ usd: decimalOf(dollars) });
const once = (dollars: number): Budget => ({ kind: 'lifetime', amount: usd(dollars) });
const monthly = (dollars: number): Budget => ({ kind: 'window', amount: usd(dollars), per: 'month' });
const NEXT_MONTH = Date.UTC(2026, 11, 1) / 1000;

interface Story {
  readonly desired: DesiredState;
  /** The desired state of the resumption where it is another: a plan file can be edited with its checksum. */
  readonly forged?: DesiredState;
  readonly happen: (store: MemoryStore) => void;
  readonly now?: number;
  readonly reportsUse?: boolean;
  readonly only?: readonly string[];
  readonly live?: Parameters<typeof live>[1];
  readonly seeded?: Parameters<MemoryStore['seed']>[1];
}

const lineOf = ({ name, what }: Moved): string => `${name}: ${what}`;

/** Makes a plan for an account with the key `a` ($10), lets something happen, and resumes the plan. */
async function resumed({
  desired,
  forged = desired,
  happen,
  now = NOW,
  reportsUse = true,
  only,
  live: more = {},
  seeded,
}: Story) {
  const clock = { now: NOW };
  const store = emptyAccount({ reportsUse, now: () => clock.now });
  store.seed(live('a', more), seeded);
  const made = plan(desired, await observe(store, desired, { now: NOW, ...TRUSTED }), NOW);
  const saved = only ? narrow(made, { names: only }) : made;
  happen(store);
  clock.now = now;
  const observed = await observe(store, forged, { now, ...TRUSTED });
  const result = resume(saved, { desired: forged, observed, now });
  return {
    saved: verbs(saved),
    plan: verbs(result.plan),
    stale: result.stale.map(lineOf),
    harmless: result.harmless.map(lineOf),
    leftOut: [...result.leftOut],
    result,
  };
}

const spend = (store: MemoryStore): void => store.spend(A, 500_000);
const set = (fields: object) => (store: MemoryStore) => void Object.assign(store.records.get(1) ?? {}, fields);

describe('a saved plan that is resumed', () => {
  it.each([true, false])('survives a request of a key that it changes (use reported: %s)', async (reportsUse) => {
    const desired = state([declare('a', { budget: once(25), group: 'vip' }), declare('b', { budget: once(1) })]);
    const { stale, plan: made, harmless, result } = await resumed({ desired, happen: spend, reportsUse });
    expect([stale, made]).toEqual([[], ['create b', 'update a']]);
    expect(harmless).toEqual(['a: its remaining budget is set to $24.00; the saved plan has $25.00']);
    expect(result.plan.changes).toContainEqual(
      expect.objectContaining({
        name: 'a',
        edits: expect.arrayContaining([expect.objectContaining({ field: 'remain', after: 24 * 500_000 })]),
      }),
    );
  });

  it('survives the start of a new month, and computes the refill again', async () => {
    const desired = state([declare('a', { budget: monthly(25) })]);
    const { stale, harmless } = await resumed({ desired, happen: spend, now: NEXT_MONTH });
    expect([stale, harmless]).toEqual([[], []]);
  });

  it('leaves out a refill that became due, because nobody saw it', async () => {
    const desired = state([declare('a', { budget: monthly(10) }), declare('b', { budget: once(1) })]);
    const { saved, plan: made, stale, harmless, leftOut } = await resumed({ desired, happen: spend, now: NEXT_MONTH });
    expect([saved, made]).toEqual([['create b', 'keep a'], ['create b']]);
    expect([stale, leftOut]).toEqual([[], ['update 1']]);
    expect(harmless).toEqual(['a: a change of its remaining budget is due; it is not part of the saved plan']);
  });

  it.each([
    [
      'another field in an update',
      declare('a', { group: 'vip' }),
      declare('a', { group: 'vip', models: null }),
      'a: its models would change now; the saved plan does not do that',
    ],
    [
      'another name in a rename',
      declare('b', { renamedFrom: keyName('a') }),
      declare('c', { renamedFrom: keyName('a') }),
      'b: another name is declared now',
    ],
    [
      'another status in a create',
      declare('b', { budget: once(1), enabled: false }),
      declare('b', { budget: once(1), enabled: true }),
      'b: another status is declared now',
    ],
  ])('is stale with %s that nobody reviewed', async (_, reviewed, forged, line) => {
    const { stale } = await resumed({
      desired: state([reviewed]),
      forged: state([forged]),
      happen: () => {},
      live: { models: ['alpha-chat-1'] },
    });
    expect(stale).toContain(line);
  });

  it('leaves out what is done already', async () => {
    const desired = state([declare('a', { group: 'vip', budget: once(10) })]);
    const { plan: made, stale, harmless } = await resumed({ desired, happen: set({ group: 'vip' }) });
    expect([made, stale]).toEqual([['keep a'], []]);
    expect(harmless).toEqual(['a: it no longer needs to be updated']);
  });

  it.each<[Budget, number, number]>([
    [once(5), 5_000_000, 50_000_000],
    [monthly(5), 5_000_000, 50_000_000],
    [{ kind: 'top-up', amount: usd(5), below: usd(1) }, 100_000, 200_000],
  ])('computes the remainder of a key again whose budget it writes: %o', async (budget, before, after) => {
    const desired = state([declare('a', { budget })]);
    const happen = set({ remain_quota: after });
    const { stale, harmless } = await resumed({ desired, happen, live: { remain: quota(before) } });
    expect([stale, harmless]).toEqual([[], []]);
  });

  it('sets a remainder that the saved plan left alone, and lists it', async () => {
    const desired = state([declare('a', { group: 'vip', budget: once(10) })]);
    const { stale, harmless } = await resumed({ desired, happen: set({ remain_quota: 3_000_000 }) });
    expect([stale, harmless]).toEqual([
      [],
      ['a: its remaining budget is set to $10.00; the saved plan did not set it'],
    ]);
  });

  it('sets a remainder that a refund raised as far as the policy allows', async () => {
    const desired = state([declare('a', { budget: once(25), group: 'vip' })]);
    const happen = (store: MemoryStore): void => store.spend(A, -500_000);
    const { stale, harmless } = await resumed({ desired, happen, seeded: { used: 500_000 } });
    expect([stale, harmless]).toEqual([[], ['a: its remaining budget is set to $25.00; the saved plan has $24.00']]);
  });

  it('does not set a remainder that somebody has set already', async () => {
    const desired = state([declare('a', { group: 'vip', budget: once(25) })]);
    const { plan: made, stale, harmless } = await resumed({ desired, happen: set({ remain_quota: 12_500_000 }) });
    expect([made, stale, harmless]).toEqual([['update a'], [], []]);
  });

  it('leaves out a disable of a key that somebody has disabled', async () => {
    const desired = state([declare('a', { enabled: false })]);
    const { stale, harmless } = await resumed({ desired, happen: set({ status: 2 }) });
    expect([stale, harmless]).toEqual([[], ['a: it no longer needs to be disabled']]);
  });

  it('does not enable a key that somebody disabled since, although it repairs it', async () => {
    const desired = state([declare('a', { budget: once(25) })]);
    const { saved, plan: made } = await resumed({
      desired,
      happen: set({ status: 2 }),
      live: { remain: quota(0) },
      seeded: { status: 4 },
    });
    expect(saved).toEqual(['update a', 'enable a']);
    expect(made).not.toContain('enable a');
  });

  it('leaves out the repair of a key whose refill became due', async () => {
    const desired = state([declare('a', { budget: monthly(10) })]);
    const happen = (store: MemoryStore): void => {
      store.spend(A, 5_000_000);
      set({ status: 4 })(store);
    };
    const { plan: made, stale, leftOut, harmless } = await resumed({ desired, happen, now: NEXT_MONTH });
    expect([made, stale, leftOut]).toEqual([[], [], ['update 1', 'enable 1']]);
    expect(new Set(harmless)).toEqual(
      new Set(['a: a change of its remaining budget is due; it is not part of the saved plan']),
    );
  });

  it('keeps the enables that were permitted, the manifest and the policies that a reviewer saw', async () => {
    const desired = state([declare('a', { budget: once(10) }), declare('b', { budget: once(1) })]);
    const store = emptyAccount();
    store.seed(live('a'), { status: 2 });
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    const made = plan(desired, observed, NOW, { allowEnable: ['a'] });
    const policies = made.policies.map((policy) => ({ ...policy, before: once(7) }));
    const facts = { manifest: { digest: 'sha256:0' }, assumesLogComplete: true } as const;
    const again = resume({ ...made, ...facts, policies }, { desired, observed, now: NOW }).plan;
    expect([verbs(again), verbs(made)]).toEqual([verbs(made), ['create b', 'enable a']]);
    expect(again).toMatchObject(facts);
    expect(again.policies.map(({ name, before }) => ({ name, before }))).toEqual([
      { name: 'a', before: once(7) },
      { name: 'b', before: once(7) },
    ]);
    const plain = resume({ ...made, policies: [] }, { desired, observed, now: NOW }).plan;
    expect(plain).not.toHaveProperty('manifest');
    expect(plain).not.toHaveProperty('assumesLogComplete');
    expect(plain.policies).toEqual(made.policies);
  });

  it.each<[string, DesiredState['keys'], DesiredState['keys'], Moved[]]>([
    [
      'another budget of a key',
      [declare('a', { budget: once(10) })],
      [declare('a', { budget: once(20) })],
      [{ name: 'a', id: A, what: 'another budget is declared now' }],
    ],
    [
      'another budget of a new key',
      [declare('b', { budget: once(1) })],
      [declare('b', { budget: once(2) })],
      [{ name: 'b', what: 'another budget is declared now' }],
    ],
    [
      'an update that is gone',
      [declare('a', { group: 'vip' })],
      [declare('a')],
      [{ name: 'a', id: A, what: 'its update is no longer declared' }],
    ],
    [
      'another value in an update',
      [declare('a', { group: 'vip' })],
      [declare('a', { group: 'other' })],
      [{ name: 'a', id: A, what: 'another group is declared now' }],
    ],
    [
      'another value in a create',
      [declare('b', { budget: once(1) })],
      [declare('b', { budget: once(1), group: 'vip' })],
      [{ name: 'b', what: 'another group is declared now' }],
    ],
  ])('is stale for one reason with %s', async (_, reviewed, forged, moves) => {
    const { result } = await resumed({ desired: state(reviewed), forged: state(forged), happen: () => {} });
    expect(result.stale).toStrictEqual(moves);
  });

  const edited = state([declare('a', { group: 'vip', budget: once(10) })]);
  const elsewhere = state([], { scope: ['other-*'], prune: 'delete' });
  const managing = (prune: 'never' | 'delete', keys: DesiredState['keys'] = []) => state(keys, { scope: ['*'], prune });

  it.each<[string, Story, string[]]>([
    [
      'somebody changed a setting of a key that it changes',
      { desired: edited, happen: set({ allow_ips: '10.0.0.0/8' }) },
      ['a: allowIps is now ["10.0.0.0/8"] (was unset)'],
    ],
    [
      'somebody made its update, and disabled the key',
      {
        desired: state([declare('a', { group: 'vip', enabled: undefined })]),
        happen: set({ group: 'vip', status: 2 }),
      },
      ['a: its status is now disabled (was enabled)'],
    ],
    [
      'somebody gave more to a key that it changes, and whose budget is not managed',
      { desired: state([declare('a', { group: 'vip' })]), happen: set({ remain_quota: 50_000_000 }) },
      ['a: its remaining budget is now $100.00 (was $10.00)'],
    ],
    [
      'somebody gave more to a key that it changes, and whose first budget was used',
      {
        desired: state([declare('a', { group: 'vip', budget: { kind: 'initial', amount: usd(10) } })]),
        happen: set({ remain_quota: 50_000_000 }),
      },
      ['a: its remaining budget is now $100.00 (was $10.00)'],
    ],
    [
      'somebody enabled a key whose status is not managed',
      {
        desired: state([declare('a', { enabled: undefined, budget: once(10) })]),
        seeded: { status: 2 },
        happen: set({ status: 1 }),
      },
      ['a: its exposure is $10.00 now (was $0.00)'],
    ],
    [
      'two keys of one name appeared',
      {
        desired: managing('never'),
        happen: (store) => {
          for (const name of ['b', 'b']) store.seed(live(name));
        },
      },
      ['b: it is new', 'b: it is new'],
    ],
    [
      'somebody lifted the limit of a key whose budget it writes',
      { desired: state([declare('a', { budget: once(5) })]), happen: set({ unlimited_quota: true }) },
      ['a: unlimited is now true (was false)', 'a: its budget would change now; the saved plan does not do that'],
    ],
    [
      'somebody changed a declared setting of a key that it keeps',
      { desired: state([declare('a', { group: 'default' })]), happen: set({ group: 'other' }) },
      ['a: it would be updated now; the saved plan does not do that'],
    ],
    [
      'somebody changed a declared setting and the remainder of a key that it keeps',
      {
        desired: state([declare('a', { group: 'default', budget: once(10) })]),
        happen: set({ group: 'other', remain_quota: 1 }),
      },
      ['a: it would be updated now; the saved plan does not do that'],
    ],
    [
      'somebody added budget by hand to a key that it keeps',
      { desired: state([declare('a', { budget: once(10) })]), happen: set({ remain_quota: 50_000_000 }) },
      ['a: its exposure is $100.00 now (was $10.00)'],
    ],
    [
      'somebody lifted the limit of a key whose budget is not managed',
      { desired: managing('never'), happen: set({ unlimited_quota: true }) },
      ['a: its exposure is without a limit now (was $10.00)'],
    ],
    [
      'a key appeared that it would delete',
      { desired: managing('delete'), happen: (store) => void store.seed(live('b')) },
      ['b: it is new'],
    ],
    [
      'a key appeared that it would keep',
      { desired: managing('never'), happen: (store) => void store.seed(live('b')) },
      ['b: it is new'],
    ],
    [
      'a key vanished that it keeps',
      { desired: state([declare('a')]), happen: (store) => void store.records.delete(1) },
      ['a: it no longer exists'],
    ],
    [
      'a key vanished that it changes',
      { desired: edited, happen: (store) => void store.records.delete(1) },
      ['a: it no longer exists'],
    ],
    [
      'a key that it deletes is no longer owned',
      { desired: managing('delete'), forged: elsewhere, happen: () => {} },
      ['a: it is no longer owned'],
    ],
    [
      'a key that it disables is no longer owned',
      { desired: state([], { scope: ['*'], prune: 'disable' }), forged: elsewhere, happen: () => {} },
      ['a: it is no longer owned'],
    ],
    [
      'a key that it updates is no longer owned',
      { desired: edited, forged: elsewhere, happen: () => {} },
      ['a: it is no longer owned'],
    ],
    [
      'somebody renamed a key that it keeps',
      { desired: state([declare('a')]), happen: set({ name: 'mine' }) },
      ['a: name is now "mine" (was "a")'],
    ],
    [
      'somebody renamed a key that it keeps, and that stays in the scope',
      { desired: managing('never', [declare('a', { budget: once(10) })]), happen: set({ name: 'mine' }) },
      ['a: name is now "mine" (was "a")'],
    ],
    [
      'somebody renamed a key that it changes',
      { desired: edited, happen: set({ name: 'mine' }) },
      ['a: name is now "mine" (was "a")'],
    ],
    [
      'somebody gave another name to a key that it renames',
      { desired: state([declare('b', { renamedFrom: keyName('a') })]), happen: set({ name: 'mine' }) },
      ['b: name is now "mine" (was "a")'],
    ],
    [
      'somebody enabled a key that stays disabled',
      {
        desired: state([declare('a', { enabled: false, budget: once(10) })]),
        live: {},
        happen: (store) => {
          set({ status: 2 })(store);
          set({ status: 1, group: 'other' })(store);
        },
      },
      ['a: group is now "other" (was "default")'],
    ],
  ])('is stale when %s', async (_, story, lines) => {
    expect((await resumed(story)).stale).toEqual(lines);
  });

  it('is not concerned with other keys when it was narrowed', async () => {
    const desired = state([declare('a', { group: 'vip' }), declare('b')]);
    const happen = set({ group: 'other', status: 2 });
    const { stale, plan: made, result } = await resumed({ desired, only: ['b'], happen });
    expect([stale, made]).toEqual([[], ['create b']]);
    expect(result.plan.policies.map(({ name }) => name)).toEqual(['b']);
  });

  it('is stale when the rate changed', async () => {
    const desired = state([declare('a', { budget: once(25) })]);
    const store = emptyAccount();
    store.seed(live('a', { remain: quota(1) }));
    const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
    const saved = plan(desired, observed, NOW);
    const { stale } = resume(saved, { desired, observed: { ...observed, quotaPerUnit: decimalOf(1000) }, now: NOW });
    expect(stale.map(lineOf)).toContain('the gateway: one dollar is now 1000 quota units (was 500000)');
  });
});
