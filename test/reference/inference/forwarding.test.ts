import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/index.ts';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { LOG_TYPE } from '../../../src/wire/index.ts';
import { type Body, SEED, send, startTestGateway, type TestAnswer, type TestGateway } from '../harness.ts';

interface Seen {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Body;
}

/** The upstream's reaction to a request. */
type Play = (response: ServerResponse, seen: Seen) => void;

let upstream: Server;
let play: Play;
let seen: Seen[];
let gateway: TestGateway;

async function read(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

beforeEach(async () => {
  seen = [];
  upstream = createServer(async (request, response) => {
    const body = JSON.parse(await read(request)) as Body;
    const one = { path: request.url, authorization: request.headers.authorization, body };
    seen.push(one);
    play(response, one);
  });
  await listening(upstream);
  gateway = await openGateway('contract');
});

const openGateway = (profile: 'contract' | 'deployed'): Promise<TestGateway> => {
  const { port } = upstream.address() as AddressInfo;
  return startTestGateway({
    profile,
    seed: {
      ...SEED,
      models: { 'far-a': { ratio: 1, completionRatio: 10, cacheRatio: 0.1 } },
      upstreams: [{ baseUrl: `http://127.0.0.1:${port}/v1`, keyEnv: 'FAR_KEY', models: ['far-a', 'far-b'] }],
      keys: [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }],
    },
    upstreamKey: (name) => (name === 'FAR_KEY' ? new Secret('far-secret') : undefined),
  });
};
afterEach(async () => {
  await gateway.close();
  upstream.closeAllConnections();
  upstream.close();
});

const headers = { authorization: 'Bearer sk-plain' };
const post = (path: string, body: unknown): Promise<TestAnswer> => send(gateway.url + path, 'POST', body, headers);

const json =
  (status: number, body: unknown): Play =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const events =
  (...data: readonly unknown[]): Play =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const item of data) response.write(`data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`);
    response.end();
  };

