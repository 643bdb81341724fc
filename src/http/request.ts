import type { Fault } from '../domain/index.ts';

/**
 * What is asked of the other side, with the manners that belong to it.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** May hold credentials: never shown. */
  readonly headers: Readonly<Record<string, string>>;
  /** A body of JSON. May hold secrets: never shown. */
  readonly body?: string;
  /**
   * What may happen when no answer came. `yes`: send it again. `no`: only when it was certainly not taken up, that is
   * never sent, or answered with 429. `never`: not even then; it leaves this machine once or not at all.
   */
  readonly retry: 'yes' | 'no' | 'never';
  /** A write is not sent any more once the run is interrupted; a read is. */
  readonly effect: 'reads' | 'writes';
  /** The limit that it counts against: all requests of one pace slow down together. */
  readonly pace: string;
}

/** Any answer with a status that is neither 3xx, 429 nor 5xx. Whether it is a good one is for the asker to say. */
export interface Answer {
  readonly status: number;
  /** The media type in lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  /** The whole body, decoded; without a byte order mark. May hold secrets. */
  readonly text: string;
  /** An earlier attempt of the same write was lost this way: a refusal now does not undo what it may have done. */
  readonly afterLoss?: Fault;
}

/** Did it leave this machine? `yes` when the head of an answer came back, `maybe` when the connection was open. */
export type Sent = 'no' | 'maybe' | 'yes';

/** Method and path, without the query, which may hold secrets: how a request is named in messages. */
export const nameOf = (request: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${request.method} ${request.url.pathname}`;
