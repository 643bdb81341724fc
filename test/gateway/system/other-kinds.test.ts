import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { INITIAL_SETTINGS, type IpRule, type KeySettings, type ObservedKey, quota } from '../../../src/domain/index.ts';
import type { Gateway } from '../../../src/gateway/index.ts';
import { walkKeys } from '../../../src/gateway/system/listing.ts';
import { observe, plan } from '../../../src/reconcile/index.ts';
import { faultOf } from '../../http/client.ts';
import { disconnect } from '../../http/loopback.ts';
import { declareNew, NOW, state, TRUSTED } from '../../reconcile/account.ts';
import { type FamilyServer, KIND_NAMES, type KindName, type StoredKey, startFamilyServer } from './family-server.ts';
import { calls, gatewayOf, id, nameOf, ok, open } from './scripted.ts';

const RANGES = ['10.0.0.0/8'] as IpRule[];
const IPS = ['10.0.0.1', '2001:db8::1'] as IpRule[];
const NEW: KeySettings = {
  ...INITIAL_SETTINGS,
  name: 'app',
  models: ['gpt-4o', 'o3'],
  allowIps: IPS,
  remain: quota(7),
};

const writesTo = ({ seen }: FamilyServer): readonly string[] =>
  seen.filter(({ method }) => method !== 'GET').map(nameOf);
const only = (keys: readonly ObservedKey[]): ObservedKey => {
  const [key] = keys;
  if (key === undefined || keys.length > 1) throw new Error(`expected one key, got ${keys.length}`);
  return key;
};

/** The places in which each kind has the restrictions of `NEW`. */
const PLACED: Readonly<Record<KindName, object>> = {
  'new-api': { model_limits_enabled: true, model_limits: 'gpt-4o,o3', allow_ips: '10.0.0.1\n2001:db8::1' },
  Veloera: { model_limits_enabled: true, model_limits: 'gpt-4o,o3', allow_ips: '10.0.0.1\n2001:db8::1' },
  'one-api': { models: 'gpt-4o,o3', subnet: '10.0.0.1/32,2001:db8::1/128' },
  'one-hub': {
    setting: {
      limits: {
        limit_model_setting: { enabled: true, models: ['gpt-4o', 'o3'] },
        limits_ip_setting: { enabled: true, whitelist: ['10.0.0.1', '2001:db8::1'] },
      },
    },
  },
};

