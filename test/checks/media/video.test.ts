import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { VIDEO } from '../../../src/checks/media/video.ts';
import type { Assertions, CheckResult, CheckSpec } from '../../../src/domain/index.ts';
import { openCallbackReceiver } from '../../../src/gateway/index.ts';
import { findFamily, requestDiagnostics } from '../../../src/wire/index.ts';
import { openStage, type Stage } from '../stage.ts';
import { drawn } from './drawn.ts';

const EPSILON = 'epsilon-video-2-0-260128';
const SUBMIT = 'POST /v1/video/generations';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.control.clearFaults());
afterAll(() => stage.close());

const video = (model: string, more: Partial<CheckSpec> = {}, options = {}) =>
  stage.run({ module: 'video', model, ...more }, options);

const brokenIn = ({ findings }: CheckResult): readonly string[] =>
  findings.filter(({ holds }) => !holds).map(({ claim }) => claim);

/** Models whose names do not reveal the family. */
const VIDEOS = ['download', 'flat', 'nested', 'asset', 'dedicated'].map((family) => ({
  model: `film-${family}`,
  family: `${family}-video`,
}));

describe('a video', () => {
  test.each([{ model: EPSILON }, { model: 'epsilon-video-2-0-mini-260615' }, { model: 'delta-H3' }, ...VIDEOS])(
    'of $model passes with nothing but its model',
    async ({ model, ...family }) => {
      const result = await video(model, { ...family, name: `plain-${model}` });
      expect(result.reason).toBeUndefined();
      expect(result.verdict).toBe('passed');
      expect(result.taskId).toEqual(expect.any(String));
      expect(result.artifacts).toMatchObject([
        { title: 'the video', mediaType: 'video/mp4', facts: { kind: 'video' } },
      ]);
      expect(result.exchanges.map(({ title }) => title).slice(0, 2)).toEqual(['submission', 'task']);
    },
  );

  test.each<[string, CheckSpec['request'], object]>([
    [EPSILON, { metadata: { ratio: '1:1', generate_audio: false, duration: 5 } }, { seconds: 5, audioCodec: null }],
    [EPSILON, { metadata: { resolution: null, ratio: '21:9' } }, { height: 720 }],
    ['delta-H3', { metadata: { ratio: '9:16' } }, { width: 768 }],
    ['delta-H3', { metadata: { resolution: '2K' } }, { height: 1440 }],
  ])('of %s with %j passes', async (model, request, facts) => {
    const result = await video(model, { request });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts[0]).toMatchObject({ facts });
  });

  test('brings its last frame where that was asked for', async () => {
    const result = await video(EPSILON, { request: { metadata: { return_last_frame: true } } });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts[1]).toMatchObject({ title: 'the last frame', facts: { format: 'png', height: 480 } });
  });

  test('of a first frame has its proportions, where the family demands it', async () => {
    const url = `data:image/png;base64,${Buffer.from(await drawn(600, 400)).toString('base64')}`;
    const content = [
      { type: 'text', text: 'the disc rolls away' },
      { type: 'image_url', image_url: { url }, role: 'first_frame' },
    ];
    const result = await video('delta-H3', { request: { metadata: { content } } });
    expect(result.reason).toBeUndefined();
    expect(result.findings.map(({ claim }) => claim)).toContain(
      'its frames are 1.5 times as wide as high, as requested',
    );
  });

  test('of the download-required family has the size to the pixel', async () => {
    const request = { seconds: '5', size: '640x480' };
    const result = await video('film-download', { family: 'download-video', request });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts[0]).toMatchObject({ facts: { width: 640, height: 480 } });
  });

  test('passes in the form of deployed gateways', async () => {
    const deployed = await openStage('deployed');
    for (const spec of [{ model: EPSILON }, { model: 'film-download', family: 'download-video' }]) {
      expect((await deployed.run({ module: 'video', ...spec })).reason).toBeUndefined();
    }
    await deployed.close();
  });

  test('that is as expected passes', async () => {
    const expectations: Assertions = {
      seconds: 4,
      audio: true,
      format: 'mp4',
      height: 480,
      minWidth: 640,
      minHeight: 480,
    };
    expect((await video(EPSILON, { expect: expectations })).reason).toBeUndefined();
  });

  test('that is not as expected fails, and reports what was found', async () => {
    const expectations: Assertions = {
      seconds: 6,
      audio: false,
      format: 'webp',
      width: 1,
      height: 2,
      minWidth: 9999,
      minHeight: 9999,
    };
    const result = await video(EPSILON, { expect: expectations });
    expect(result.verdict).toBe('failed');
    expect(brokenIn(result)).toEqual([
      'the video lasts 6 s, as expected',
      'the video is silent, as expected',
      'the video is webp, as expected',
      'its frames are 1 pixels wide, as expected',
      'its frames are 2 pixels high, as expected',
      'its frames are at least 9999 pixels wide, as expected',
      'its frames are at least 9999 pixels high, as expected',
    ]);
    expect(result.reason).toContain('found 4');
  });
});

