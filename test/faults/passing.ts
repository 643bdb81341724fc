import type { IncomingHttpHeaders } from 'node:http';

/** A request on its way to the gateway. */
export interface PassingRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The reply to the client: an answer, the first bytes of one, the end of the connection, or nothing. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly cutAt?: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'silence' };

/** One request, as a fault plays with it. */
export interface Passage {
  readonly request: PassingRequest;
  /** Delivers the request to the gateway, as often as it is called. */
  deliver(): Promise<Answer>;
  /** Does this when the run of the client has ended. */
  afterRun(work: () => Promise<unknown>): void;
}

/** Method and path of a request, with ids and without the query: `GET /api/token/7`. */
export const targetOf = ({ method, path }: Pick<PassingRequest, 'method' | 'path'>): string => {
  const [pathname = '', query = ''] = path.split('?');
  return `${method} ${pathname}${query.includes('status_only') ? '?status_only=true' : ''}`;
};

/** The route of a request, without ids: `GET /api/token/{id}`. */
export const routeOf = (request: Pick<PassingRequest, 'method' | 'path'>): string =>
  targetOf(request).replace(/\/\d+(?=\/|\?|$)/g, '/{id}');

/** A list of keys: only these have pages that shift, and totals. */
export const isKeyList = (route: string): boolean => route === 'GET /api/token/';
