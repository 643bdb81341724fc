import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckEvent } from '../../../src/checks/index.ts';
import { type CheckReport, type CheckSpec, checkFaults, quota } from '../../../src/domain/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';

const CHAT = 'POST /v1/chat/completions';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.close());

/** The same question, asked with these keys. */
const asking = (keys: readonly string[], names: readonly string[] = ['a']) => ({
  selections: new Map(keys.map((key) => [key, names])),
  definitions: names.map((name) => specOf({ name, module: 'chat' as const, model: 'alpha-chat-1' })),
  asked: [],
  costly: false,
});

const eventsOf = async (run: (onEvent: (event: CheckEvent) => void) => Promise<unknown>) => {
  const events: CheckEvent[] = [];
  await run((event) => void events.push(event));
  return events.flatMap((event) => (event.kind === 'estimate' ? [event] : []));
};

describe('the estimate before a run', () => {
  it('reports the checks of unknown cost by model, and their cost from the next run on', async () => {
    const first = await eventsOf((onEvent) => stage.report(asking(['open', 'narrow']), { onEvent }));
    expect(first).toEqual([
      {
        kind: 'estimate',
        schedule: 'cheap',
        estimate: { units: 0, known: 0, isMaximum: false, unknown: { 'alpha-chat-1': 2 } },
      },
    ]);
    const second = await eventsOf((onEvent) => stage.report(asking(['open', 'narrow']), { onEvent }));
    expect(second).toEqual([
      { kind: 'estimate', schedule: 'cheap', estimate: { units: 144, known: 2, isMaximum: false, unknown: {} } },
    ]);
  });

  it('is not reported of what costs nothing', async () => {
    const free = { ...asking(['open']), selections: new Map([['open', ['count-tokens', 'model-list']]]) };
    expect(await eventsOf((onEvent) => stage.report(free, { onEvent }))).toEqual([]);
  });
});

const SUBMIT = 'POST /v1/video/generations';
const IMAGE = 'POST /v1/images/generations';

/** Checks that ask for images or videos with these fields, each in its own way. */
const making = (module: 'image' | 'video', model: string, requests: readonly CheckSpec['request'][]) => ({
  selections: new Map([['open', requests.map((_, index) => `c${index}`)]]),
  definitions: requests.map((request, index) => specOf({ name: `c${index}`, module, model, request })),
  asked: [],
  costly: true,
});
const images = (...requests: readonly CheckSpec['request'][]) => making('image', 'alpha-image-1', requests);
const film = (duration: number, model = 'delta-H3') => making('video', model, [{ metadata: { duration } }]);

const verdictsOf = ({ results }: CheckReport) => results.map(({ verdict }) => verdict);

describe('a cap on what nobody knows the price of', () => {
  it.each([
    ['a film', film(4), SUBMIT],
    ['an image', images({}), IMAGE],
    ['an answer', asking(['open']), CHAT],
  ])('refuses %s, however high the cap is', async (_, checks, route) => {
    const report = await stage.report(checks, { cap: quota(500_000_000) });
    expect(report.results).toMatchObject([
      { verdict: 'skipped', reason: 'no known price limits what it costs, and the run has a cost limit' },
    ]);
    expect(report.capReached).toBe(true);
    expect((await stage.counts())[route]).toBeUndefined();
  });

  it('refuses an answer that no number of tokens limits', async () => {
    await stage.report(asking(['open']));
    const unlimited = asking(['open']);
    const definitions = [specOf({ name: 'a', module: 'chat', model: 'alpha-chat-1', request: { max_tokens: null } })];
    const report = await stage.report({ ...unlimited, definitions }, { cap: quota(500_000) });
    expect(report.results[0]).toMatchObject({
      reason: expect.stringContaining('does not limit what it is charged for'),
      hint: expect.stringContaining('`max_tokens`'),
    });
    expect(report.results[0]).not.toHaveProperty('remedy');
    expect((await stage.counts())[CHAT]).toBe(1);
  });

  it('spends nothing more when the usage log does not show a charge', async () => {
    await stage.report(asking(['open']));
    await stage.counts();
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/chat/completions' });
    const report = await stage.report(asking(['open'], ['a', 'b', 'c']), { cap: quota(500_000), concurrency: 1 });
    expect(verdictsOf(report)).toEqual(['failed', 'skipped', 'skipped']);
    expect(report.results[1]?.reason).toContain('does not show what an earlier check cost');
    expect((await stage.counts())[CHAT]).toBe(1);
  });

  it('continues after a rejection that costs nothing', async () => {
    await stage.report(asking(['open']));
    const report = await stage.report(asking(['small', 'open']), { cap: quota(5000), concurrency: 1 });
    expect(verdictsOf(report)).toEqual(['failed', 'passed']);
    expect(report.results[0]).toMatchObject({ code: 'key.exhausted', cost: { charged: 0 } });
  });

  it.each(['model_not_found', 'system_cpu_overloaded'])(
    'continues after a 503 that costs nothing: %s',
    async (code) => {
      await stage.report(asking(['open']));
      const body = { error: { message: 'no', type: 'new_api_error', code } };
      await stage.control.script({ kind: 'answer', status: 503, body, path: '/v1/chat/completions' });
      const report = await stage.report(asking(['open'], ['a', 'b']), { cap: quota(5000), concurrency: 1 });
      expect(report.results.map(({ verdict }) => verdict)).toEqual([expect.not.stringMatching('passed'), 'passed']);
      expect(report.results[0]?.cost).toMatchObject({ charged: 0 });
    },
  );
});

