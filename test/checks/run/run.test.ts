import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckEvent } from '../../../src/checks/index.ts';
import { checkVerdict, isFlaky, quota } from '../../../src/domain/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.close());

const CHAT = 'POST /v1/chat/completions';
const answers = specOf({ name: 'answers', module: 'chat' });
const broken = { kind: 'status', code: 500, path: '/v1/chat/completions', method: 'POST' };

const allOf = (key: string, ...names: string[]) => ({
  selections: new Map([[key, names]]),
  definitions: [],
  asked: [],
  costly: false,
});

describe('A run of checks', () => {
  it('reports the verdict, the duration and the cost of each check', async () => {
    const result = await stage.run(answers);
    expect(result).toMatchObject({ key: 'open', keyId: 1, check: 'answers', module: 'chat', schedule: 'cheap' });
    expect(result).toMatchObject({ verdict: 'passed', attempts: 1, model: 'alpha-chat-1', cost: { charged: 72 } });
    expect(result.findings.length).toBeGreaterThan(5);
    expect(result.findings.every(({ holds }) => holds)).toBe(true);
  });

  it('reports what remains of each key after the checks, and nothing for a key that cannot be read again', async () => {
    await stage.control.patchKey(1, { unlimited_quota: false, remain_quota: 100_000 });
    const asked = {
      selections: new Map([
        ['open', ['answers']],
        ['here', ['answers']],
      ]),
      definitions: [answers],
      asked: [],
      costly: false,
    };
    expect((await stage.report(asked)).remaining).toEqual({ open: 99_928, here: null });
    await stage.control.script({ kind: 'status', code: 500, path: '/api/token/1', method: 'GET', times: 9 });
    expect((await stage.report(asked)).remaining).toEqual({ here: null });
  });

  it('calls what passed only when it was tried again flaky', async () => {
    await stage.control.script(broken);
    const result = await stage.run({ ...answers, retries: 2 });
    expect(result).toMatchObject({ verdict: 'passed', attempts: 2 });
    expect(isFlaky(result)).toBe(true);
    expect((await stage.counts())[CHAT]).toBe(2);
  });

  it('fails with the fault of the last attempt', async () => {
    await stage.control.script({ ...broken, times: 3 });
    const result = await stage.run({ ...answers, retries: 2 });
    expect(result).toMatchObject({ verdict: 'failed', attempts: 3, code: 'gateway.unavailable' });
  });

  it('does not try again what would be refused again', async () => {
    const result = await stage.run({ ...answers, model: 'alpha-chat-2', retries: 3 }, { key: 'narrow' });
    expect(result).toMatchObject({ verdict: 'failed', attempts: 1, code: 'key.model-not-allowed' });
    expect((await stage.counts())[CHAT]).toBe(1);
  });

  it('runs what is free first, and asks nothing that costs of a key that is refused', async () => {
    await stage.control.patchKey(1, { status: 2 });
    const report = await stage.report(allOf('open', 'chat', 'count-tokens'));
    expect(report.results.map(({ check, verdict, code, reason }) => [check, verdict, code ?? reason])).toEqual([
      ['count-tokens', 'failed', 'key.refused'],
      ['chat', 'skipped', 'the gateway rejects the key: see count-tokens'],
    ]);
    expect((await stage.counts())[CHAT]).toBeUndefined();
  });

  it.each([
    ['first, without a cap', undefined, ['vectors', 'chat']],
    ['in its place, under a cap', quota(1_000_000), ['chat', 'vectors']],
  ])('sends a check of several requests %s, and reports in the order of the manifest', async (_, cap, order) => {
    const vectors = specOf({ name: 'vectors', module: 'embeddings', model: 'text-embedding-3-small' });
    const asked = { ...allOf('open', 'chat', 'vectors'), definitions: [vectors] };
    // Afterwards, the prices are known.
    await stage.report(asked);
    const started: string[] = [];
    const onEvent = (event: CheckEvent) => event.kind === 'start' && started.push(event.check);
    const { results } = await stage.report(asked, { onEvent, concurrency: 1, cap });
    expect(started).toEqual(order);
    expect(results.map(({ check, verdict }) => [check, verdict])).toEqual([
      ['chat', 'passed'],
      ['vectors', 'passed'],
    ]);
  });

  it('counts a short and a long text at the same time', async () => {
    const { gateway } = stage;
    let both = (): void => {};
    const sent = new Promise<void>((resolve) => {
      both = resolve;
    });
    let count = 0;
    const inference: typeof gateway.inference = (secret) => {
      const client = gateway.inference(secret);
      return {
        ...client,
        async countTokens(...request) {
          count += 1;
          if (count === 2) both();
          await sent;
          return await client.countTokens(...request);
        },
      };
    };
    const result = await stage.run(specOf({ module: 'count-tokens' }), { gateway: { ...gateway, inference } });
    expect(result).toMatchObject({
      verdict: 'passed',
      exchanges: [{ title: 'count tokens' }, { title: 'count tokens of more' }],
    });
  });

  it('leaves costly checks away unless they are asked for', async () => {
    const report = await stage.report({ ...allOf('open', 'image'), costly: false });
    expect(report.results).toMatchObject([{ verdict: 'skipped', attempts: 0 }]);
    expect(report.results[0]).toMatchObject({
      reason: expect.stringContaining('costly'),
      remedy: 'ask-for-costly-checks',
    });
  });

  it('distinguishes an exhausted key, a disabled key, an expired key and an empty wallet', async () => {
    const verdict = async (key: string) => {
      const { verdict: actual, code, reason } = await stage.run(answers, { key });
      return [actual, code, reason];
    };
    expect(await verdict('spent')).toEqual(['failed', 'key.exhausted', 'the key’s own budget is used up']);
    expect(await verdict('off')).toEqual(['failed', 'key.refused', 'the key is disabled']);
    expect(await verdict('over')).toEqual(['failed', 'key.refused', 'the key is expired']);
    expect((await verdict('small')).slice(0, 2)).toEqual(['failed', 'key.exhausted']);
    const poor = await openStage('contract', 43);
    const result = await poor.run(answers, { key: 'poor' });
    await poor.close();
    expect(result).toMatchObject({ verdict: 'failed', code: 'wallet.empty' });
  });

  it('does not hold it against a key that it may not be used from here', async () => {
    const result = await stage.run(answers, { key: 'elsewhere' });
    expect(result).toMatchObject({ verdict: 'unprovable', code: 'key.address-not-allowed' });
  });

  it('skips a key that is declared not to work', async () => {
    const declaredOff = new Map([['off', 'the key is disabled, as declared']]);
    expect(await stage.run(answers, { key: 'off', declaredOff })).toMatchObject({
      verdict: 'skipped',
      reason: 'the key is disabled, as declared',
    });
  });

  it('fails for a key that the gateway does not have', async () => {
    const report = await stage.report(allOf('nobody', 'chat'));
    expect(report.results).toMatchObject([
      { verdict: 'failed', attempts: 0, reason: 'the key does not exist in the account' },
    ]);
  });

  it('gives up when the time of an attempt is over', async () => {
    await stage.control.script({ kind: 'hold', path: '/v1/chat/completions' });
    const over = new AbortController();
    const onEvent = (event: CheckEvent) => event.kind === 'start' && setImmediate(() => over.abort());
    const result = await stage.run({ ...answers, timeoutMs: 2000 }, { deadline: () => over.signal, onEvent });
    expect(result).toMatchObject({
      verdict: 'failed',
      code: 'gateway.timeout',
      reason: 'no complete answer within 2 s',
    });
  });

  it('begins nothing new once it is interrupted, and reports what is left', async () => {
    const stop = new AbortController();
    const onEvent = (event: CheckEvent) => event.kind === 'result' && stop.abort();
    const more = { signal: stop.signal, onEvent, concurrency: 1 };
    const report = await stage.report(allOf('open', 'chat', 'responses'), more);
    expect(report.interrupted).toBe(true);
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['passed', 'skipped']);
    expect(checkVerdict(report)?.code).toBe('gateway.interrupted');
  });

  it('reports also when the gateway ends it before it began', async () => {
    await stage.control.script({ kind: 'status', code: 401, path: '/api/token/batch/keys' });
    const report = await stage.report(allOf('open', 'chat'));
    expect(report.fatal?.code).toBe('credentials.refused');
    expect(checkVerdict(report)?.code).toBe('credentials.refused');
  });

  it('reveals the keys of all checks in one request', async () => {
    const selections = new Map(['open', 'narrow', 'here'].map((key) => [key, ['chat', 'count-tokens']]));
    await stage.report({ selections, definitions: [], asked: [], costly: false });
    const counts = await stage.counts();
    expect(counts['POST /api/token/batch/keys']).toBe(1);
    expect(counts['POST /api/token/{id}/key']).toBeUndefined();
  });

  it('shows no key and no hidden value in what it reports', async () => {
    const messages = [{ role: 'user', content: 'Reply with exactly: hush-hush and sk-open12345678' }];
    const result = await stage.run({ ...answers, request: { messages }, hidden: ['hush-hush'] });
    const shown = JSON.stringify(result);
    expect(result.verdict).toBe('passed');
    expect(shown).toContain('‹hidden›');
    expect(shown).not.toContain('hush-hush');
    expect(shown).not.toContain('sk-open');
  });

  it('shows no hidden value in its reasons', async () => {
    const hidden = ['hush-hush'];
    const broken = await stage.run({ ...answers, hidden, expect: { contains: ['hush-hush'] } });
    expect(broken).toMatchObject({ verdict: 'failed', reason: expect.stringContaining('contains "‹hidden›"') });
    await stage.control.script({
      kind: 'answer',
      path: '/v1/chat/completions',
      status: 400,
      body: { error: { message: 'no hush-hush here' } },
    });
    const refused = await stage.run({ ...answers, hidden });
    expect(refused.verdict).toBe('failed');
    expect(JSON.stringify([broken, refused])).not.toContain('hush-hush');
  });
});