describe.each(KIND_NAMES)('a gateway of the kind %s', (kind) => {
  const start = async () => {
    const server = await startFamilyServer(kind);
    return { server, ...open(server.url) };
  };

  it.each([0, 1, 10, 25, 100, 101, 230])('lists %i keys, each once', async (count) => {
    const { server, store } = await start();
    for (let number = 1; number <= count; number += 1) server.make({ name: `app-${number}` });
    const keys = await store.walk();
    expect(keys.map((key) => key.id).sort((a, b) => a - b)).toEqual(server.keys().map((key) => key.id));
  });

  it('is recognized by its account, in two requests, once', async () => {
    const { server, store } = await start();
    server.make({ name: 'app' });
    await store.walk();
    await store.walk();
    const paths = server.seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
    const list = kind === 'one-hub' ? ['GET /api/token/'] : ['GET /api/token/search', 'GET /api/token/'];
    expect(paths).toEqual(['GET /api/user/self', 'GET /api/status', 'GET /v1/models', ...list, ...list]);
  });

  it('keeps the restrictions of a new key where it has them, and shows them', async () => {
    const { server, store } = await start();
    await store.create(NEW);
    expect(server.keys()).toEqual([expect.objectContaining({ name: 'app', remain_quota: 7, ...PLACED[kind] })]);
    const { models, allowIps, remain } = only(await store.walk());
    expect({ models, allowIps, remain }).toEqual({
      models: NEW.models,
      allowIps: kind === 'one-api' ? ['10.0.0.1/32', '2001:db8::1/128'] : IPS,
      remain: 7,
    });
  });

  it('keeps what an update does not change', async () => {
    const { server, store } = await start();
    await store.create(NEW);
    const [before] = server.keys();
    await store.update(id(1), () => ({ remain: quota(9) }));
    expect(server.keys()).toEqual([{ ...before, remain_quota: 9 }]);
  });

  it('lifts a restriction when an update does, and no other one', async () => {
    const { store } = await start();
    await store.create(NEW);
    await store.update(id(1), () => ({ models: null }));
    expect(only(await store.walk())).toMatchObject({ models: null, allowIps: expect.arrayContaining([]) });
    expect(only(await store.walk()).allowIps).toHaveLength(2);
    await store.update(id(1), () => ({ allowIps: null, models: ['o3'] }));
    expect(only(await store.walk())).toMatchObject({ models: ['o3'], allowIps: null });
  });

  it('reveals secrets from records, and shows none', async () => {
    const { server, store } = await start();
    server.make({ name: 'app' });
    const key = only(await store.walk());
    for (const text of [JSON.stringify(key), inspect(key, { depth: 9, showHidden: true })]) {
      expect(text).not.toContain('canary');
    }
    const secrets = await store.reveal([id(1)]);
    expect(secrets.get(id(1))?.reveal()).toBe(`sk-${server.keys()[0]?.key}`);
  });

  it('disables, enables and deletes keys', async () => {
    const { server, store } = await start();
    for (const name of ['a', 'b', 'c']) server.make({ name });
    await store.setEnabled(id(2), false);
    expect((await store.tryRead(id(2)))?.status).toBe('disabled');
    expect(await store.delete([id(1), id(3)])).toBe(true);
    expect(server.keys().map(({ name, status }) => [name, status])).toEqual([['b', 2]]);
  });

  it('keeps runs on two machines apart', async () => {
    const { claims, store } = await start();
    const note = { nonce: 'n', beat: 1, process: 1, host: 'h', since: 1 };
    await claims.place(note);
    const [claim] = await claims.list();
    expect(claim?.note).toEqual(note);
    expect(await claims.renew(id(1), { ...note, beat: 2 })).toBe(true);
    expect((await claims.list()).map((each) => each.note?.beat)).toEqual([2]);
    expect(await store.walk()).toEqual([]);
    await claims.remove(id(1));
    expect(await claims.list()).toEqual([]);
  });

  it('refuses a name that it does not hold, before anything is sent', async () => {
    const { server, store } = await start();
    const fault = await faultOf(store.create({ ...NEW, name: 'a'.repeat(31) }));
    expect(fault).toMatchObject({
      code: 'gateway.unsupported',
      message: expect.stringContaining('at most 30 UTF-8 bytes'),
    });
    expect(writesTo(server)).toEqual([]);
  });

  it('shows its log, each entry once', async () => {
    const rows = Array.from({ length: 120 }, (_, index) => ({
      id: 0,
      created_at: 5000 - index,
      type: 2,
      token_name: 'app',
      quota: index,
    }));
    const server = await startFamilyServer(kind, { rows });
    const { log } = open(server.url);
    const units: number[] = [];
    for await (const entries of log()) units.push(...entries.map(({ spent }) => spent));
    expect(units).toEqual(rows.map((row) => row.quota));
  });
});

describe('a setting that a gateway cannot hold is refused, and nothing is written', () => {
  it.each<[KindName, string, Partial<KeySettings>, string]>([
    ['one-api', 'an empty allowlist', { models: [] }, 'An empty allowlist would allow every model'],
    ['one-api', 'a group', { group: 'vip' }, 'Keys have no group at one-api'],
    ['Veloera', 'a range', { allowIps: RANGES }, 'ignores address ranges'],
    ['new-api', 'a range', { allowIps: RANGES }, 'ignores address ranges'],
  ])('%s: %s', async (kind, _, settings, reason) => {
    const server = await startFamilyServer(kind);
    server.make({ name: 'app' });
    const { store } = open(server.url);
    for (const write of [() => store.create({ ...NEW, ...settings }), () => store.update(id(1), () => settings)]) {
      expect(await faultOf(write())).toMatchObject({
        code: 'gateway.unsupported',
        message: expect.stringContaining(reason),
      });
    }
    expect(writesTo(server)).toEqual([]);
  });

  it.each(['one-api', 'one-hub'] as const)('%s: a range can be held', async (kind) => {
    const server = await startFamilyServer(kind);
    const { store } = open(server.url);
    await store.create({ ...NEW, allowIps: RANGES });
    expect(only(await store.walk()).allowIps).toEqual(['10.0.0.0/8']);
  });
});

