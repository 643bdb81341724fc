import { describe, expect, it, test } from 'vitest';
import { INITIAL_SETTINGS } from '../../../src/domain/index.ts';
import { findKind, type Gateway } from '../../../src/gateway/index.ts';
import { type GatewayProfile, SHIPPED_PROFILES } from '../../../src/wire/index.ts';
import { faultOf } from '../../http/client.ts';
import { type Handler, respondWith } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';
import { calls, gatewayOf, id, ok, open, record } from './scripted.ts';

const RATE = { quota_per_unit: 500_000 };
const ONE_API = { ...RATE, version: 'v0.6.10', system_name: 'New API', chat_link: '', display_in_currency: true };
const ONE_HUB = { ...ONE_API, version: 'v0.14.27', PaymentUSDRate: 7.3 };
const DONE_HUB = { ...ONE_HUB, version: 'v1.23.18', GeminiAPIEnabled: true };
const NEW_API = { ...RATE, version: 'v0.13.2', system_name: 'One API', quota_display_type: 'USD', setup: true };
const { deployed: DEPLOYED } = SHIPPED_PROFILES;

const pageOf = (items: readonly unknown[], more: object = { total: items.length }) => ok({ items, ...more });
const listed = pageOf([record(7), record(5)]);
const WRITES = { 'POST /api/token/': ok(null), 'PUT /api/token/': ok(null), 'DELETE /api/token/7': ok(null) };

const serve = (status: Handler, list: Handler) =>
  gatewayOf({ 'GET /api/status': status, 'GET /api/token/': list, 'GET /api/token/7': ok(record(7)), ...WRITES });

const KINDS_OF_WRITES: readonly [string, (gateway: Gateway) => Promise<unknown>][] = [
  ['a create', ({ store }) => store.create({ ...INITIAL_SETTINGS, name: 'new' })],
  ['an update', ({ store }) => store.update(id(7), () => ({ name: 'other' }))],
  ['a disable', ({ store }) => store.setEnabled(id(7), false)],
  ['a delete', ({ store }) => store.delete([id(7)])],
  ['a claim of the lock', ({ claims }) => claims.remove(id(7))],
];
const [[, create] = ['', () => Promise.reject(new Error('no writes'))]] = KINDS_OF_WRITES;

const writesTo = (server: Parameters<typeof calls>[0]): readonly string[] =>
  calls(server).filter((call) => !call.startsWith('GET '));

const withStatements = (observed: GatewayProfile['observed']): GatewayProfile => ({
  ...DEPLOYED,
  observed: { ...DEPLOYED.observed, ...observed },
});

describe('a gateway whose status is that of one-api, and whose list is that of new-api', () => {
  it.each(KINDS_OF_WRITES)('is read, and %s is refused', async (_, write) => {
    const server = await serve(ok(ONE_API), listed);
    const gateway = open(server.url);
    expect(String(await gateway.store.quotaPerUnit())).toBeDefined();
    expect(await gateway.store.walk()).toHaveLength(2);
    const { code, message } = await faultOf(write(gateway));
    expect(code).toBe('gateway.unsupported');
    expect(message).toContain('one-api v0.6.10');
    expect(writesTo(server)).toEqual([]);
  });

  test('is written to with the profile that its list confirms', async () => {
    const server = await serve(ok(ONE_API), listed);
    const gateway = open(server.url, { profile: DEPLOYED });
    await gateway.store.quotaPerUnit();
    await gateway.store.walk();
    await create(gateway);
    expect(writesTo(server)).toEqual(['POST /api/token/']);
  });

  test('is recognized before a write for which no list was read', async () => {
    const server = await serve(ok(ONE_HUB), listed);
    const gateway = open(server.url);
    await gateway.store.quotaPerUnit();
    expect((await faultOf(create(gateway))).message).toContain('one-hub v0.14.27');
    expect(writesTo(server)).toEqual([]);
  });
});

test('a list in no form that one-api has names the kind of gateway, and nothing is written', async () => {
  const server = await serve(ok(ONE_API), ok([record(7)]));
  const gateway = open(server.url);
  await gateway.store.quotaPerUnit();
  for (const fault of [await faultOf(gateway.store.walk()), await faultOf(create(gateway))]) {
    expect(fault.code).toBe('gateway.unsupported');
    expect(fault.message).toContain('answers like one-api v0.6.10, but Keyplane cannot read its list of keys');
  }
  expect(writesTo(server)).toEqual([]);
});

