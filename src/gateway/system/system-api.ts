import { z } from 'zod';
import {
  type Decimal,
  decimalOf,
  type Group,
  type KeyId,
  type KeySettings,
  keyId,
  type ObservedKey,
  type Quota,
  quota,
  Secret,
} from '../../domain/index.ts';
import {
  createBody,
  credentialOf,
  GroupsData,
  KEY_STATUS,
  KeyRecord,
  keyFromWire,
  LogEntry,
  pageOf,
  RevealedKey,
  RevealedKeys,
  RotatedToken,
  SelfData,
  StatusData,
  UsageStatistics,
  updateBody,
} from '../../wire/index.ts';
import { type Line, openLine } from './call.ts';
import { askModels } from './models.ts';

/** One page of keys. `total` and `size` are what the gateway says, where it does. */
export interface KeyPage {
  readonly keys: readonly ObservedKey[];
  readonly total?: number;
  readonly size?: number;
}

/** One page of the usage log, newest first. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  readonly total?: number;
  readonly size?: number;
}

/**
 * The System API, an endpoint a method. Each checks the HTTP status and the envelope, and throws a Fault: those of
 * `Http.send`, and `gateway.refused`, `credentials.refused`, `gateway.not-json`, `gateway.unexpected-shape`.
 *
 * Contract: “System API endpoints”.
 */
export interface SystemApi {
  /** Needs no credentials. */
  status(): Promise<{ quotaPerUnit: Decimal }>;
  /** `wallet` is the balance in quota units. */
  self(): Promise<{ id: number; wallet: Quota; username?: string; group?: string }>;
  groups(): Promise<readonly Group[]>;
  /**
   * Makes a new system access token and ends the one before, this client's own too: it is of no use afterwards.
   * Sent once or not at all: by no retry, no redirect and no other method.
   */
  rotateToken(): Promise<Secret>;
  /** Makes a key; the gateway does not say which id it got. */
  createKey(settings: KeySettings): Promise<void>;
  /** Pages count from 1, `size` at most 100. */
  listKeys(q: { page: number; size: number; excludeSmartRouting: boolean }): Promise<KeyPage>;
  /** `keyword` is matched with the name and the stored value, `token` with the value. Limited to a few a minute. */
  searchKeys(q: { keyword?: string; token?: Secret; page: number; size: number }): Promise<KeyPage>;
  /** @throws Fault `gateway.not-found`, only when the credentials are good. */
  readKey(id: KeyId): Promise<ObservedKey>;
  /** The usable credential, `sk-…`. */
  revealKey(id: KeyId): Promise<Secret>;
  /** At most 100 ids. A key that does not exist is absent. */
  revealKeys(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>>;
  /** Writes all mutable settings: the record as read, with the patch laid over it. */
  updateKey(base: ObservedKey, patch: Partial<KeySettings>): Promise<void>;
  setKeyStatus(id: KeyId, enabled: boolean): Promise<void>;
  deleteKey(id: KeyId): Promise<void>;
  /** How many were there and are deleted; of a repeated request, how many the last attempt found. */
  deleteKeys(ids: readonly KeyId[]): Promise<number>;
  usageLog(q: { page: number; size: number }): Promise<LogPage>;
  /** `quota` is all that was ever used. */
  usageStatistics(): Promise<{ quota: Quota; rpm?: number; tpm?: number }>;
  /** The models that this API key may use. @throws Fault `gateway.not-found` when the gateway has no such listing. */
  models(key: Secret): Promise<readonly string[]>;
}

const Nothing = z.unknown().transform((): void => undefined);

export function createSystemApi(line: Line): SystemApi {
  const call = openLine(line);
  return {
    status: async () => ({ quotaPerUnit: decimalOf((await call('status', StatusData)).quota_per_unit) }),
    self: async () => selfFrom(await call('self', SelfData)),
    groups: () => call('groups', GroupsData),
    rotateToken: async () => new Secret(await call('rotateToken', RotatedToken)),
    createKey: (settings) => call('createKey', Nothing, { body: createBody(settings) }),
    listKeys: ({ page, size, excludeSmartRouting }) =>
      call('listKeys', KeyPageData, {
        query: { ...paging(page, size), exclude_smart_routing: String(excludeSmartRouting) },
      }),
    searchKeys: ({ keyword, token, page, size }) =>
      call('searchKeys', KeyPageData, {
        query: {
          ...paging(page, size),
          ...(keyword === undefined ? {} : { keyword }),
          ...(token === undefined ? {} : { token: token.reveal() }),
        },
      }),
    readKey: (id) => call('readKey', OneKey, { id }),
    revealKey: async (id) => new Secret(credentialOf((await call('revealKey', RevealedKey, { id })).key)),
    revealKeys: async (ids) =>
      ids.length === 0 ? new Map() : credentials(ids, await call('revealKeys', RevealedKeys, { body: { ids } })),
    updateKey: (base, patch) => call('updateKey', Nothing, { body: updateBody(base, patch) }),
    setKeyStatus: (id, enabled) =>
      call('setKeyStatus', Nothing, { body: { id, status: enabled ? KEY_STATUS.enabled : KEY_STATUS.disabled } }),
    deleteKey: (id) => call('deleteKey', Nothing, { id }),
    deleteKeys: async (ids) => (ids.length === 0 ? 0 : call('deleteKeys', z.int().nonnegative(), { body: { ids } })),
    usageLog: ({ page, size }) => call('usageLog', LogPageData, { query: paging(page, size) }),
    usageStatistics: async () => statisticsFrom(await call('usageStatistics', UsageStatistics)),
    models: (key) => askModels(line, key),
  };
}

const paging = (page: number, size: number) => ({ p: String(page), page_size: String(size) });

/** Each record twice: through the schema, and as it was read, which is what an update echoes. */
const OneKey = z.looseObject({}).transform((raw, context): ObservedKey => {
  const record = KeyRecord.safeParse(raw);
  if (record.success) return keyFromWire(record.data, raw);
  for (const issue of record.error.issues) context.addIssue({ ...issue, code: 'custom', message: issue.message });
  return z.NEVER;
});

const KeyPageData = pageOf(OneKey).transform((page): KeyPage => ({ keys: page.items ?? [], ...extentOf(page) }));

const LogPageData = pageOf(LogEntry).transform((page): LogPage => ({ entries: page.items ?? [], ...extentOf(page) }));

function extentOf(page: { total?: number | undefined; page_size?: number | undefined }) {
  const { total, page_size: size } = page;
  return { ...(total === undefined ? {} : { total }), ...(size === undefined || size < 1 ? {} : { size }) };
}

function selfFrom({ id, quota: balance, username, group }: z.infer<typeof SelfData>) {
  return {
    id,
    wallet: quota(balance),
    ...(username === undefined ? {} : { username }),
    ...(group === undefined ? {} : { group }),
  };
}

function statisticsFrom({ quota: used, rpm, tpm }: z.infer<typeof UsageStatistics>) {
  return { quota: quota(used), ...(rpm === undefined ? {} : { rpm }), ...(tpm === undefined ? {} : { tpm }) };
}

/** Only those that were asked for. */
function credentials(ids: readonly KeyId[], revealed: ReadonlyMap<number, string>): ReadonlyMap<KeyId, Secret> {
  const asked = new Set<number>(ids);
  const pairs = [...revealed].filter(([id]) => asked.has(id));
  return new Map(pairs.map(([id, stored]) => [keyId(id), new Secret(credentialOf(stored))]));
}
