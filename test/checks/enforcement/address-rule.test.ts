import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlternateRouteOptions } from '../../../src/checks/run/run-options.ts';
import { Secret } from '../../../src/domain/index.ts';
import { type Gateway, openGateway } from '../../../src/gateway/index.ts';
import { openStage, type Stage } from '../stage.ts';
import { type FrontRules, openFrontProxy } from './front-proxy.ts';

/** Another address of this machine. */
const ELSEWHERE = '127.0.0.2';

describe.each(['contract', 'deployed'] as const)('A gateway as in the %s profile', (profile) => {
  let stage: Stage;
  let elsewhere: Gateway;
  beforeEach(async () => {
    stage = await openStage(profile);
    const accessToken = new Secret('token-of-anna');
    elsewhere = openGateway({ url: stage.url, userId: 42, accessToken, sourceAddress: ELSEWHERE });
  });
  afterEach(async () => {
    await elsewhere.close();
    await stage.close();
  });
  const alternateRoute = (address?: string): AlternateRouteOptions => ({
    inference: elsewhere.inference,
    description: `from ${ELSEWHERE}`,
    ...(address === undefined ? {} : { address }),
  });
  const run = (key: string, from?: AlternateRouteOptions) =>
    stage.run({ module: 'forbidden-address' }, { key, ...(from ? { alternateRoute: from } : {}) });

  it('refuses a key from an address that is not in its allowlist', async () => {
    const result = await run('here', alternateRoute(ELSEWHERE));
    expect(result).toMatchObject({ verdict: 'passed', schedule: 'free' });
    expect(result.findings).toEqual([
      { claim: 'the gateway rejects the key from 127.0.0.2', holds: true, found: 'key.address-not-allowed' },
    ]);
    expect((await run('here', alternateRoute())).verdict).toBe('passed');
  });

  it('is found out when it lets the key in from there', async () => {
    for (const path of ['/v1/models', '/v1/chat/completions']) {
      await stage.control.script({ kind: 'lenient', rule: 'address', path, times: 9 });
    }
    const result = await run('here', alternateRoute(ELSEWHERE));
    expect(result).toMatchObject({ verdict: 'failed', exchanges: [{ title: 'models', status: 200 }] });
    expect(result.findings).toEqual([
      { claim: 'the gateway rejects the key from 127.0.0.2', holds: false, found: 'it was accepted' },
    ]);
  });

  it('may list models for every address, as Veloera does, and refuse everything else', async () => {
    await stage.control.script({ kind: 'lenient', rule: 'address', path: '/v1/models', times: 9 });
    const result = await run('here', alternateRoute(ELSEWHERE));
    expect(result).toMatchObject({ verdict: 'passed', cost: {} });
    expect(result.findings.map(({ claim }) => claim)).toEqual([
      'the gateway rejects the key from 127.0.0.2, except for lists of models',
    ]);
    expect(result.exchanges.map(({ title }) => title)).toEqual(['models', 'models']);
    // One from there, one from here.
    expect((await stage.counts())['POST /v1/chat/completions']).toBe(2);
  });

  it('is found out when it lets the key in only sometimes', async () => {
    await stage.control.script({ kind: 'lenient', rule: 'address', path: '/v1/models' });
    expect(await run('here', alternateRoute(ELSEWHERE))).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('it was accepted'),
    });
  });

  describe('that gives no reason', () => {
    const runBehind = async (key: string, rules: Omit<FrontRules, 'forClient'> & Partial<FrontRules>) => {
      const front = await openFrontProxy(stage.url, { forClient: () => ({}), ...rules });
      const there = openGateway({ url: front.url, userId: 42, accessToken: new Secret('token-of-anna') });
      const result = await run(key, { inference: there.inference, description: `from ${ELSEWHERE}` });
      await there.close();
      await front.close();
      return result;
    };
    const bare = (type: string) => JSON.stringify({ error: { message: 'no', type } });

    it.each(['new_api_error', 'veloera_error', 'one_api_error', 'one_hub_error'])(
      'passes, because the key works from here: %s',
      async (type) => {
        const result = await runBehind('here', { rejection: bare(type) });
        expect(result).toMatchObject({ verdict: 'passed', findings: [{ holds: true }] });
      },
    );

    it('passes where only chats are rejected', async () => {
      const listing = { status: 200, type: 'application/json', body: '{"data":[{"id":"alpha-chat-1"}]}' };
      // Listings of models, and a chat as the second request.
      const result = await runBehind('here', {
        forClient: (_, count) => (count === 2 ? {} : listing),
        rejection: bare('veloera_error'),
      });
      expect(result).toMatchObject({ verdict: 'passed' });
    });

    const REFUSED_HERE = 'the key is rejected from here, too';
    it.each<[string, string, string]>([
      [REFUSED_HERE, 'elsewhere', bare('new_api_error')],
      [REFUSED_HERE, 'elsewhere', bare('one_api_error')],
      [REFUSED_HERE, 'elsewhere', bare('one_hub_error')],
      [REFUSED_HERE, 'elsewhere', bare('veloera_error')],
      ['something in front of the gateway may have answered', 'here', '{"error":"blocked"}'],
    ])('proves nothing if %s: %s, %s', async (_title, key, rejection) => {
      const result = await runBehind(key, { rejection });
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('does not give the address as its reason');
    });
  });

  describe('that lists no models', () => {
    beforeEach(() => stage.control.script({ kind: 'status', code: 404, path: '/v1/models', times: 9 }));

    it('is asked for something cheap from there', async () => {
      const limits = { model_limits_enabled: true, model_limits: 'alpha-image-2,alpha-chat-1' };
      await stage.control.patchKey(7, limits);
      expect((await run('here', alternateRoute(ELSEWHERE))).verdict).toBe('passed');
      await stage.control.script({ kind: 'lenient', rule: 'address', path: '/v1/chat/completions' });
      const result = await run('here', alternateRoute(ELSEWHERE));
      expect(result).toMatchObject({ verdict: 'failed', exchanges: [{ title: 'chat', status: 200 }] });
    });

    it('proves nothing where no model is known', async () => {
      await stage.control.patchKey(2, { model_limits_enabled: false });
      expect(await run('here', alternateRoute(ELSEWHERE))).toMatchObject({ verdict: 'unprovable', findings: [] });
    });
  });

  it('cannot be proven by a route that does not reach the gateway', async () => {
    const accessToken = new Secret('token-of-anna');
    const proxy = { http: 'http://127.0.0.1:9', https: 'http://127.0.0.1:9' };
    const nowhere = openGateway({ url: stage.url, userId: 42, accessToken, proxy });
    const result = await run('here', { inference: nowhere.inference, description: 'through a proxy' });
    await nowhere.close();
    expect(result).toMatchObject({ verdict: 'unprovable', reason: 'the gateway cannot be reached through a proxy' });
    expect(result.remedy).toBe('use-second-address');
  });

  it.each([['127.0.0.0/8'], ['10.0.0.0/8\n127.0.0.2']])(
    'cannot be proven from an allowed address: %j',
    async (allow_ips) => {
      await stage.control.patchKey(7, { allow_ips });
      const result = await run('here', alternateRoute(ELSEWHERE));
      expect(result).toMatchObject({ verdict: 'unprovable', reason: expect.stringContaining(ELSEWHERE) });
      expect(result.remedy).toBe('use-second-address');
    },
  );

  it('cannot be proven from one address alone', async () => {
    const result = await run('here');
    expect(result).toMatchObject({ verdict: 'unprovable', reason: 'there is no second address to send from' });
    expect(result.remedy).toBe('use-second-address');
    expect((await stage.counts())['GET /v1/models']).toBeUndefined();
  });

  it('has nothing to refuse of a key without an allowlist', async () => {
    const result = await run('open', alternateRoute(ELSEWHERE));
    expect(result).toMatchObject({ verdict: 'skipped', reason: 'the key may be used from anywhere' });
  });

  it('proves nothing by refusing the key as a whole, or by being out of reach', async () => {
    await stage.control.patchKey(7, { status: 2 });
    expect(await run('here', alternateRoute(ELSEWHERE))).toMatchObject({
      verdict: 'failed',
      reason: 'the key is disabled',
    });
    await stage.control.patchKey(7, { status: 1 });
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/models', times: 20 });
    const result = await run('here', alternateRoute(ELSEWHERE));
    expect(result).toMatchObject({ verdict: 'unprovable', code: 'gateway.unavailable', findings: [] });
  });
});
