import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../../http/client.ts';
import { type Handler, inSequence, noResponse, respondWith } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';
import { bodyOf } from '../system/scripted.ts';
import { all, CHAT, chunk, connected, data, inferenceAt, parts } from './scripted-inference.ts';

const textOf = (events: readonly { choices: readonly { delta: { content?: string | null | undefined } }[] }[]) =>
  events.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

const USAGE = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };

/** A stream that stays open, and a promise that resolves when its connection is closed. */
function openBody(first: string): { handler: Handler; closed: Promise<void> } {
  let done: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    done = resolve;
  });
  const handler: Handler = (_request, response) => {
    response.on('close', done);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
  };
  return { handler, closed };
}

describe('a chat stream', () => {
  test('yields its chunks in order', async () => {
    const { server, inference } = await connected(
      parts([data(chunk('po')), data(chunk('ng')), data(chunk('', 'stop'), USAGE, '[DONE]')]),
    );
    const stream = await inference.streamChat({ ...CHAT, stream_options: { include_usage: true } });
    const events = await all(stream.events);
    expect(textOf(events)).toBe('pong');
    expect(events.at(-1)?.usage?.total_tokens).toBe(3);
    expect(bodyOf(server.seen[0])).toEqual({ ...CHAT, stream: true, stream_options: { include_usage: true } });
    expect(server.seen[0]?.headers.accept).toBe('text/event-stream');
  });

  test('is complete without its end marker once its choice has ended', async () => {
    const { inference } = await connected(parts([data(chunk('pong'), chunk('', 'stop'))]));
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('is complete with its end marker alone', async () => {
    const { inference } = await connected(parts([data(chunk('pong'), '[DONE]')]));
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('ends at its end marker even if the connection stays open', async () => {
    const { handler, closed } = openBody(data(chunk('pong', 'stop'), '[DONE]', chunk('more')));
    const { inference } = await connected(handler);
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
    await closed;
  });

  test.each([
    ['before its choice has ended', data(chunk('po'))],
    ['before each choice has ended', data(chunk('a', 'stop', 0), chunk('b', null, 1))],
    ['before it began', ''],
    ['in the middle of an event', `${data(chunk('po'))}data: {"choi`],
    ['with an event that is not JSON', data(chunk('pong', 'stop'), '{oops')],
    ['with an event of another shape', data({ choices: 'none' })],
    ['with an error that is not an event', `${data(chunk('po'))}: PING\n\n{"error":{"message":"over","code":"E"}}\n\n`],
    ['with an error in its last choice', data({ ...chunk('pong', 'stop'), error: { message: 'over' } })],
    ['with an error after its last choice', data(chunk('pong', 'stop'), { error: 1001 })],
    ['with an event named error', `${data(chunk('po'))}event: error\ndata: over\n\n`],
  ])('that ends %s is stream.broken', async (_title, body) => {
    const { inference } = await connected(parts([body]));
    const { events } = await inference.streamChat(CHAT);
    const fault = await faultOf(all(events));
    expect(fault.code).toBe('stream.broken');
    expect(fault.detail).toMatchObject({ status: 200, sent: 'yes' });
  });

  test('is gateway.connection-lost after the last chunk when its connection ends', async () => {
    const { inference } = await connected((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(data(chunk('po')), () => response.socket?.destroy());
    });
    const { events } = await inference.streamChat(CHAT);
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const event of events) seen.push(event);
    };
    const fault = await faultOf(reading());
    expect(fault.code).toBe('gateway.connection-lost');
    expect(fault.hint).toContain('charged');
    expect(seen).toHaveLength(1);
  });

  test('is decoded when a proxy compressed it', async () => {
    const { inference } = await connected((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(data(chunk('pong', 'stop'))));
    });
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('is closed by leaving the loop, which frees its place in the queue', async () => {
    const { handler, closed } = openBody(data(chunk('po')));
    const { server } = await connected(inSequence(handler, respondWith(200, { data: [] })));
    const inference = inferenceAt(server.url, { concurrency: 1 });
    const { events } = await inference.streamChat(CHAT);
    for await (const event of events) if (event.choices.length > 0) break;
    await closed;
    expect((await inference.models()).value).toEqual([]);
  });

  test('is closed even if nobody read it', async () => {
    const { handler, closed } = openBody(data(chunk('po')));
    const { inference } = await connected(handler);
    const stream = await inference.streamChat(CHAT);
    stream.close();
    await closed;
  });

  test('is cancelled by a signal with gateway.interrupted', async () => {
    const { handler, closed } = openBody(data(chunk('po')));
    const { inference } = await connected(handler);
    const stop = new AbortController();
    const { events } = await inference.streamChat(CHAT, { signal: stop.signal });
    const reading = all(events);
    stop.abort();
    expect((await faultOf(reading)).code).toBe('gateway.interrupted');
    await closed;
  });

  test('has its own timeouts for the first byte and between two chunks', async () => {
    const quiet = await connected(noResponse);
    const late = await faultOf(quiet.inference.streamChat(CHAT, { timeouts: { headersMs: 30 } }));
    expect(late.code).toBe('gateway.timeout');
    const { handler } = openBody(data(chunk('po')));
    const { inference } = await connected(handler);
    const read = inference.streamChat(CHAT, { timeouts: { bodyMs: 40 } }).then(({ events }) => all(events));
    expect((await faultOf(read)).code).toBe('gateway.timeout');
  });

  test('reports the times of its first byte and first event, and its duration', async () => {
    const clock = virtualClock(0);
    let response: ServerResponse | undefined;
    const { server } = await connected(async (_request, given) => {
      response = given;
      await clock.sleep(200);
      given.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req-1' }).write(': thinking\n\n');
    });
    const stream = await inferenceAt(server.url, { clock }).streamChat(CHAT);
    expect(stream).toMatchObject({ status: 200, requestId: 'req-1' });
    expect(stream.timing).toEqual({ firstByteMs: 200, firstEventMs: undefined, totalMs: undefined });
    await clock.sleep(300);
    response?.end(data(chunk('pong', 'stop')));
    await all(stream.events);
    expect(stream.timing).toEqual({ firstByteMs: 200, firstEventMs: 500, totalMs: 500 });
  });
});

describe('a responses-style stream', () => {
  const ASK = { model: 'm', input: 'ping' };
  const delta = { type: 'response.output_text.delta', delta: 'pong' };

  test('is complete with its completed response', async () => {
    const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', error: null } };
    const { inference } = await connected(parts([data({ type: 'response.created' }, delta, completed)]));
    const events = await all((await inference.streamRespond(ASK)).events);
    expect(events.map(({ type }) => type)).toEqual(['response.created', delta.type, 'response.completed']);
  });

  test('without a completed response is stream.broken, even with an end marker', async () => {
    const { inference } = await connected(parts([data(delta, '[DONE]')]));
    expect((await faultOf(all((await inference.streamRespond(ASK)).events))).code).toBe('stream.broken');
  });

  test.each([
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'no' } } },
    { type: 'response.completed', response: { status: 'completed', error: { code: 'server_error', message: 'no' } } },
    { type: 'error', code: 'server_error', message: 'no' },
  ])('that fails with $type is stream.broken with the code', async (failed) => {
    const { inference } = await connected(parts([data(delta, failed)]));
    const fault = await faultOf(all((await inference.streamRespond(ASK)).events));
    expect([fault.code, fault.detail.code]).toEqual(['stream.broken', 'server_error']);
  });
});

