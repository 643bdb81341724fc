import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { type Draft, decode, EncodedMessage, encode } from '../protocol/message.ts';
import type { Method } from '../protocol/services.ts';
import { type CallFailure, frame, openMessageReader, parseTimeout, STATUS, trailersOf } from './grpc-message.ts';

export interface CallContext {
  /** Aborts when core cancels the call, at its deadline, or when core stops the provider. */
  readonly signal: AbortSignal;
}

/** A method at its path. A stream without a handler is held open. */
export interface ServedMethod {
  readonly service: string;
  readonly method: Method;
  readonly handle: ((request: never, context: CallContext) => unknown) | undefined;
}

export interface ServingOptions {
  readonly stop: AbortSignal;
  /** Called when a handler throws instead of returning a diagnostic. */
  readonly onDefect: (method: string, thrown: unknown) => void;
  /** Called when core goes away from a stream of this service that is held open. */
  readonly onLeave?: (service: string) => void;
}

/** One call, which ends once. */
interface Call {
  readonly stream: ServerHttp2Stream;
  readonly route: ServedMethod;
  readonly options: ServingOptions;
  readonly context: CallContext;
  hasEnded: boolean;
  failure?: CallFailure;
}

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;

/** Creates the signal lazily: most calls of a refresh never use it. */
function cancellable(stop: AbortSignal) {
  let reason: Error | undefined;
  let own: AbortController | undefined;
  let signal: AbortSignal | undefined;
  const make = (): AbortSignal => {
    own = new AbortController();
    if (reason) own.abort(reason);
    return AbortSignal.any([own.signal, stop]);
  };
  return {
    cancel(message: string): void {
      reason ??= new Error(message);
      own?.abort(reason);
    },
    context: {
      get signal() {
        signal ??= make();
        return signal;
      },
    },
  };
}

function begin(call: Call): void {
  if (call.stream.headersSent) return;
  call.stream.respond(HEADERS, { waitForTrailers: true });
  call.stream.once('wantTrailers', () => call.stream.sendTrailers(trailersOf(call.failure)));
}

const isOver = ({ hasEnded, stream }: Call): boolean => hasEnded || stream.destroyed || stream.closed;

/** Ends a call, after a last message if there is one. */
function end(call: Call, message?: Uint8Array): void {
  if (isOver(call)) return;
  call.hasEnded = true;
  begin(call);
  if (message) call.stream.end(frame(message));
  else call.stream.end();
}

/** Ends a call without a further message. */
function fail(call: Call, failure: CallFailure): void {
  if (isOver(call)) return;
  call.failure = failure;
  // A client that is still sending must not wait for room.
  call.stream.resume();
  if (call.stream.headersSent) return void end(call);
  call.hasEnded = true;
  call.stream.respond({ ...HEADERS, ...trailersOf(failure) }, { endStream: true });
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

function failWith(call: Call, thrown: unknown): void {
  call.options.onDefect(call.route.method.name, thrown);
  fail(call, { code: STATUS.internal, details: messageOf(thrown) });
}

/** Sends messages, no faster than core reads them. */
async function sendAll(call: Call, messages: AsyncIterable<Draft<object>>): Promise<void> {
  const { stream, route } = call;
  for await (const message of messages) {
    if (isOver(call)) return;
    begin(call);
    const hasRoom = stream.write(frame(encode(route.method.response, message)));
    // Core may go away while it does not read.
    if (!hasRoom) await Promise.race([once(stream, 'drain'), once(stream, 'close')]);
  }
  end(call);
}

async function answer(call: Call, message: Buffer): Promise<void> {
  const { handle, method } = call.route;
  try {
    const response = await handle?.(decode(method.request, message) as never, call.context);
    if (method.streams) await sendAll(call, response as AsyncIterable<object>);
    else if (response instanceof EncodedMessage) end(call, response.bytes);
    else end(call, encode(method.response, response as Draft<object>));
  } catch (thrown) {
    failWith(call, thrown);
  }
}

/** Ends when core or the server does. */
function holdOpen(call: Call): void {
  const { stream, route, options } = call;
  stream.on('aborted', () => options.onLeave?.(route.service));
  if (route.method.streams === 'both') stream.on('end', () => end(call));
  stream.resume();
}

function collect(call: Call): void {
  const reader = openMessageReader();
  const add = (chunk: Buffer): void => {
    const failure = reader.add(chunk);
    if (failure === undefined) return;
    // What still arrives is dropped.
    call.stream.off('data', add);
    fail(call, failure);
  };
  call.stream.on('data', add);
  call.stream.on('end', () => {
    if (isOver(call)) return;
    const message = reader.end();
    if ('details' in message) fail(call, message);
    else void answer(call, message);
  });
}

/** Answers a request for a method. */
export function serveCall(
  stream: ServerHttp2Stream,
  { 'grpc-timeout': timeout, 'grpc-encoding': encoding = 'identity' }: IncomingHttpHeaders,
  { route, options }: { readonly route: ServedMethod; readonly options: ServingOptions },
): void {
  const { cancel, context } = cancellable(options.stop);
  const call: Call = { stream, route, options, context, hasEnded: false };
  stream.on('aborted', () => cancel('core has cancelled the call'));
  if (encoding !== 'identity') {
    fail(call, { code: STATUS.unimplemented, details: `the compression ${encoding} is not supported` });
    return;
  }
  const wait = parseTimeout(timeout as string | undefined);
  if (wait !== undefined) {
    const expire = (): void => {
      cancel('the deadline of the call has passed');
      fail(call, { code: STATUS.deadlineExceeded, details: 'the deadline of the call has passed' });
    };
    const timer = setTimeout(expire, wait);
    stream.on('close', () => clearTimeout(timer));
  }
  if (route.method.streams && !route.handle) holdOpen(call);
  else collect(call);
}
