import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../../http/client.ts';
import { disconnect, type Handler, inSequence, respondWith, serve } from '../../http/loopback.ts';
import { calls, gatewayOf } from '../system/scripted.ts';
import { CHAT, connected, data, inferenceAt, KEY, parts } from './scripted-inference.ts';

const error = (status: number, code: string | null, message = '无权访问 (request id: 20261121)') =>
  respondWith(status, { error: { message, type: 'new_api_error', code } });

/** A gateway that answers a chat so, and lists models so. */
const gateway = (chat: Handler, models: Handler = respondWith(200, { object: 'list', data: [{ id: 'm' }] })) =>
  gatewayOf({ 'POST /v1/chat/completions': chat, 'GET /v1/models': models });

const chatFault = async (chat: Handler, models?: Handler) => {
  const server = await gateway(chat, models);
  return { fault: await faultOf(inferenceAt(server.url).chat(CHAT)), server };
};

describe('a rejection with a known status and code', () => {
  test.each([
    [401, '', 'key.refused'],
    [403, 'access_denied', 'key.address-not-allowed'],
    [403, 'insufficient_user_quota', 'wallet.empty'],
    [403, 'pre_consume_token_quota_failed', 'key.exhausted'],
    [503, 'model_not_found', 'gateway.no-channel'],
    [400, 'model_price_error', 'gateway.no-price'],
    [400, 'invalid_request', 'request.refused'],
    [404, 'model_not_found', 'request.refused'],
    [413, null, 'request.refused'],
    [415, null, 'request.refused'],
    [422, null, 'request.refused'],
    [402, 'who_knows', 'gateway.refused'],
    [429, 'insufficient_user_quota', 'wallet.empty'],
    [500, 'invalid_request', 'request.refused'],
    [500, 'do_request_failed', 'gateway.unavailable'],
    [503, 'system_cpu_overloaded', 'gateway.overloaded'],
    [503, 'get_channel_failed', 'gateway.unavailable'],
  ])('with status %i and code %s is %s, without a further request', async (status, code, expected) => {
    const { fault, server } = await chatFault(error(status, code));
    expect(fault.code).toBe(expected);
    expect(fault.detail).toMatchObject({ method: 'POST', path: '/v1/chat/completions', status, sent: 'yes' });
    expect(calls(server)).toEqual(['POST /v1/chat/completions']);
  });

  test('because of an empty wallet is not attributed to the key', async () => {
    const { fault } = await chatFault(error(403, 'insufficient_user_quota'));
    expect(fault.code).toBe('wallet.empty');
    expect(fault.hint).toContain('The key itself is fine');
  });

  test('shows the gateway’s message in one line, without the key', async () => {
    const { fault } = await chatFault(error(400, 'x', `bad\n\u001b[31m ${KEY} ${KEY.slice(3)}`));
    expect(fault.message).toBe(
      'POST /v1/chat/completions: the gateway rejected the request (status 400): bad [31m ‹secret› ‹secret›',
    );
    expect(inspect(fault, { depth: 9 })).not.toContain('canary');
  });

  test('carries the id of the request', async () => {
    const { fault } = await chatFault((request, response) => {
      response.setHeader('x-oneapi-request-id', 'req-7');
      return error(400, 'x')(request, response);
    });
    expect(fault.detail.requestId).toBe('req-7');
  });

  test.each<[string, Handler]>([
    ['is a page', respondWith(200, '<html></html>', { 'content-type': 'text/html' })],
    ['is not JSON', respondWith(200, 'pong')],
    ['has another shape', respondWith(200, { choices: 'none' })],
    ['is empty and a failure', respondWith(500)],
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '99' });
        response.write('{"choices":', () => response.socket?.destroy());
      },
    ],
  ])('carries the id of the request when the response %s: it may have been charged', async (_title, handler) => {
    const { fault } = await chatFault((request, response) => {
      response.setHeader('x-oneapi-request-id', 'req-7');
      return handler(request, response);
    });
    expect(fault.detail.requestId).toBe('req-7');
  });
});

describe('a 401 with a code, which an upstream may have sent', () => {
  test('is gateway.upstream-refused when the gateway lists models for the key', async () => {
    const { fault, server } = await chatFault(error(401, 'invalid_api_key', 'Incorrect API key provided'));
    expect(fault).toMatchObject({
      code: 'gateway.upstream-refused',
      hint: expect.stringContaining('The API key is fine'),
    });
    expect(calls(server)).toEqual(['POST /v1/chat/completions', 'GET /v1/models']);
  });

  test('is key.refused when the listing rejects the key', async () => {
    expect((await chatFault(error(401, 'invalid_api_key'), error(401, ''))).fault.code).toBe('key.refused');
  });
});

