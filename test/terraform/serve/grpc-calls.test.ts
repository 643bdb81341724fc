import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, one } from '../../../src/terraform/protocol/message.ts';
import { type CallContext, type Listening, listen } from '../../../src/terraform/serve/grpc.ts';
import { frame, parseTimeout } from '../../../src/terraform/serve/grpc-message.ts';

const Text = message({ text: one(1, 'string') });
const METHODS = {
  echo: { name: 'Echo', request: Text, response: Text },
  missing: { name: 'Missing', request: Text, response: Text },
  many: { name: 'Many', request: Text, response: Text, streams: 'server' },
} as const;
const OK = '0';
const [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL] = ['4', '8', '12', '13'];

let folder = '';
let listening: Listening;
let session: ClientHttp2Session;
let working: (context: CallContext) => Promise<void>;
let served: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-'));
  working = async () => {};
  served = [];
  const handlers = {
    async echo({ text }: { text: string }, context: CallContext) {
      served.push(text);
      await working(context);
      return { text };
    },
    async *many({ text }: { text: string }, context: CallContext) {
      for (let count = 0; count < 64; count += 1) yield { text };
      await working(context);
    },
  };
  const socket = join(folder, 's');
  const services = [{ service: 'test.Texts', methods: METHODS, handlers }];
  listening = await listen({ socket, services, stop: new AbortController().signal, onDefect: () => {} });
  session = connect('http://localhost', { createConnection: () => connectSocket(socket) });
});
afterEach(async () => {
  session.destroy();
  listening.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly bytes: number;
}

function open(headers: OutgoingHttpHeaders = {}) {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/test.Texts/Echo',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  let head: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  let bytes = 0;
  stream.on('response', (received) => (head = received));
  stream.on('trailers', (received) => (trailers = received));
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const ended = once(stream, 'close').then(
    (): Answer => ({ headers: head, trailers: { ...head, ...trailers }, bytes }),
  );
  return { stream, ended };
}

function send(body: Uint8Array, headers?: OutgoingHttpHeaders): Promise<Answer> {
  const { stream, ended } = open(headers);
  stream.end(body);
  return ended;
}

const statusOf = async (answer: Promise<Answer>): Promise<unknown> => (await answer).trailers['grpc-status'];
const hello = Buffer.from('\n\u0005hello');

describe('the server of gRPC', () => {
  it('answers with a message and the status OK', async () => {
    const { headers, trailers, bytes } = await send(frame(hello));
    expect(headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
    expect(trailers['grpc-status']).toBe(OK);
    expect(bytes).toBe(5 + hello.length);
  });

  it('reads a message that arrives in parts', async () => {
    const { stream, ended } = open();
    for (const byte of frame(hello)) stream.write(Buffer.of(byte));
    stream.end();
    expect(await statusOf(ended)).toBe(OK);
    expect(served).toEqual(['hello']);
  });

  it('does not call a handler without exactly one whole message', async () => {
    const bodies = [
      Buffer.alloc(0),
      Buffer.of(0, 0),
      frame(hello).subarray(0, -1),
      Buffer.concat([frame(hello), frame(hello)]),
    ];
    for (const body of bodies) expect(await statusOf(send(body))).toBe(INTERNAL);
    expect(served).toEqual([]);
  });

  it('rejects a message of more than 256 MiB as soon as it is announced', async () => {
    const { stream, ended } = open();
    const prefix = Buffer.from(frame(hello).subarray(0, 5));
    prefix.writeUInt32BE(256 * 2 ** 20 + 1, 1);
    stream.write(prefix);
    const [trailers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(trailers['grpc-status']).toBe(RESOURCE_EXHAUSTED);
    stream.end();
    await ended;
    expect(served).toEqual([]);
  });

  it('rejects a client that sends more than it has announced, before the client ends', async () => {
    const { stream, ended } = open();
    stream.write(Buffer.concat([frame(hello), Buffer.alloc(2 ** 20)]));
    const [trailers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(trailers['grpc-status']).toBe(INTERNAL);
    stream.end(Buffer.alloc(2 ** 24));
    await ended;
    expect(await statusOf(send(frame(hello)))).toBe(OK);
    expect(served).toEqual(['hello']);
  });

  it('answers calls at the same time whose messages are larger than the default memory of a session', async () => {
    const size = 2 ** 24;
    const length = [0x80, 0x80, 0x80, 0x08];
    const large = Buffer.concat([Buffer.from([0x0a, ...length]), Buffer.alloc(size, 'x')]);
    const answers = await Promise.all([1, 2, 3].map(() => send(frame(large))));
    expect(answers.map(({ trailers, bytes }) => [trailers['grpc-status'], bytes])).toEqual(
      Array(3).fill([OK, 5 + large.length]),
    );
  });

  it('ends a call whose message is not one of the protocol', async () => {
    expect(await statusOf(send(frame(Buffer.of(0x0a, 0xff, 0xff))))).toBe(INTERNAL);
  });

  it('rejects compressed messages', async () => {
    const compressed = frame(hello);
    compressed[0] = 1;
    expect(await statusOf(send(compressed))).toBe(UNIMPLEMENTED);
    expect(await statusOf(send(frame(hello), { 'grpc-encoding': 'gzip' }))).toBe(UNIMPLEMENTED);
    expect(await statusOf(send(frame(hello), { 'grpc-encoding': 'identity' }))).toBe(OK);
  });

  it('rejects requests that are not gRPC', async () => {
    expect((await send(hello, { 'content-type': 'application/json' })).headers[':status']).toBe(415);
    const { stream, ended } = open({ ':method': 'GET' });
    stream.end();
    expect((await ended).headers[':status']).toBe(405);
  });

  it.each(['/test.Texts/Missing', '/test.Texts/constructor', '/test.Other/Echo', '/'])(
    'does not implement %s',
    async (path) => expect(await statusOf(send(frame(hello), { ':path': path }))).toBe(UNIMPLEMENTED),
  );

  it('ends a call at its deadline, and aborts its signal', async () => {
    let reason: unknown;
    working = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve();
        });
      });
    const { trailers, bytes } = await send(frame(hello), { 'grpc-timeout': '1m' });
    expect([trailers['grpc-status'], bytes]).toEqual([DEADLINE_EXCEEDED, 0]);
    expect(reason).toMatchObject({ message: 'the deadline of the call has passed' });
  });

  it('ends a stream at its deadline', async () => {
    working = ({ signal }) => once(signal, 'abort').then(() => undefined);
    const { trailers, bytes } = await send(frame(hello), { ':path': '/test.Texts/Many', 'grpc-timeout': '50m' });
    expect(trailers['grpc-status']).toBe(DEADLINE_EXCEEDED);
    expect(bytes).toBe(64 * (5 + hello.length));
  });

  it('serves further calls after a client has left a stream that it did not read', async () => {
    const large = Buffer.from(`\n${String.fromCharCode(0x80, 0x80, 0x40)}${'x'.repeat(2 ** 20)}`, 'latin1');
    const { stream } = open({ ':path': '/test.Texts/Many' });
    stream.pause();
    stream.end(frame(large));
    await once(stream, 'response');
    stream.destroy();
    expect(await statusOf(send(frame(hello)))).toBe(OK);
  });

  it('survives a client that leaves before it has sent its message', async () => {
    const { stream, ended } = open();
    stream.write(frame(hello).subarray(0, 3));
    stream.on('error', () => {});
    stream.destroy();
    await ended;
    expect(await statusOf(send(frame(hello)))).toBe(OK);
    expect(served).toEqual(['hello']);
  });

  it('reports an error in any language, up to a length that fits a header', async () => {
    working = () => Promise.reject(new Error(`größer 令牌 ${'x'.repeat(100_000)}`));
    const { trailers } = await send(frame(hello));
    expect(trailers['grpc-status']).toBe(INTERNAL);
    const details = decodeURIComponent(String(trailers['grpc-message']));
    expect(details).toMatch(/^größer 令牌 x+$/);
    expect(details).toHaveLength(2000);
  });
});

it.each([
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['3S', 3000],
  ['4m', 4],
  ['5u', 0.005],
  ['6n', 6e-6],
  ['99999999H', 2 ** 31 - 1],
  ['', undefined],
  ['1', undefined],
  ['123456789S', undefined],
  ['-1S', undefined],
])('reads the timeout %s', (text, ms) => expect(parseTimeout(text)).toBe(ms));