describe('the request for a video', () => {
  test.each([{ model: EPSILON }, { model: 'delta-H3' }, ...VIDEOS])('of $model keeps to the contract', (spec) => {
    const draft = VIDEO.buildRequest?.(spec.model, { request: {}, ...spec });
    expect(draft && requestDiagnostics(findFamily(draft.family), draft.body, { model: spec.model })).toEqual([]);
  });

  test.each([EPSILON, 'delta-H3'])('of %s has the same prompt in both places', (model) => {
    const promptsOf = (request: CheckSpec['request']) => {
      const body = VIDEO.buildRequest?.(model, { request })?.body as {
        prompt: string;
        metadata: { content: { text: string }[] };
      };
      return [body.prompt, body.metadata.content[0]?.text];
    };
    expect(promptsOf({ prompt: 'a harbour' })).toEqual(['a harbour', 'a harbour']);
    expect(promptsOf({ metadata: { content: [{ type: 'text', text: 'a fox' }] } })).toEqual(['a fox', 'a fox']);
    expect(new Set(promptsOf({})).size).toBe(1);
  });

  test('is there only where the family is known', () => {
    expect(VIDEO.accepts?.('film-flat')).toBe(false);
    expect(VIDEO.accepts?.('film-flat', 'flat-video')).toBe(true);
    expect(VIDEO.accepts?.('film-flat', 'beta-image')).toBe(false);
    expect(VIDEO.buildRequest?.('alpha-chat-1', { request: {} })).toBeUndefined();
  });
});