describe('a 403 without a code', () => {
  test('is key.group-not-allowed when the models are not listed either', async () => {
    const { fault, server } = await chatFault(error(403, ''), error(403, ''));
    expect(fault.code).toBe('key.group-not-allowed');
    expect(calls(server)).toEqual(['POST /v1/chat/completions', 'GET /v1/models']);
    expect(server.seen[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('is key.address-not-allowed when the listing has that code', async () => {
    const { fault } = await chatFault(error(403, ''), error(403, 'access_denied'));
    expect(fault.code).toBe('key.address-not-allowed');
  });

  test('is key.refused when the listing rejects the key', async () => {
    expect((await chatFault(error(403, ''), error(401, ''))).fault.code).toBe('key.refused');
  });

  test('is key.model-not-allowed when the model is not listed', async () => {
    const { fault } = await chatFault(error(403, ''), respondWith(200, { data: [{ id: 'other' }] }));
    expect(fault.code).toBe('key.model-not-allowed');
    expect(fault.detail.model).toBe('m');
  });

  test('is gateway.refused when the model is listed', async () => {
    expect((await chatFault(error(403, ''))).fault.code).toBe('gateway.refused');
  });

  test.each([
    ['is missing', error(404, '')],
    ['is a web page', respondWith(403, '<html></html>', { 'content-type': 'text/html' })],
    ['cannot be reached', disconnect],
  ])('is gateway.refused when the listing %s', async (_title, listing) => {
    expect((await chatFault(error(403, ''), listing)).fault.code).toBe('gateway.refused');
  });

  const codeless = (type: string): Handler => respondWith(403, { error: { message: 'no', type } });

  test.each([
    ['the listing passes', 'veloera_error', respondWith(200, { data: [{ id: 'm' }] })],
    ['the listing is rejected alike', 'one_api_error', codeless('one_api_error')],
  ])('of a gateway that gives no codes lists the possible reasons when %s', async (_title, type, listing) => {
    const { fault } = await chatFault(codeless(type), listing);
    expect(fault.code).toBe('gateway.refused');
    expect(fault.hint).toContain('one of: its allowed addresses, its group');
  });

  test('of a gateway that gives no codes is about the model when that is not listed', async () => {
    const { fault } = await chatFault(codeless('one_api_error'), respondWith(200, { data: [{ id: 'other' }] }));
    expect(fault.code).toBe('key.model-not-allowed');
  });

  test('names the model in the path too', async () => {
    const server = await serve(inSequence(error(403, ''), respondWith(200, { data: [] })));
    const asked = inferenceAt(server.url).embedNative('eta-embedding-001', { content: { parts: [{ text: 'a' }] } });
    expect(await faultOf(asked)).toMatchObject({
      code: 'key.model-not-allowed',
      detail: { model: 'eta-embedding-001' },
    });
  });
});

describe('a 403 with an unknown code', () => {
  const other = respondWith(200, { data: [{ id: 'other' }] });

  test.each(['content_filter', 'policy_violation'])('is not attributed to the model: %s', async (code) => {
    const { fault } = await chatFault(error(403, code), other);
    expect([fault.code, fault.detail.code]).toEqual(['gateway.refused', code]);
  });

  test('is key.refused when the listing rejects the key', async () => {
    expect((await chatFault(error(403, 'who_knows'), error(401, ''))).fault.code).toBe('key.refused');
  });

  test('is not attributed to the group when the listing has such a code too', async () => {
    expect((await chatFault(error(403, 'who_knows'), error(403, 'who_knows'))).fault.code).toBe('gateway.refused');
  });
});

describe('an error body', () => {
  test.each([
    ['a typed one', { type: 'error', error: { type: 'invalid_request_error', message: 'no' } }],
    ['an envelope', { success: false, message: 'no' }],
    ['a coded one', { code: 'task_not_exist', message: 'no', data: null }],
    ['a text', { error: 'no' }],
  ])('in a 200, %s, is a rejection', async (_title, body) => {
    const { fault } = await chatFault(respondWith(200, body));
    expect(fault.code).toBe('gateway.refused');
    expect(fault.message).toContain('no');
  });

  test('in a 200 is the fault of its code', async () => {
    expect((await chatFault(error(200, 'insufficient_user_quota'))).fault.code).toBe('wallet.empty');
  });

  test('in a 200 is key.refused when the listing rejects the key', async () => {
    const { fault } = await chatFault(respondWith(200, { success: false, message: '无效的令牌' }), error(401, ''));
    expect(fault.code).toBe('key.refused');
  });

  test('of token counting may be key.refused, whatever its status', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'Invalid token' } };
    const count = { model: 'm', messages: [{ role: 'user' as const, content: 'a' }] };
    const bad = await serve(inSequence(respondWith(400, body), error(401, '')));
    expect((await faultOf(inferenceAt(bad.url).countTokens(count))).code).toBe('key.refused');
    const good = await serve(inSequence(respondWith(400, body), respondWith(200, { data: [] })));
    expect((await faultOf(inferenceAt(good.url).countTokens(count))).code).toBe('request.refused');
  });
});

describe('a response of another server', () => {
  const page = '<html><head><title>Log in</title></head>canary-body</html>';

  test.each([200, 401, 403, 404])('a page with status %i is gateway.not-json', async (status) => {
    const { fault, server } = await chatFault(respondWith(status, page, { 'content-type': 'text/html' }));
    expect(fault.code).toBe('gateway.not-json');
    expect(fault.message).toContain('Log in');
    expect(inspect(fault)).not.toContain('canary-body');
    expect(calls(server)).toHaveLength(1);
  });

  test('a page with status 502 is gateway.unavailable, and a chat is not retried', async () => {
    const { fault, server } = await chatFault(respondWith(502, page, { 'content-type': 'text/html' }));
    expect(fault.code).toBe('gateway.unavailable');
    expect(calls(server)).toHaveLength(1);
  });

  test('that is JSON of another shape is gateway.unexpected-shape', async () => {
    expect((await chatFault(respondWith(200, { hello: 'world' }))).fault.code).toBe('gateway.unexpected-shape');
  });

  test('that is truncated is gateway.not-json', async () => {
    expect((await chatFault(respondWith(200, '{"choices":['))).fault.code).toBe('gateway.not-json');
  });

  test('for a missing path suggests the base URL', async () => {
    const server = await gateway(error(404, ''));
    const fault = await faultOf(inferenceAt(`${server.url}/v1`).chat(CHAT));
    expect(fault.hint).toContain(server.url);
  });
});

describe('a response that is lost or limited', () => {
  test('to a paid request may have been charged, and is not retried', async () => {
    const { server, inference } = await connected(disconnect);
    const fault = await faultOf(inference.chat(CHAT));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.hint).toContain('charged');
    expect(server.seen).toHaveLength(1);
  });

  test('to a free request is requested again', async () => {
    const { server, inference } = await connected(inSequence(disconnect, respondWith(200, { input_tokens: 3 })));
    const counted = await inference.countTokens({ model: 'm', messages: [{ role: 'user', content: 'a' }] });
    expect(counted.value.input_tokens).toBe(3);
    expect(server.seen).toHaveLength(2);
  });

  test('with a 429 leads to a wait and a retry', async () => {
    const good = respondWith(200, { choices: [{ index: 0, message: { content: 'pong' }, finish_reason: 'stop' }] });
    const { server, inference } = await connected(inSequence(respondWith(429), good));
    expect((await inference.chat(CHAT)).value.choices[0]?.message.content).toBe('pong');
    expect(server.seen).toHaveLength(2);
  });

  test('with an endless 429 is gateway.rate-limited', async () => {
    const { inference } = await connected(respondWith(429, '', { 'retry-after': '9999' }));
    expect((await faultOf(inference.chat(CHAT))).code).toBe('gateway.rate-limited');
  });
});

