import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import type { VideoTask } from '../../../src/wire/index.ts';
import { faultOf } from '../../http/client.ts';
import { disconnect, type Handler, inSequence, respondWith, serve } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';
import { connected, inferenceAt } from '../inference/scripted-inference.ts';
import { gatewayOf } from '../system/scripted.ts';

const MEGABYTE = 1024 * 1024;
const task = (status: string, more = {}) => respondWith(200, { task_id: 't1', status, ...more });
const DONE = task('succeeded', { url: 'https://x.example/v.mp4', format: 'mp4' });

/** An inference API whose time the test can look at. */
async function timed(...handlers: readonly [Handler, ...Handler[]]) {
  const clock = virtualClock(0);
  const server = await serve(inSequence(...handlers));
  return { clock, server, inference: inferenceAt(server.url, { clock }) };
}

describe('a task query', () => {
  test('has the id as one segment of the path', async () => {
    const { server, inference } = await connected(task('queued'));
    for (const id of ['t1', 'a/b?c', 'ä']) await inference.videoTask(id);
    expect(server.seen.map(({ url }) => url)).toEqual(
      ['t1', 'a%2Fb%3Fc', '%C3%A4'].map((id) => `/v1/video/generations/${id}`),
    );
  });

  test.each(['', ' ', '.', '..'])(
    'with the id %j, which would lead to another path, is request.invalid',
    async (id) => {
      const { server, inference } = await connected(task('queued'));
      expect((await faultOf(inference.videoTask(id))).code).toBe('request.invalid');
      expect(server.seen).toHaveLength(0);
    },
  );

  test('for a failed task returns the reason', async () => {
    const { inference } = await connected(task('failed', { error: { code: 1026, message: 'not allowed' } }));
    const { value } = await inference.videoTask('t1');
    expect(value).toMatchObject({ taskId: 't1', status: 'failed', error: { code: 1026, message: 'not allowed' } });
  });

  test('with a video of 200 MB in its record is gateway.unexpected-shape, and is not read to its end', async () => {
    let left = 267;
    function* record() {
      yield '{"task_id":"t1","status":"succeeded","url":"data:video/mp4;base64,';
      for (const block = 'A'.repeat(MEGABYTE); left > 0; left -= 1) yield block;
      yield '"}';
    }
    const { inference } = await connected(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      // The client leaves.
      await pipeline(record, response).catch(() => undefined);
    });
    expect((await faultOf(inference.videoTask('t1'))).code).toBe('gateway.unexpected-shape');
    expect(left).toBeGreaterThan(180);
  });

  test('for a missing task is request.refused', async () => {
    const { inference } = await connected(respondWith(400, { code: 'task_not_exist', message: 'no', data: null }));
    expect((await faultOf(inference.videoTask('t1'))).code).toBe('request.refused');
  });
});

const FORBIDDEN = respondWith(403, { error: { message: 'no', type: 'new_api_error', code: '' } });
const MODELS = respondWith(200, { object: 'list', data: [{ id: 'm' }] });
const owned = (...items: readonly object[]): Handler =>
  respondWith(200, { success: true, message: '', data: { page: 1, page_size: 10, total: items.length, items } });
const OWN = 'GET /api/task/self';
const QUERY = 'GET /v1/video/generations/t1';

describe('a task that the gateway hides from a key with an allowlist', () => {
  const FILM = { task_id: 't1', status: 'SUCCESS', result_url: 'https://x.example/v.mp4' };
  const hidden = (own: Handler, more: Readonly<Record<string, Handler>> = {}) =>
    gatewayOf({ [QUERY]: FORBIDDEN, 'GET /v1/models': MODELS, [OWN]: own, ...more });

  test('is read with the credentials of the account, and then no longer asked for with the key', async () => {
    const running = owned({ ...FILM, status: 'IN_PROGRESS' });
    const server = await hidden(inSequence(running, running, owned(FILM)));
    const { value } = await inferenceAt(server.url).awaitVideo('t1');
    expect(value).toMatchObject({ taskId: 't1', status: 'succeeded', url: 'https://x.example/v.mp4' });
    const asked = server.seen.map(({ method, url }) => `${method} ${url.split('?')[0]}`);
    expect(asked.filter((name) => name === OWN)).toHaveLength(3);
    expect(asked.filter((name) => name === QUERY)).toHaveLength(1);
    expect(server.seen.find(({ url }) => url.startsWith('/api/task'))?.url).toContain('task_id=t1');
  });

  test.each([
    ['has no list of tasks', respondWith(404)],
    ['lists another task only', owned({ ...FILM, task_id: 't2' })],
  ])('ends the wait when the account %s', async (_title, own) => {
    const server = await hidden(own);
    const fault = await faultOf(inferenceAt(server.url).awaitVideo('t1'));
    expect(fault).toMatchObject({ code: 'gateway.refused', detail: { status: 403 } });
  });

  test.each([
    ['the key may query tasks', {}, respondWith(400, { code: 'task_not_exist', message: 'no' }), true],
    ['the account lists tasks', { [OWN]: owned() }, FORBIDDEN, true],
    ['neither', {}, FORBIDDEN, false],
  ])('is known before it is paid for: %s', async (_title, handlers, query, expected) => {
    const server = await serve((request, response) => {
      const name = `${request.method} ${request.url.split('?')[0]}`;
      const handler = request.url.startsWith('/v1/video') ? query : { 'GET /v1/models': MODELS, ...handlers }[name];
      return (handler ?? respondWith(404))(request, response);
    });
    expect(await inferenceAt(server.url).canReadTasks()).toBe(expected);
  });
});