describe('a list that cannot be read, where the status does not show the kind', () => {
  const refusal = (type: string) => respondWith(401, { error: { message: 'no such key', type } });
  const serveTyped = (type: string) =>
    gatewayOf({ 'GET /api/status': ok(RATE), 'GET /api/token/': ok('none'), 'GET /v1/models': refusal(type) });

  it.each([
    ['one_api_error', 'one-api'],
    ['veloera_error', 'Veloera'],
    ['one_hub_error', 'one-hub'],
  ])('is explained by the type of its errors, which are asked for once: %s', async (type, kind) => {
    const server = await serveTyped(type);
    const gateway = open(server.url);
    await gateway.store.quotaPerUnit();
    for (const fault of [await faultOf(gateway.store.walk()), await faultOf(create(gateway))]) {
      expect(fault.code).toBe('gateway.unsupported');
      expect(fault.message).toContain(`The gateway answers like ${kind}, but Keyplane cannot read its list of keys.`);
    }
    expect(calls(server).filter((call) => call.startsWith('GET /v1/models'))).toHaveLength(1);
    expect(writesTo(server)).toEqual([]);
  });

  test('is reported as it is where the type does not explain it either', async () => {
    const gateway = open((await serveTyped('new_api_error')).url);
    expect((await faultOf(gateway.store.walk())).code).toBe('gateway.unexpected-shape');
  });

  test('costs a run no request where the list can be read', async () => {
    const server = await serve(ok(RATE), listed);
    const gateway = open(server.url);
    await gateway.store.quotaPerUnit();
    await gateway.store.walk();
    expect(calls(server).filter((call) => call.includes('/v1/'))).toEqual([]);
  });
});

describe('without a recognized status, the list confirms a gateway', () => {
  const html = respondWith(200, '<!doctype html><title>Login</title>', { 'content-type': 'text/html' });
  const odd = { ...RATE, version: { of: 'nothing' }, chat_link: '' };
  it.each<[string, Handler]>([
    ['there is none', respondWith(404, { error: { message: 'Invalid URL', type: 'invalid_request_error' } })],
    ['a proxy answers with a page', html],
    ['it has only the rate', ok(RATE)],
    ['its version is not a text', ok(odd)],
    ['it is that of new-api under another name', ok(NEW_API)],
  ])('when %s', async (_, status) => {
    const server = await serve(status, listed);
    const gateway = open(server.url);
    await gateway.store.quotaPerUnit().catch(() => undefined);
    expect(await gateway.store.walk()).toHaveLength(2);
    for (const [, write] of KINDS_OF_WRITES) await write(gateway);
    expect(calls(server).filter((call) => call.startsWith('GET /api/token/?'))).toHaveLength(1);
    expect(writesTo(server)).toHaveLength(KINDS_OF_WRITES.length);
  });
});

describe('a chosen profile', () => {
  const smart = { smart_routing: false, smart_route_tiers: '' };
  const clear = { key: 'a'.repeat(48) };
  it.each<[string, Handler, string]>([
    ['has no total', pageOf([record(7)], {}), 'keys.list.total: data.total'],
    ['shows credentials in clear', pageOf([record(7, clear)]), 'keys.record.secret: masked in the middle'],
    ['has further fields', pageOf([record(7, smart)]), 'keys.record.missing-fields: smart_routing, smart_route_tiers'],
  ])('refuses writes to a gateway whose list %s', async (_, list, statement) => {
    const server = await serve(ok(NEW_API), list);
    const gateway = open(server.url, { profile: DEPLOYED });
    expect(await gateway.store.walk()).toHaveLength(1);
    for (const [, write] of KINDS_OF_WRITES) {
      const { code, message, detail } = await faultOf(write(gateway));
      expect([code, detail]).toEqual(['gateway.unsupported', { statements: [statement] }]);
      expect(message).toContain(statement);
      expect(message).not.toContain(clear.key);
    }
    expect(writesTo(server)).toEqual([]);
  });

  it.each<[string, string]>([
    ['keys.list.place', 'data'],
    ['keys.list.first-page', '0'],
    ['keys.record.missing-fields', 'allow_ips'],
  ])('refuses writes where it states %s: %s, before any request', async (question, value) => {
    const server = await serve(ok(NEW_API), listed);
    const { system: _, ...gateway } = open(server.url, { profile: withStatements({ [question]: value }) });
    const fault = await faultOf(gateway.claims.remove(id(7)));
    expect([fault.code, fault.detail.statements]).toEqual(['gateway.unsupported', [`${question}: ${value}`]]);
    expect(calls(server)).toEqual([]);
  });

  test('is confirmed by one page where nothing was listed, and by none where something was', async () => {
    const server = await serve(ok(NEW_API), listed);
    const gateway = open(server.url, { profile: DEPLOYED });
    await create(gateway);
    await create(gateway);
    expect(calls(server).filter((call) => call.startsWith('GET /api/token/?'))).toHaveLength(1);
  });

  test('may state what nobody asks about', async () => {
    const server = await serve(ok(RATE), listed);
    await create(open(server.url, { profile: withStatements({ 'keys.future.question': 'any' }) }));
    expect(writesTo(server)).toEqual(['POST /api/token/']);
  });
});

