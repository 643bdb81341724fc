import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault, keyId } from '../../src/domain/index.ts';
import { apply, type ClaimNote, claimLock, observe, plan } from '../../src/reconcile/index.ts';
import { live, NOW, state } from '../reconcile/account.ts';
import { overHttp } from './bodies.ts';
import { controlOf } from './control.ts';
import { RunTime } from './lock-time.ts';
import { faultOf } from './memory-claims.ts';

const HOLDER = { nonce: 'a', process: 7, host: 'runner-1', since: NOW };
const NOTE: ClaimNote = { ...HOLDER, beat: 1, run: 'https://ci.example.com/jobs/1' };
const AT_ONCE = { timeoutSeconds: 0 };
const unlimited = { api: null, search: null, reveal: null, keysPerUser: null };

describe.each(['contract', 'deployed'] as const)('a claim at a gateway, profile %s', (profile) => {
  let body: Awaited<ReturnType<typeof overHttp>>;
  let control: ReturnType<typeof controlOf>;
  beforeEach(async () => {
    const seed = { accounts: [{ userId: 7, quota: 50_000_000 }], limits: unlimited };
    body = await overHttp(profile, { control: true, seed });
    control = controlOf(body.reference.url);
  });
  afterEach(() => body.close());

  it('is a key that nobody can use', async () => {
    await body.claims.place(NOTE);
    const { keys } = await control.state();
    expect(keys).toMatchObject([
      {
        name: 'keyplane.lock',
        unlimited_quota: false,
        remain_quota: 0,
        model_limits_enabled: true,
        allow_ips: '192.0.2.1',
      },
    ]);
    expect(String(keys[0]?.model_limits)).toMatch(/^keyplane\.lock\/1\/[\w-]+$/);
  });

  it('is not among the keys: no walk, newest key, read or plan has it, and pruning everything leaves it', async () => {
    for (const name of ['a', 'b']) await body.store.create(live(name));
    await body.claims.place(NOTE);
    const [claim] = await body.claims.list();
    expect(claim?.note).toEqual(NOTE);
    if (!claim) throw new Error('it was placed');
    expect((await body.store.walk()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect((await body.store.newest())?.keys.map(({ id }) => id) ?? []).not.toContain(claim.id);
    expect(await body.store.tryRead(claim.id)).toBeUndefined();
    expect(await body.store.readMany([claim.id])).toEqual(new Map());
    const desired = state([], { scope: ['*'], prune: 'delete' });
    const observed = await observe(body.store, desired, { now: NOW });
    const made = plan(desired, observed, NOW);
    await apply(made, body.store, { observed, desired, now: () => NOW, concurrency: 4 });
    expect((await control.state()).keys).toMatchObject([{ name: 'keyplane.lock' }]);
  });

  it('is not a key that somebody else named so: such a key stays a key, and does not hold the lock', async () => {
    for (const name of ['keyplane.lock', 'KEYPLANE.LOCK', 'my keyplane.lock']) await body.store.create(live(name));
    expect(await body.claims.list()).toEqual([]);
    expect(await body.store.walk()).toHaveLength(3);
    const held = await claimLock(body.claims, HOLDER, new RunTime()).acquire(body.claims.account, AT_ONCE);
    await held.release();
    expect(await body.store.walk()).toHaveLength(3);
  });

  it('of another version or damaged counts as a claim of somebody', async () => {
    await body.store.create(live('keyplane.lock', { models: ['keyplane.lock/2/anything'] }));
    await body.store.create(live('keyplane.lock', { models: ['keyplane.lock/1/AAAA'] }));
    expect((await body.claims.list()).map(({ note }) => note)).toEqual([undefined, undefined]);
    expect(await body.store.walk()).toEqual([]);
  });

  it('fits into the column of old databases, whatever the host and the job are named', async () => {
    await body.claims.place({
      ...NOTE,
      host: '主机,\n'.repeat(100),
      run: `https://ci.example.com/${'x'.repeat(5000)}`,
    });
    const { keys } = await control.state();
    expect(Buffer.byteLength(String(keys[0]?.model_limits))).toBeLessThanOrEqual(900);
    const [claim] = await body.claims.list();
    expect(claim?.note).toMatchObject({ nonce: 'a', process: 7, host: '主机,\n'.repeat(16) });
  });

  it('costs a create, a search and a delete, and two requests for each renewal', async () => {
    await body.claims.verifyAccount();
    await control.takeRequests();
    const time = new RunTime();
    const held = await claimLock(body.claims, HOLDER, time).acquire(body.claims.account, AT_ONCE);
    expect((await control.takeRequests()).requests).toEqual({ 'POST /api/token/': 1, 'GET /api/token/search': 1 });
    await time.renew();
    expect((await control.takeRequests()).requests).toEqual({ 'GET /api/token/{id}': 1, 'PUT /api/token/': 1 });
    await held.release();
    expect((await control.takeRequests()).requests).toEqual({ 'DELETE /api/token/{id}': 1 });
  });

  it('cannot be made where a gateway has no search, and leaves no key behind', async () => {
    const refusal = { kind: 'refuse', method: 'GET', path: '/api/token/search' };
    await control.script(refusal);
    const acquired = claimLock(body.claims, HOLDER, new RunTime()).acquire(body.claims.account, AT_ONCE);
    expect(await faultOf(acquired)).toMatchObject({ code: 'apply.lock-unavailable' });
    expect((await control.state()).keys).toEqual([]);
  });

  it('is found after its answer was lost', async () => {
    await control.script({ kind: 'cut-after', method: 'POST', path: '/api/token/', times: 1 });
    const held = await claimLock(body.claims, HOLDER, new RunTime()).acquire(body.claims.account, AT_ONCE);
    expect((await control.state()).keys).toHaveLength(1);
    await held.release();
    expect((await control.state()).keys).toEqual([]);
  });

  it('that does not exist is removed already, and one that is a key is not renewed', async () => {
    await body.claims.remove(keyId(999_999));
    await body.store.create(live('a'));
    const [key] = await body.store.walk();
    expect(await body.claims.renew(key?.id ?? keyId(1), NOTE)).toBe(false);
    expect(await body.claims.renew(keyId(999_999), NOTE)).toBe(false);
  });
});

it('a claim is refused by an account that has as many keys as it may have', async () => {
  const seed = { accounts: [{ userId: 7, quota: 50_000_000 }], limits: { ...unlimited, keysPerUser: 1 } };
  const body = await overHttp('deployed', { seed });
  try {
    await body.store.create(live('a'));
    const acquired = claimLock(body.claims, HOLDER, new RunTime()).acquire(body.claims.account, AT_ONCE);
    expect(await faultOf(acquired)).toBeInstanceOf(Fault);
    expect(await faultOf(body.claims.place(NOTE))).toMatchObject({ code: 'apply.lock-unavailable' });
  } finally {
    await body.close();
  }
});