describe('a plan notes what an apply will refuse', () => {
  it.each<[KindName, string, Parameters<typeof declareNew>[1], readonly (readonly [string, string])[]]>([
    [
      'one-api',
      'app',
      { models: [], group: 'vip' },
      [
        ['group', 'the group vip'],
        ['models', 'every model'],
      ],
    ],
    ['Veloera', 'app', { allowIps: RANGES }, [['allowIps', 'ignores address ranges']]],
    ['Veloera', 'a'.repeat(31), {}, [['', 'has at most 30 UTF-8 bytes']]],
    ['one-hub', 'app', { models: [], group: 'vip', allowIps: RANGES }, []],
  ])('%s: %s %j', async (kind, name, fields, expected) => {
    const { store } = open((await startFamilyServer(kind)).url);
    const desired = state([declareNew(name, fields)]);
    const { notes } = plan(desired, await observe(store, desired, { now: NOW, ...TRUSTED }), NOW);
    const held = notes
      .filter(({ code }) => code === 'not-held')
      .map(({ path = [], message }) => [path.join(), message]);
    expect(held).toEqual(expected.map(([field, text]) => [field, expect.stringContaining(text)]));
  });
});

describe('what one-hub has and the contract has not', () => {
  const limits = {
    limit_model_setting: { enabled: true, models: ['a,b', 'o3'] },
    limits_ip_setting: { enabled: false, whitelist: ['10.0.0.1'] },
  };
  const setting = { heartbeat: { enabled: true, timeout_seconds: 60 }, limits, later: 1 };

  it('is written back as it was read', async () => {
    const server = await startFamilyServer('one-hub');
    server.make({ name: 'app', backup_group: 'vip', setting });
    await open(server.url).store.update(id(1), () => ({ remain: quota(5) }));
    expect(server.keys()[0]).toMatchObject({ remain_quota: 5, backup_group: 'vip', setting });
  });

  it('stays next to a restriction that is written', async () => {
    const server = await startFamilyServer('one-hub');
    server.make({ name: 'app', setting });
    await open(server.url).store.update(id(1), () => ({ models: [] }));
    const written = { ...limits, limit_model_setting: { enabled: true, models: [] } };
    expect(server.keys()[0]?.setting).toEqual({ ...setting, limits: written });
  });

  it('is a database that cannot store several new keys at the same time', async () => {
    const server = await startFamilyServer('one-hub', { deadlocks: true });
    const { store } = open(server.url);
    await store.walk();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => store.create({ ...NEW, name })));
    expect(server.keys().map(({ name }) => name)).toEqual(names);
  });

  it('gets no key more after an interruption, and goes on after a create that fails', async () => {
    const interruption = new AbortController();
    const server = await startFamilyServer('one-hub');
    const { store } = open(server.url, { signal: interruption.signal });
    await store.walk();
    const create = (name: string) => store.create({ ...NEW, name });
    const failing = [create('x'.repeat(31)), create('a')];
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const creates = ['b', 'c', 'd', 'e'].map(create);
    // The next create may have been sent by then.
    void creates[0]?.then(() => interruption.abort());
    const [, , ...others] = await Promise.allSettled(creates);
    const interrupted = { reason: { code: 'gateway.interrupted', detail: { sent: 'no' } } };
    expect(others).toMatchObject([interrupted, interrupted]);
    expect(writesTo(server).filter((call) => call === 'POST /api/token/').length).toBeLessThanOrEqual(3);
  });

  it('is a list of addresses that is switched off', async () => {
    const server = await startFamilyServer('one-hub');
    server.make({ name: 'app', setting });
    expect(only(await open(server.url).store.walk()).allowIps).toBeNull();
  });
});

