import type * as z from 'zod';
import type { InjectedFailure } from '../failures/kinds.ts';

/** A failure to inject, and the requests that it affects: the next one, unless it states others. */
export type ScriptedFailure = z.input<typeof InjectedFailure> & {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A route of the contract, `/api/token/{id}`, or the beginning of paths, `/api/*`. */
  readonly path?: string;
  /** The number of requests that it affects. Default: 1. */
  readonly times?: number;
  /** The number of matching requests before it that are answered as usual. Default: 0. */
  readonly skip?: number;
};

/** A length of time. Named units, because a bare number could be seconds or milliseconds. */
export interface Span {
  /** Days of 24 hours. */
  readonly days?: number;
  /** Hours. */
  readonly hours?: number;
  /** Minutes. */
  readonly minutes?: number;
  /** Seconds. */
  readonly seconds?: number;
}

/** The controls of a gateway in the same process: those of the control endpoints, typed. */
export interface GatewayControls {
  /** Makes requests fail. */
  readonly faults: {
    /** Adds failures to those that wait for their requests. @throws KeyplaneError `usage.invalid` */
    add(...failures: readonly ScriptedFailure[]): void;
    /** The number of failures that still wait for requests. */
    pending(): number;
    clear(): void;
  };
  /** The time of the gateway, which tests can move. */
  readonly clock: {
    now(): Date;
    advance(span: Span): void;
    set(at: Date): void;
  };
  /** The requests that the gateway received. */
  readonly requests: {
    /** Counts requests by method and route, since the start or the last reset. */
    counts(): Readonly<Record<string, number>>;
    total(): number;
    reset(): void;
  };
}
