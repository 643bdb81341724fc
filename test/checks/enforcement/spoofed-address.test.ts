import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlternateRouteOptions } from '../../../src/checks/run/run-options.ts';
import { Secret } from '../../../src/domain/index.ts';
import { openGateway } from '../../../src/gateway/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';
import { ADDRESS_HEADERS, type ClientHeaders, type FrontRules, openFrontProxy } from './front-proxy.ts';

const none = (): ClientHeaders => ({});
const believing =
  (name: string) =>
  (headers: ClientHeaders): ClientHeaders => ({ 'x-forwarded-for': /[\d.]{7,}/.exec(headers[name] ?? '')?.[0] });

const BARE = JSON.stringify({ error: { message: 'no', type: 'some_api_error', code: '' } });
const DOWN = { status: 502, type: 'text/html', body: '<html>bad gateway</html>' };
const FIREWALL = { status: 403, type: 'text/html', body: '<html>forbidden</html>' };

const BELIEVED = { contract: ['X-Forwarded-For'], deployed: ['X-Forwarded-For', 'X-Real-IP'] } as const;

describe.each(['contract', 'deployed'] as const)('A gateway as in the %s profile', (profile) => {
  let stage: Stage;
  const closing: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    stage = await openStage(profile);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await stage.close();
  });

  /** A route through a proxy in front, from an address that the key `here` does not allow. */
  async function behind(rules: FrontRules): Promise<AlternateRouteOptions> {
    const proxy = await openFrontProxy(stage.url, rules);
    const accessToken = new Secret('token-of-anna');
    const gateway = openGateway({ url: proxy.url, userId: 42, accessToken, clock: stage.clock });
    closing.push(proxy.close, gateway.close);
    return { inference: gateway.inference, description: 'through the proxy', address: '127.0.0.2' };
  }

  const run = (key: string, alternateRoute?: AlternateRouteOptions) =>
    stage.run({ module: 'spoofed-address' }, { key, ...(alternateRoute ? { alternateRoute } : {}) });

  const lifting = ({ findings }: Awaited<ReturnType<typeof run>>): readonly string[] =>
    findings.filter(({ holds }) => !holds).map(({ claim }) => claim.split(' ')[0]?.toLowerCase() ?? '');

  it('is found out when it believes a header, free of charge', async () => {
    await stage.counts();
    const result = await run('elsewhere');
    expect(result).toMatchObject({ verdict: 'failed', schedule: 'free', cost: { charged: 0 } });
    expect(result.reason).toContain('X-Forwarded-For does not lift');
    expect(result.reason).toContain('it was accepted with the address 203.0.113.7');
    expect(result.hint).toContain('Put a proxy in front of the gateway that replaces these headers');
    expect(lifting(result)).toEqual(BELIEVED[profile].map((name) => name.toLowerCase()));
    expect(result.findings).toHaveLength(ADDRESS_HEADERS.length);
    expect(result.exchanges).toMatchObject(
      BELIEVED[profile].map((name) => ({ title: `models, with ${name}`, status: 200 })),
    );
    const counts = await stage.counts();
    expect(counts['GET /v1/models']).toBe(ADDRESS_HEADERS.length + 2);
    expect(Object.keys(counts).filter((route) => route.startsWith('POST /v1'))).toEqual([]);
  });

  it('passes behind a proxy that replaces the headers', async () => {
    const result = await run('here', await behind({ forClient: none }));
    expect(result).toMatchObject({ verdict: 'passed', exchanges: [] });
    expect(result.hint).toBeUndefined();
    expect(result.findings.map(({ found }) => found)).toEqual(ADDRESS_HEADERS.map(() => 'key.address-not-allowed'));
  });

  it('is found out whichever header it believes', async () => {
    for (const name of ADDRESS_HEADERS) {
      expect(lifting(await run('here', await behind({ forClient: believing(name) })))).toEqual([name]);
    }
  });

  it('is found out behind a proxy that only appends an address to the header', async () => {
    const appending = ({ 'x-forwarded-for': given }: ClientHeaders): ClientHeaders => ({
      'x-forwarded-for': [...(given === undefined ? [] : [given]), '127.0.0.2'].join(', '),
    });
    expect(lifting(await run('here', await behind({ forClient: appending })))).toEqual(['x-forwarded-for']);
  });

  it('is sent IPv6 addresses in the form of each header', async () => {
    await stage.control.patchKey(7, { allow_ips: '2001:db8::/32' });
    const sent: Record<string, string> = {};
    const seeing = (headers: ClientHeaders): ClientHeaders => {
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent[name] = value;
      return {};
    };
    expect((await run('here', await behind({ forClient: seeing }))).verdict).toBe('passed');
    expect(sent).toEqual({
      ...Object.fromEntries(ADDRESS_HEADERS.map((name) => [name, '2001:db8::'])),
      forwarded: 'for="[2001:db8::]"',
    });
  });

  describe('that rejects without a reason', () => {
    it('is found out by the header that lifts the rejection', async () => {
      const route = await behind({ forClient: believing('x-real-ip'), rejection: BARE });
      expect(lifting(await run('here', route))).toEqual(['x-real-ip']);
    });

    it('proves nothing when no header lifts it', async () => {
      const result = await run('here', await behind({ forClient: none, rejection: BARE }));
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('does not give the address as its reason');
    });
  });

  it('may be behind a firewall that rejects one of the headers', async () => {
    const forClient = (headers: ClientHeaders) => (headers['cf-connecting-ip'] === undefined ? {} : FIREWALL);
    expect(await run('here', await behind({ forClient }))).toMatchObject({ verdict: 'passed' });
  });

  it('proves nothing when it does not answer one of the headers', async () => {
    const forClient = (headers: ClientHeaders) => (headers.forwarded === undefined ? {} : DOWN);
    expect(await run('here', await behind({ forClient }))).toMatchObject({ verdict: 'unprovable', findings: [] });
  });

  it('is found out even if it does not answer one of the other headers', async () => {
    const forClient = (headers: ClientHeaders) =>
      headers.forwarded === undefined ? believing('x-real-ip')(headers) : DOWN;
    const result = await run('here', await behind({ forClient }));
    expect(lifting(result)).toEqual(['x-real-ip']);
    expect(result.findings).toHaveLength(ADDRESS_HEADERS.length - 1);
  });

  it('is not accused when the key is released during the check', async () => {
    const forClient = (_: ClientHeaders, count: number): ClientHeaders =>
      count === 1 ? {} : { 'x-forwarded-for': '127.0.0.1' };
    const result = await run('here', await behind({ forClient }));
    expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
    expect(result.reason).toContain('no longer rejects the key');
  });

  it('proves nothing from an address that the key allows, and is not paid for that', async () => {
    await stage.counts();
    const result = await run('here');
    expect(result).toMatchObject({ verdict: 'unprovable', remedy: 'use-second-address', cost: { charged: 0 } });
    expect(result.reason).toBe('the gateway accepts the key from here without such a header');
    const counts = await stage.counts();
    expect(counts['GET /v1/models']).toBe(1);
    expect(Object.keys(counts).filter((route) => route.startsWith('POST /v1'))).toEqual([]);
  });

  it('has nothing to believe for a key without an allowlist', async () => {
    expect(await run('open')).toMatchObject({ verdict: 'skipped', reason: 'the key may be used from anywhere' });
  });

  describe('that lists no models', () => {
    beforeEach(async () => {
      for (const id of [3, 7]) {
        await stage.control.patchKey(id, { model_limits_enabled: true, model_limits: 'alpha-image-2,alpha-chat-1' });
      }
      await stage.control.script({ kind: 'status', code: 404, path: '/v1/models', times: 99 });
      await stage.counts();
    });

    it('is found out for the price of one short chat', async () => {
      await stage.control.patchKey(3, { unlimited_quota: false, remain_quota: 100_000 });
      const result = await run('elsewhere');
      expect(lifting(result)).toEqual(['x-forwarded-for']);
      expect(result.exchanges).toMatchObject([{ title: 'chat, with X-Forwarded-For', request: { max_tokens: 1 } }]);
      expect(result.cost.charged).toBeGreaterThan(0);
      expect((await stage.counts())['POST /v1/chat/completions']).toBe(3);
      const key = (await stage.gateway.store.walk()).find(({ name }) => name === 'elsewhere');
      expect(100_000 - (key?.remain ?? 0)).toBe(result.cost.charged);
    });

    it('costs nothing behind a proxy that replaces the headers', async () => {
      expect(await run('here', await behind({ forClient: none }))).toMatchObject({ verdict: 'passed', exchanges: [] });
      expect((await stage.counts())['POST /v1/chat/completions']).toBe(ADDRESS_HEADERS.length + 1);
    });

    it('is found out by a rejection that comes after the rule about addresses', async () => {
      await stage.control.patchKey(3, { model_limits: 'alpha-chat-9' });
      const result = await run('elsewhere');
      expect(result).toMatchObject({ verdict: 'failed', exchanges: [] });
      expect(result.findings[0]).toMatchObject({ holds: false, found: 'gateway.no-channel' });
    });
  });

  it('lists models whatever the address, and is asked for a short chat from outside', async () => {
    await stage.control.script({ kind: 'lenient', rule: 'address', path: '/v1/models', times: 9 });
    await stage.control.patchKey(7, { model_limits_enabled: true, model_limits: 'alpha-chat-1' });
    const result = await run('here', await behind({ forClient: none }));
    expect(result).toMatchObject({ verdict: 'passed', exchanges: [{ title: 'models' }] });
  });

  it('leaves the cost limit of the run to the other checks', async () => {
    const definitions = [specOf({ module: 'spoofed-address' }), specOf({ module: 'chat', model: 'alpha-chat-1' })];
    await stage.run({ module: 'chat', model: 'alpha-chat-1' });
    const selections = new Map([
      ['elsewhere', ['spoofed-address']],
      ['open', ['chat']],
    ]);
    const asked = { selections, definitions, asked: [], costly: false };
    const { results } = await stage.report(asked, { cap: 1_000_000 as never, concurrency: 1 });
    expect(results.map(({ check, verdict }) => `${check} ${verdict}`).sort()).toEqual([
      'chat passed',
      'spoofed-address failed',
    ]);
  });
});
