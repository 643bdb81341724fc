import { describe, expect, it } from 'vitest';
import { type DesiredState, keyId, keyName, quota } from '../../src/domain/index.ts';
import { apply, observe, type PlanOptions, plan, reportFaults } from '../../src/reconcile/index.ts';
import { declare, declareNew, emptyAccount, live, NOW, state } from './account.ts';
import { states } from './going-wrong.ts';

type Store = ReturnType<typeof emptyAccount>;
type Fields = Record<string, unknown>;

const set = (store: Store, id: number, fields: Fields): void => {
  Object.assign(store.records.get(id) ?? {}, fields);
};

/** Plans, lets a person change key 1, and applies. */
async function afterEdit(
  { desired, seeded = {}, status = 1, permissions = {} }: Scene,
  person: Fields | ((store: Store) => void),
  reportsUse = true,
) {
  const store = emptyAccount({ reportsUse });
  store.seed(live('a', seeded), { status });
  store.seed(live('b'));
  const observed = await observe(store, desired, { now: NOW });
  const made = plan(desired, observed, NOW, permissions);
  if (typeof person === 'function') person(store);
  else set(store, 1, person);
  const before = structuredClone(store.records.get(1));
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 4 });
  return { store, report, before, after: store.records.get(1) };
}

interface Scene {
  readonly desired: DesiredState;
  readonly seeded?: Parameters<typeof live>[1];
  readonly status?: number;
  readonly permissions?: PlanOptions;
}

const keepB = declare('b');
const SCENES = {
  delete: { desired: state([keepB], { scope: ['a', 'b'], prune: 'delete' }) },
  'disable by prune': { desired: state([keepB], { scope: ['a', 'b'], prune: 'disable' }) },
  'declared disable': { desired: state([declare('a', { enabled: false })]) },
  enable: { desired: state([declare('a')]), status: 2, permissions: { allowEnable: ['a'] } },
  update: { desired: state([declare('a', { group: 'vip' })]) },
  'update of a disabled key': { desired: state([declare('a', { group: 'vip' })]), status: 2 },
  rename: { desired: state([declare('c', { renamedFrom: keyName('a') })]) },
  budget: { desired: state([declare('a', { budget: { kind: 'initial', amount: { quota: quota(1000) } } })]) },
} satisfies Record<string, Scene>;

describe('a change whose key moved after it was planned', () => {
  it.each<[string, string, Scene, Fields, string]>([
    ...(Object.keys(SCENES) as (keyof typeof SCENES)[])
      .filter((title) => title !== 'budget')
      .map((title): [string, string, Scene, Fields, string] => [
        title,
        'renamed it out of the scope',
        SCENES[title],
        { name: 'mine' },
        'name is now "mine" (was "a")',
      ]),
    ['delete', 'changed its group', SCENES.delete, { group: 'vip' }, 'group is now "vip" (was "default")'],
    ['delete', 'disabled it', SCENES.delete, { status: 2 }, 'status is now disabled (was enabled)'],
    ['update', 'disabled it', SCENES.update, { status: 2 }, 'status is now disabled (was enabled)'],
    ['update', 'chose another group', SCENES.update, { group: 'other' }, 'group is now "other" (was "default")'],
    ['rename', 'disabled it', SCENES.rename, { status: 2 }, 'status is now disabled (was enabled)'],
    ['update', 'enabled it', SCENES['update of a disabled key'], { status: 1 }, 'status is now enabled (was disabled)'],
  ])('%s is skipped when somebody %s', async (_title, _act, scene, person, what) => {
    const { report, before, after } = await afterEdit(scene, person);
    expect(report.outcomes).toMatchObject([
      { state: 'skipped', code: 'plan.stale', reason: expect.stringContaining(what) },
    ]);
    expect(after).toEqual(before);
    expect(reportFaults(report)[0]?.code).toBe('apply.incomplete');
  });

  it('is named in the report with who lost', async () => {
    const { report } = await afterEdit(SCENES.delete, { name: 'mine' });
    expect(report.outcomes[0]).toMatchObject({
      reason:
        'changed by somebody else since it was planned: name is now "mine" (was "a"). Their change stays; this one was not made',
    });
  });

  it.each([true, false])('keeps a grant instead of overwriting the budget (use reported: %s)', async (reportsUse) => {
    const scene = { ...SCENES.budget, desired: state([declare('a', { budget: { kind: 'unlimited' } })]) };
    const limited = state([
      declare('a', {
        budget: { kind: 'top-up', amount: { quota: quota(9_000_000) }, below: { quota: quota(6_000_000) } },
      }),
    ]);
    const { report, after } = await afterEdit({ ...scene, desired: limited }, { remain_quota: 8_000_000 }, reportsUse);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale' }]);
    expect(after?.remain_quota).toBe(8_000_000);
  });
});

