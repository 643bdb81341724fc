import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault, fileTrouble, parseShallowJson } from '../../domain/index.ts';
import { CallbackNotification } from '../../wire/index.ts';

/** The address and the path that a receiver listens at. */
export interface ReceiverOptions {
  /** Defaults to `127.0.0.1`: the sender must be on this machine, or use a tunnel. */
  readonly host?: string;
  /** Defaults to a free port. */
  readonly port?: number;
  /** Defaults to `/`. A path that is hard to guess keeps others from sending notifications. */
  readonly path?: string;
  /** When it throws, the sender is asked to try again. */
  readonly onNotification?: (notification: CallbackNotification) => void;
}

/** A notification, with the query of the URL that received it. */
export interface ReceivedNotification extends CallbackNotification {
  /** Distinguishes tasks where the provider uses ids of its own. */
  readonly query?: string;
}

/** A server that receives notifications about video tasks from providers. Contract: “Events”. */
export interface CallbackReceiver {
  /** For `metadata.callback_url`, where the provider can reach it. */
  readonly url: string;
  /** In order of arrival; ends when the receiver is closed. For one reader. */
  readonly notifications: AsyncIterable<ReceivedNotification>;
  /** Stops listening. */
  close(): Promise<void>;
}

/** A task record is short. */
const LARGEST_BODY = 1024 * 1024;
/** The contract gives a challenge 3 seconds: a sender that is slower than this does not send one. */
const REQUEST_MS = 30_000;

interface ReceiverReply {
  readonly status: number;
  readonly body: object;
}

const errorReply = (status: number, message: string): ReceiverReply => ({ status, body: { error: { message } } });

/**
 * Listens for notifications about video tasks of both families, and replies to a challenge immediately with the same
 * challenge. Rejects everything else, without any effect.
 *
 * @throws Fault `usage.invalid` when it cannot listen at the address
 */
export async function openCallbackReceiver(options: ReceiverOptions = {}): Promise<CallbackReceiver> {
  const { host = '127.0.0.1', port = 0, path = '/', onNotification = () => undefined } = options;
  const queue = openNotificationQueue<ReceivedNotification>();
  const deliver = (notification: ReceivedNotification): void => {
    onNotification(notification);
    queue.push(notification);
  };
  const server = createServer({ requestTimeout: REQUEST_MS }, (message, response) => {
    void replyTo(message, { path, deliver }).then((reply) => send(message, response, reply));
  });
  await listen(server, { host, port });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
    notifications: queue.items,
    close: () =>
      new Promise((done) => {
        queue.end();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((done, reject) => {
    server.once('error', (error) => {
      const message = `The callback receiver cannot listen at ${host}:${port}: ${fileTrouble(error)}.`;
      reject(new Fault('usage.invalid', message, { cause: error }));
    });
    server.listen(port, host, done);
  });
}

interface CallbackEndpoint {
  readonly path: string;
  readonly deliver: (notification: ReceivedNotification) => void;
}

async function replyTo(message: IncomingMessage, { path, deliver }: CallbackEndpoint): Promise<ReceiverReply> {
  const [at, query] = (message.url ?? '').split('?', 2);
  if (at !== path) return errorReply(404, 'there is no receiver at this path');
  if (message.method !== 'POST') return errorReply(405, 'expected a POST request');
  const text = await tryReadBody(message);
  if (text === undefined) return errorReply(413, 'the notification is too long');
  const body = tryParseObject(text);
  if (body === undefined) return errorReply(400, 'expected a JSON object');
  const { challenge } = body;
  const notification = CallbackNotification.safeParse(body);
  try {
    if (notification.success) deliver({ ...notification.data, ...(query ? { query } : {}) });
  } catch {
    return errorReply(500, 'the notification could not be processed');
  }
  // The contract does not show the form of the reply: an object with nothing but the challenge.
  if (challenge !== undefined) return { status: 200, body: { challenge } };
  return notification.success
    ? { status: 200, body: { received: true } }
    : errorReply(400, 'it is not a notification about a video task');
}

/** Undefined when the body is too long or incomplete. The rest of a long body is discarded, so that the reply arrives. */
function tryReadBody(message: IncomingMessage): Promise<string | undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((done) => {
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= LARGEST_BODY) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      done(undefined);
    });
    message.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
    message.on('error', () => done(undefined));
  });
}

function tryParseObject(text: string): { readonly challenge?: unknown } | undefined {
  try {
    const value: unknown = parseShallowJson(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function send(message: IncomingMessage, response: ServerResponse, { status, body }: ReceiverReply): void {
  // Does not wait for the rest of a body that is too long.
  const close = message.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...close }).end(JSON.stringify(body));
}

interface NotificationQueue<T> {
  push(item: T): void;
  end(): void;
  readonly items: AsyncIterable<T>;
}

const LONGEST_QUEUE = 1000;

/** A queue for one reader, who may start later. Without a reader, the newest items are kept. */
function openNotificationQueue<T>(): NotificationQueue<T> {
  const queue: T[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  async function* items(): AsyncGenerator<T> {
    for (;;) {
      const next = queue.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else {
        await new Promise<void>((done) => {
          wake = done;
        });
      }
    }
  }
  return {
    items: { [Symbol.asyncIterator]: items },
    push(item) {
      if (ended) return;
      queue.push(item);
      if (queue.length > LONGEST_QUEUE) queue.shift();
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}