describe('a rejected stream', () => {
  test.each([
    ['by its status', error(403, 'insufficient_user_quota'), 'wallet.empty'],
    ['by JSON in its place', error(200, 'insufficient_user_quota'), 'wallet.empty'],
    [
      'by JSON that claims to be events',
      parts(['{"error":{"code":"access_denied","message":"no"}}']),
      'key.address-not-allowed',
    ],
    [
      'by a page',
      respondWith(200, '<!doctype html><title>Log in</title>', { 'content-type': 'text/html' }),
      'gateway.not-json',
    ],
    ['by a whole answer', respondWith(200, { choices: [] }), 'gateway.unexpected-shape'],
    ['by no channel', error(503, 'model_not_found'), 'gateway.no-channel'],
  ])('throws before it starts: %s', async (_title, handler, code) => {
    const { inference } = await connected(handler);
    expect((await faultOf(inference.streamChat(CHAT))).code).toBe(code);
  });

  test('throws stream.broken with the code when the error comes in the middle', async () => {
    const { inference } = await connected(parts([data({ choices: [] }, { error: { message: 'over', code: 'E1' } })]));
    const { events } = await inference.streamChat(CHAT);
    const reading = async () => {
      for await (const event of events) expect(event.choices).toEqual([]);
    };
    const fault = await faultOf(reading());
    expect([fault.code, fault.detail.code]).toEqual(['stream.broken', 'E1']);
  });
});