const CHAT = { model: 'far-a', messages: [{ role: 'user', content: 'hello' }], vendor_field: 7 };
const USAGE = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
const chunk = (content: string) => ({ id: 'far', choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const lastEntry = async (): Promise<Body> => ((await gateway.control('GET', '/state')).log as Body[]).at(-1) ?? {};
const errorOf = ({ json: body }: TestAnswer): Body => (body?.error ?? {}) as Body;

describe('a forwarded model', () => {
  it('gets the unchanged request with the upstream’s key, and is billed by the reported usage', async () => {
    const answer = { id: 'far', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' } }], usage: USAGE };
    play = json(200, answer);
    expect((await post('/v1/chat/completions', CHAT)).json).toEqual(answer);
    expect(seen).toEqual([{ path: '/v1/chat/completions', authorization: 'Bearer far-secret', body: CHAT }]);
    expect(await lastEntry()).toMatchObject({
      prompt_tokens: 11,
      completion_tokens: 5,
      quota: 61,
      model_name: 'far-a',
    });
  });

  it('costs less for cached tokens, which the log lists', async () => {
    play = json(200, { choices: [], usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 10 } } });
    await post('/v1/chat/completions', CHAT);
    const { quota, other } = await lastEntry();
    expect([quota, JSON.parse(String(other)).cache_tokens]).toEqual([1 + 10 * 0.1 + 5 * 10, 10]);
  });

  it('is available although the seed does not price it', async () => {
    play = json(200, { data: [{ embedding: [1] }], usage: { prompt_tokens: 3, total_tokens: 3 } });
    expect((await post('/v1/embeddings', { model: 'far-b', input: 'hello' })).status).toBe(200);
    expect(seen[0]?.path).toBe('/v1/embeddings');
    expect(await lastEntry()).toMatchObject({ model_name: 'far-b', prompt_tokens: 3, quota: 3 });
  });

  it('streams, without the usage that only billing requested', async () => {
    play = events(chunk('he'), chunk('llo'), { id: 'far', choices: [], usage: USAGE }, '[DONE]');
    const { text } = await post('/v1/chat/completions', { ...CHAT, stream: true });
    expect(text).toBe(
      `data: ${JSON.stringify(chunk('he'))}\n\ndata: ${JSON.stringify(chunk('llo'))}\n\ndata: [DONE]\n\n`,
    );
    expect(seen[0]?.body.stream_options).toEqual({ include_usage: true });
    expect(await lastEntry()).toMatchObject({ is_stream: true, prompt_tokens: 11, completion_tokens: 5 });
  });

  it('forwards the usage of a stream to a client that requested it', async () => {
    const usage = { id: 'far', choices: [], usage: USAGE };
    play = events(chunk('hello'), usage, '[DONE]');
    const asked = { ...CHAT, stream: true, stream_options: { include_usage: true } };
    expect((await post('/v1/chat/completions', asked)).text).toContain(JSON.stringify(usage));
  });

  it('streams the named events of responses, billed by the usage of the completed one', async () => {
    play = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"hi"}\n\n');
      const completed = { type: 'response.completed', response: { usage: { input_tokens: 7, output_tokens: 2 } } };
      response.end(`event: response.completed\ndata: ${JSON.stringify(completed)}\n\n`);
    };
    const { text } = await post('/v1/responses', { model: 'far-a', input: 'hello', stream: true });
    expect(text).toContain('event: response.output_text.delta\ndata: ');
    expect(await lastEntry()).toMatchObject({ prompt_tokens: 7, completion_tokens: 2 });
  });

  it('receives no request that breaks a limit of the contract', async () => {
    expect((await post('/v1/chat/completions', { ...CHAT, temperature: 9 })).status).toBe(400);
    expect(seen).toEqual([]);
  });

  it.each([
    [400, 400],
    [429, 429],
    [500, 500],
    [401, 502],
    [403, 502],
  ])('that answers %i is answered with %i, and costs nothing', async (theirs, ours) => {
    play = json(theirs, { error: { message: 'so it is' } });
    const answer = await post('/v1/chat/completions', CHAT);
    expect([answer.status, errorOf(answer).message]).toEqual([ours, 'so it is']);
    expect(await lastEntry()).toMatchObject({ type: LOG_TYPE.error, quota: 0 });
    expect((await gateway.control('GET', '/holds')).holds).toEqual([]);
  });

  it.each([
    [401, { message: 'bad key', type: 'authentication_error', code: 'invalid_api_key' }],
    [403, { message: 'no', type: 'permission_error', code: 'forbidden' }],
    [429, { message: 'slowly', type: 'rate_limit', param: null, code: null }],
  ])('passes %i on unchanged in the deployed profile', async (status, error) => {
    play = json(status, { error });
    const deployed = await openGateway('deployed');
    const answer = await deployed.call('POST', '/v1/chat/completions', CHAT, headers);
    expect([answer.status, answer.json]).toEqual([status, { error }]);
    await deployed.close();
  });

  it.each([
    [
      'that gives no reason',
      (response: ServerResponse) => response.writeHead(402).end(),
      402,
      'bad_response_status_code',
    ],
    ['that cannot be reached', (response: ServerResponse) => response.socket?.destroy(), 500, 'do_request_failed'],
  ])('%s has a code of the deployed profile', async (_case, reaction, status, code) => {
    play = reaction;
    const deployed = await openGateway('deployed');
    const answer = await deployed.call('POST', '/v1/chat/completions', CHAT, headers);
    expect([answer.status, errorOf(answer)]).toMatchObject([status, { type: 'new_api_error', code }]);
    await deployed.close();
  });

  it('answers 502 when the upstream is unreachable or does not answer with JSON', async () => {
    play = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    expect((await post('/v1/chat/completions', CHAT)).status).toBe(502);
    play = (response) => response.socket?.destroy();
    expect(errorOf(await post('/v1/chat/completions', CHAT)).code).toBe('upstream_unreachable');
  });

  it('whose stream breaks off is not taken for complete, and what had come is paid', async () => {
    play = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk('a few words of it'))}\n\n`, () => response.socket?.destroySoon());
    };
    await expect(post('/v1/chat/completions', { ...CHAT, stream: true })).rejects.toThrow();
    while (((await gateway.control('GET', '/holds')).holds as unknown[]).length > 0);
    expect(Number((await lastEntry()).completion_tokens)).toBeGreaterThan(0);
  });

  it('is given up when the client leaves', async () => {
    const gone = new Promise<void>((resolve) => {
      play = (response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify(chunk('a'))}\n\n`);
      };
    });
    const leaving = new AbortController();
    const body = JSON.stringify({ ...CHAT, stream: true });
    const more = { ...headers, 'content-type': 'application/json' };
    await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body, headers: more, signal: leaving.signal });
    leaving.abort();
    await gone;
    while (((await gateway.control('GET', '/holds')).holds as unknown[]).length > 0);
  });

  it('prevents the gateway from starting with a clear fault when its key is not set', async () => {
    const upstreams = [{ baseUrl: 'http://127.0.0.1:1/v1', keyEnv: 'NOT_SET', models: ['far-a'] }];
    await expect(startReferenceGateway({ seed: { ...SEED, upstreams } })).rejects.toMatchObject({
      code: 'usage.invalid',
      message: expect.stringContaining('NOT_SET'),
    });
  });
});
