import { afterEach, describe, expect, test } from 'vitest';
import { type KeySettings, keyId, quota, Secret, type UsageEntry } from '../../../src/domain/index.ts';
import { type GatewayOptions, openGateway } from '../../../src/gateway/index.ts';
import { type ReferenceOptions, startReferenceGateway } from '../../../src/reference/index.ts';
import { faultOf } from '../../http/client.ts';
import { virtualClock } from '../../http/virtual-clock.ts';

const TOKEN = 'canary-access-token';
const KEYS = 250;

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close();
});

const settings = (name: string): KeySettings => ({
  name,
  group: 'vip',
  crossGroupRetry: false,
  models: ['alpha-chat-1'],
  allowIps: ['10.0.0.0/8'],
  expires: 4_000_000_000,
  unlimited: false,
  remain: quota(1000),
  smartRouting: false,
  smartRouteTiers: '',
});

async function start(
  profile: ReferenceOptions['profile'] & string,
  options: Partial<GatewayOptions> = {},
  keys = KEYS,
) {
  const clock = virtualClock();
  const reference = await startReferenceGateway({
    profile,
    control: true,
    now: () => clock.now() / 1000,
    seed: {
      accounts: [
        { userId: 42, accessToken: TOKEN, quota: 10_000, group: 'vip' },
        { userId: 43, accessToken: 'other', quota: 1 },
      ],
      keys: Array.from({ length: keys }, (_, n) => ({
        name: `seed-${n + 1}`,
        key: `canary${n + 1}`.padEnd(48, 'x'),
        remain_quota: 500,
        smart_routing: n === 3,
        rate_limit: 7,
      })),
    },
  });
  closing.push(reference);
  const gateway = openGateway({
    url: reference.url,
    userId: 42,
    accessToken: new Secret(TOKEN),
    clock,
    random: () => 1,
    ...options,
  });
  closing.push(gateway);
  const control = (path: string, body?: object) =>
    fetch(`${reference.url}/_reference${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    }).then((answer) => answer.json() as Promise<Record<string, unknown>>);
  const requests = async () => (await control('/requests')).requests as Record<string, number>;
  return { ...gateway, control, requests };
}

async function readAll(pages: AsyncIterable<readonly UsageEntry[]>): Promise<UsageEntry[]> {
  const all: UsageEntry[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

describe.each(['contract', 'deployed'] as const)('against the reference gateway, profile %s', (profile) => {
  test('planning reads cost one page for each 100 keys, and at most three more requests', async () => {
    const { store, requests } = await start(profile);
    expect((await store.walk()).map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: KEYS }, (_, n) => n + 1),
    );
    await store.quotaPerUnit();
    await store.groups();
    const total = Object.values(await requests()).reduce((sum, n) => sum + n, 0);
    expect(total).toBeLessThanOrEqual(Math.ceil(KEYS / 100) + 3);
  });

  test.each([0, 1, 100, 200])('a walk over %i keys finds each once within the same bound', async (count) => {
    const { store, requests } = await start(profile, {}, count);
    expect(new Set((await store.walk()).map(({ id }) => id)).size).toBe(count);
    expect((await requests())['GET /api/token/'] ?? 0).toBeLessThanOrEqual(Math.ceil(count / 100) + 1);
  });

  test('a key is created, found, changed, disabled, enabled, revealed and deleted', async () => {
    const { store, system } = await start(profile);
    await store.create(settings('made'));
    const made = (await store.walk()).find(({ name }) => name === 'made');
    if (!made) throw new Error('the key is listed');
    expect(made).toMatchObject({ ...settings('made'), status: 'enabled' });
    await store.update(made.id, () => ({ name: 'renamed', models: null, remain: quota(2000) }));
    expect(await store.tryRead(made.id)).toMatchObject({ name: 'renamed', models: null, remain: 2000, group: 'vip' });
    await store.setEnabled(made.id, false);
    expect((await system.readKey(made.id)).status).toBe('disabled');
    await store.setEnabled(made.id, true);
    expect((await system.readKey(made.id)).status).toBe('enabled');
    const secret = (await store.reveal([made.id, keyId(999_999)])).get(made.id);
    expect(secret?.reveal()).toMatch(/^sk-(?!sk-)\S+$/);
    expect((await system.revealKey(made.id)).reveal()).toBe(secret?.reveal());
    expect((await system.searchKeys({ keyword: 'renamed', page: 1, size: 100 })).keys.map(({ id }) => id)).toEqual([
      made.id,
    ]);
    if (!secret) throw new Error('the key has a secret');
    expect((await system.searchKeys({ token: secret, page: 1, size: 100 })).keys).toHaveLength(1);
    await store.delete([made.id]);
    await store.delete([made.id]);
    await store.delete([made.id, keyId(1)]);
    expect(await store.tryRead(made.id)).toBeUndefined();
    expect(await store.tryRead(keyId(1))).toBeUndefined();
  });

  test('unknown fields of a record survive an update', async () => {
    const { store, control } = await start(profile);
    const key = await store.tryRead(keyId(2));
    if (!key) throw new Error('the key is there');
    await store.update(key.id, () => ({ group: 'vip' }));
    expect(JSON.stringify(await control('/state'))).toContain('"rate_limit":7');
    expect((await store.tryRead(key.id))?.record.rate_limit).toBe(key.record.rate_limit);
  });

  test('account, groups, statistics and models are read', async () => {
    const { system, store } = await start(profile);
    expect(await system.self()).toMatchObject({ id: 42, wallet: 10_000 });
    expect((await store.groups())?.map(({ name }) => name).sort()).toEqual(['default', 'vip']);
    expect((await system.usageStatistics()).quota).toBe(0);
    expect(await system.models((await system.revealKey(keyId(2))) as Secret)).toEqual([]);
  });

  test('the usage log contains the spending of each key', async () => {
    const { store, control } = await start(profile);
    for (let n = 0; n < 105; n++) await control('/spend', { keyId: 2, quota: 3 });
    const spent = (await readAll(store.usage()))
      .filter((entry) => entry.keyId === 2)
      .map((entry) => entry.spent as number);
    expect(spent.reduce((sum, units) => sum + units, 0)).toBe(315);
  });

  test('a foreign user id and a wrong token are credentials.refused for every call', async () => {
    for (const wrong of [{ userId: 43 }, { accessToken: new Secret('canary-wrong') }, { userId: 999 }]) {
      const { system, store } = await start(profile, wrong, 1);
      const asks = [system.self(), store.walk(), store.tryRead(keyId(1)), store.groups(), store.delete([keyId(1)])];
      expect((await Promise.all(asks.map(faultOf))).map(({ code }) => code)).toEqual(
        asks.map(() => 'credentials.refused'),
      );
    }
  });

  test('a rotation returns a new token and revokes the old one', async () => {
    const { system } = await start(profile, {}, 1);
    const token = await system.rotateToken();
    expect(token.reveal()).not.toBe(TOKEN);
    expect((await faultOf(system.self())).code).toBe('credentials.refused');
  });

  test('a create whose response is lost after the commit is not retried', async () => {
    const { store, control } = await start(profile);
    for (const kind of ['cut-after', 'truncated']) {
      await control('/faults', { kind, method: 'POST', path: '/api/token/' });
      const fault = await faultOf(store.create(settings(kind)));
      expect(fault.code).toBe('gateway.connection-lost');
      expect((await store.walk()).filter(({ name }) => name === kind)).toHaveLength(1);
    }
  });

  test('reads survive transient failures', async () => {
    const { store, control } = await start(profile);
    const passing = [
      { kind: 'cut-before' },
      { kind: 'cut-after' },
      { kind: 'truncated' },
      { kind: 'empty-429' },
      { kind: 'empty-429', retryAfter: 2 },
      { kind: 'status', code: 502 },
      { kind: 'html', status: 503 },
    ];
    for (const fault of passing) {
      await control('/faults', { ...fault, method: 'GET', path: '/api/token/' });
      expect(await store.walk()).toHaveLength(KEYS);
    }
  });

  test('a rejection of the list is gateway.refused, not an empty account', async () => {
    const { store, control } = await start(profile);
    await control('/faults', { kind: 'refuse', method: 'GET', path: '/api/token/' });
    expect((await faultOf(store.walk())).code).toBe('gateway.refused');
  });

  test('a key whose read is rejected for a moment does not count as gone', async () => {
    const { store, control } = await start(profile);
    await control('/faults', { kind: 'refuse', method: 'GET', path: '/api/token/{id}' });
    expect((await faultOf(store.tryRead(keyId(2)))).code).toBe('gateway.refused');
    expect((await store.tryRead(keyId(2)))?.id).toBe(2);
  });
});

test('600 creates stay within the limits of a deployed gateway, each created once', async () => {
  const { store, requests } = await start('deployed', {}, 0);
  const names = Array.from({ length: 600 }, (_, n) => `made-${n}`);
  let next = 0;
  const worker = async () => {
    while (next < names.length) await store.create(settings(names[next++] ?? ''));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect((await store.walk()).map(({ name }) => name).sort()).toEqual([...names].sort());
  expect((await requests())['POST /api/token/']).toBeLessThan(660);
});
