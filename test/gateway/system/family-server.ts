import { setImmediate as immediate } from 'node:timers/promises';
import { type Handler, type RecordedRequest, respondWith, serve } from '../../http/loopback.ts';
import { ok, refused, USER } from './scripted.ts';

/**
 * Small servers of the other kinds of the family, as their source has it: one-api v0.6.10, Veloera v0.3.25, one-hub v0.14.27
 * and new-api v0.8.0. They share no code with the client.
 */

export interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly status: Fields;
  readonly errorType: string;
  /** The fields of a record of this kind, from a body. */
  readonly settings: (body: Fields) => Fields;
  /** One page, as `data`; a text is a refusal. */
  readonly page: (keys: readonly StoredKey[], query: URLSearchParams) => unknown;
  /** The path of a search, and `data` of its answer. */
  readonly search: {
    readonly path: string;
    readonly data: (keys: readonly StoredKey[], query: URLSearchParams) => unknown;
  };
  readonly log: (rows: readonly Fields[], query: URLSearchParams) => unknown;
  /** The path of the groups of the account. */
  readonly groups?: string;
  readonly userHeader?: string;
}

const common = ({ name, expired_time, remain_quota, unlimited_quota }: Fields): Fields => ({
  name,
  expired_time,
  remain_quota: remain_quota ?? 0,
  unlimited_quota: unlimited_quota ?? false,
});

const slice = <T>(rows: readonly T[], from: number, size: number): readonly T[] => rows.slice(from, from + size);
const whole = (query: URLSearchParams, name: string): number => Number.parseInt(query.get(name) ?? '', 10) || 0;

/** Pages that count from 0, of at most 100 keys. */
function bare<T>(rows: readonly T[], query: URLSearchParams): readonly T[] {
  const size = Math.min(whole(query, 'size') || 10, 100);
  return slice(rows, Math.max(whole(query, 'p'), 0) * size, size);
}

const tens = <T>(rows: readonly T[], query: URLSearchParams): readonly T[] => slice(rows, whole(query, 'p') * 10, 10);

function counted(rows: readonly unknown[], query: URLSearchParams): unknown {
  const [page, size] = [Math.max(whole(query, 'page'), 1), whole(query, 'size') || 10];
  if (size > 100) return 'size 参数不能超过 100';
  return { data: slice(rows, (page - 1) * size, size), page, size, total_count: rows.length };
}

const newApiLog = (rows: readonly Fields[], query: URLSearchParams): unknown => {
  const [p, size] = [Math.max(whole(query, 'p'), 1), whole(query, 'page_size')];
  return { items: slice(rows, (p - 1) * size, size), total: rows.length, page: p, page_size: size };
};

const startsWith = (keys: readonly StoredKey[], query: URLSearchParams): readonly StoredKey[] =>
  keys.filter(({ name }) => name.startsWith(query.get('keyword') ?? ''));

const includes = (keys: readonly StoredKey[], query: URLSearchParams): readonly StoredKey[] =>
  keys.filter(({ name }) => name.includes(query.get('keyword') ?? ''));

const newApiSettings = (body: Fields): Fields => ({
  ...common(body),
  model_limits_enabled: body.model_limits_enabled ?? false,
  model_limits: body.model_limits ?? '',
  allow_ips: body.allow_ips ?? null,
  group: body.group ?? '',
});

const RATE = { quota_per_unit: 500_000 };