describe('waiting for a task', () => {
  test('queries immediately, then every 3 to 5 seconds, until the task is settled', async () => {
    const { clock, server, inference } = await timed(
      task('queued'),
      task('queued'),
      task('in_progress'),
      task('running'),
      task('in_progress'),
      DONE,
    );
    const seen: VideoTask[] = [];
    const { value } = await inference.awaitVideo('t1', { onTask: (found) => seen.push(found) });
    expect(value).toMatchObject({ status: 'succeeded', url: 'https://x.example/v.mp4', format: 'mp4' });
    expect(seen.map(({ status }) => status)).toEqual([
      'queued',
      'queued',
      'in_progress',
      'in_progress',
      'in_progress',
      'succeeded',
    ]);
    expect(clock.waits).toEqual([3000, 3600, 4320, 5000, 5000]);
    expect(server.seen).toHaveLength(6);
  });

  test.each(['failed', 'cancelled', 'expired', 'FAILURE'])('ends with the status %s', async (status) => {
    const { inference } = await timed(task('queued'), task(status));
    expect((await inference.awaitVideo('t1')).value.status).toBe(status === 'FAILURE' ? 'failed' : status);
  });

  test('reads the responses of deployed gateways', async () => {
    const of = (status: string, more = {}) =>
      respondWith(200, { code: 'success', data: { task_id: 't1', status, ...more } });
    const { inference } = await timed(
      of('NOT_START'),
      of('SUBMITTED'),
      of('IN_PROGRESS', { progress: '40%' }),
      of('SUCCESS', { progress: '100%', result_url: 'https://x.example/v.mp4' }),
    );
    const seen: string[] = [];
    const { value } = await inference.awaitVideo('t1', {
      onTask: ({ status, progress }) => seen.push(`${status} ${progress}`),
    });
    expect(value.url).toBe('https://x.example/v.mp4');
    expect(seen).toEqual(['queued undefined', 'queued undefined', 'in_progress 40%', 'succeeded 100%']);
  });

  test('does not end with an unknown status', async () => {
    const { inference } = await timed(task('UNKNOWN'), DONE);
    expect((await inference.awaitVideo('t1')).value.status).toBe('succeeded');
  });

  test.each([
    ['cut off', disconnect],
    ['answered by a proxy', respondWith(502)],
    ['limited', respondWith(429)],
    ['answered by a page', respondWith(200, '<html></html>', { 'content-type': 'text/html' })],
  ])('survives queries that fail with %s', async (_title, handler) => {
    const { inference } = await timed(task('queued'), handler, handler, handler, handler, handler, DONE);
    expect((await inference.awaitVideo('t1')).value.status).toBe('succeeded');
  });

  test('tolerates a missing task once', async () => {
    const missing = respondWith(400, { code: 'task_not_exist', message: 'no', data: null });
    const late = await timed(missing, DONE);
    expect((await late.inference.awaitVideo('t1')).value.status).toBe('succeeded');
    const never = await timed(missing);
    expect((await faultOf(never.inference.awaitVideo('t1'))).code).toBe('request.refused');
    expect(never.server.seen).toHaveLength(2);
  });

  test('ends when the key is rejected', async () => {
    const { server, inference } = await timed(task('queued'), respondWith(401));
    expect((await faultOf(inference.awaitVideo('t1'))).code).toBe('key.refused');
    expect(server.seen).toHaveLength(2);
  });

  test.each(['deadlineMs', 'timeoutMs'])(
    'ends at its %s with a last query and video.unsettled with the id',
    async (option) => {
      const { clock, inference } = await timed(task('in_progress'));
      const fault = await faultOf(inference.awaitVideo('t1', { [option]: 10_000 }));
      expect(fault.code).toBe('video.unsettled');
      expect(fault.detail).toEqual({ taskId: 't1', status: 'in_progress' });
      expect(fault.hint).toContain('do not submit it again');
      expect(clock.waits).toEqual([3000, 3600, 3400]);
    },
  );

  test('does not wait for a rate limit beyond its deadline', async () => {
    const { clock, inference } = await timed(task('queued'), respondWith(429, '', { 'retry-after': '300' }));
    const fault = await faultOf(inference.awaitVideo('t1', { deadlineMs: 20_000 }));
    expect([fault.code, fault.detail.trouble]).toEqual(['video.unsettled', 'gateway.rate-limited']);
    expect(clock.now()).toBe(20_000);
  });

  test.each(['call', 'run'])('ends with the signal of the %s, between two queries', async (whose) => {
    const stop = new AbortController();
    const server = await serve(task('queued'));
    // A wait that only the signal ends.
    const sleep = (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((done) => {
        signal?.addEventListener('abort', () => done());
        setImmediate(() => stop.abort('the reason'));
      });
    const clock = { now: () => 0, sleep };
    const inference = inferenceAt(server.url, { clock, ...(whose === 'run' ? { signal: stop.signal } : {}) });
    const asked = inference.awaitVideo('t1', whose === 'call' ? { signal: stop.signal } : {});
    const fault = await faultOf(asked);
    expect(fault).toMatchObject({ code: 'gateway.interrupted', detail: { taskId: 't1' }, cause: 'the reason' });
  });
});