describe('a change whose key moved in another respect', () => {
  it('keeps what somebody changed in a field that is not planned', async () => {
    const { report, after } = await afterEdit(SCENES.update, {
      allow_ips: '10.0.0.1',
      model_limits: 'x',
      note: 'mine',
    });
    expect(states(report)).toEqual(['update a: applied']);
    expect(after).toMatchObject({ group: 'vip', allow_ips: '10.0.0.1', model_limits: 'x', note: 'mine' });
  });

  it('reports what somebody changed in a managed field that is not planned', async () => {
    const desired = state([declare('a', { group: 'vip', allowIps: null })]);
    const { report, after } = await afterEdit({ desired }, { allow_ips: '10.0.0.1' });
    expect(after).toMatchObject({ group: 'vip', allow_ips: '10.0.0.1' });
    expect(reportFaults(report)[0]?.code).toBe('apply.not-converged');
  });

  it.each<[string, Scene, Fields]>([
    ['a key that expired is disabled', SCENES['disable by prune'], { status: 3 }],
    ['a key that is exhausted is deleted', SCENES.delete, { status: 4 }],
    ['a key that was topped up is deleted', SCENES.delete, { remain_quota: 9_000_000 }],
    ['an update that somebody else made already succeeds', SCENES.update, { group: 'vip' }],
    ['a rename that somebody else made already succeeds', SCENES.rename, { name: 'c' }],
    ['a disable that somebody else made already succeeds', SCENES['declared disable'], { status: 2 }],
    ['an enable that somebody else made already succeeds', SCENES.enable, { status: 1 }],
  ])('%s', async (_title, scene, person) => {
    const { report } = await afterEdit(scene, person);
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(reportFaults(report)).toEqual([]);
  });

  it('deletes a key that has spent since', async () => {
    const { report } = await afterEdit(SCENES.delete, (store) => store.spend(keyId(1), 5));
    expect(states(report)).toEqual(['delete a: applied']);
  });

  it('does not take its own disable for that of somebody else', async () => {
    const desired = state([declare('a', { enabled: false, group: 'vip' })]);
    const { report } = await afterEdit({ desired }, {});
    expect(states(report)).toEqual(['disable a: applied', 'update a: applied']);
  });
});

describe('a long run', () => {
  const doomed = Array.from({ length: 250 }, (_, n) => `k${String(n).padStart(3, '0')}`);

  it.each(['delete', 'disable'] as const)('reads the keys of each batch again before it %ss them', async (prune) => {
    const store = emptyAccount();
    for (const name of doomed) store.seed(live(name));
    // When the first batch is written, somebody renames a key of the second and the third.
    const taken = new Set<number>();
    store.hook = (operation) => {
      if (operation !== 'delete' && operation !== 'setEnabled') return;
      const left = [...store.records.values()].filter(
        ({ id, name, status }) => status === 1 && name.startsWith('k') && !taken.has(id),
      );
      if (taken.size > 0 || left.length === 0) return;
      for (const key of [left.at(-1), left.at(0)]) {
        if (key) set(store, key.id, { name: `mine-${key.id}` });
        if (key) taken.add(key.id);
      }
    };
    const desired = state([declareNew('kept')], { scope: ['k*'], prune });
    const observed = await observe(store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    await apply(made, store, { observed, desired, now: () => NOW, concurrency: 1 });
    const mine = [...store.records.values()].filter(({ name }) => name.startsWith('mine-'));
    expect(mine.length).toBeGreaterThanOrEqual(1);
    // One of them may have been in the batch that was already on its way.
    expect(mine.filter(({ status }) => status === 1).length).toBeGreaterThanOrEqual(1);
    expect(store.calls.readMany).toBe(3);
  });
});
