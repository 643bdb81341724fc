import { describe, expect, test } from 'vitest';
import { decimalOf, type KeySettings, quota, renderDecimal, Secret } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { plainKey } from '../../plain-key.ts';
import { bodyOf, calls, gatewayOf, id, ok, open, record, TOKEN, USER } from './scripted.ts';

const settings: KeySettings = {
  name: 'prod',
  group: 'default',
  crossGroupRetry: true,
  models: ['m1', 'm2'],
  allowIps: ['10.0.0.0/8', '203.0.113.7/32'],
  expires: null,
  unlimited: false,
  remain: quota(700),
  smartRouting: false,
  smartRouteTiers: '',
};

const wireSettings = {
  name: 'prod',
  group: 'default',
  cross_group_retry: true,
  model_limits_enabled: true,
  model_limits: 'm1,m2',
  allow_ips: '10.0.0.0/8\n203.0.113.7',
  expired_time: -1,
  unlimited_quota: false,
  remain_quota: 700,
  smart_routing: false,
  smart_route_tiers: '',
};

describe('each endpoint', () => {
  test('carries both credential headers, except for the status', async () => {
    const server = await gatewayOf({ 'GET /api/status': ok({ quota_per_unit: 500000 }) });
    const { system } = open(server.url);
    await system.status();
    await system.self();
    const [status, self] = server.seen;
    expect(status?.headers).not.toHaveProperty('authorization');
    expect(status?.headers).not.toHaveProperty('new-api-user');
    expect(self?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'new-api-user': '42' });
  });

  test('is found below a base URL with a path, with or without a trailing slash', async () => {
    const server = await gatewayOf({ 'GET /gw/api/status': ok({ quota_per_unit: 500000 }) });
    for (const base of ['/gw', '/gw/', '/gw//?x=1#y']) await open(server.url + base).system.status();
    expect(calls(server)).toEqual(Array(3).fill('GET /gw/api/status'));
    expect(open(`${server.url}/gw/`).store.account).toEqual({ url: `${server.url}/gw`, userId: 42 });
  });

  test('status returns the exact rate', async () => {
    const server = await gatewayOf({
      'GET /api/status': respondWith(200, '{"success":true,"message":null,"data":{"quota_per_unit":500000.1,"x":[]}}'),
    });
    const { quotaPerUnit } = await open(server.url).system.status();
    expect(renderDecimal(quotaPerUnit)).toBe('500000.1');
    expect(await open(server.url).store.quotaPerUnit()).toEqual(decimalOf(500000.1));
  });

  test('self returns the account', async () => {
    const server = await gatewayOf({});
    expect(await open(server.url).system.self()).toEqual({ id: 42, wallet: 1000, username: 'ada', group: 'default' });
  });

  test('self returns the nearest balance where no number holds it', async () => {
    const self = '{"success":true,"message":"","data":{"id":42,"quota":9223372036854775807}}';
    const server = await gatewayOf({ 'GET /api/user/self': respondWith(200, self) });
    expect(await open(server.url).system.self()).toEqual({ id: 42, wallet: Number.MAX_SAFE_INTEGER });
  });

  test.each([
    ['a map with numbers', { default: { ratio: 1, desc: 'Default' }, vip: { ratio: 0.5, desc: '' } }, ['1', '0.5']],
    [
      'a map with texts',
      { default: { ratio: '1', desc: 'Default' }, vip: { ratio: '自动', desc: null } },
      ['1', '自动'],
    ],
    ['a list of names', ['default', 'vip'], [undefined, undefined]],
    [
      'a list of objects',
      [
        { name: 'default', ratio: 1 },
        { group: 'vip', ratio: 2 },
      ],
      ['1', '2'],
    ],
    ['a map of plain values', { default: 'Default', vip: 1 }, [undefined, undefined]],
    ['a list of choices', [{ value: 'default' }, { id: 'vip', name: '' }], [undefined, undefined]],
    ['a list under groups', { groups: ['default', 'vip'], total: 2 }, [undefined, undefined]],
    ['a list under items', { items: [{ name: 'default' }, { name: 'vip', ratio: 2 }] }, [undefined, '2']],
  ])('groups are parsed from %s', async (_shape, data, ratios) => {
    const server = await gatewayOf({ 'GET /api/user/self/groups': ok(data) });
    const groups = await open(server.url).system.groups();
    expect(groups.map(({ name }) => name)).toEqual(['default', 'vip']);
    expect(groups.map(({ ratio }) => ratio)).toEqual(ratios);
  });

  test.each([
    ['null', null],
    ['a number', 5],
    ['a list of lists', [['default']]],
    ['null under groups', { groups: null }],
    ['null under items', { items: null, total: 0 }],
  ])('groups are unknown to the store when the response is %s', async (_shape, data) => {
    const server = await gatewayOf({ 'GET /api/user/self/groups': ok(data) });
    expect(await open(server.url).store.groups()).toBeUndefined();
  });

  test('token rotation returns the bare token or the one in an object, as a secret', async () => {
    const shapes = [
      'canary-new-token',
      { access_token: 'canary-new-token' },
      { token: 'canary-new-token' },
      { token: 'canary-new-token', previous: 'canary-old-token' },
      { key: 'canary-new-token', id: USER, username: 'ada' },
    ];
    for (const data of shapes) {
      const server = await gatewayOf({ 'GET /api/user/token': ok(data) });
      const token = await open(server.url).system.rotateToken();
      expect(token.reveal()).toBe('canary-new-token');
      expect(String(token)).not.toContain('canary');
      expect(calls(server)).toEqual(['GET /api/user/token']);
    }
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['an empty field', { token: '' }],
    ['a text that is none', { note: 'done' }],
    ['two that could be one', { old: 'canary-old-token', new: 'canary-new-token' }],
  ])('token rotation does not accept %s as a token', async (_shape, data) => {
    const server = await gatewayOf({ 'GET /api/user/token': ok(data) });
    await expect(open(server.url).system.rotateToken()).rejects.toMatchObject({ code: 'gateway.unexpected-shape' });
  });

  test('create sends every mutable field once, without id and status', async () => {
    const server = await gatewayOf({ 'POST /api/token/': respondWith(200, { success: true, message: '' }) });
    await open(server.url).system.createKey(settings);
    expect(bodyOf(server.seen[0])).toEqual(wireSettings);
    expect(server.seen[0]?.headers['content-type']).toBe('application/json');
    expect(calls(server)).toEqual(['POST /api/token/']);
  });

  test('list sends page, size and Smart Routing in the query, and keeps unknown fields in the record', async () => {
    const server = await gatewayOf({
      'GET /api/token/': ok({ page: 2, page_size: 100, total: 101, items: [record(7, { rate_limit: { rpm: 5 } })] }),
    });
    const page = await open(server.url).system.listKeys({ page: 2, size: 100, excludeSmartRouting: false });
    expect(calls(server)).toEqual(['GET /api/token/?p=2&page_size=100&exclude_smart_routing=false']);
    expect(page).toMatchObject({ total: 101, size: 100, keys: [{ id: 7, name: 'key-7', status: 'enabled' }] });
    expect(page.keys[0]?.record.rate_limit).toEqual({ rpm: 5 });
  });

  test('list rejects null items, which are not an empty page', async () => {
    const server = await gatewayOf({ 'GET /api/token/': ok({ items: null }) });
    const page = open(server.url).system.listKeys({ page: 1, size: 100, excludeSmartRouting: true });
    expect((await faultOf(page)).code).toBe('gateway.unexpected-shape');
  });

  test('search sends the keyword or the token', async () => {
    const server = await gatewayOf({ 'GET /api/token/search': ok({ items: [record(1)] }) });
    const { system } = open(server.url);
    await system.searchKeys({ keyword: 'a b&c', page: 1, size: 10 });
    await system.searchKeys({ token: new Secret('sk-canary'), page: 1, size: 10 });
    expect(calls(server)).toEqual([
      'GET /api/token/search?p=1&page_size=10&keyword=a+b%26c',
      'GET /api/token/search?p=1&page_size=10&token=sk-canary',
    ]);
  });

  test('read returns one masked key', async () => {
    const server = await gatewayOf({ 'GET /api/token/9': ok(record(9, { status: 4, allow_ips: '10.0.0.1\n' })) });
    const key = await open(server.url).system.readKey(id(9));
    expect(key).toMatchObject({ id: 9, status: 'exhausted', allowIps: ['10.0.0.1'], masked: 'abcd**********wxyz' });
  });

  test('reveal returns the usable credential with exactly one prefix', async () => {
    for (const stored of ['canary', 'sk-canary']) {
      const server = await gatewayOf({ 'POST /api/token/9/key': ok({ key: stored }) });
      expect((await open(server.url).system.revealKey(id(9))).reveal()).toBe('sk-canary');
    }
  });

  test.each([
    ['a map under keys', { keys: { 1: 'canary1', 2: 'sk-canary2', 3: 'not asked for' } }],
    ['a bare map', { 1: 'canary1', 2: 'canary2' }],
    [
      'a list',
      [
        { id: 1, key: 'canary1' },
        { id: 2, key: 'canary2' },
      ],
    ],
    [
      'a list under keys',
      {
        keys: [
          { id: 1, key: 'canary1' },
          { id: 2, key: 'canary2' },
        ],
      },
    ],
  ])('batch reveal is parsed from %s', async (_shape, data) => {
    const server = await gatewayOf({ 'POST /api/token/batch/keys': ok(data) });
    const secrets = await open(server.url).system.revealKeys([id(1), id(2), id(4)]);
    expect([...secrets].map(([key, secret]) => [key, secret.reveal()])).toEqual([
      [1, 'sk-canary1'],
      [2, 'sk-canary2'],
    ]);
    expect(bodyOf(server.seen[0])).toEqual({ ids: [1, 2, 4] });
  });

  test('update sends the record as read with the patch applied, without read-only fields', async () => {
    const raw = record(9, { rate_limit: 5, status: 3, used_quota: 8, accessed_time: 1, expired_time: 99 });
    const server = await gatewayOf({ 'GET /api/token/9': ok(raw), 'PUT /api/token/': ok({ ...raw }) });
    const { system } = open(server.url);
    await system.updateKey(await system.readKey(id(9)), { expires: null, models: ['m'] });
    expect(calls(server)[1]).toBe('PUT /api/token/');
    expect(bodyOf(server.seen[1])).toEqual({
      id: 9,
      name: 'key-9',
      expired_time: -1,
      remain_quota: 500,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'm',
      allow_ips: null,
      group: '',
      cross_group_retry: false,
      smart_routing: false,
      smart_route_tiers: '',
      rate_limit: 5,
    });
  });

  test('status change sends only id and status', async () => {
    const server = await gatewayOf({ 'PUT /api/token/': ok(null) });
    const { system } = open(server.url);
    await system.setKeyStatus(id(9), false);
    await system.setKeyStatus(id(9), true);
    expect(calls(server)).toEqual(Array(2).fill('PUT /api/token/?status_only=true'));
    expect(server.seen.map(bodyOf)).toEqual([
      { id: 9, status: 2 },
      { id: 9, status: 1 },
    ]);
  });

  test('delete and batch delete return the count', async () => {
    const server = await gatewayOf({ 'DELETE /api/token/9': ok(null), 'POST /api/token/batch': ok(2) });
    const { system } = open(server.url);
    await system.deleteKey(id(9));
    expect(await system.deleteKeys([id(1), id(2), id(3)])).toBe(2);
    expect(bodyOf(server.seen[1])).toEqual({ ids: [1, 2, 3] });
  });

  test('batch calls without ids send no request', async () => {
    const server = await gatewayOf({});
    const { system } = open(server.url);
    expect([await system.deleteKeys([]), (await system.revealKeys([])).size]).toEqual([0, 0]);
    expect(server.seen).toEqual([]);
  });

  test('usage log and statistics are parsed', async () => {
    const entry = { id: 1, created_at: 5, type: 2, token_id: 9, quota: 3, request_id: 'r', other: '{}' };
    const server = await gatewayOf({
      'GET /api/log/self': ok({ page: 1, page_size: 100, total: 1, items: [entry] }),
      'GET /api/log/self/stat': ok({ quota: 77, rpm: 1, tpm: 'many' }),
    });
    const { system } = open(server.url);
    expect(await system.usageLog({ page: 1, size: 100 })).toEqual({ entries: [entry], total: 1, size: 100 });
    expect(await system.usageStatistics()).toEqual({ quota: 77, rpm: 1 });
    expect(calls(server)).toEqual(['GET /api/log/self?p=1&page_size=100', 'GET /api/log/self/stat']);
  });

  test.each([
    ['null', { object: 'list', data: null }],
    ['nothing', { object: 'list' }],
  ])('models are unknown to the store when their list is %s', async (_shape, body) => {
    const server = await gatewayOf({ 'GET /v1/models': respondWith(200, body) });
    expect(await open(server.url, { modelsKey: new Secret('sk-canary') }).store.models()).toBeUndefined();
  });

  test('models sends the API key and not the access token', async () => {
    const server = await gatewayOf({
      'GET /v1/models': respondWith(200, { object: 'list', data: [{ id: 'm1' }, { id: 'm2', x: 1 }, { id: 'm1' }] }),
    });
    const { system, store } = open(server.url, { modelsKey: new Secret('canary-models-key') });
    expect(await system.models(new Secret('sk-canary'))).toEqual(['m1', 'm2']);
    expect(await store.models()).toEqual(['m1', 'm2']);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-canary',
      'Bearer sk-canary-models-key',
    ]);
    expect(server.seen[0]?.headers).not.toHaveProperty('new-api-user');
  });
});

