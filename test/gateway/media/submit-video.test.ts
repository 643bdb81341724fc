import { describe, expect, test } from 'vitest';
import { faultOf } from '../../http/client.ts';
import { disconnect, type Handler, inSequence, noResponse, respondWith } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';
import { connected, inferenceAt } from '../inference/scripted-inference.ts';

const ASK = {
  model: 'delta-H3',
  prompt: 'a cat',
  metadata: { content: [{ type: 'text', text: 'a cat' }], resolution: '768P', duration: 4, ratio: '16:9' },
} as const;

const REFUSED = { error: { message: 'no', type: 'new_api_error', code: 'who_knows' } };

const mutable = () => JSON.parse(JSON.stringify(ASK)) as { model: string };

describe('a submission', () => {
  test.each([
    ['the contract shows', { task_id: 't1', id: 't1', object: 'video', model: 'delta-H3', status: 'queued' }],
    ['the download-required family has', { task_id: 't1', status: 'submitted', format: 'mp4' }],
    ['some routes have', { id: 't1', status: 'queued' }],
    ['deployed gateways have', { code: 'success', message: '', data: 't1' }],
    ['others have', { code: 'success', data: { task_id: 't1' } }],
  ])('returns the task id from the shape that %s', async (_title, body) => {
    const { server, inference } = await connected(respondWith(200, body));
    expect((await inference.submitVideo(mutable())).value.taskId).toBe('t1');
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/video/generations']);
  });

  test('of an unknown model needs a family', async () => {
    const { server, inference } = await connected(respondWith(200, { task_id: 't1' }));
    const ask = { model: 'somebody-video-1', prompt: 'a cat', metadata: { durationSeconds: 4 } };
    const fault = await faultOf(inference.submitVideo(ask));
    expect(fault.code).toBe('request.invalid');
    expect(fault.message).toContain('flat-video');
    expect(server.seen).toHaveLength(0);
    expect((await inference.submitVideo(ask, { family: 'flat-video' })).value.taskId).toBe('t1');
  });

  test('with a family of another endpoint is request.invalid', async () => {
    const { inference } = await connected(respondWith(200, { task_id: 't1' }));
    expect((await faultOf(inference.submitVideo(mutable(), { family: 'chat' }))).code).toBe('request.invalid');
  });
});

describe('a submission with a lost response', () => {
  const half: Handler = (_request, response) => {
    response.writeHead(200, { 'content-length': '100', 'content-type': 'application/json' });
    response.write('{"task_id":', () => response.socket?.destroy());
  };
  const page = { 'content-type': 'text/html' };

  test.each<readonly [title: string, handler: Handler]>([
    ['before its head', disconnect],
    ['in its middle', half],
    ['behind a proxy’s 502', respondWith(502, '<html></html>', page)],
    ['behind a proxy’s 504 in JSON', respondWith(504, { error: { message: 'timeout', code: 'gateway_timeout' } })],
    ...[400, 408, 499, 500, 503, 524].map((status) => [`behind an empty ${status}`, respondWith(status)] as const),
    ...[408, 409, 425, 499, 500, 501, 503, 504, 520, 524].map(
      (status) => [`behind a ${status} in JSON`, respondWith(status, REFUSED)] as const,
    ),
    ['behind an error in a 200', respondWith(200, REFUSED)],
    ['behind a refusal in a 200', respondWith(200, { code: 'quota_not_enough', message: 'no', data: null })],
    ['behind a known code in a 200', respondWith(200, { error: { code: 'insufficient_user_quota', message: '' } })],
    ['behind the gateway’s own 500', respondWith(500, { error: { code: 'do_request_failed', message: '' } })],
    ['behind a page', respondWith(200, '<html></html>', page)],
    ['behind a page with status 403', respondWith(403, '<html></html>', page)],
    ['behind a page with status 404', respondWith(404, '<html></html>', page)],
    ['behind JSON that is not an error, with status 400', respondWith(400, { ok: false })],
    ['behind JSON without an id', respondWith(200, { ok: true })],
    ['behind a redirect', respondWith(302, '', { location: '/login' })],
  ])('%s is gateway.indeterminate, and is not retried', async (_title, handler) => {
    const { server, inference } = await connected(inSequence(handler, respondWith(200, { task_id: 't2' })));
    const fault = await faultOf(inference.submitVideo(mutable()));
    expect(fault.code).toBe('gateway.indeterminate');
    expect(fault.hint).toContain('Do not submit it again');
    expect(fault.hint).toContain('usage log');
    expect(fault.detail).toMatchObject({ model: 'delta-H3', submittedAt: 1_800_000_000 });
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('is gateway.indeterminate when the response timed out', async () => {
    const { server, inference } = await connected(noResponse);
    const fault = await faultOf(inference.submitVideo(mutable(), { timeouts: { headersMs: 30 } }));
    expect([fault.code, fault.detail.lost]).toEqual(['gateway.indeterminate', 'gateway.timeout']);
    expect(server.seen).toHaveLength(1);
  });

  test('is gateway.indeterminate when the call was cancelled', async () => {
    const stop = new AbortController();
    const { server, inference } = await connected(() => stop.abort());
    const fault = await faultOf(inference.submitVideo(mutable(), { signal: stop.signal }));
    expect([fault.code, fault.detail.lost]).toEqual(['gateway.indeterminate', 'gateway.interrupted']);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a submission that was certainly not accepted', () => {
  test.each([
    [
      'for want of a channel',
      respondWith(503, { error: { code: 'model_not_found', message: '' } }),
      'gateway.no-channel',
    ],
    [
      'for want of money',
      respondWith(403, { error: { code: 'insufficient_user_quota', message: '' } }),
      'wallet.empty',
    ],
    ['for what it asks', respondWith(400, { code: 'invalid_request', message: 'no', data: null }), 'request.refused'],
    ['for its rate', respondWith(429), 'gateway.rate-limited'],
    ['for its size', respondWith(413, REFUSED), 'request.refused'],
    ['for its key', respondWith(401, REFUSED), 'key.refused'],
    [
      'for the load of the gateway',
      respondWith(503, { error: { code: 'system_cpu_overloaded', message: '' } }),
      'gateway.overloaded',
    ],
  ])('%s throws the rejection, and is not retried', async (_title, handler, code) => {
    const { server, inference } = await connected(handler);
    expect((await faultOf(inference.submitVideo(mutable()))).code).toBe(code);
    expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('is gateway.interrupted when it was cancelled before', async () => {
    const { server, inference } = await connected(respondWith(200, { task_id: 't1' }));
    const fault = await faultOf(inference.submitVideo(mutable(), { signal: AbortSignal.abort() }));
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.interrupted', 'no']);
    expect(server.seen).toHaveLength(0);
  });

  test('is gateway.unreachable after one attempt when nothing listens', async () => {
    const clock = virtualClock();
    const fault = await faultOf(inferenceAt('http://127.0.0.1:1', { clock }).submitVideo(mutable()));
    expect([fault.code, fault.detail.sent]).toEqual(['gateway.unreachable', 'no']);
    expect(clock.waits).toEqual([]);
  });
});
