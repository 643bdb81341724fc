import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namesOf, SEED, SETTINGS, startTestGateway, type TestGateway } from '../harness.ts';

const CONTRACT_FIELDS = [
  'allow_ips',
  'cross_group_retry',
  'expired_time',
  'group',
  'id',
  'key',
  'model_limits',
  'model_limits_enabled',
  'name',
  'remain_quota',
  'smart_route_tiers',
  'smart_routing',
  'status',
  'unlimited_quota',
];

describe('keys in the contract profile', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway();
  });
  afterEach(() => gateway.close());

  it('have the fields of the contract and no others', async () => {
    const id = await gateway.createKey({ name: 'exact' });
    const record = (await gateway.call('GET', `/api/token/${id}`)).data as object;
    expect(Object.keys(record).sort()).toEqual(CONTRACT_FIELDS);
    expect(Object.keys((await gateway.call('GET', '/api/token/')).data as object)).toEqual(['items']);
    expect(Object.keys((await gateway.call('GET', '/api/token/search')).data as object)).toEqual(['items']);
  });

  it('answer a full update and a change of status with the envelope only', async () => {
    const id = await gateway.createKey({ name: 'terse' });
    const update = await gateway.call('PUT', '/api/token/', { ...SETTINGS, id, name: 'terser' });
    expect(update.json).toEqual({ success: true, message: '' });
    const status = await gateway.call('PUT', '/api/token/?status_only=true', { id, status: 2 });
    expect(status.json).toEqual({ success: true, message: '' });
  });

  it('accept a name of 50 characters and reject one of 51', async () => {
    await gateway.createKey({ name: 'ü'.repeat(50) });
    expect((await gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'u'.repeat(51) })).success).toBe(false);
  });

  it.each([
    ['no name', { name: '' }],
    ['a group that the account does not have', { group: 'gold' }],
    ['an address that is none', { allow_ips: '10.0.0.0/8\nlocalhost' }],
    ['a prefix that is too long', { allow_ips: '10.0.0.0/33' }],
    ['an expiry before 1970 that is not -1', { expired_time: -2 }],
    ['a negative quota', { unlimited_quota: false, remain_quota: -1 }],
    ['tiers that are not JSON', { smart_route_tiers: '{' }],
  ])('cannot be created with %s', async (_case, wrong) => {
    const answer = await gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'n', ...wrong });
    expect([answer.status, answer.success]).toEqual([200, false]);
    expect(await gateway.storedKeys()).toEqual([]);
  });

  it.each([
    ['an empty', { ...SETTINGS, name: '' }],
    ['no', SETTINGS],
  ])('cannot be updated with %s name', async (_case, settings) => {
    const id = await gateway.createKey({ name: 'named' });
    const answer = await gateway.call('PUT', '/api/token/', { ...settings, id, group: 'vip' });
    expect([answer.status, answer.success]).toEqual([200, false]);
    expect((await gateway.storedKeys())[0]).toMatchObject({ name: 'named', group: '' });
  });

  it('may be updated while keeping a stored value that would be rejected today', async () => {
    const odd = { ...SETTINGS, group: 'closed', allow_ips: 'office', smart_route_tiers: 'x' };
    const seeded = await startTestGateway({ seed: { ...SEED, keys: [{ ...odd, name: 'odd' }] } });
    expect((await seeded.call('PUT', '/api/token/', { ...odd, id: 1, name: 'renamed' })).success).toBe(true);
    const changed = { ...odd, id: 1, name: 'renamed', allow_ips: 'office2' };
    expect((await seeded.call('PUT', '/api/token/', changed)).success).toBe(false);
    await seeded.close();
  });

  it('never expire if their creation omits the expiry', async () => {
    await gateway.call('POST', '/api/token/', { name: 'plain' });
    expect((await gateway.storedKeys())[0]).toMatchObject({
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: false,
    });
  });

  it('reject pages that are out of bounds', async () => {
    for (const query of ['p=0', 'p=x', 'size=0', 'size=-1', 'ps=ten'])
      expect((await gateway.call('GET', `/api/token/?${query}`)).success, query).toBe(false);
  });

  it('are found by a part of their name, case-sensitively', async () => {
    await gateway.createKey({ name: 'Checkout' });
    expect(namesOf(await gateway.call('GET', '/api/token/search?keyword=heck'))).toEqual(['Checkout']);
    expect(namesOf(await gateway.call('GET', '/api/token/search?keyword=checkout'))).toEqual([]);
  });

  it('are fully updated unless status_only is exactly true', async () => {
    const id = await gateway.createKey({ name: 'exactly' });
    await gateway.call('PUT', '/api/token/?status_only=false', { ...SETTINGS, id, name: 'renamed', status: 2 });
    expect((await gateway.storedKeys())[0]).toMatchObject({ name: 'renamed', status: 1 });
  });
});
