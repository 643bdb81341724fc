import { Fault, type Secret } from '../../domain/index.ts';
import type { Clock, Http, Timeouts, Timing } from '../../http/index.ts';
import { credentialOf, type VideoTask } from '../../wire/index.ts';

/** The address of the inference API, and the API key to use. */
export interface InferenceConnection {
  readonly http: Http;
  readonly base: URL;
  readonly key: Secret;
  readonly clock: Clock;
  /** Also blanked in messages of the gateway. */
  readonly otherSecrets: readonly Secret[];
  /** Reads a task with the credentials of the account, where there are any; undefined when it has no such task. */
  readonly ownTask?: (taskId: string) => Promise<VideoTask | undefined>;
  /** Ends waits for tasks; the HTTP client ends the waits of requests. */
  readonly signal: AbortSignal | undefined;
}

/** The options of one call. */
export interface CallOptions {
  /** Cancels the request wherever it is, and the stream that came of it. A request that was sent may have been charged. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of the whole request, with its waits and retries, to the end of the response, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /**
   * The number of retries after a failure that cost nothing, or a 429; 0: none. By default three after a failure, and as many after
   * 429s as fit into ten minutes.
   */
  readonly maxRetries?: number | undefined;
  /** The limits of the stages of one attempt, in milliseconds. */
  readonly timeouts?: Partial<Timeouts>;
  /** Headers in addition to those of the client, which take precedence. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of a call: parsed, and as it came. */
export interface Answered<T> {
  /** The parsed response. */
  readonly value: T;
  /** The complete JSON of the response. */
  readonly raw: unknown;
  /** The HTTP status. */
  readonly status: number;
  /** The duration of the request. */
  readonly timing: Timing;
  /** The gateway’s ID of the request, for questions to its operator. */
  readonly requestId?: string;
}

/** @throws Fault `usage.invalid` for a key that cannot be sent in a header. */
export function bearerToken(key: Secret): string {
  const credential = credentialOf(key.reveal());
  if (/^sk-[\x21-\x7e]+$/.test(credential)) return `Bearer ${credential}`;
  throw new Fault('usage.invalid', 'The API key is empty or contains invalid characters.', {
    hint: 'Use it as the gateway reveals it, without white space or a line break.',
  });
}

export const secretsOf = ({ key, otherSecrets }: InferenceConnection): readonly Secret[] => [key, ...otherSecrets];
