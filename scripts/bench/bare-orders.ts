/** Requests by method and route: `GET /api/token/{id}`. */
export type RequestCounts = Readonly<Record<string, number>>;

interface BareOrder {
  readonly url: string;
  readonly userId: number;
  readonly accessToken: string;
  readonly concurrency: number;
  readonly requests: RequestCounts;
}

/** The requests that the bare loop of keys sends. */
export interface KeyOrder extends BareOrder {
  readonly names: readonly string[];
  /** The pages of a list that are read concurrently. Without a total, more than one could miss a key. */
  readonly pagesAtOnce: number;
}

/** One request of a check. */
export interface CheckRequest {
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
}

/** The requests that the bare loop of checks sends. */
export interface CheckOrder extends BareOrder {
  readonly asked: readonly CheckRequest[];
}