const KINDS = {
  'new-api': {
    status: { ...RATE, version: 'v0.8.0', setup: true },
    errorType: 'new_api_error',
    settings: newApiSettings,
    page: bare,
    search: { path: '/api/token/search', data: includes },
    log: newApiLog,
    groups: '/api/user/self/groups',
  },
  Veloera: {
    status: { ...RATE, version: 'v0.3.25', setup: true, check_in_enabled: false },
    errorType: 'veloera_error',
    settings: newApiSettings,
    page: bare,
    search: { path: '/api/token/search', data: includes },
    log: newApiLog,
    groups: '/api/user/self/groups',
    userHeader: 'veloera-user',
  },
  'one-api': {
    status: { ...RATE, version: 'v0.6.10', chat_link: '', display_in_currency: true },
    errorType: 'one_api_error',
    settings: (body) => ({ ...common(body), models: body.models ?? '', subnet: body.subnet ?? '' }),
    page: tens,
    search: { path: '/api/token/search', data: startsWith },
    log: tens,
  },
  'one-hub': {
    status: { ...RATE, version: 'v0.14.27', chat_link: '', display_in_currency: true, PaymentUSDRate: 7.3 },
    errorType: 'one_hub_error',
    settings: (body) => ({
      ...common(body),
      group: body.group ?? '',
      backup_group: body.backup_group ?? '',
      setting: body.setting ?? {
        heartbeat: { enabled: false, timeout_seconds: 0 },
        limits: {
          limit_model_setting: { enabled: false, models: null },
          limits_ip_setting: { enabled: false, whitelist: null },
        },
      },
    }),
    page: (keys, query) => counted(startsWith(keys, query), query),
    search: { path: '/api/token/', data: (keys, query) => counted(startsWith(keys, query), query) },
    log: counted,
    groups: '/api/user_group_map',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

export interface FamilyServer {
  readonly url: string;
  readonly seen: readonly RecordedRequest[];
  /** The keys, oldest first. */
  readonly keys: () => readonly StoredKey[];
  /** Makes a key with the fields of this kind, as a person does. */
  readonly make: (fields: Fields) => number;
}

const isTooLong = ({ name = '' }: Fields): boolean => String(name).length > 30;
const answer = (data: unknown) => (typeof data === 'string' ? refused(data) : ok(data));

interface Behavior {
  /** The rows of its log, newest first. */
  readonly rows?: readonly Fields[];
  /** The keys that a search looks through. */
  readonly searched?: (keys: readonly StoredKey[]) => readonly StoredKey[];
  /** Creates at the same time fail, as in MySQL below a gateway that stores a key first without a credential. */
  readonly deadlocks?: boolean;
  /** Its status, each time it is asked for. */
  readonly status?: (own: Fields) => Fields;
}

/** Starts a server of a kind. */
export async function startFamilyServer(name: KindName, behavior: Behavior = {}): Promise<FamilyServer> {
  const kind: Kind = KINDS[name];
  const { rows = [], searched = (keys) => keys, status = (own) => own, deadlocks = false } = behavior;
  const stored = new Map<number, StoredKey>();
  const make = (body: Fields): number => {
    const id = stored.size === 0 ? 1 : Math.max(...stored.keys()) + 1;
    const key = `canary${name}${id}`.replaceAll(/\W/g, '').padEnd(48, 'x');
    const record = { id, user_id: USER, key, status: 1, name: '', created_time: 1, accessed_time: 1, used_quota: 0 };
    stored.set(id, { ...record, ...kind.settings(body) });
    return id;
  };
  const listed = () => [...stored.values()].sort((a, b) => b.id - a.id);

  const update = (body: Fields, isStatus: boolean) => {
    const before = stored.get(Number(body.id));
    if (before === undefined) return refused('record not found');
    if (isTooLong(body)) return refused('令牌名称过长');
    const after = isStatus ? { ...before, status: body.status } : { ...before, ...kind.settings(body) };
    stored.set(before.id, after);
    return ok(after);
  };

  const ofKey = ({ method }: RecordedRequest, id: number) => {
    const key = stored.get(id);
    if (key === undefined) return refused('record not found');
    if (method === 'DELETE') stored.delete(id);
    return method === 'DELETE' ? ok(null) : ok(key);
  };

  const route = (request: RecordedRequest) => {
    const { pathname, searchParams: query } = new URL(request.url, 'http://gateway');
    const body = (request.body === '' ? {} : JSON.parse(request.body)) as Fields;
    const call = `${request.method} ${pathname}`;
    if (call === 'GET /api/status') return ok(status(kind.status));
    if (call === 'GET /v1/models') return respondWith(401, { error: { message: 'no', type: kind.errorType } });
    if (kind.userHeader && request.headers[kind.userHeader] !== String(USER)) return refused('无权进行此操作');
    if (call === 'GET /api/user/self')
      return ok({ id: USER, quota: 1000, username: 'ada', access_token: 'canary-access-token-of-the-account' });
    if (call === `GET ${kind.search.path}` && query.has('keyword'))
      return answer(kind.search.data(searched(listed()), query));
    if (call === 'GET /api/token/') return answer(kind.page(listed(), query));
    if (call === 'POST /api/token/') return isTooLong(body) ? refused('令牌名称过长') : ok(stored.get(make(body)));
    if (call === 'PUT /api/token/') return update(body, query.has('status_only'));
    if (call === `GET ${kind.groups}`) return ok({ vip: { ratio: 1 } });
    if (call === 'GET /api/log/self') return answer(kind.log(rows, query));
    const id = /^\/api\/token\/(\d+)$/.exec(pathname)?.[1];
    if (id !== undefined) return ofKey(request, Number(id));
    return respondWith(404, { error: { message: `Invalid URL (${call})`, type: 'invalid_request_error' } });
  };

  let creating = 0;
  const createAlone = async (respond: () => Handler): Promise<Handler> => {
    creating += 1;
    // The others that were sent at the same time arrive meanwhile.
    for (let turn = 0; turn < 20; turn += 1) await immediate();
    const result = creating > 1 ? refused('Error 1213 (40001): Deadlock found when trying to get lock') : respond();
    creating -= 1;
    return result;
  };

  const { url, seen } = await serve(async (request, response) => {
    const isCreate = deadlocks && request.method === 'POST';
    const respond = isCreate ? await createAlone(() => route(request)) : route(request);
    await respond(request, response);
  });
  return { url, seen, make, keys: () => listed().reverse() };
}