describe('a task that is paid for', () => {
  const submissions = async () => (await stage.counts())[SUBMIT] ?? 0;

  test('is looked at again, and not paid for again, by a run that comes after one that gave up waiting', async () => {
    await stage.counts();
    const spec = { name: 'slow', timeoutMs: 2000 };
    const first = await video(EPSILON, spec);
    expect(first).toMatchObject({ verdict: 'failed', code: 'video.unsettled' });
    const second = await video(EPSILON, { name: 'slow' });
    expect(second).toMatchObject({ verdict: 'passed', taskId: first.taskId });
    expect(await submissions()).toBe(1);
    const third = await video(EPSILON, { name: 'slow' });
    expect(third.taskId).not.toBe(first.taskId);
    expect(await submissions()).toBe(1);
  });

  test('is not submitted again when its answer was lost', async () => {
    await stage.counts();
    await stage.control.script({ kind: 'cut-after', path: '/v1/video/generations', method: 'POST' });
    const first = await video(EPSILON, { name: 'lost' });
    expect(first).toMatchObject({ verdict: 'failed', code: 'gateway.indeterminate' });
    const second = await video(EPSILON, { name: 'lost' });
    expect(second).toMatchObject({ verdict: 'failed', code: 'gateway.indeterminate' });
    expect(second.remedy).toBe('resubmit-task');
    expect(await submissions()).toBe(1);
  });

  test.each([
    ...[408, 499, 500, 503, 504, 524].map((code) => ({ kind: 'status', code })),
    { kind: 'answer', status: 200, body: { error: { message: 'no', code: 'insufficient_user_quota' } } },
    { kind: 'html', status: 200 },
    { kind: 'html', status: 403 },
    { kind: 'truncated' },
  ])('is not submitted again after an answer that does not refuse it: %o', async (fault) => {
    await stage.counts();
    await stage.control.script({ ...fault, path: '/v1/video/generations', method: 'POST' });
    const spec = { name: `unclear ${JSON.stringify(fault)}` };
    for (const run of [1, 2]) {
      expect(await video(EPSILON, spec), `run ${run}`).toMatchObject({
        verdict: 'failed',
        code: 'gateway.indeterminate',
      });
    }
    expect(await submissions()).toBe(1);
  });

  test('is looked up in the usage log when its answer was lost', async () => {
    await stage.control.script({ kind: 'cut-after', path: '/v1/video/generations', method: 'POST' });
    await video('delta-H3', { name: 'charged' });
    const charged = await video('delta-H3', { name: 'charged' });
    expect(charged.reason).toContain('The usage log has a charge of');
    stage.advance(3_600_000);
    await stage.control.script({ kind: 'cut-before', path: '/v1/video/generations', method: 'POST' });
    await video('delta-H3', { name: 'not charged' });
    const notCharged = await video('delta-H3', { name: 'not charged' });
    expect(notCharged.reason).toContain('The usage log has no charge for it so far');
  });

  test('that a proxy claims not to know is not paid for again', async () => {
    const spec = { name: 'hidden' };
    const first = await video(EPSILON, { ...spec, timeoutMs: 2000 });
    await stage.control.script({
      kind: 'html',
      status: 404,
      path: '/v1/video/generations/*',
      method: 'GET',
      times: 99,
    });
    expect((await video(EPSILON, { ...spec, timeoutMs: 2000 })).verdict).toBe('failed');
    await stage.control.clearFaults();
    expect(await video(EPSILON, spec)).toMatchObject({ verdict: 'passed', taskId: first.taskId });
  });

  test('is submitted by the next run when the gateway refused it', async () => {
    await stage.control.script({ kind: 'status', code: 400, path: '/v1/video/generations', method: 'POST' });
    expect((await video(EPSILON, { name: 'refused' })).verdict).toBe('failed');
    expect((await video(EPSILON, { name: 'refused' })).verdict).toBe('passed');
  });

  test.each([{ kind: 'truncated' }, { kind: 'cut-before', times: 9 }])(
    'whose video did not come through ($kind) is looked at again',
    async (fault) => {
      await stage.counts();
      await stage.control.script({ ...fault, path: '/files/*' });
      const first = await video(EPSILON, { name: 'cut' });
      expect(first.verdict).toBe('failed');
      await stage.control.clearFaults();
      const second = await video(EPSILON, { name: 'cut' });
      expect(second).toMatchObject({ verdict: 'passed', taskId: first.taskId });
      expect(await submissions()).toBe(1);
    },
  );

  test.each([
    { kind: 'html', status: 200 },
    { kind: 'status', code: 404 },
    { kind: 'status', code: 403 },
  ])('whose video is damaged or refused, however often, is never paid for again: %o', async (fault) => {
    await stage.counts();
    const spec = { name: `unread ${JSON.stringify(fault)}` };
    await stage.control.script({ ...fault, path: '/files/*', times: 9 });
    const seen = [await video(EPSILON, spec), await video(EPSILON, spec), await video(EPSILON, spec)];
    for (const each of seen) {
      expect(each).toMatchObject({ verdict: 'failed', taskId: seen[0]?.taskId, remedy: 'resubmit-task' });
    }
    await stage.control.clearFaults();
    expect(await video(EPSILON, spec)).toMatchObject({ verdict: 'passed', taskId: seen[0]?.taskId });
    expect(await submissions()).toBe(1);
  });

  test('that succeeds without a link to its video is never paid for again', async () => {
    await stage.counts();
    await stage.control.script({ kind: 'task', how: 'no-url', path: '/v1*', method: 'POST' });
    const first = await video(EPSILON, { name: 'unlinked' });
    expect(first).toMatchObject({ verdict: 'failed', code: 'media.damaged', remedy: 'resubmit-task' });
    expect(await video(EPSILON, { name: 'unlinked' })).toMatchObject({ verdict: 'failed', taskId: first.taskId });
    expect(await submissions()).toBe(1);
  });

  test('that the gateway stops showing is reported as paid for, and looked for again', async () => {
    const spec = { name: 'hidden later' };
    const first = await video(EPSILON, { ...spec, timeoutMs: 2000 });
    await stage.control.script({
      kind: 'status',
      code: 403,
      path: '/v1/video/generations/*',
      method: 'GET',
      times: 99,
    });
    expect(await video(EPSILON, spec)).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('was paid for, and its result cannot be read'),
      remedy: 'resubmit-task',
    });
    await stage.control.clearFaults();
    expect(await video(EPSILON, spec)).toMatchObject({ verdict: 'passed', taskId: first.taskId });
  });

  test('with a key that has an allowlist is read through the account where the gateway hides it from the key', async () => {
    const deployed = await openStage('deployed');
    const result = await deployed.run({ module: 'video', model: EPSILON }, { key: 'filmed' });
    expect([result.reason, result.verdict]).toEqual([undefined, 'passed']);
    await deployed.close();
  });

  test('is not submitted with a key from which the gateway hides its tasks', async () => {
    await stage.counts();
    await stage.control.script({
      kind: 'status',
      code: 403,
      path: '/v1/video/generations/*',
      method: 'GET',
      times: 99,
    });
    const result = await video(EPSILON, { name: 'not shown' }, { key: 'filmed' });
    expect(result).toMatchObject({ verdict: 'unprovable', reason: expect.stringContaining('so none was submitted') });
    expect(await submissions()).toBe(0);
    await stage.control.clearFaults();
    expect((await video(EPSILON, { name: 'not shown' }, { key: 'filmed' })).verdict).toBe('passed');
  });

  test('that the gateway no longer knows is paid for again after that was found', async () => {
    const spec = { name: 'gone' };
    const first = await video(EPSILON, { ...spec, timeoutMs: 2000 });
    await stage.control.script({ kind: 'status', code: 404, path: '/v1/video/generations/*', method: 'GET', times: 3 });
    expect(await video(EPSILON, spec)).toMatchObject({
      verdict: 'failed',
      reason: expect.stringContaining('was paid for and is lost'),
    });
    await stage.control.clearFaults();
    const third = await video(EPSILON, spec);
    expect(third.verdict).toBe('passed');
    expect(third.taskId).not.toBe(first.taskId);
  });
});