describe('a key never looks less restricted than it is', () => {
  const account = ok({ id: 42, quota: 1, access_token: 'canary' });
  const status = ok({ quota_per_unit: 500_000, chat_link: '', display_in_currency: true });
  const refusal = { 'GET /api/user/self': account, 'GET /api/status': status };
  const record = { id: 7, name: 'app', status: 1, key: 'k', expired_time: -1, remain_quota: 1, unlimited_quota: false };

  it.each([
    ['without its models', { subnet: '' }, 'models'],
    ['without its addresses', { models: 'o3' }, 'subnet'],
    ['with models in another form', { models: ['o3'], subnet: '' }, 'models'],
  ])('in a record of one-api %s', async (_, fields, field) => {
    const listed = { ...record, ...fields };
    const server = await gatewayOf({
      ...refusal,
      'GET /api/token/search': ok([listed]),
      'GET /api/token/7': ok(listed),
    });
    const { store } = open(server.url);
    for (const fault of [await faultOf(store.walk()), await faultOf(store.tryRead(id(7)))]) {
      expect(['gateway.unsupported', 'gateway.unexpected-shape']).toContain(fault.code);
      expect(fault.message).toContain(field);
    }
  });

  it('in a record that is read before anything else', async () => {
    const server = await startFamilyServer('one-api');
    server.make({ name: 'app', models: 'o3', subnet: '10.0.0.0/8' });
    const key = await open(server.url).system.readKey(id(1));
    expect(key).toMatchObject({ models: ['o3'], allowIps: ['10.0.0.0/8'] });
  });
});

test('an account with keys is not empty because a search finds none', async () => {
  const server = await gatewayOf({
    'GET /api/user/self': ok({ id: 42, quota: 1, access_token: 'canary' }),
    'GET /api/status': ok({ quota_per_unit: 500_000, setup: true, check_in_enabled: true }),
    'GET /api/token/search': ok([]),
    'GET /api/token/': ok([{ id: 7 }]),
  });
  const { store } = open(server.url);
  for (const fault of [await faultOf(store.walk()), await faultOf(store.create(NEW))]) {
    expect(fault).toMatchObject({
      code: 'gateway.unsupported',
      message: expect.stringContaining('The search for any name leaves keys out: it finds 0'),
    });
  }
  expect(calls(server).filter((call) => call.startsWith('POST'))).toEqual([]);
});

/** A limit without an order: each search finds other ones of the same keys. */
let searches = 0;
const differing = (keys: readonly StoredKey[]): readonly StoredKey[] => {
  const start = (searches++ * 7) % keys.length;
  return [...keys.slice(start), ...keys.slice(0, start)].slice(0, 20);
};

describe.each(['new-api', 'Veloera', 'one-api'] as const)('a search of %s counts', (kind) => {
  const starting = async (count: number, behavior: Parameters<typeof startFamilyServer>[1]) => {
    const server = await startFamilyServer(kind, behavior);
    for (let number = 1; number <= count; number += 1) server.make({ name: `app-${number}` });
    return { server, ...open(server.url) };
  };

  it.each([
    ['finds 20 keys at most', 25, (keys: readonly StoredKey[]) => keys.slice(0, 20)],
    ['finds 10 keys at most', 11, (keys: readonly StoredKey[]) => keys.slice(0, 10)],
    ['finds the oldest 20', 21, (keys: readonly StoredKey[]) => keys.slice(-20)],
    ['leaves out one in the middle', 25, (keys: readonly StoredKey[]) => keys.filter((key) => key.id !== 12)],
    ['finds other keys each time', 25, differing],
    ['leaves out one of ten', 10, (keys: readonly StoredKey[]) => keys.filter((key) => key.id !== 3)],
  ])('not if it %s', async (_, count, searched) => {
    const { server, store } = await starting(count, { searched });
    for (const fault of [await faultOf(store.walk()), await faultOf(store.create(NEW))]) {
      expect(fault).toMatchObject({
        code: 'gateway.unsupported',
        message: expect.stringContaining('leaves keys out'),
      });
    }
    expect(writesTo(server)).toEqual([]);
  });

  it('not if it finds the newest 20, although somebody creates keys meanwhile', async () => {
    const server: FamilyServer = await startFamilyServer(kind, {
      searched(keys) {
        server.make({ name: 'meanwhile' });
        return keys.slice(0, 20);
      },
    });
    for (let number = 1; number <= 25; number += 1) server.make({ name: `app-${number}` });
    expect((await faultOf(open(server.url).store.walk())).message).toContain('leaves keys out');
  });

  it('not either once the account has outgrown it', async () => {
    const { server, store } = await starting(20, { searched: (keys) => keys.slice(0, 20) });
    expect(await store.walk()).toHaveLength(20);
    server.make({ name: 'one more' });
    expect((await faultOf(store.walk())).message).toContain('leaves keys out');
  });

  it.each([1, 3, 1000])('while somebody creates keys, %i at most', async (most) => {
    const server: FamilyServer = await startFamilyServer(kind, {
      searched(keys) {
        if (keys.length < 9 + most) server.make({ name: 'meanwhile' });
        return keys;
      },
    });
    for (let number = 1; number <= 9; number += 1) server.make({ name: `app-${number}` });
    const found = await open(server.url).store.walk();
    expect(found.length).toBeGreaterThan(9);
    expect(new Set(found.map((key) => key.id)).size).toBe(found.length);
  });
});