describe('a request that breaks a limit', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, i) => id(i + 1));
  const page = { page: 1, excludeSmartRouting: false };
  type Api = ReturnType<typeof open>['system'];
  test.each<[string, string, (api: Api) => Promise<unknown>]>([
    ['a page of 101 keys', 'size', (api) => api.listKeys({ ...page, size: 101 })],
    ['a page of no key', 'size', (api) => api.listKeys({ ...page, size: 0 })],
    ['page 0', 'page', (api) => api.listKeys({ ...page, page: 0, size: 100 })],
    ['a search for 101 keys', 'size', (api) => api.searchKeys({ keyword: 'a', page: 1, size: 101 })],
    ['a page of 101 log entries', 'size', (api) => api.usageLog({ page: 1, size: 101 })],
    ['a new name of 51 characters', 'name', (api) => api.createKey({ ...settings, name: 'n'.repeat(51) })],
    ['a new name of 51 bytes', 'name', (api) => api.createKey({ ...settings, name: 'é'.repeat(25).concat('n') })],
    ['an empty name', 'name', (api) => api.createKey({ ...settings, name: '' })],
    ['a reveal of 101 keys', 'ids', (api) => api.revealKeys(ids(101))],
    ['a delete of 101 keys', 'ids', (api) => api.deleteKeys(ids(101))],
    ['a rename to 51 characters', 'name', (api) => api.updateKey(plainKey(1), { name: 'n'.repeat(51) })],
  ])('is refused before it is sent: %s', async (_case, field, request) => {
    const server = await gatewayOf({});
    expect(await faultOf(request(open(server.url).system))).toMatchObject({
      code: 'request.invalid',
      detail: { field },
    });
    expect(calls(server)).toEqual([]);
  });
});