describe('a callback', () => {
  test.each([EPSILON, 'delta-H3'])('of %s reports the task and its final status', async (model) => {
    const receiver = await openCallbackReceiver();
    const result = await video(model, { name: `notified-${model}` }, { receiver });
    await receiver.close();
    expect(result.reason).toBeUndefined();
    expect(result.findings.map(({ claim }) => claim)).toContain('the callback reports the status of the task');
  });

  test('that calls the task by another name is found by the address that it came to', async () => {
    const receiver = await openCallbackReceiver();
    async function* renamed() {
      for await (const came of receiver.notifications) yield { ...came, taskId: 'upstream-17' };
    }
    const foreign = { ...receiver, notifications: renamed() };
    const result = await video(EPSILON, { name: 'renamed' }, { receiver: foreign });
    await receiver.close();
    expect(result.verdict).toBe('passed');
  });

  test('that never comes is found', async () => {
    const receiver = await openCallbackReceiver();
    const silent = { ...receiver, url: `${receiver.url}elsewhere` };
    const result = await video('delta-H3', { name: 'silent' }, { receiver: silent });
    await receiver.close();
    expect(brokenIn(result)).toEqual(['a callback reports the task']);
  });

  test('that goes elsewhere is not waited for', async () => {
    const receiver = await openCallbackReceiver();
    const request = { metadata: { callback_url: 'http://127.0.0.1:9/' } };
    const result = await video(EPSILON, { request }, { receiver });
    await receiver.close();
    expect(result.findings.filter(({ claim }) => claim.includes('callback'))).toEqual([]);
    expect(result.verdict).toBe('passed');
  });
});