describe('a cap on what the usage log shows the price of', () => {
  it('is not exceeded by a film of 40 cents when it is one cent', async () => {
    await stage.report(film(4));
    const report = await stage.report(film(5), { cap: quota(5000) });
    expect(report.results).toMatchObject([{ verdict: 'skipped', reason: 'the cost limit of the run is reached' }]);
    expect((await stage.counts())[SUBMIT]).toBe(1);
  });

  it.each([
    ['seconds', film(4), film(15), 15 * 50_000],
    ['images', images({}), images({ n: 10 }), 10 * 5000],
    [
      'the ratio of a group',
      {
        ...images({}),
        selections: new Map([
          ['open', ['c0']],
          ['dear', ['c0']],
        ]),
      },
      { ...images({ n: 2 }), selections: new Map([['dear', ['c0']]]) },
      3 * 2 * 5000,
    ],
  ])('counts %s', async (_, known, checks, most) => {
    await stage.report(known);
    expect(verdictsOf(await stage.report(checks, { cap: quota(most - 1) }))).toEqual(['skipped']);
    const report = await stage.report(checks, { cap: quota(most) });
    expect(report.results).toMatchObject([{ verdict: 'passed', cost: { estimated: most, estimateIsMaximum: true } }]);
  });

  it('counts every token that an answer may have, and both requests of a check that sends two', async () => {
    await stage.report(asking(['open']));
    const { results } = await stage.report(asking(['open']), { cap: quota(500_000) });
    expect(results[0]?.cost.estimated).toBeGreaterThan(512 * 3 * 2);
    const vectors = { module: 'embeddings', model: 'text-embedding-3-small' } as const;
    await stage.run(vectors);
    const both = await stage.run(vectors, { cap: quota(500_000) });
    expect(both.cost.estimated).toBeGreaterThanOrEqual(both.cost.charged ?? Number.NaN);
  });

  it('does not run ten images for the price of one, and runs those that fit after the others were charged', async () => {
    await stage.report(images({}));
    const ten = Array.from({ length: 6 }, (_, index) => ({ n: 10, prompt: `${index}` }));
    const report = await stage.report(images(...ten), { cap: quota(160_000), concurrency: 6 });
    expect(verdictsOf(report)).toEqual(['passed', 'passed', 'passed', 'skipped', 'skipped', 'skipped']);
    const charged = report.results.reduce((sum, { cost }) => sum + (cost.charged ?? 0), 0);
    expect(charged).toBe(150_000);
    expect(report.excess).toBeUndefined();
  });

  it('leaves room for the charges of a batch before it skips what did not fit at first', async () => {
    await stage.report(asking(['open']));
    const names = ['a', 'b', 'c', 'd'];
    const report = await stage.report(asking(['open'], names), { cap: quota(5000), concurrency: 4 });
    expect(verdictsOf(report)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  it('reports by how much it was exceeded', async () => {
    await stage.close();
    // This profile names the requests, so that their charges are found whatever model they name.
    stage = await openStage('deployed');
    await stage.report(images({}));
    await stage.control.script({ kind: 'substitute-model', model: 'delta-H3', path: '/v1/images/generations' });
    const report = await stage.report(images({}), { cap: quota(5000) });
    expect(report).toMatchObject({ cap: 5000, excess: 45_000 });
    expect(checkFaults(report)).toMatchObject([
      { code: 'check.failed' },
      {
        code: 'check.cost-cap',
        message: 'The checks cost $0.090000 more than the cost limit.',
        detail: { excess: 45_000 },
      },
    ]);
  });

  it('does not try again beyond it', async () => {
    await stage.report(asking(['open']));
    const spec = specOf({
      name: 'a',
      module: 'chat',
      model: 'alpha-chat-1',
      retries: 5,
      expect: { contains: ['zebra'] },
    });
    const selection = { selections: new Map([['open', ['a']]]), definitions: [spec], asked: [], costly: true };
    const once = await stage.report({ ...selection, definitions: [{ ...spec, retries: 0 }] }, { cap: quota(500_000) });
    const most = once.results[0]?.cost.estimated ?? Number.NaN;
    const report = await stage.report(selection, { cap: quota(2 * most) });
    expect(report.results).toMatchObject([{ verdict: 'failed', attempts: 2, cost: { charged: 144 } }]);
  });
});

describe('a film that a run before paid for', () => {
  const film = {
    selections: new Map([['open', ['film']]]),
    definitions: [specOf({ name: 'film', module: 'video', model: 'delta-H3', timeoutMs: 1000 })],
    asked: [],
    costly: true,
  };

  it('is fetched whatever the cap is, and costs nothing again', async () => {
    const first = await stage.report(film);
    expect(first.results).toMatchObject([{ verdict: 'failed', code: 'video.unsettled' }]);
    stage.advance(3_600_000);
    const definitions = [specOf({ name: 'film', module: 'video', model: 'delta-H3', expect: { maxCost: '0.01' } })];
    const second = await stage.report({ ...film, definitions }, { cap: quota(1) });
    expect(second.results).toMatchObject([{ verdict: 'passed', cost: { charged: 0 } }]);
    expect((await stage.counts())['POST /v1/video/generations']).toBe(1);
  });
});

describe('a request that should be rejected, and is charged', () => {
  /** A check that costs nothing if the gateway works, and one that costs money. */
  const asked = {
    selections: new Map([['narrow', ['forbidden', 'a']]]),
    definitions: [
      specOf({ name: 'forbidden', module: 'forbidden-model', model: 'alpha-chat-2' }),
      specOf({ name: 'a', module: 'chat', model: 'alpha-chat-1' }),
    ],
    asked: [],
    costly: false,
  };

  it.each([
    ['without a cap', undefined],
    ['under a cap', quota(1_000_000)],
  ])('is in the costs of its check, although it was sent before those that pay, %s', async (_, cap) => {
    await stage.report(asking(['narrow']));
    await stage.control.script({ kind: 'lenient', rule: 'model', path: '/v1/chat/completions' });
    const { results } = await stage.report(asked, { cap });
    expect(results.map(({ check, verdict, cost }) => [check, verdict, cost.charged])).toEqual([
      ['forbidden', 'failed', expect.any(Number)],
      ['a', 'passed', 72],
    ]);
  });

  it('leaves the results of what costs nothing where a cap cannot be kept, because the log cannot be read', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/api/log/self', method: 'GET', times: 20 });
    const { results, fatal } = await stage.report(asked, { cap: quota(1_000_000) });
    expect(fatal?.code).toBe('gateway.unavailable');
    expect(results.map(({ check, verdict }) => [check, verdict])).toEqual([
      ['forbidden', 'passed'],
      ['a', 'skipped'],
    ]);
  });
});

describe('a run with checks that turn out to mean nothing', () => {
  it('counts only what is in the report', async () => {
    const results: string[] = [];
    const onEvent = (event: CheckEvent): void => {
      if (event.kind === 'result') results.push(`${event.done}/${event.total} ${event.result.check}`);
    };
    const selection = { ...asking(['narrow']), selections: new Map([['narrow', ['enforcement', 'a']]]) };
    const report = await stage.report(selection, { onEvent, concurrency: 1 });
    expect(report.results).toHaveLength(results.length);
    expect(results.at(-1)).toBe(`${results.length}/${results.length} a`);
  });
});
