import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApplyReport, type DesiredState, keyName, pendingChanges } from '../../src/domain/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import { overHttp } from '../contract/bodies.ts';
import { controlOf } from '../contract/control.ts';
import { declare, live, NOW, state } from '../reconcile/account.ts';

/** Every way in which a request can go wrong, that a test need not wait for. */
const FAULTS = {
  'a cut connection before the commit': { kind: 'cut-before' },
  'a cut connection after the commit': { kind: 'cut-after' },
  'an answer cut in half': { kind: 'truncated' },
  'an answer cut between chunks': { kind: 'truncated', by: 'chunks' },
  'an HTML page of a proxy': { kind: 'html', status: 502 },
  'an HTML page with status 200': { kind: 'html', status: 200 },
  'an empty 429': { kind: 'empty-429' },
  'a 429 with Retry-After': { kind: 'empty-429', retryAfter: 2 },
  'status 500': { kind: 'status', code: 500 },
  'status 503': { kind: 'status', code: 503 },
  'a refusal with status 200': { kind: 'refuse' },
} as const;

/** Every request that an apply makes, by route. */
const ROUTES = {
  'the rate': { method: 'GET', path: '/api/status' },
  'the groups': { method: 'GET', path: '/api/user/self/groups' },
  'the list': { method: 'GET', path: '/api/token/' },
  'the log': { method: 'GET', path: '/api/log/self' },
  'a read': { method: 'GET', path: '/api/token/{id}' },
  'a create': { method: 'POST', path: '/api/token/' },
  'an update or a status': { method: 'PUT', path: '/api/token/' },
  'a delete': { method: 'DELETE', path: '/api/token/{id}' },
} as const;

const DESIRED: DesiredState = state(
  [
    declare('upd', { group: 'vip' }),
    declare('on'),
    declare('off', { enabled: false }),
    declare('new-1', { budget: { kind: 'unlimited' } }),
    declare('new-2', { budget: { kind: 'unlimited' }, enabled: false }),
    declare('ren', { renamedFrom: keyName('old') }),
  ],
  { scope: ['*'], prune: 'delete', protect: ['bystander'] },
);

const PERMISSIONS = { allowEnable: ['on'] };

const WANTED = ['bystander 1', 'new-1 1', 'new-2 2', 'off 2', 'on 1', 'ren 1', 'upd 1'];

describe.each(['contract', 'deployed'] as const)('profile %s', (profile) => {
  let body: Awaited<ReturnType<typeof overHttp>>;
  let control: ReturnType<typeof controlOf>;
  beforeEach(async () => {
    body = await overHttp(profile, { control: true });
    control = controlOf(body.reference.url);
    for (const name of ['del', 'off', 'on', 'upd', 'old', 'bystander']) await body.store.create(live(name));
    const on = (await body.store.walk()).find((key) => key.name === 'on');
    if (on) await body.store.setEnabled(on.id, false);
  });
  afterEach(() => body.close());

  async function run(): Promise<ApplyReport | undefined> {
    try {
      const observed = await observe(body.store, DESIRED, { now: NOW });
      const made = plan(DESIRED, observed, NOW, PERMISSIONS);
      return await apply(made, body.store, { observed, desired: DESIRED, now: () => NOW, concurrency: 4 });
    } catch {
      // A fault while looking: nothing was begun, and the command would end with it.
      return undefined;
    }
  }

  const stored = async (): Promise<string[]> =>
    (await control.state()).keys.map((key) => `${key.name} ${key.status}`).sort();

  /** A report never lies: what it calls applied is so, and what it calls failed is not. */
  async function expectTruth(report: ApplyReport): Promise<void> {
    const names = (await control.state()).keys.map((key) => String(key.name));
    for (const { change, state } of report.outcomes) {
      const there = names.filter((name) => name === change.name).length;
      if (change.verb === 'create' && state === 'applied') expect(there).toBe(1);
      if (change.verb === 'delete' && state === 'applied') expect(there).toBe(0);
      if (change.verb === 'delete' && state === 'failed') expect(there).toBe(1);
    }
  }

  const cases = Object.entries(FAULTS).flatMap(([what, fault]) =>
    Object.entries(ROUTES).map(([where, route]) => ({ what, where, fault, route })),
  );

  it.each(cases)(
    '$what at $where loses nothing, doubles nothing, and the next run converges',
    async ({ fault, route }) => {
      for (const skip of [0, 1, 2]) {
        await control.script({ ...fault, ...route, skip });
        const report = await run();
        if (report) await expectTruth(report);
        await control.clearFaults();
        const names = (await control.state()).keys.map((key) => key.name);
        expect(new Set(names).size).toBe(names.length);
        expect(names).toContain('bystander');
      }
      const last = await run();
      expect(last?.outcomes.filter((outcome) => outcome.state !== 'applied')).toEqual([]);
      expect(await stored()).toEqual(WANTED);
      const observed = await observe(body.store, DESIRED, { now: NOW });
      expect(pendingChanges(plan(DESIRED, observed, NOW, PERMISSIONS))).toEqual([]);
    },
  );
});
