import { inspect } from 'node:util';
import { describe, expect, it, test } from 'vitest';
import { INITIAL_SETTINGS, type IpRule } from '../../../src/domain/index.ts';
import { faultOf } from '../../http/client.ts';
import type { Handler } from '../../http/loopback.ts';
import { bodyOf, calls, gatewayOf, id, ok, open, record, refused } from './scripted.ts';

/** Releases of new-api that people run, and what each of them lacks: seen on v0.8.4, v0.8.9, v0.9.28, v0.10.9, v0.11.9 and v0.12.2. */
const STATUS = { quota_per_unit: 500_000, setup: true };
const DISPLAY = { quota_display_type: 'USD' };
const status = (version: string, more: object = DISPLAY): Handler => ok({ ...STATUS, ...more, version });

const CLEAR = [7, 8].map((number) => `canary${number}`.padEnd(48, 'x'));
const clear = [7, 8].map((number, index) => record(number, { key: CLEAR[index] }));
const listOf = (keys: readonly object[]): Handler => ok({ items: keys, total: keys.length });
const asked = (server: Parameters<typeof calls>[0], path: string): number =>
  calls(server).filter((call) => call.startsWith(path)).length;
const valuesOf = (secrets: ReadonlyMap<number, { reveal(): string }>) =>
  [...secrets].map(([key, secret]) => [key, secret.reveal()]);

describe('a release that does not reveal several credentials in one request', () => {
  it('reveals them one by one', async () => {
    const server = await gatewayOf({
      'POST /api/token/7/key': ok({ key: 'canary-of-7' }),
      'POST /api/token/8/key': refused(),
      'GET /api/token/8': refused(),
    });
    expect(valuesOf(await open(server.url).store.reveal([id(7), id(8)]))).toEqual([[7, 'sk-canary-of-7']]);
  });
});

describe('a release that lists credentials in clear and reveals none', () => {
  const serve = () =>
    gatewayOf({
      'GET /api/token/': listOf(clear),
      'GET /api/token/7': ok(clear[0]),
      'GET /api/token/8': refused(),
      'DELETE /api/token/7': ok(null),
    });

  it('reveals them from the records, and omits keys that no longer exist', async () => {
    const { store } = open((await serve()).url);
    expect(valuesOf(await store.reveal([id(7), id(8)]))).toEqual([[7, `sk-${CLEAR[0]}`]]);
  });

  it('is asked once for what it lacks', async () => {
    const server = await serve();
    const { store } = open(server.url);
    for (let times = 1; times <= 3; times += 1) await store.reveal([id(7)]);
    expect([asked(server, 'POST /api/token/batch/keys'), asked(server, 'POST /api/token/7/key')]).toEqual([1, 1]);
  });

  it('is asked again once it has been updated', async () => {
    const handlers: Record<string, Handler> = { 'GET /api/token/7': ok(clear[0]) };
    const { store } = open((await gatewayOf(handlers)).url);
    await store.reveal([id(7)]);
    Object.assign(handlers, {
      'GET /api/token/7': ok(record(7)),
      'POST /api/token/batch/keys': ok({ keys: { 7: 'abcd-new-wxyz' } }),
    });
    expect(valuesOf(await store.reveal([id(7)]))).toEqual([[7, 'sk-abcd-new-wxyz']]);
  });

  it('is read without a credential in anything that could be printed', async () => {
    const [key] = await open((await serve()).url).store.walk();
    expect(key?.masked).toBe('(hidden)');
    for (const text of [JSON.stringify(key), inspect(key, { depth: 9, showHidden: true })]) {
      expect(text).not.toContain('canary');
    }
  });

  it.each([
    ['is masked', 'abcd**********wxyz'],
    ['is shortened', 'abcd...wxyz'],
    ['is too short', 'abcd'],
    ['is missing', ''],
  ])('reports that there is no way to reveal a credential that %s', async (_, key) => {
    const server = await gatewayOf({ 'GET /api/token/7': ok(record(7, { key })) });
    const fault = await faultOf(open(server.url).store.reveal([id(7)]));
    expect(fault).toMatchObject({ code: 'gateway.refused', detail: { status: 404 } });
  });

  it('is believed only where there is no path to reveal by', async () => {
    const server = await gatewayOf({ 'GET /api/token/7': ok(clear[0]), 'POST /api/token/7/key': refused('no') });
    expect((await faultOf(open(server.url).store.reveal([id(7)]))).message).toContain('no');
  });
});

