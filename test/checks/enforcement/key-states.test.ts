import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/index.ts';
import { openGateway } from '../../../src/gateway/index.ts';
import { NOW, openStage, type Stage } from '../stage.ts';
import { openFrontProxy } from './front-proxy.ts';

const CHAT = 'POST /v1/chat/completions';
const EMBED = 'POST /v1/embeddings';
const KEY = { disabled: 5, expired: 6, exhausted: 4 } as const;
const NAME = { disabled: 'off', expired: 'over', exhausted: 'spent' } as const;
const RULE = { disabled: 'status', expired: 'expiry', exhausted: 'quota' } as const;
const OVERLOAD = { error: { message: 'busy', type: 'new_api_error', code: 'system_cpu_overloaded' } };
const STATES = ['disabled', 'expired', 'exhausted'] as const;

describe.each(['contract', 'deployed'] as const)('A gateway as in the %s profile', (profile) => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage(profile);
    await stage.control.patchKey(7, { model_limits_enabled: true, model_limits: 'alpha-chat-2,alpha-image-2' });
  });
  afterEach(() => stage.close());

  const run = (state: (typeof STATES)[number], more: { key?: string; model?: string } = {}) =>
    stage.run(
      { module: `${state}-key`, ...(more.model === undefined ? {} : { model: more.model }) },
      { key: more.key ?? NAME[state] },
    );
  const lenient = (state: (typeof STATES)[number], path: string) =>
    stage.control.script({ kind: 'lenient', rule: RULE[state], path, times: 10 });

  it.each(STATES)('refuses a key that is %s, and is paid nothing', async (state) => {
    const result = await run(state);
    expect(result).toMatchObject({ verdict: 'passed', module: `${state}-key`, schedule: 'free', exchanges: [] });
    expect(result.findings.map(({ found }) => found)).toEqual(result.findings.map(() => 'key.refused'));
    expect((await stage.gateway.store.walk()).find(({ id }) => id === KEY[state])?.used ?? 0).toBe(0);
  });

  it.each(['disabled', 'expired'] as const)('is found out when it lists models for a key that is %s', async (state) => {
    await lenient(state, '/v1/models');
    const result = await run(state);
    expect(result).toMatchObject({ verdict: 'failed', findings: [{ holds: false, found: 'it was accepted' }] });
    expect(result.exchanges).toMatchObject([{ title: 'models', status: 200 }]);
    expect((await stage.counts())[CHAT]).toBeUndefined();
  });

  it.each(STATES)('is found out when it answers a key that is %s', async (state) => {
    await lenient(state, '/v1/chat/completions');
    const result = await run(state);
    expect(result.verdict).toBe('failed');
    expect(result.findings.at(-1)).toMatchObject({ holds: false, found: 'it was accepted' });
    expect(result.exchanges).toMatchObject([{ title: 'chat', status: 200, request: { max_tokens: 1 } }]);
  });

  it.each([
    ['is not answered', { kind: 'cut-before' }, undefined],
    ['meets a gateway that is overloaded', { kind: 'answer', status: 503, body: OVERLOAD }, 'gateway.overloaded'],
  ])('proves nothing when the request %s, however often it is tried', async (_, failure, code) => {
    await stage.control.script({ ...failure, path: '/v1/chat/completions', times: 20 });
    const result = await stage.run({ module: 'exhausted-key', retries: 1 }, { key: NAME.exhausted });
    expect(result).toMatchObject({ verdict: 'unprovable', attempts: 2, ...(code === undefined ? {} : { code }) });
    await stage.control.clearFaults();
    await stage.control.script({ ...failure, path: '/v1/chat/completions', times: 1 });
    expect((await stage.run({ module: 'exhausted-key', retries: 1 }, { key: NAME.exhausted })).verdict).toBe('passed');
  });

  const FRONTS = [
    ['without JSON', 'text/plain', 'Unauthorized'],
    ['with a message in JSON', 'application/json', '{"message":"Unauthorized"}'],
    ['with an error that is a text', 'application/json', '{"error":"unauthorized"}'],
    ['with an error of another type', 'application/json', '{"error":{"message":"no","type":"auth_error","code":""}}'],
    [
      'with a code',
      'application/json',
      '{"error":{"message":"no","type":"invalid_request_error","code":"invalid_key"}}',
    ],
  ] as const;
  it.each(FRONTS)('proves no state when a proxy in front rejects every request %s', async (_, type, body) => {
    const proxy = await openFrontProxy(stage.url, { forClient: () => ({ status: 401, type, body }) });
    const { inference } = openGateway({ url: proxy.url, userId: 42, accessToken: new Secret('token-of-anna') });
    for (const state of STATES) {
      const gateway = { ...stage.gateway, inference };
      const result = await stage.run({ module: `${state}-key` }, { key: NAME[state], gateway });
      expect(result).toMatchObject({
        verdict: 'unprovable',
        reason: expect.stringContaining('in front of the gateway'),
      });
    }
    await proxy.close();
  });

  it('judges the expiry of a key by the given time', async () => {
    const result = await stage.run({ module: 'expired-key' }, { key: NAME.expired, now: () => NOW - 7200 });
    expect(result).toMatchObject({ verdict: 'skipped', reason: 'the key is enabled' });
  });

  it.each(STATES)('proves nothing of a key that is not %s', async (state) => {
    for (const other of STATES.filter((each) => each !== state)) {
      const reason = other === 'exhausted' ? 'the key’s budget is used up' : `the key is ${other}`;
      expect(await run(state, { key: NAME[other] })).toMatchObject({ verdict: 'skipped', reason });
    }
    expect(await run(state, { key: 'open' })).toMatchObject({ verdict: 'skipped', reason: 'the key is enabled' });
    const counts = await stage.counts();
    expect([counts[CHAT], counts['GET /v1/models']]).toEqual([undefined, undefined]);
  });

  it('takes a key for disabled that is expired as well', async () => {
    await stage.control.patchKey(KEY.expired, { status: 2 });
    expect((await run('disabled', { key: 'over' })).verdict).toBe('passed');
    expect((await run('expired')).verdict).toBe('skipped');
  });

  it('asks an embedding of a key that may only embed', async () => {
    const limits = { model_limits_enabled: true, model_limits: 'text-embedding-3-small' };
    await stage.control.patchKey(KEY.exhausted, limits);
    expect((await run('exhausted')).verdict).toBe('passed');
    const counts = await stage.counts();
    expect([counts[EMBED], counts[CHAT]]).toEqual([1, undefined]);
    await stage.control.script({ kind: 'lenient', rule: 'quota', path: '/v1/embeddings' });
    expect((await run('exhausted')).verdict).toBe('failed');
  });

  it('asks the model that the check names', async () => {
    await stage.control.script({ kind: 'lenient', rule: 'quota', path: '/v1/chat/completions' });
    const { exchanges, model } = await run('exhausted', { model: 'alpha-chat-1' });
    expect([model, exchanges[0]?.request]).toMatchObject(['alpha-chat-1', { model: 'alpha-chat-1' }]);
  });

  it('does not take it for a proof that the model is the reason', async () => {
    await stage.control.patchKey(KEY.exhausted, { model_limits_enabled: true, model_limits: 'alpha-chat-1' });
    await lenient('exhausted', '/v1/chat/completions');
    await lenient('exhausted', '/v1/models');
    const result = await run('exhausted', { model: 'alpha-chat-2' });
    expect(result).toMatchObject({ verdict: 'failed', code: 'key.model-not-allowed', findings: [] });
  });

  it('does not take it for a proof that nobody is served the model', async () => {
    await lenient('exhausted', '/v1/chat/completions');
    const result = await run('exhausted', { model: 'no-such-model' });
    expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
    expect(result.reason).toContain('the rejection is not about the key');
  });

  const refusing = (status: number, code: string) =>
    stage.control.script({
      kind: 'answer',
      status,
      body: { error: { code, message: 'no', type: 'new_api_error' } },
      path: '/v1/chat/completions',
    });

  it('may also report that the key is exhausted', async () => {
    await refusing(403, 'pre_consume_token_quota_failed');
    const { verdict, findings } = await run('exhausted');
    expect([verdict, findings[0]?.found]).toEqual(['passed', 'key.exhausted']);
  });

  it.each([
    [400, 'model_price_error'],
    [400, 'invalid_request'],
    [404, 'no_such_path'],
  ])('proves nothing by refusing the request: %i %s', async (status, code) => {
    await refusing(status, code);
    expect(await run('exhausted')).toMatchObject({ verdict: 'unprovable', findings: [] });
    await refusing(status, code);
    expect(await run('disabled')).toMatchObject({ verdict: 'passed', findings: [{ holds: true }] });
  });

  describe('that lists no models', () => {
    beforeEach(() => stage.control.script({ kind: 'status', code: 404, path: '/v1/models', times: 9 }));

    it.each(['disabled', 'expired'] as const)('refuses a key that is %s what costs', async (state) => {
      const result = await run(state);
      expect(result).toMatchObject({ verdict: 'passed', findings: [{ holds: true, found: 'key.refused' }] });
      expect(await stage.counts()).toMatchObject({ [CHAT]: 1 });
    });

    it.each(STATES)('is found out when it answers a key that is %s', async (state) => {
      await lenient(state, '/v1/chat/completions');
      expect((await run(state)).verdict).toBe('failed');
    });

    it('proves nothing by refusing the request', async () => {
      await refusing(400, 'invalid_request');
      const result = await run('disabled');
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('the rejection is not about the key');
    });

    it.each(STATES)('proves nothing of a key that is %s where no model is known', async (state) => {
      for (const id of [2, 7]) await stage.control.patchKey(id, { model_limits_enabled: false });
      const reason = 'Keyplane knows no model that could be requested with the key';
      expect(await run(state)).toMatchObject({ verdict: 'unprovable', reason });
    });
  });

  it('does not take an empty wallet or trouble of the gateway for a proof', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/models', times: 20 });
    expect(await run('disabled')).toMatchObject({ verdict: 'unprovable', code: 'gateway.unavailable' });
    await stage.control.clearFaults();
    await refusing(403, 'insufficient_user_quota');
    expect(await run('exhausted')).toMatchObject({ verdict: 'failed', code: 'wallet.empty' });
  });
});

