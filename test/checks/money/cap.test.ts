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

const toldBy = async (run: (onEvent: (event: CheckEvent) => void) => Promise<unknown>) => {
  const events: CheckEvent[] = [];
  await run((event) => void events.push(event));
  return events.flatMap((event) => (event.kind === 'estimate' ? [event] : []));
};

describe('the estimate before a run', () => {
  it('says for how many checks nobody knows, by model, and from the next run on what they come to', async () => {
    const first = await toldBy((onEvent) => stage.report(asking(['open', 'narrow']), { onEvent }));
    expect(first).toEqual([
      { kind: 'estimate', schedule: 'cheap', reckoning: { units: 0, known: 0, unknown: { 'alpha-chat-1': 2 } } },
    ]);
    const second = await toldBy((onEvent) => stage.report(asking(['open', 'narrow']), { onEvent }));
    expect(second).toEqual([{ kind: 'estimate', schedule: 'cheap', reckoning: { units: 112, known: 2, unknown: {} } }]);
  });

  it('is not told of what costs nothing', async () => {
    const free = { ...asking(['open']), selections: new Map([['open', ['count-tokens', 'model-list']]]) };
    expect(await toldBy((onEvent) => stage.report(free, { onEvent }))).toEqual([]);
  });
});

describe('a cap on what nobody knows the cost of', () => {
  it('keeps back what follows when the usage log does not tell what the first one cost', async () => {
    await stage.control.script({ kind: 'status', code: 500, path: '/v1/chat/completions' });
    const report = await stage.report(asking(['open'], ['a', 'b', 'c']), { cap: quota(1000) });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['failed', 'skipped', 'skipped']);
    expect(report.results[1]?.reason).toContain('does not tell what its model costs');
    expect(report.capReached).toBe(true);
    expect((await stage.counts())[CHAT]).toBe(1);
  });

  it('does not take a refusal for the price of the model: the next one goes ahead alone', async () => {
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
