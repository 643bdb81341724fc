import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Fault, fileTrouble } from '../../domain/index.ts';
import { CallbackNotification } from '../../wire/index.ts';
import { openNotificationQueue } from './notification-queue.ts';

export interface ReceiverOptions {
  /** `127.0.0.1` unless told: what notifies must be on this machine, or come through a tunnel. */
  readonly host?: string;
  /** A free one unless told. */
  readonly port?: number;
  /** `/` unless told. One that nobody guesses keeps others from notifying. */
  readonly path?: string;
  /** When it throws, the sender is told to try again. */
  readonly onNotification?: (notification: CallbackNotification) => void;
}

/** What came, and where. */
export interface ReceivedNotification extends CallbackNotification {
  /** What stood behind the `?` of the address: it tells tasks apart where the provider calls them by names of its own. */
  readonly query?: string;
}

/** A place that providers tell of video tasks. Contract: “Events”. */
export interface CallbackReceiver {
  /** For `metadata.callback_url`, where the provider can reach it. */
  readonly url: string;
  /** In the order in which they came; ends when the receiver is closed. For one reader. */
  readonly notifications: AsyncIterable<ReceivedNotification>;
  close(): Promise<void>;
}

/** A task record is short. */
const LARGEST_BODY = 1024 * 1024;
/** The contract gives a challenge 3 seconds: whoever sends so slowly that this ends is none. */
const REQUEST_MS = 30_000;

/** What a request is answered with. */
interface Reply {
  readonly status: number;
  readonly body: object;
}

const refused = (status: number, message: string): Reply => ({ status, body: { error: { message } } });

/**
 * Listens for notifications of video tasks of both families, and answers a challenge at once with the same. What is no
 * notification is refused and changes nothing.
 *
 * @throws Fault `usage.invalid` when it can not listen there
 */
export async function openCallbackReceiver(options: ReceiverOptions = {}): Promise<CallbackReceiver> {
  const { host = '127.0.0.1', port = 0, path = '/', onNotification = () => undefined } = options;
  const queue = openNotificationQueue<ReceivedNotification>();
  const take = (notification: ReceivedNotification): void => {
    onNotification(notification);
    queue.push(notification);
  };
  const server = createServer({ requestTimeout: REQUEST_MS }, (message, response) => {
    void replyTo(message, { path, take }).then((reply) => send(message, response, reply));
  });
  await listening(server, { host, port });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}${path}`,
    notifications: queue.items,
    close: () =>
      new Promise((done) => {
        queue.end();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, place: { host: string; port: number }): Promise<void> {
  return new Promise((done, reject) => {
    server.once('error', (error) => {
      const at = `${place.host}:${place.port}`;
      const message = `Callbacks can not be received at ${at}: ${fileTrouble(error)}.`;
      reject(new Fault('usage.invalid', message, { cause: error }));
    });
    server.listen(place.port, place.host, done);
  });
}

interface Taker {
  readonly path: string;
  readonly take: (notification: ReceivedNotification) => void;
}

async function replyTo(message: IncomingMessage, { path, take }: Taker): Promise<Reply> {
  const [at, query] = (message.url ?? '').split('?', 2);
  if (at !== path) return refused(404, 'nothing is received here');
  if (message.method !== 'POST') return refused(405, 'notifications are sent by POST');
  const text = await tryReadBody(message);
  if (text === undefined) return refused(413, 'a notification is shorter');
  const body = tryParseObject(text);
  if (body === undefined) return refused(400, 'a notification is an object of JSON');
  const { challenge } = body;
  const notification = CallbackNotification.safeParse(body);
  try {
    if (notification.success) take({ ...notification.data, ...(query ? { query } : {}) });
  } catch {
    return refused(500, 'the notification could not be taken');
  }
  // The form of the reply is not shown: the object that came, with nothing but the challenge.
  if (challenge !== undefined) return { status: 200, body: { challenge } };
  return notification.success ? { status: 200, body: { received: true } } : refused(400, 'it tells of no video task');
}

/** Undefined: it is too long, or did not come whole. A body that is too long is let through, so that the reply arrives. */
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
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function send(message: IncomingMessage, response: ServerResponse, { status, body }: Reply): void {
  // What is left of a body that is too long is not waited for.
  const close = message.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...close }).end(JSON.stringify(body));
}
