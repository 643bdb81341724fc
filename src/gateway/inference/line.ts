import { Fault, type Secret } from '../../domain/index.ts';
import type { Clock, Http, Timeouts, Timing } from '../../http/index.ts';
import { credentialOf } from '../../wire/index.ts';

/** Where inference is asked for, and with which API key. */
export interface InferenceLine {
  readonly http: Http;
  readonly base: URL;
  readonly key: Secret;
  readonly clock: Clock;
  /** Also blanked in messages of the gateway. */
  readonly otherSecrets: readonly Secret[];
  /** Ends waits of its own; http ends those for the gateway. */
  readonly signal: AbortSignal | undefined;
}

export interface CallOptions {
  /** Gives the request up wherever it is. What was sent may have been charged. */
  readonly signal?: AbortSignal | undefined;
  readonly timeouts?: Partial<Timeouts>;
}

/** An answer, read and as it came. */
export interface Answered<T> {
  readonly value: T;
  /** The JSON of the answer, nothing left out. */
  readonly raw: unknown;
  readonly status: number;
  readonly timing: Timing;
  readonly requestId?: string;
}

/** @throws Fault `usage.invalid` for a text that can not stand in a header. */
export function bearerOf(key: Secret): string {
  const credential = credentialOf(key.reveal());
  if (/^sk-[\x21-\x7e]+$/.test(credential)) return `Bearer ${credential}`;
  throw new Fault('usage.invalid', 'The API key is empty, or has characters that no key has.', {
    hint: 'Give it as the gateway reveals it, without white space or a line break.',
  });
}

export const secretsOf = ({ key, otherSecrets }: InferenceLine): readonly Secret[] => [key, ...otherSecrets];