describe('a release that deletes keys one by one only', () => {
  it.each([
    ['without a check', false],
    ['each while it passes a check', true],
  ])('loses those that are to go, %s', async (_, isChecked) => {
    const server = await gatewayOf({
      'GET /api/token/': listOf([record(7), record(8)]),
      'GET /api/token/7': ok(record(7)),
      'GET /api/token/8': ok(record(8)),
      'DELETE /api/token/7': ok(null),
      'DELETE /api/token/8': ok(null),
    });
    const { store } = open(server.url);
    expect(await store.delete([id(7), id(8)], ...(isChecked ? [() => true] : []))).toBe(true);
    expect(calls(server).filter((call) => call.startsWith('DELETE'))).toEqual([
      'DELETE /api/token/7',
      'DELETE /api/token/8',
    ]);
  });

  it('reports a key that it did not have', async () => {
    const server = await gatewayOf({
      'DELETE /api/token/7': ok(null),
      'DELETE /api/token/8': refused(),
      'GET /api/token/8': refused(),
    });
    expect(await open(server.url).store.delete([id(7), id(8)])).toBe(false);
  });
});

test('a search that answers with all keys that it finds is read whole, once', async () => {
  const found = Array.from({ length: 150 }, (_, index) => record(index + 1));
  const server = await gatewayOf({ 'GET /api/token/search': ok(found) });
  expect(await open(server.url).search('key')).toHaveLength(150);
  expect(asked(server, 'GET /api/token/search')).toBe(1);
});

test('a list without pages cannot be read', async () => {
  const server = await gatewayOf({ 'GET /api/token/': ok([record(7)]) });
  expect((await faultOf(open(server.url).store.walk())).code).toBe('gateway.unexpected-shape');
});

describe('a release that ignores address ranges', () => {
  const stored = [
    record(7, { allow_ips: '10.0.0.0/8' }),
    record(8, { allow_ips: '10.0.0.1/32\n10.0.0.2' }),
    record(9, { allow_ips: '10.0.0.3' }),
    record(10, { allow_ips: 'an office\n10.0.0' }),
  ];
  const serve = (version: string) =>
    gatewayOf({
      'GET /api/status': status(version),
      'GET /api/token/': listOf(stored),
      'GET /api/token/7': ok(stored[0]),
      'POST /api/token/': ok(null),
      'PUT /api/token/': ok(null),
    });
  const ranges = ['10.0.0.0/8' as IpRule];
  const settings = { ...INITIAL_SETTINGS, name: 'new' };

  it.each(['v0.9.28', 'v0.10.0', '0.8.9.3'])('%s is read as it treats keys', async (version) => {
    const { store } = open((await serve(version)).url);
    const [, keys] = await Promise.all([store.quotaPerUnit(), store.walk()]);
    expect(keys.map(({ allowIps }) => allowIps)).toEqual([null, ['10.0.0.2'], ['10.0.0.3'], null]);
    expect(await store.tryRead(id(7))).toMatchObject({ allowIps: null });
  });

  it.each(['v0.10.1', 'v0.13.2', 'v1.0.0-rc.24', '260822-gd-2', 'v0.0.0'])(
    'others, such as %s, are not',
    async (version) => {
      const server = await serve(version);
      const { store } = open(server.url);
      await store.quotaPerUnit();
      expect((await store.walk()).map(({ allowIps }) => allowIps?.length)).toEqual([1, 2, 1, 2]);
      await store.create({ ...settings, allowIps: ranges });
      expect(asked(server, 'POST /api/token/')).toBe(1);
    },
  );

  it('gets no range, also where its kind was not asked for before', async () => {
    const server = await serve('v0.9.28');
    const { store } = open(server.url);
    for (const write of [
      () => store.create({ ...settings, allowIps: ranges }),
      () => store.create({ ...settings, allowIps: ['10.0.0.1/32' as IpRule, ...ranges] }),
      () => store.update(id(7), () => ({ allowIps: ranges })),
    ]) {
      const fault = await faultOf(write());
      expect(fault.code).toBe('gateway.unsupported');
      expect(fault.message).toContain('new-api v0.9.28 ignores address ranges');
    }
    expect(calls(server).filter((call) => !call.startsWith('GET'))).toEqual([]);
    expect(asked(server, 'GET /api/status')).toBe(1);
  });

  it('gets single addresses as addresses', async () => {
    const server = await serve('v0.9.28');
    await open(server.url).store.create({
      ...settings,
      allowIps: ['10.0.0.1/32', '2001:db8::1/128'] as IpRule[],
    });
    const sent = server.seen.find(({ method }) => method === 'POST');
    expect(bodyOf(sent)).toMatchObject({ allow_ips: '10.0.0.1\n2001:db8::1' });
  });
});
