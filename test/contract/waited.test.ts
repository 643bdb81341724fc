import { afterEach, describe, expect, it } from 'vitest';
import { type DesiredState, decimalOf, type KeyId, keyId, keyName, quota } from '../../src/domain/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import { declare, declareNew, live, NOW, state } from '../reconcile/account.ts';
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

describe('a create that had to wait', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `new-${at}`);

  /** Creates keys while the gateway holds creates back, and somebody makes one with the first name during the first wait. */
  async function createHeldBack(count: number, failure: object, person?: 'equal' | 'different') {
    let waits = 0;
    const body = await overHttp('deployed', {
      seed: { ...SEED, limits: { api: null, search: null, reveal: null } },
      control: true,
      whileWaiting: async () => {
        waits += 1;
        if (waits > 1 || !person) return;
        await somebody.store.create(live('new-0', person === 'equal' ? { unlimited: true, remain: quota(0) } : {}));
      },
    });
    const somebody = body.another();
    close = body.close;
    const control = controlOf(body.reference.url);
    const desired = state(names(count).map((name) => declareNew(name)));
    const observed = await observe(body.store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    await control.script({ method: 'POST', path: '/api/token/', ...failure });
    await control.takeRequests();
    const report = await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 4 });
    const { keys } = await control.state();
    return { report, waits, keys: keys.map(({ name }) => String(name)), ...(await control.takeRequests()) };
  }

  it.each([
    [1, 'different', LIMITED],
    [1, 'equal', LIMITED],
    [30, 'different', LIMITED],
    [1, 'different', { ...LIMITED, retryAfter: undefined }],
  ] as const)(
    'is not sent when somebody has made its key meanwhile (%i creates, %s, %j)',
    async (count, person, failure) => {
      const { report, keys } = await createHeldBack(count, failure, person);
      expect(keys.filter((name) => name === 'new-0')).toHaveLength(1);
      expect(report.outcomes.filter(({ state }) => state !== 'applied')).toMatchObject([
        { state: 'failed', change: { verb: 'create', name: 'new-0' }, fault: { code: 'plan.stale' } },
      ]);
      expect(report.outcomes).toHaveLength(count);
    },
  );

  it.each([1, 3])('is sent after the wait when the name is still free (held back %i times)', async (times) => {
    const { report, keys, requests } = await createHeldBack(30, { ...LIMITED, times });
    expect(report.outcomes.map(({ state }) => state)).toEqual(names(30).map(() => 'applied'));
    expect(keys.filter((name) => name.startsWith('new-')).sort()).toEqual(names(30).sort());
    // One look serves all creates that wait at the same time.
    expect(requests['GET /api/token/']).toBeLessThanOrEqual(6 + times);
  });
});