describe('Of a key that has nothing left', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('contract');
    await stage.control.patchKey(2, { model_limits_enabled: false });
  });
  afterEach(() => stage.close());
  const run = () => stage.run({ module: 'exhausted-key' }, { key: 'spent' });

  it('it is a proof, too, that it is not even reported the models, where none is known', async () => {
    expect((await run()).verdict).toBe('passed');
    expect(await stage.counts()).toMatchObject({ 'GET /v1/models': 1 });
  });

  it('a model is asked that the gateway lists, where it lists any', async () => {
    await stage.control.script({ kind: 'lenient', rule: 'quota', path: '/v1/models', times: 2 });
    expect((await run()).verdict).toBe('passed');
    expect(await stage.counts()).toMatchObject({ [CHAT]: 1 });
    await stage.control.script({ kind: 'lenient', rule: 'quota', path: '/v1/chat/completions' });
    expect((await run()).verdict).toBe('failed');
  });

  const list = (...ids: readonly string[]) => {
    const data = ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'x' }));
    return stage.control.script({ kind: 'answer', body: { object: 'list', data }, path: '/v1/models' });
  };

  it('nothing that makes images or films is asked', async () => {
    await list('alpha-image-2', 'delta-H3', 'text-embedding-3-small');
    expect((await run()).verdict).toBe('passed');
    expect(await stage.counts()).toMatchObject({ [EMBED]: 1 });
  });

  it('nothing can be proven when the gateway lists none', async () => {
    await list('alpha-image-2');
    expect(await run()).toMatchObject({ verdict: 'unprovable', reason: expect.stringContaining('knows no model') });
  });

  it('expiry counts from the time of the run', async () => {
    await stage.control.patchKey(1, { expired_time: NOW + 90 });
    const result = () => stage.run({ module: 'expired-key' }, { key: 'open' });
    expect((await result()).verdict).toBe('skipped');
    expect((await result()).verdict).toBe('passed');
  });
});