/** The most that the question can cost with an answer of 512 tokens, and what it does cost. */
const [MOST, USUAL] = [3326, 72];

describe('The money of a run', () => {
  const three = {
    selections: new Map([['open', ['a', 'b', 'c']]]),
    definitions: ['a', 'b', 'c'].map((name) => specOf({ name, module: 'chat' })),
    asked: [],
    costly: false,
  };

  it('estimates from earlier payments of the account for the model', async () => {
    await stage.run(answers);
    const result = await stage.run(answers);
    expect(result.cost).toEqual({ estimated: 72, estimateIsMaximum: false, charged: 72 });
  });

  it('stays under the cap, and reports what it skipped', async () => {
    await stage.run(answers);
    const report = await stage.report(three, { cap: quota(MOST + USUAL), concurrency: 4 });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'skipped']);
    expect(report.capReached).toBe(true);
    expect(checkVerdict(report)).toMatchObject({ code: 'check.cost-cap' });
  });

  it('runs nothing that costs with a cap of nothing', async () => {
    const report = await stage.report(three, { cap: quota(0) });
    expect(report.results.every(({ verdict }) => verdict === 'skipped')).toBe(true);
    expect((await stage.counts())[CHAT]).toBeUndefined();
  });

  it('fails a check that cost more than it may', async () => {
    const result = await stage.run({ ...answers, expect: { maxCost: '0.0001' } });
    expect(result).toMatchObject({ verdict: 'failed', cost: { charged: 72 } });
    expect(result.reason).toContain('it costs at most $0.0001');
    expect((await stage.run({ ...answers, expect: { maxCost: '0.000144' } })).verdict).toBe('passed');
  });

  it('does not claim that a cost limit is kept when the log cannot be read', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/api/log/self', times: 50 });
    const result = await stage.run({ ...answers, expect: { maxCost: '1' } });
    expect(result).toMatchObject({ verdict: 'unprovable', reason: 'its cost is not in the usage log' });
  });

  it('reports the limit, and not a time-out, when an upstream answers 429 until the deadline', async () => {
    const over = new AbortController();
    const { sleep } = stage.clock;
    let waits = 0;
    Object.assign(stage.clock, {
      sleep: (ms: number) => {
        waits += 1;
        if (waits === 3) over.abort();
        return sleep(ms);
      },
    });
    await stage.control.script({ kind: 'empty-429', times: 99, path: '/v1/chat/completions' });
    const result = await stage.run({ ...answers, timeoutMs: 5000 }, { deadline: () => over.signal });
    expect(result).toMatchObject({ verdict: 'failed', code: 'gateway.rate-limited', cost: { charged: 0 } });
    expect(result.reason).toMatch(/kept responding with 429 for [23] s$/);
  });

  it('charges nothing for what was refused', async () => {
    const result = await stage.run({ ...answers, model: 'alpha-chat-2' }, { key: 'narrow' });
    expect(result.cost.charged).toBe(0);
  });

  it('does not run under a cap that it cannot enforce', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/api/log/self', times: 50 });
    const report = await stage.report(three, { cap: quota(1000) });
    expect(report.fatal?.code).toBe('gateway.unavailable');
    expect((await stage.counts())[CHAT]).toBeUndefined();
  });
});
