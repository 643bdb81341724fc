import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckEvent } from '../../../src/checks/index.ts';
import { type CheckSpec, quota } from '../../../src/domain/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const only = (spec: CheckSpec, key = 'open') => ({
  selections: new Map([[key, [spec.name]]]),
  definitions: [spec],
  asked: [],
  costly: true,
});

const estimatesIn = (events: readonly CheckEvent[]) =>
  events.flatMap((event) => (event.kind === 'estimate' ? [event.estimate] : []));

/** The estimate of a check, which the gateway then refuses. */
async function estimateOf(spec: CheckSpec) {
  const events: CheckEvent[] = [];
  await stage.control.script({ kind: 'status', code: 401, path: '/v1/chat/completions', times: 10 });
  await stage.report(only(spec), { onEvent: (event) => void events.push(event) });
  return estimatesIn(events)[0];
}

/** Runs a check of a model that nobody has paid for: its estimate before the run, and what it cost. */
async function paid(spec: CheckSpec, key?: string) {
  const events: CheckEvent[] = [];
  const cap = quota(500_000_000);
  const report = await stage.report(only(spec, key), { cap, onEvent: (event) => void events.push(event) });
  const [estimated] = estimatesIn(events);
  return { estimated, charged: report.results[0]?.cost.charged, verdict: report.results[0]?.verdict };
}

/** One cent for an image, ten for a second of a film, in quota units. */
const IMAGE = 5000;
const SECOND = 50_000;

const image = (request: CheckSpec['request']) => specOf({ module: 'image', model: 'alpha-image-1', request });
const film = (duration: number) => specOf({ module: 'video', model: 'delta-H3', request: { metadata: { duration } } });
const chat = (model: string, request: CheckSpec['request'] = {}) => specOf({ module: 'chat', model, request });

describe.each(['deployed', 'deployed@1.0'] as const)('the public prices of a gateway (%s)', (profile) => {
  beforeEach(async () => {
    stage = await openStage(profile);
  });

  it.each<[string, CheckSpec, string, number]>([
    ['an image', image({}), 'open', IMAGE],
    ['several images', image({ n: 3 }), 'open', 3 * IMAGE],
    ['an image in a group with a ratio', image({}), 'dear', 3 * IMAGE],
    ['the seconds of a video', film(4), 'open', 4 * SECOND],
    ['the seconds of a longer video in a group with a ratio', film(6), 'dear', 3 * 6 * SECOND],
  ])('estimate %s as it is charged, before anybody has paid for it', async (_, spec, key, units) => {
    expect(await paid(spec, key)).toEqual({
      estimated: { units, known: 1, isMaximum: true, unknown: {} },
      charged: units,
      verdict: 'passed',
    });
  });

  it.each<[string, CheckSpec, string]>([
    ['a chat', chat('alpha-chat-1'), 'open'],
    ['several answers', chat('alpha-chat-1', { n: 3 }), 'open'],
    ['a chat in a group with a ratio', chat('alpha-chat-1'), 'dear'],
    ['embeddings', specOf({ module: 'embeddings', model: 'text-embedding-3-small' }), 'open'],
  ])('limit %s, which costs at most the estimate', async (_, spec, key) => {
    const { estimated, charged, verdict } = await paid(spec, key);
    expect([estimated?.known, estimated?.isMaximum, verdict]).toEqual([1, true, 'passed']);
    expect(charged).toBeGreaterThan(0);
    expect(charged).toBeLessThanOrEqual(estimated?.units ?? 0);
  });

  it('limit a check with retries by all attempts that it may make', async () => {
    const retried = { ...chat('alpha-chat-1'), retries: 2 };
    const [once, thrice] = [await estimateOf(chat('alpha-chat-1')), await estimateOf(retried)];
    expect(once).toMatchObject({ isMaximum: true });
    expect(thrice).toMatchObject({ units: 3 * (once?.units ?? Number.NaN), isMaximum: true });
  });

  it('limit no longer what the charges of the account let expect', async () => {
    const both = [chat('alpha-chat-1'), { ...chat('alpha-chat-2'), name: 'new' }];
    await stage.report(only(chat('alpha-chat-1')));
    expect(await estimateOf(chat('alpha-chat-1'))).toMatchObject({ units: 72, isMaximum: false });
    await stage.control.clearFaults();
    const selections = new Map([['open', both.map(({ name }) => name)]]);
    const events: CheckEvent[] = [];
    await stage.report(
      { ...only(chat('alpha-chat-1')), selections, definitions: both },
      { onEvent: (event) => void events.push(event) },
    );
    expect(estimatesIn(events)).toMatchObject([{ known: 2, isMaximum: false }]);
  });

  it('limit a model without a price by the ratio that gateways show for it, and it costs nothing', async () => {
    const { estimated, charged, verdict } = await paid(chat('alpha-chat-unpriced'));
    const priced = await paid(chat('alpha-chat-2'));
    expect([estimated?.known, charged, verdict]).toEqual([1, 0, 'failed']);
    expect(estimated?.units).toBeGreaterThan(30 * (priced.estimated?.units ?? Number.NaN));
  });

  it.each([
    ['a video of a length that the gateway chooses', { module: 'video', model: 'film-nested' }],
    ['an answer of a length that the model chooses', { module: 'responses', model: 'alpha-chat-1' }],
  ] as const)('do not limit %s: a capped run names the missing limit', async (_, given) => {
    const family = given.module === 'video' ? ({ family: 'nested-video' } as const) : {};
    const report = await stage.report(only(specOf({ ...given, ...family })), { cap: quota(500_000_000) });
    expect(report.results).toMatchObject([
      { verdict: 'skipped', reason: expect.stringContaining('its price is known'), hint: expect.any(String) },
    ]);
  });

  it('let a capped run pay for a response whose tokens are limited', async () => {
    const spec = specOf({ module: 'responses', model: 'alpha-chat-1', request: { max_output_tokens: 100 } });
    expect(await paid(spec)).toMatchObject({ estimated: { isMaximum: true }, verdict: 'passed' });
  });

  it('let a cap be kept before anybody has paid for a model', async () => {
    const spec = film(4);
    const low = await stage.report(only(spec), { cap: quota(4 * SECOND - 1) });
    expect(low.results).toMatchObject([{ verdict: 'skipped', reason: 'the cost limit of the run is reached' }]);
    const enough = await stage.report(only(spec), { cap: quota(4 * SECOND) });
    expect(enough.results).toMatchObject([{ verdict: 'passed', cost: { charged: 4 * SECOND } }]);
  });

  it.each([
    ['that cannot be read', { kind: 'status', code: 500 }],
    ['of another shape', { kind: 'answer', status: 200, body: { success: true, data: { none: 1 } } }],
    [
      'by a formula',
      {
        kind: 'answer',
        status: 200,
        body: {
          success: true,
          data: [{ model_name: 'delta-H3', quota_type: 0, model_ratio: 1, billing_expr: 'p * 2' }],
        },
      },
    ],
  ])('%s are ignored, and a capped run pays for nothing', async (_, failure) => {
    await stage.control.script({ ...failure, path: '/api/pricing', times: 10 });
    const report = await stage.report(only(film(4)), { cap: quota(500_000_000) });
    expect(report.results).toMatchObject([{ verdict: 'skipped', reason: expect.stringContaining('no known price') }]);
  });
});
