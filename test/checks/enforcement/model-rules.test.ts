import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

const CHAT = 'POST /v1/chat/completions';
const limitedTo = (...models: readonly string[]) => ({ model_limits_enabled: true, model_limits: models.join(',') });
const listing = (...models: readonly string[]) => ({
  kind: 'answer',
  path: '/v1/models',
  body: { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'x' })) },
});

const ABSENT = { error: { message: 'Invalid URL', type: 'invalid_request_error', code: '' } };

describe.each(['contract', 'deployed'] as const)('A gateway as in the %s profile', (profile) => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage(profile);
  });
  afterEach(() => stage.close());
  const list = (key = 'narrow') => stage.run({ module: 'model-list' }, { key });
  const brokenOf = async (key?: string) => {
    const { verdict, findings } = await list(key);
    return [verdict, findings.filter(({ holds }) => !holds).map(({ found }) => found)];
  };

  describe('and its list of models', () => {
    it('is that of the allowlist, in any order', async () => {
      await stage.control.patchKey(2, limitedTo('text-embedding-3-small', 'alpha-chat-2', 'alpha-chat-1'));
      const result = await list();
      expect(result).toMatchObject({ verdict: 'passed', schedule: 'free' });
      expect(result.exchanges).toMatchObject([{ title: 'models', status: 200 }]);
    });

    it('is of some models where there is no allowlist', async () => {
      expect(await list('open')).toMatchObject({ verdict: 'passed', findings: [{ holds: true }] });
      await stage.control.script(listing());
      expect(await brokenOf('open')).toEqual(['failed', ['none']]);
    });

    it('fails with the models that are missing, and with those that are too many', async () => {
      await stage.control.patchKey(2, limitedTo('alpha-chat-1', 'alpha-chat-2'));
      await stage.control.script(listing('alpha-chat-2', 'alpha-image-1'));
      expect(await brokenOf()).toEqual(['failed', ['missing: alpha-chat-1', 'also: alpha-image-1']]);
      await stage.control.script(listing());
      expect(await brokenOf()).toEqual(['failed', ['none', 'missing: alpha-chat-1, alpha-chat-2']]);
    });

    it('fails where the allowlist is overlooked, and stays readable', async () => {
      await stage.control.script({ kind: 'lenient', rule: 'model', path: '/v1/models' });
      const [verdict, [found]] = (await brokenOf()) as [string, string[]];
      expect([verdict, found]).toEqual(['failed', expect.stringMatching(/^also: .* and \d+ more$/)]);
    });

    it.each([
      [404, ABSENT],
      [200, { hello: 'world' }],
    ])('is not promised: without one (%i), nothing can be proven', async (status, body) => {
      await stage.control.script({ kind: 'answer', status, body, path: '/v1/models' });
      const result = await list();
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('the gateway lists no models');
    });

    it('proves nothing when it is not available', async () => {
      await stage.control.script({ kind: 'status', code: 500, path: '/v1/models', times: 20 });
      expect(await list()).toMatchObject({ verdict: 'unprovable', code: 'gateway.unavailable', findings: [] });
    });
  });

  describe('and a model that a key may not use', () => {
    const COUNT = 'POST /v1/messages/count_tokens';
    /** The request that compares with an allowed model: a chat without messages where no tokens are counted. */
    const comparison = {
      contract: {
        path: '/v1/messages/count_tokens',
        counts: { [CHAT]: 1, [COUNT]: 1 },
        answered: ['token count, alpha-chat-1 of its allowlist'],
      },
      deployed: { path: '/v1/chat/completions', counts: { [CHAT]: 2 }, answered: [] },
    }[profile];
    const titlesOf = ({ exchanges }: { exchanges: readonly { title: string }[] }) =>
      exchanges.map(({ title }) => title);
    const forbid = (key = 'narrow', model?: string) =>
      stage.run({ module: 'forbidden-model', ...(model === undefined ? {} : { model }) }, { key });

    it('is taken from the allowlists of other keys, asked for cheaply, and refused', async () => {
      await stage.control.patchKey(1, limitedTo('alpha-chat-1', 'alpha-chat-2', 'alpha-image-2', 'delta-H3'));
      const result = await forbid();
      expect(result.verdict).toBe('passed');
      expect(titlesOf(result)).toEqual(comparison.answered);
      expect(result.findings).toEqual([
        {
          claim: 'the gateway rejects alpha-chat-2, which is not in its allowlist',
          holds: true,
          found: 'key.model-not-allowed',
        },
      ]);
      expect(await stage.counts()).toMatchObject(comparison.counts);
    });

    it.each([
      ['alpha-chat-2', '/v1/chat/completions', CHAT],
      ['text-embedding-3-small', '/v1/embeddings', 'POST /v1/embeddings'],
    ])('is found out when it is answered: %s', async (model, path, counted) => {
      expect((await forbid('narrow', model)).verdict).toBe('passed');
      await stage.counts();
      await stage.control.script({ kind: 'lenient', rule: 'model', path });
      const result = await forbid('narrow', model);
      expect(result).toMatchObject({ verdict: 'failed', model, exchanges: [{ status: 200 }] });
      expect(result.reason).toContain('it was accepted');
      expect((await stage.counts())[counted]).toBe(1);
    });

    it('is found out when it is answered in the native form of embeddings', async () => {
      await stage.control.patchKey(1, limitedTo('eta-embedding-001'));
      expect((await forbid()).verdict).toBe('passed');
      await stage.control.script({
        kind: 'lenient',
        rule: 'model',
        path: '/v1/models/eta-embedding-001:embedContent',
      });
      expect(await forbid()).toMatchObject({
        verdict: 'failed',
        exchanges: [{ title: 'embedding, eta-embedding-001' }],
      });
    });

    it('does not exist for a key without an allowlist', async () => {
      expect(await forbid('open')).toMatchObject({ verdict: 'skipped', reason: 'the key may use any model' });
      expect(await forbid('narrow', 'alpha-chat-1')).toMatchObject({
        verdict: 'skipped',
        reason: 'alpha-chat-1 is in the key’s allowlist',
      });
    });

    it('is not known where no key has another, but for images and films', async () => {
      expect(await forbid()).toMatchObject({ verdict: 'unprovable', remedy: 'name-model' });
      await stage.control.patchKey(1, limitedTo('alpha-image-2', 'delta-H3', 'eta-2.5-flash-image'));
      expect((await forbid()).verdict).toBe('unprovable');
      expect((await stage.counts())[CHAT]).toBeUndefined();
    });

    it('proves nothing when nobody is served it', async () => {
      await stage.control.script({ kind: 'status', code: 503, path: '/v1/chat/completions' });
      const unavailable = await forbid('narrow', 'alpha-chat-2');
      expect(unavailable).toMatchObject({ verdict: 'unprovable', code: 'gateway.unavailable' });
      await stage.control.script({ kind: 'lenient', rule: 'model', path: '/v1/chat/completions' });
      const result = await forbid('narrow', 'no-such-model');
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('the rejection of no-such-model is not about the key');
    });

    it.each([
      ['no endpoint counts tokens', 404, {}],
      ['a count is answered as a chat', 200, { object: 'chat.completion', usage: { prompt_tokens: 1 } }],
    ])('is not proven by a firewall, but by the rejection of a key, where %s', async (_where, status, body) => {
      await stage.control.script({ kind: 'answer', status, body, path: '/v1/messages/count_tokens', times: 2 });
      await stage.control.script({ kind: 'answer', status: 403, body: {}, path: '/v1/chat/completions', times: 2 });
      const rejected = await forbid('narrow', 'alpha-chat-2');
      expect(rejected).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(rejected.reason).toContain('alpha-chat-1, which is in its allowlist, is rejected as well');
      await stage.counts();
      expect(await forbid('narrow', 'alpha-chat-2')).toMatchObject({ verdict: 'passed' });
      expect(await stage.counts()).toMatchObject({ [CHAT]: 2 });
    });

    const refusing = (status: number, code: string, times = 1) =>
      stage.control.script({
        kind: 'answer',
        status,
        body: { error: { code, message: 'no', type: 'new_api_error' } },
        path: '/v1/chat/completions',
        times,
      });

    it.each(['content_filter', 'who_knows'])('is not proven by a rejection for %s', async (code) => {
      await refusing(403, code);
      const result = await forbid('narrow', 'alpha-chat-2');
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(await stage.counts()).toMatchObject({ [CHAT]: 1 });
    });

    it('is not proven where a model that is allowed is refused as well', async () => {
      await refusing(403, '');
      await stage.control.script({ kind: 'answer', status: 403, path: comparison.path, body: {} });
      const result = await forbid('narrow', 'alpha-chat-2');
      expect(result).toMatchObject({ verdict: 'unprovable', findings: [] });
      expect(result.reason).toContain('alpha-chat-1, which is in its allowlist, is rejected as well');
    });

    it('is proven of a key for images, too: its tokens are counted, which costs nothing', async () => {
      await stage.control.patchKey(2, limitedTo('alpha-image-2'));
      expect((await forbid('narrow', 'alpha-chat-2')).verdict).toBe('passed');
    });

    it('is not proven where the gateway lists it for the key', async () => {
      await stage.control.script({ ...listing('alpha-chat-1', 'alpha-chat-2'), times: 2 });
      expect(await forbid('narrow', 'alpha-chat-2')).toMatchObject({ verdict: 'unprovable', findings: [] });
    });

    it('is proven without a listing, too', async () => {
      await stage.control.script({ kind: 'status', code: 404, path: '/v1/models', times: 9 });
      expect((await forbid('narrow', 'alpha-chat-2')).verdict).toBe('passed');
    });

    it('is compared with one that is allowed, by what costs nothing', async () => {
      expect(titlesOf(await forbid('narrow', 'text-embedding-3-small'))).toEqual(comparison.answered);
      const { [CHAT]: chats = 0 } = await stage.counts();
      expect(chats).toBe(comparison.counts[CHAT] - 1);
    });

    it('is proven, too, where there is no money for the other', async () => {
      await stage.control.patchKey(2, { unlimited_quota: false, remain_quota: 1 });
      expect((await forbid('narrow', 'alpha-chat-2')).verdict).toBe('passed');
    });

    it('proves nothing of a key that is refused as a whole', async () => {
      await stage.control.patchKey(2, { status: 2 });
      const result = await forbid('narrow', 'alpha-chat-2');
      expect(result).toMatchObject({ verdict: 'failed', code: 'key.refused', reason: 'the key is disabled' });
    });
  });
});