test('a write for which nothing was read is sent as it is where no profile is known', async () => {
  const server = await serve(ok(RATE), listed);
  await create(open(server.url));
  expect(calls(server)).toEqual(['GET /api/user/self', 'POST /api/token/']);
});

describe('the settings that a gateway does not keep', () => {
  it.each<[string, object, GatewayProfile | undefined, object | undefined]>([
    ['are unknown before it is recognized', RATE, undefined, undefined],
    [
      'are presumed by its kind',
      NEW_API,
      undefined,
      { everywhere: ['smartRouting', 'smartRouteTiers'], outsideAuto: [], source: 'presumed', kind: 'new-api v0.13.2' },
    ],
    [
      'are presumed by its version',
      { ...NEW_API, version: 'v1.0.0-rc.24' },
      undefined,
      { outsideAuto: ['crossGroupRetry'], kind: 'new-api v1.0.0-rc.24' },
    ],
    [
      'are stated by the profile',
      RATE,
      DEPLOYED,
      { everywhere: ['smartRouting', 'smartRouteTiers'], source: 'stated' },
    ],
    ['are none by the profile of the contract', NEW_API, SHIPPED_PROFILES.contract, undefined],
  ])('%s', async (_, status, profile, expected) => {
    const server = await serve(ok(status), listed);
    const { store } = open(server.url, profile ? { profile } : {});
    await store.quotaPerUnit();
    const unkept = store.unkept();
    expect(unkept === undefined ? undefined : { ...unkept, ...expected }).toEqual(unkept);
    expect(unkept === undefined).toBe(expected === undefined);
  });
});

describe('a gateway that is asked for its kind, without credentials', () => {
  const html = respondWith(200, '<!doctype html><title>Login</title>', { 'content-type': 'text/html' });
  const refusing = (type: unknown, status = 401) => respondWith(status, { error: { message: 'no', type, code: '' } });
  it.each<[string, Handler, Handler, string | undefined]>([
    ['answers by its errors, rather than by its status', ok(ONE_API), refusing('new_api_error'), 'new-api v0.6.10'],
    ['answers by its errors behind a page', html, refusing('veloera_error'), 'Veloera'],
    ['answers by its status, without errors', ok(ONE_HUB), ok([]), 'one-hub v0.14.27'],
    ['answers by both', ok(ONE_HUB), refusing('one_hub_error'), 'one-hub v0.14.27'],
    ['has the errors of one-hub, and more in its status', ok(DONE_HUB), refusing('one_hub_error'), 'done-hub v1.23.18'],
    ['has more in its status, and no errors', ok(DONE_HUB), ok([]), 'done-hub v1.23.18'],
    ['has the errors of one-hub behind a page', html, refusing('one_hub_error'), 'one-hub'],
    ['has no such path', ok(RATE), refusing('invalid_request_error', 404), undefined],
    ['has errors of another kind', ok(RATE), refusing({ canary: 1 }), undefined],
    ['answers pages only', html, html, undefined],
    ['answers null', ok(null), respondWith(401, 'null'), undefined],
  ])('%s', async (_, status, refusal, expected) => {
    const server = await gatewayOf({ 'GET /api/status': status, 'GET /v1/models': refusal });
    const kind = await findKind({ url: server.url, clock: virtualClock() });
    expect(kind?.title).toBe(expected);
    expect(calls(server)).toEqual(['GET /api/status', 'GET /v1/models']);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, `Bearer sk-${'0'.repeat(48)}`]);
  });
});
