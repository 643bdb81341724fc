import type { Fault } from '../domain/index.ts';
import type { Timeouts } from './deadlines.ts';

/**
 * What is asked of the other side, with the manners that belong to it.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** May hold credentials: never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** May hold secrets: never shown. */
  readonly body?: string | Uint8Array;
  /**
   * What may happen when no answer came. `yes`: send it again. `no`: only when it was certainly not taken up, that is
   * never sent, or answered with 429. `never`: not even then; it leaves this machine once or not at all.
   */
  readonly retry: 'yes' | 'no' | 'never';
  /** A write is not sent any more once the run is interrupted; a read is. */
  readonly effect: 'reads' | 'writes';
  /** The limit that it counts against: all requests of one pace slow down together. */
  readonly pace: string;
  /** Where they differ from the client's. */
  readonly timeouts?: Partial<Timeouts>;
  /** Gives the request up wherever it is: in the queue, under way, or in the middle of the answer. */
  readonly signal?: AbortSignal | undefined;
  /** An answer beyond this many bytes is not read; the client's limit unless told. */
  readonly maxBytes?: number;
  /** How long it lets itself be held up by 429s; the client's patience unless told. */
  readonly patienceMs?: number;
  /** A 5xx that is not asked again is thrown, unless its body is of use to the asker. */
  readonly serverErrors?: 'thrown' | 'answered';
  /** `anywhere`: followed to other paths and origins too, where no credentials go along. Only for a GET that may be repeated. */
  readonly redirects?: 'same-path' | 'anywhere';
}

/** How long the attempt that was answered took, in milliseconds from when it was sent. */
export interface Timing {
  /** To the head of the answer. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

/**
 * Any answer with a status that is neither 3xx, 429 nor, unless asked for, 5xx. Whether it is a good one is for the
 * asker to say.
 */
export interface Answer {
  readonly status: number;
  /** The media type in lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  /** The whole body, decoded; without a byte order mark. May hold secrets. */
  readonly text: string;
  readonly timing: Timing;
  /** Where the other side names the request. */
  readonly requestId?: string;
  /** An earlier attempt of the same write was lost this way: a refusal now does not undo what it may have done. */
  readonly afterLoss?: Fault;
}

/** The same with its body still on its way. It occupies its place in the queue until the body ends or is given up. */
export interface OpenAnswer extends Omit<Answer, 'text' | 'timing'> {
  readonly firstByteMs: number;
  /** Milliseconds since the attempt was sent. */
  readonly elapsedMs: () => number;
  /**
   * The body, decoded, as it comes; to be read once. Leaving early gives it up.
   * Throws the Faults of an answer that breaks off, is late, is too large or is aborted.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives the rest of the body up. Harmless when it has ended. */
  readonly close: () => void;
}

/** Did it leave this machine? `yes` when the head of an answer came back, `maybe` when the connection was open. */
export type Sent = 'no' | 'maybe' | 'yes';

/** Method and path, without the query, which may hold secrets: how a request is named in messages. */
export const nameOf = (request: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${request.method} ${request.url.pathname}`;