describe('what was seen of the kind holds', () => {
  it('although a later status does not show it', async () => {
    let asked = 0;
    const server = await startFamilyServer('one-api', {
      status: (own) => (asked++ === 0 ? own : { quota_per_unit: 500_000 }),
    });
    server.make({ name: 'app', models: 'o3' });
    const { store, system } = open(server.url);
    await store.walk();
    await system.status();
    await store.quotaPerUnit();
    for (const write of [
      () => store.create({ ...NEW, models: [] }),
      () => store.update(id(1), () => ({ models: [] })),
    ]) {
      expect((await faultOf(write())).message).toContain('An empty allowlist would allow every model at one-api');
    }
    expect(writesTo(server)).toEqual([]);
  });

  it('and no other kind that a later status shows is written to', async () => {
    let asked = 0;
    const server = await startFamilyServer('one-api', {
      status: (own) =>
        asked++ === 0 ? own : { quota_per_unit: 500_000, quota_display_type: 'USD', version: 'v0.13.2' },
    });
    server.make({ name: 'app', models: 'o3' });
    for (const isListed of [true, false]) {
      asked = 0;
      const { store, system } = open(server.url);
      await (isListed ? store.walk() : system.self());
      await system.status();
      for (const write of [() => store.create(NEW), () => store.update(id(1), () => ({ models: [] }))]) {
        expect(['gateway.unsupported', 'gateway.unexpected-shape']).toContain((await faultOf(write())).code);
      }
    }
    expect(writesTo(server)).toEqual([]);
  });

  it.each([
    ['is not recognized', ok({ quota_per_unit: 500_000 })],
    ['cannot be asked for', disconnect],
  ])('and nothing is written in the form of the contract where the kind %s', async (_, status) => {
    const key = { id: 7, name: 'app', status: 1, key: 'k', expired_time: -1, remain_quota: 1, unlimited_quota: false };
    const server = await gatewayOf({
      'GET /api/user/self': ok({ id: 42, quota: 1, access_token: 'canary' }),
      'GET /api/status': status,
      'GET /api/token/': ok([{ ...key, models: 'o3', subnet: '' }]),
      'GET /api/token/7': ok({ ...key, models: 'o3', subnet: '' }),
      'POST /api/token/': ok(null),
      'PUT /api/token/': ok(null),
      'DELETE /api/token/7': ok(null),
    });
    for (const write of [
      ({ store }: Gateway) => store.create(NEW),
      ({ store }: Gateway) => store.update(id(7), () => ({ remain: quota(5) })),
      ({ store }: Gateway) => store.setEnabled(id(7), false),
      ({ store }: Gateway) => store.delete([id(7)]),
    ]) {
      expect((await faultOf(write(open(server.url)))).code).toBe('gateway.unexpected-shape');
    }
    expect(calls(server).filter((call) => !call.startsWith('GET'))).toEqual([]);
  });
});

test('a list of another kind is read without a sign in the account', async () => {
  const server = await gatewayOf({
    'GET /api/status': ok({ quota_per_unit: 500_000, PaymentUSDRate: 7 }),
    'GET /api/token/': ok({ data: [], total_count: 0 }),
  });
  const { system } = open(server.url);
  expect(await walkKeys((page) => system.listKeys({ page, size: 100, excludeSmartRouting: false }))).toEqual([]);
});