describe('a native image stream', () => {
  const ASK = { contents: [{ role: 'user', parts: [{ text: 'a cat' }] }] };
  const picture = Buffer.from('png bytes').toString('base64');
  const lines = [
    { candidates: [{ content: { parts: [{ text: 'here' }] } }] },
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: picture } }] } }] },
    { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 2 } },
  ];

  test('yields each line with its image decoded', async () => {
    const { server, inference } = await connected(parts([data(...lines)]));
    const { events } = await inference.streamNativeImages('eta-2.5-flash-image', ASK);
    const seen = await all(events);
    const part = seen[1]?.candidates[0]?.content?.parts[0]?.inlineData;
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe('png bytes');
    expect(part?.mediaType).toBe('image/png');
    expect(server.seen[0]?.url).toBe('/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse');
  });

  test('is read line by line where blank lines are missing', async () => {
    const body = lines.map((line) => `data: ${JSON.stringify(line)}\n`).join('');
    const { inference } = await connected(parts([body]));
    expect(await all((await inference.streamNativeImages('eta-2.5-flash-image', ASK)).events)).toHaveLength(3);
  });

  test('that ends without a reason is stream.broken', async () => {
    const { inference } = await connected(parts([data(lines[0])]));
    const { events } = await inference.streamNativeImages('eta-2.5-flash-image', ASK);
    expect((await faultOf(all(events))).code).toBe('stream.broken');
  });
});

describe('a stream of images', () => {
  const ASK = { model: 'alpha-image-2', prompt: 'a cat', output_format: 'webp' as const };
  const event = (type: string, text: string, more = {}) => ({
    type: `image_generation.${type}`,
    b64_json: Buffer.from(text).toString('base64'),
    ...more,
  });

  test('yields partial images and the completed one', async () => {
    const body = data(
      event('partial_image', 'coarse', { partial_image_index: 0 }),
      { type: 'image_generation.queued' },
      event('completed', 'fine', { usage: { total_tokens: 5 } }),
    );
    const { inference } = await connected(parts([body]));
    const steps = await all((await inference.streamImages({ ...ASK, partial_images: 1 })).events);
    expect(steps.map(({ kind, bytes, index }) => [kind, Buffer.from(bytes).toString(), index])).toEqual([
      ['partial', 'coarse', 0],
      ['completed', 'fine', undefined],
    ]);
    expect(steps[1]).toMatchObject({ mediaType: 'image/webp', usage: { total_tokens: 5 } });
  });

  test('without all requested images is stream.broken', async () => {
    const { inference } = await connected(parts([data(event('completed', 'one'))]));
    const { events } = await inference.streamImages({ ...ASK, n: 2 });
    expect((await faultOf(all(events))).code).toBe('stream.broken');
  });
});
