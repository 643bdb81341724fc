import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckEvent } from '../../../src/checks/index.ts';
import { quota } from '../../../src/domain/index.ts';
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
      { kind: 'estimate', schedule: 'cheap', estimate: { units: 0, known: 0, unknown: { 'alpha-chat-1': 2 } } },
    ]);
    const second = await eventsOf((onEvent) => stage.report(asking(['open', 'narrow']), { onEvent }));
    expect(second).toEqual([{ kind: 'estimate', schedule: 'cheap', estimate: { units: 112, known: 2, unknown: {} } }]);
  });

  it('is not reported of what costs nothing', async () => {
    const free = { ...asking(['open']), selections: new Map([['open', ['count-tokens', 'model-list']]]) };
    expect(await eventsOf((onEvent) => stage.report(free, { onEvent }))).toEqual([]);
  });
});

describe('a cap on what nobody knows the cost of', () => {
  it('skips the following checks when the usage log does not show the cost of the first', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/chat/completions' });
    const report = await stage.report(asking(['open'], ['a', 'b', 'c']), { cap: quota(1000) });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['failed', 'skipped', 'skipped']);
    expect(report.results[1]?.reason).toContain('does not show what its model costs');
    expect(report.capReached).toBe(true);
    expect((await stage.counts())[CHAT]).toBe(1);
  });

  it('does not take a rejection for the price of the model: the next one goes ahead alone', async () => {
    const report = await stage.report(asking(['small', 'open', 'narrow', 'here']), { cap: quota(60), concurrency: 4 });
    expect(report.results.map(({ key, verdict }) => [key, verdict])).toEqual([
      ['small', 'failed'],
      ['open', 'passed'],
      ['narrow', 'skipped'],
      ['here', 'skipped'],
    ]);
    expect(report.results[0]).toMatchObject({ code: 'key.exhausted', cost: { charged: 0 } });
  });
});

describe('a cap with a rough estimate from the past', () => {
  const images = (names: readonly string[], n: number) => ({
    selections: new Map([['open', names]]),
    definitions: names.map((name) => specOf({ name, module: 'image', model: 'alpha-image-1', request: { n } })),
    asked: [],
    costly: true,
  });

  it('learns from the first of each kind: ten images are not one', async () => {
    await stage.report(images(['one'], 1));
    const report = await stage.report(images(['a', 'b', 'c', 'd'], 10), { cap: quota(110_000), concurrency: 2 });
    expect(report.results.map(({ verdict, cost }) => [verdict, cost.charged])).toEqual([
      ['passed', 50_000],
      ['passed', 50_000],
      ['skipped', undefined],
      ['skipped', undefined],
    ]);
  });

  it('counts both requests of a check that sends two', async () => {
    await stage.run({ module: 'embeddings', model: 'text-embedding-3-small' });
    const { cost } = await stage.run({ module: 'embeddings', model: 'text-embedding-3-small' });
    expect(cost.estimated).toBe(cost.charged);
  });

  it('takes a failure that cost nothing for no price', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/images/generations' });
    const report = await stage.report(images(['a', 'b', 'c', 'd'], 1), { cap: quota(6000), concurrency: 4 });
    const ran = report.results.filter(({ attempts }) => attempts > 0);
    expect(ran.length).toBeLessThanOrEqual(2);
    expect(report.capReached).toBe(true);
  });

  it('does not try again beyond it', async () => {
    await stage.run({ module: 'chat', model: 'alpha-chat-1' });
    const spec = specOf({
      name: 'a',
      module: 'chat',
      model: 'alpha-chat-1',
      retries: 5,
      expect: { contains: ['zebra'] },
    });
    const selection = { selections: new Map([['open', ['a']]]), definitions: [spec], asked: [], costly: true };
    const report = await stage.report(selection, { cap: quota(130) });
    expect(report.results).toMatchObject([{ verdict: 'failed', attempts: 2, cost: { charged: 112 } }]);
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
