import { describe, expect, it } from 'vitest';
import { connectionOf, type GatewayKey } from '../../src/client/index.ts';
import { keyId } from '../../src/domain/index.ts';
import { faultOf } from '../http/client.ts';
import { PROFILES, stage, TOKEN } from './stage.ts';

const namesOf = (keys: readonly GatewayKey[]): readonly string[] => keys.map(({ name }) => name).sort();

describe.each(PROFILES)('the keys of a client, profile %s', (profile) => {
  it('are listed each once over several pages, with filters, and without a request before the iteration', async () => {
    const { gateway, control } = await stage(profile, { keys: 250 });
    const list = gateway.keys.list();
    const narrowed = gateway.keys.list({ name: ['seed-1', 'seed-24*'] });
    expect((await control.takeRequests()).total).toBe(0);
    const seen: GatewayKey[] = [];
    for await (const key of list) seen.push(key);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(250);
    expect((await control.takeRequests()).requests['GET /api/token/']).toBe(3);
    expect(namesOf(await narrowed.toArray())).toEqual(
      ['seed-1', 'seed-24', ...Array.from({ length: 10 }, (_, n) => `seed-24${n}`)].sort(),
    );
    expect(await gateway.keys.list({ group: 'vip' }).toArray()).toEqual([]);
  });

  it('are read by id and by name, with dates, and without anything of the secret', async () => {
    const { gateway } = await stage(profile);
    await gateway.keys.update(2, { expires: new Date('2031-01-01T00:00:00Z'), models: ['alpha-chat-1'] });
    const key = await gateway.keys.get(2);
    expect(key).toMatchObject({
      id: 2,
      name: 'seed-2',
      status: 'enabled',
      models: ['alpha-chat-1'],
      allowIps: null,
      expires: new Date('2031-01-01T00:00:00Z'),
      unlimited: false,
      remaining: 500_000,
    });
    expect(await gateway.keys.find('seed-2')).toEqual(key);
    expect(await gateway.keys.tryFind('seed-9')).toBeUndefined();
    expect((await faultOf(gateway.keys.find('seed-9'))).code).toBe('gateway.not-found');
    expect((await faultOf(gateway.keys.get(99))).code).toBe('gateway.not-found');
    expect((await faultOf(gateway.keys.get(1.5))).code).toBe('request.invalid');
    expect(JSON.stringify(key)).not.toMatch(/canary2|record/);
  });

  it('are created once, with every setting, and found without a second walk over all', async () => {
    const { gateway, control } = await stage(profile);
    await control.takeRequests();
    const key = await gateway.keys.create({
      name: 'team-a',
      group: 'vip',
      models: ['alpha-chat-1'],
      allowIps: ['10.0.0.0/8'],
      expires: '2031-01-01T00:00:00Z',
      remaining: { usd: '2.5' },
    });
    expect(key).toMatchObject({
      name: 'team-a',
      group: 'vip',
      models: ['alpha-chat-1'],
      allowIps: ['10.0.0.0/8'],
      remaining: 1_250_000,
    });
    const { requests, total } = await control.takeRequests();
    expect(requests['POST /api/token/']).toBe(1);
    expect(total).toBeLessThanOrEqual(6);
    expect((await gateway.keys.create({ name: 'off', remaining: 'unlimited', enabled: false })).status).toBe(
      'disabled',
    );
  });

  it('are created once although the answer is lost', async () => {
    const { gateway, control, names } = await stage(profile);
    await control.script({ kind: 'cut-after', method: 'POST', path: '/api/token/' });
    const key = await gateway.keys.create({ name: 'team-a', remaining: { quota: 10 } });
    expect(key.name).toBe('team-a');
    expect(await names()).toEqual(['seed-1', 'seed-2', 'seed-3', 'team-a']);
  });

  it('are not created again while an earlier create may still take effect', async () => {
    const { gateway, control, names, clock } = await stage(profile);
    await control.script({ kind: 'cut-and-hold', method: 'POST', path: '/api/token/' });
    const first = await faultOf(gateway.keys.create({ name: 'team-a', remaining: { quota: 10 } }));
    expect(first.code).toBe('gateway.indeterminate');
    const waited = clock.waits.length;
    await control.release();
    // The second create finds the first one's key instead of making another.
    const second = await faultOf(gateway.keys.create({ name: 'team-a', remaining: { quota: 10 } }));
    expect(second).toMatchObject({ code: 'plan.stale' });
    expect(clock.waits.length).toBeGreaterThanOrEqual(waited);
    expect((await names()).filter((name) => name === 'team-a')).toHaveLength(1);
  });

  it('are created once where a program creates or renames several to one name at the same time', async () => {
    const { gateway, control, names } = await stage(profile);
    const make = (usd: number) => gateway.keys.create({ name: 'team-a', remaining: { usd } });
    await control.takeRequests();
    const results = await Promise.allSettled([make(1), make(2), gateway.keys.update(1, { name: 'team-a' }), make(3)]);
    expect(results[0]).toMatchObject({ status: 'fulfilled', value: { name: 'team-a', remaining: 500_000 } });
    expect(results.slice(1)).toMatchObject(Array(3).fill({ reason: { code: 'plan.stale' } }));
    expect((await control.takeRequests()).requests['POST /api/token/']).toBe(1);
    expect(await names()).toEqual(['seed-1', 'seed-2', 'seed-3', 'team-a']);
  });

  it('are not created under a name that is taken, nor from invalid settings', async () => {
    const { gateway, names, control } = await stage(profile);
    expect((await faultOf(gateway.keys.create({ name: 'seed-1', remaining: 'unlimited' }))).code).toBe('plan.stale');
    await control.takeRequests();
    const invalid = [
      { name: '', remaining: 'unlimited' },
      { name: 'a~20261125-1430', remaining: 'unlimited' },
      { name: 'a', remaining: 'unlimited', allowIps: ['10.0.0.0/33'] },
      { name: 'a', remaining: 'unlimited', models: ['a,b'] },
      { name: 'a', remaining: 'unlimited', models: [] },
      { name: 'a', remaining: 'unlimited', expires: new Date(Number.NaN) },
      { name: 'a', remaining: 'unlimited', expires: '2031-01-01' },
      { name: 'a', remaining: 'unlimited', modles: ['x'] },
      { name: 'a', remaining: { usd: -1 } },
      // What a program without types passes.
      { remaining: 'unlimited' },
      { name: 'a', remaining: 0 },
      { name: 'a', remaining: { usd: 1, quota: 2 } },
      { name: 'a', remaining: 'unlimited', enabled: 'false' },
      { name: 'a', remaining: 'unlimited', models: 'm1' },
      { name: 'a', remaining: 'unlimited', allowIps: '10.0.0.1' },
      { name: 'a', remaining: 'unlimited', expires: 1_900_000_000 },
      { name: 'a', remaining: 'unlimited', crossGroupRetry: 1 },
      null,
    ] as const;
    for (const key of invalid) {
      expect((await faultOf(gateway.keys.create(key as never))).code, JSON.stringify(key)).toBe('request.invalid');
    }
    // Ignored, it would leave a key enabled that a program has given up.
    const disabling = await faultOf(gateway.keys.update(1, { enabled: false } as never));
    expect([disabling.code, disabling.message]).toEqual(['request.invalid', expect.stringContaining('keys.disable')]);
    expect((await control.takeRequests()).requests['POST /api/token/'] ?? 0).toBe(0);
    expect(await names()).toHaveLength(3);
  });

  it('keep what somebody else changed between two updates of a program', async () => {
    const { gateway, control } = await stage(profile);
    const old = await gateway.keys.get(1);
    await control.patchKey(1, { group: 'vip', model_limits_enabled: true, model_limits: 'alpha-chat-1' });
    expect(old.group).not.toBe('vip');
    await control.takeRequests();
    const key = await gateway.keys.update(1, { remaining: { usd: 3 } });
    expect(key).toMatchObject({ group: 'vip', models: ['alpha-chat-1'], remaining: 1_500_000 });
    const { requests } = await control.takeRequests();
    expect(requests['PUT /api/token/']).toBe(1);
  });

  it('are updated once although the answer is lost, and not at all without a difference', async () => {
    const { gateway, control } = await stage(profile);
    await control.script({ kind: 'cut-after', method: 'PUT', path: '/api/token/' });
    expect(await gateway.keys.update(1, { group: 'vip' })).toMatchObject({ group: 'vip' });
    await control.takeRequests();
    await gateway.keys.update(1, { group: 'vip', name: 'seed-1' });
    expect((await control.takeRequests()).requests['PUT /api/token/']).toBeUndefined();
  });

  it('are renamed only to a free name', async () => {
    const { gateway } = await stage(profile);
    expect((await gateway.keys.update(1, { name: 'renamed', group: 'vip' })).name).toBe('renamed');
    expect((await faultOf(gateway.keys.update(2, { name: 'renamed' }))).code).toBe('plan.stale');
    expect((await faultOf(gateway.keys.update(99, { name: 'x' }))).code).toBe('gateway.not-found');
  });

  it('are disabled, enabled and deleted, each harmless a second time', async () => {
    const { gateway, names } = await stage(profile);
    await gateway.keys.disable(1);
    await gateway.keys.disable(1);
    expect((await gateway.keys.get(1)).status).toBe('disabled');
    await gateway.keys.enable(1);
    expect((await gateway.keys.get(1)).status).toBe('enabled');
    expect(await gateway.keys.delete(2)).toBe(true);
    expect(await gateway.keys.delete(2)).toBe(false);
    expect(await names()).toEqual(['seed-1', 'seed-3']);
    expect((await faultOf(gateway.keys.disable(2))).code).toBe('gateway.not-found');
  });

  it('are deleted once where the answer is lost, and not reported as lost', async () => {
    const { gateway, control, names } = await stage(profile);
    await control.script({ kind: 'cut-after', method: 'POST', path: '/api/token/batch' });
    expect(await gateway.keys.delete(2)).toBe(true);
    expect(await names()).toEqual(['seed-1', 'seed-3']);
  });

  it('show their secrets only when one is opened', async () => {
    const { gateway } = await stage(profile);
    const secret = await gateway.keys.reveal(1);
    expect(`${secret}`).toBe('‹secret›');
    expect(secret.reveal()).toMatch(/^sk-canary1x/);
    expect([...(await gateway.keys.revealAll([1, 3, 99])).keys()]).toEqual([1, 3]);
    expect((await faultOf(gateway.keys.reveal(99))).code).toBe('gateway.not-found');
  });

  it('are not those of another account', async () => {
    const { open, names } = await stage(profile);
    const other = open({ userId: 43 });
    const codes = await Promise.all(
      [
        other.keys.list().toArray(),
        other.keys.update(1, { group: 'vip' }),
        other.keys.create({ name: 'x', remaining: 'unlimited' }),
        other.keys.delete(1),
        other.account(),
      ].map(async (each) => (await faultOf(each)).code),
    );
    expect(new Set(codes).size).toBe(1);
    expect(codes[0]).toMatch(/^credentials\./);
    expect(await names()).toHaveLength(3);
  });
});

