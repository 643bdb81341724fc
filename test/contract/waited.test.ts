import { afterEach, describe, expect, it } from 'vitest';
import { type DesiredState, decimalOf, type KeyId, keyId, keyName } from '../../src/domain/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import { declare, NOW, state } from '../reconcile/account.ts';
import { overHttp } from './bodies.ts';
import { controlOf } from './control.ts';

const SEED = {
  accounts: [{ userId: 7, quota: 50_000_000 }],
  keys: [
    { id: 1, name: 'a', remain_quota: 500_000, group: 'default' },
    { id: 2, name: 'b', remain_quota: 500_000, group: 'default' },
  ],
};
const LIMITED = { kind: 'empty-429', retryAfter: 180, times: 1 };
const REFUSED_CONNECTION = { kind: 'cut-before', times: 1 };

let close = async (): Promise<void> => {};
afterEach(() => close());

/** Applies a state while the gateway holds the first write back, and somebody edits key 1 meanwhile. */
async function applyHeldBack(desired: DesiredState, failure: object, person: Readonly<Record<string, unknown>>) {
  let edits = 0;
  const body = await overHttp('deployed', {
    seed: SEED,
    control: true,
    whileWaiting: async () => {
      edits += 1;
      if (edits === 1) await controlOf(body.reference.url).patchKey(1, person);
    },
  });
  close = body.close;
  const control = controlOf(body.reference.url);
  const observed = await observe(body.store, desired, { now: NOW });
  const made = plan(desired, observed, NOW);
  await control.script(failure);
  const report = await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 1 });
  const { keys } = await control.state();
  const stored = (id: number | KeyId) => keys.find((key) => key.id === id);
  return { report, stored, edits };
}

describe('a write that had to wait', () => {
  const update = state([declare('a', { group: 'vip' })]);

  it.each([LIMITED, { ...LIMITED, retryAfter: undefined }])(
    'keeps what somebody changed meanwhile in fields that are not managed (%j)',
    async (limited) => {
      const person = { allow_ips: '10.0.0.1', expired_time: NOW + 86_400, model_limits: 'x', remain_quota: 1000 };
      const { report, stored, edits } = await applyHeldBack(update, { ...limited, method: 'PUT' }, person);
      expect(edits).toBeGreaterThan(0);
      expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
      expect(stored(1)).toMatchObject({ ...person, group: 'vip' });
    },
  );

  const budget = { kind: 'top-up', amount: { usd: decimalOf(3) }, below: { usd: decimalOf(2) } } as const;
  it.each<[string, DesiredState, Record<string, unknown>]>([
    ['a group', update, { group: 'theirs' }],
    ['a cut budget', state([declare('a', { budget })]), { remain_quota: 1 }],
    ['a rename', update, { name: 'theirs' }],
    ['a new name', state([declare('c', { renamedFrom: keyName('a') })]), { name: 'theirs' }],
    ['a disabled key', update, { status: 2 }],
  ])('leaves %s that somebody set meanwhile, and reports it', async (_title, desired, person) => {
    const { report, stored } = await applyHeldBack(desired, { ...LIMITED, method: 'PUT' }, person);
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale' }]);
    expect(stored(1)).toMatchObject(person);
  });

  it.each([
    ['disables', 'disable', 'PUT'],
    ['deletes', 'delete', 'POST'],
  ] as const)('no longer %s a key that somebody renamed out of the scope', async (_title, prune, method) => {
    const desired = state([], { scope: ['a', 'b'], prune });
    const { report, stored } = await applyHeldBack(desired, { ...LIMITED, method }, { name: 'theirs' });
    const ofA = report.outcomes.find(({ change }) => 'id' in change && change.id === keyId(1));
    expect(ofA).toMatchObject({ state: 'skipped', code: 'plan.stale' });
    expect(stored(1)).toMatchObject({ name: 'theirs', status: 1 });
    expect(report.outcomes).toHaveLength(2);
  });

  it('is repeated after the wait when nothing moved', async () => {
    const { report } = await applyHeldBack(update, { ...LIMITED, method: 'PUT', times: 3 }, {});
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
  });

  it('whose response was lost is repeated only on a key that did not move', async () => {
    const desired = state([declare('a', { enabled: false })]);
    const { report, stored } = await applyHeldBack(desired, { ...REFUSED_CONNECTION, method: 'PUT' }, {});
    expect(report.outcomes).toMatchObject([{ state: 'applied' }]);
    expect(stored(1)).toMatchObject({ status: 2 });
  });
});
