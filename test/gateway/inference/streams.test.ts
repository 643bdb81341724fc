import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { faultOf } from '../../http/client.ts';
import { answer, inTurn, type Play, silence } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';
import { bodyOf } from '../system/scripted.ts';
import { all, CHAT, chunk, data, inferenceAt, parts, playing } from './scripted-inference.ts';

const textOf = (events: readonly { choices: readonly { delta: { content?: string | null | undefined } }[] }[]) =>
  events.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

const USAGE = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };

/** Opens a stream and says when its connection is closed. */
function held(first: string): { play: Play; closed: Promise<void> } {
  let done: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    done = resolve;
  });
  const play: Play = (_request, response) => {
    response.on('close', done);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
  };
  return { play, closed };
}

describe('a chat stream', () => {
  test('gives its chunks in order, and asks for a stream', async () => {
    const { server, inference } = await playing(
      parts([data(chunk('po')), data(chunk('ng')), data(chunk('', 'stop'), USAGE, '[DONE]')]),
    );
    const stream = await inference.streamChat({ ...CHAT, stream_options: { include_usage: true } });
    const events = await all(stream.events);
    expect(textOf(events)).toBe('pong');
    expect(events.at(-1)?.usage?.total_tokens).toBe(3);
    expect(bodyOf(server.seen[0])).toEqual({ ...CHAT, stream: true, stream_options: { include_usage: true } });
    expect(server.seen[0]?.headers.accept).toBe('text/event-stream');
  });

  test('is whole without its end marker once its choice has ended', async () => {
    const { inference } = await playing(parts([data(chunk('pong'), chunk('', 'stop'))]));
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('is whole when the end marker is all that says so', async () => {
    const { inference } = await playing(parts([data(chunk('pong'), '[DONE]')]));
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('ends at its end marker although the connection stays open', async () => {
    const { play, closed } = held(data(chunk('pong', 'stop'), '[DONE]', chunk('more')));
    const { inference } = await playing(play);
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
    await closed;
  });

  test.each([
    ['before its choice has ended', data(chunk('po'))],
    ['before each choice has ended', data(chunk('a', 'stop', 0), chunk('b', null, 1))],
    ['before it began', ''],
    ['in the middle of an event', `${data(chunk('po'))}data: {"choi`],
    ['with an event that is no JSON', data(chunk('pong', 'stop'), '{oops')],
    ['with an event of another shape', data({ choices: 'none' })],
    ['with an event named error', `${data(chunk('po'))}event: error\ndata: over\n\n`],
  ])('that ends %s is stream.broken', async (_title, body) => {
    const { inference } = await playing(parts([body]));
    const { events } = await inference.streamChat(CHAT);
    const fault = await faultOf(all(events));
    expect(fault.code).toBe('stream.broken');
    expect(fault.detail).toMatchObject({ status: 200, sent: 'yes' });
  });

  test('whose connection ends in its middle is gateway.connection-lost, after what came', async () => {
    const { inference } = await playing((_request, response) => {
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

  test('that a proxy compressed comes through', async () => {
    const { inference } = await playing((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(data(chunk('pong', 'stop'))));
    });
    expect(textOf(await all((await inference.streamChat(CHAT)).events))).toBe('pong');
  });

  test('is closed by leaving the loop, and leaves its place to the next', async () => {
    const { play, closed } = held(data(chunk('po')));
    const { server } = await playing(inTurn(play, answer(200, { data: [] })));
    const inference = inferenceAt(server.url, { concurrency: 1 });
    const { events } = await inference.streamChat(CHAT);
    for await (const event of events) if (event.choices.length > 0) break;
    await closed;
    expect((await inference.models()).value).toEqual([]);
  });

  test('is closed though nobody read it', async () => {
    const { play, closed } = held(data(chunk('po')));
    const { inference } = await playing(play);
    const stream = await inference.streamChat(CHAT);
    stream.close();
    await closed;
  });

  test('is given up by a signal: gateway.interrupted', async () => {
    const { play, closed } = held(data(chunk('po')));
    const { inference } = await playing(play);
    const stop = new AbortController();
    const { events } = await inference.streamChat(CHAT, { signal: stop.signal });
    const reading = all(events);
    stop.abort();
    expect((await faultOf(reading)).code).toBe('gateway.interrupted');
    await closed;
  });

  test('has its own deadlines for the first byte and between two parts', async () => {
    const quiet = await playing(silence);
    const late = await faultOf(quiet.inference.streamChat(CHAT, { timeouts: { headersMs: 30 } }));
    expect(late.code).toBe('gateway.timeout');
    const { play } = held(data(chunk('po')));
    const { inference } = await playing(play);
    const read = inference.streamChat(CHAT, { timeouts: { bodyMs: 40 } }).then(({ events }) => all(events));
    expect((await faultOf(read)).code).toBe('gateway.timeout');
  });

  test('tells when its first byte and its first event came, and how long it took', async () => {
    const clock = virtualClock(0);
    let response: ServerResponse | undefined;
    const { server } = await playing(async (_request, given) => {
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

  test('is whole with its completed response', async () => {
    const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', error: null } };
    const { inference } = await playing(parts([data({ type: 'response.created' }, delta, completed)]));
    const events = await all((await inference.streamRespond(ASK)).events);
    expect(events.map(({ type }) => type)).toEqual(['response.created', delta.type, 'response.completed']);
  });

  test('without it is stream.broken, also with an end marker', async () => {
    const { inference } = await playing(parts([data(delta, '[DONE]')]));
    expect((await faultOf(all((await inference.streamRespond(ASK)).events))).code).toBe('stream.broken');
  });

  test.each([
    { type: 'response.failed', response: { error: { code: 'server_error', message: 'no' } } },
    { type: 'error', code: 'server_error', message: 'no' },
  ])('that fails with $type is stream.broken, and tells the code', async (failed) => {
    const { inference } = await playing(parts([data(delta, failed)]));
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

  test('gives each line, its picture decoded', async () => {
    const { server, inference } = await playing(parts([data(...lines)]));
    const { events } = await inference.streamNativeImages('eta-2.5-flash-image', ASK);
    const seen = await all(events);
    const part = seen[1]?.candidates[0]?.content?.parts[0]?.inlineData;
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe('png bytes');
    expect(part?.mediaType).toBe('image/png');
    expect(server.seen[0]?.url).toBe('/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse');
  });

  test('is read line by line where no blank line is between two', async () => {
    const body = lines.map((line) => `data: ${JSON.stringify(line)}\n`).join('');
    const { inference } = await playing(parts([body]));
    expect(await all((await inference.streamNativeImages('eta-2.5-flash-image', ASK)).events)).toHaveLength(3);
  });

  test('that ends without a reason is stream.broken', async () => {
    const { inference } = await playing(parts([data(lines[0])]));
    const { events } = await inference.streamNativeImages('eta-2.5-flash-image', ASK);
    expect((await faultOf(all(events))).code).toBe('stream.broken');
  });
});

describe('a stream of pictures', () => {
  const ASK = { model: 'alpha-image-2', prompt: 'a cat', output_format: 'webp' as const };
  const event = (type: string, text: string, more = {}) => ({
    type: `image_generation.${type}`,
    b64_json: Buffer.from(text).toString('base64'),
    ...more,
  });

  test('gives partial pictures and the completed one', async () => {
    const body = data(
      event('partial_image', 'coarse', { partial_image_index: 0 }),
      { type: 'image_generation.queued' },
      event('completed', 'fine', { usage: { total_tokens: 5 } }),
    );
    const { inference } = await playing(parts([body]));
    const steps = await all((await inference.streamImages({ ...ASK, partial_images: 1 })).events);
    expect(steps.map(({ kind, bytes, index }) => [kind, Buffer.from(bytes).toString(), index])).toEqual([
      ['partial', 'coarse', 0],
      ['completed', 'fine', undefined],
    ]);
    expect(steps[1]).toMatchObject({ mediaType: 'image/webp', usage: { total_tokens: 5 } });
  });

  test('without as many completed ones as were asked for is stream.broken', async () => {
    const { inference } = await playing(parts([data(event('completed', 'one'))]));
    const { events } = await inference.streamImages({ ...ASK, n: 2 });
    expect((await faultOf(all(events))).code).toBe('stream.broken');
  });
});