describe('a client', () => {
  it('reads account, groups, status, models and usage', async () => {
    const { gateway, control } = await stage('deployed');
    await control.spend(1, 250_000);
    await control.spend(2, 50);
    expect(await gateway.account()).toMatchObject({ userId: 42, usd: expect.stringMatching(/^\d+\.\d{6}$/) });
    expect((await gateway.groups()).map(({ name }) => name).sort()).toEqual(['default', 'vip']);
    expect(await gateway.status()).toMatchObject({ quotaPerUsd: '500000' });
    expect(await gateway.models(await gateway.keys.reveal(1))).toEqual(['alpha-chat-1']);
    const records = [];
    for await (const record of gateway.usage.log({ key: 1 })) records.push(record);
    expect(records).toMatchObject([{ keyName: 'seed-1', spent: 250_000, at: expect.any(Date) }]);
    expect(await gateway.usage.sum()).toMatchObject({ quota: 250_050, usd: '0.500100', requests: 2 });
    expect(await gateway.usage.sum({ key: 'seed-2', since: new Date(0) })).toMatchObject({ quota: 50 });
    expect(await gateway.usage.sum({ until: new Date(0) })).toMatchObject({ quota: 0, requests: 0 });
  });

  it('hides its connection: nothing that can be listed leads to raw writes', async () => {
    const { gateway } = await stage('contract');
    expect(Object.keys(gateway).sort()).toEqual(
      ['account', 'close', 'groups', 'inference', 'keys', 'models', 'status', 'url', 'usage', 'userId'].sort(),
    );
    expect(JSON.stringify(gateway)).not.toContain(TOKEN);
    expect(connectionOf(gateway).store.account).toEqual({ url: gateway.url, userId: 42 });
    expect(() => connectionOf({ ...gateway })).toThrow('openGateway');
    expect(await connectionOf(gateway).store.tryRead(keyId(1))).toMatchObject({ name: 'seed-1' });
  });

  it('is closed by `await using`', async () => {
    const { open } = await stage('contract');
    const gateway = open();
    await gateway[Symbol.asyncDispose]();
    expect((await faultOf(gateway.status({ maxRetries: 0 }))).code).toMatch(/^gateway\./);
  });
});
