/**
 * Every endpoint of the System API. `retry` applies after a response was lost: `yes`, the request may be
 * sent again; `no`, it may have taken effect and must be looked up first; `never`, it leaves this machine once or not at
 * all. `effect`: does it change anything? A reveal is a read. `pace` names the limit it counts against.
 *
 * Contract: “System API endpoints”.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for a key id. The slash at the end of `/api/token/` matters: without it gateways redirect. */
  readonly path: string;
  readonly retry: 'yes' | 'no' | 'never';
  readonly effect: 'reads' | 'writes';
  readonly pace: 'api' | 'search' | 'reveal';
  readonly credentials: boolean;
}

export const SYSTEM_API = {
  status: { method: 'GET', path: '/api/status', retry: 'yes', effect: 'reads', pace: 'api', credentials: false },
  /** Not in the contract: deployed gateways show the prices of their models to anybody. */
  prices: { method: 'GET', path: '/api/pricing', retry: 'yes', effect: 'reads', pace: 'api', credentials: false },
  self: { method: 'GET', path: '/api/user/self', retry: 'yes', effect: 'reads', pace: 'api', credentials: true },
  groups: {
    method: 'GET',
    path: '/api/user/self/groups',
    retry: 'yes',
    effect: 'reads',
    pace: 'api',
    credentials: true,
  },
  /** A rotation, not a read: the previous token ends. Sent by one explicit command only, once, never again. */
  rotateToken: {
    method: 'GET',
    path: '/api/user/token',
    retry: 'never',
    effect: 'writes',
    pace: 'reveal',
    credentials: true,
  },
  createKey: { method: 'POST', path: '/api/token/', retry: 'no', effect: 'writes', pace: 'api', credentials: true },
  listKeys: { method: 'GET', path: '/api/token/', retry: 'yes', effect: 'reads', pace: 'api', credentials: true },
  searchKeys: {
    method: 'GET',
    path: '/api/token/search',
    retry: 'yes',
    effect: 'reads',
    pace: 'search',
    credentials: true,
  },
  readKey: { method: 'GET', path: '/api/token/{id}', retry: 'yes', effect: 'reads', pace: 'api', credentials: true },
  revealKey: {
    method: 'POST',
    path: '/api/token/{id}/key',
    retry: 'yes',
    effect: 'reads',
    pace: 'reveal',
    credentials: true,
  },
  revealKeys: {
    method: 'POST',
    path: '/api/token/batch/keys',
    retry: 'yes',
    effect: 'reads',
    pace: 'reveal',
    credentials: true,
  },
  /** Absolute settings: the same body twice leaves the same key, but spending between the two would be given back. */
  updateKey: { method: 'PUT', path: '/api/token/', retry: 'no', effect: 'writes', pace: 'api', credentials: true },
  setKeyStatus: {
    method: 'PUT',
    path: '/api/token/?status_only=true',
    retry: 'yes',
    effect: 'writes',
    pace: 'api',
    credentials: true,
  },
  deleteKey: {
    method: 'DELETE',
    path: '/api/token/{id}',
    retry: 'no',
    effect: 'writes',
    pace: 'api',
    credentials: true,
  },
  deleteKeys: {
    method: 'POST',
    path: '/api/token/batch',
    retry: 'yes',
    effect: 'writes',
    pace: 'api',
    credentials: true,
  },
  usageLog: { method: 'GET', path: '/api/log/self', retry: 'yes', effect: 'reads', pace: 'api', credentials: true },
  /** Not in the contract: deployed gateways have it. */
  ownTasks: { method: 'GET', path: '/api/task/self', retry: 'yes', effect: 'reads', pace: 'api', credentials: true },
  usageStatistics: {
    method: 'GET',
    path: '/api/log/self/stat',
    retry: 'yes',
    effect: 'reads',
    pace: 'api',
    credentials: true,
  },
} as const satisfies Record<string, Endpoint>;

/**
 * The windows of the limits behind the paces, as deployed gateways have them. `Retry-After` can be the whole window, and the
 * number of requests in it differs.
 */
export const PACE_LIMITS = {
  api: { windowMs: 180_000 },
  search: { windowMs: 60_000 },
  reveal: {
    windowMs: 1_200_000,
    note: 'Most gateways allow 20 reveals, logins and new access tokens together in 20 minutes.',
  },
} as const satisfies Record<Endpoint['pace'], { windowMs: number; note?: string }>;

export type EndpointName = keyof typeof SYSTEM_API;

/** The second credential header: the numeric user id that the access token belongs to. */
export const USER_ID_HEADER = 'New-Api-User';

/** The same as Veloera names it. Gateways ignore the one that they do not know, so both are sent: nothing is known before the first answer. */
const OTHER_USER_ID_HEADER = 'Veloera-User';

export const userIdHeaders = (userId: number): Readonly<Record<string, string>> => ({
  [USER_ID_HEADER]: String(userId),
  [OTHER_USER_ID_HEADER]: String(userId),
});

/** Contract: “Limits”, System API. It has no limit for a batch of deletes: Keyplane sends as many ids as it reveals. */
export const SYSTEM_LIMITS = { nameLength: 50, pageSize: 100, revealBatch: 100, deleteBatch: 100 } as const;
