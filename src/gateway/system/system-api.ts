import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import {
  type Decimal,
  decimalOf,
  Fault,
  type Group,
  type KeyId,
  type KeySettings,
  keyId,
  type ObservedKey,
  type Quota,
  quota,
  Secret,
} from '../../domain/index.ts';
import { type HttpRequest, requestName } from '../../http/index.ts';
import type { UsageSpan } from '../../reconcile/index.ts';
import {
  createBody,
  credentialOf,
  type GatewayKind,
  GroupsData,
  INFERENCE_API,
  isPlainRecord,
  KEY_STATUS,
  KeyRecord,
  keyFromWire,
  LOG_TYPE,
  LogEntry,
  ModelsAnswer,
  PricingData,
  type PublicPrice,
  pageOf,
  pageOfAll,
  RevealedKey,
  RevealedKeys,
  RotatedToken,
  recognizeKind,
  SelfData,
  SelfOwner,
  type SharedSets,
  StatusData,
  UsageStatistics,
  updateBody,
  VideoTask,
} from '../../wire/index.ts';
import { endpointUrl } from '../address.ts';
import { messageIn, redactMessage } from '../messages.ts';
import { isMissing, notJsonFault, parseBody, refusedFault, responseDetail, tryParseJson } from '../response-fault.ts';
import { openCaller, type Sending, type SystemConnection } from './caller.ts';
import { type DialectSides, inDialects } from './dialect.ts';
import { batchBody, checkName, paging } from './limits.ts';

/** `total` and `size` are the gateway's, where it reports them. */
interface ReportedExtent {
  readonly total?: number;
  readonly size?: number;
}

/** One page of keys. */
export interface KeyPage extends ReportedExtent {
  readonly keys: readonly ObservedKey[];
}

/** The number of keys on a page, which is known before they are decoded. */
export interface PageExtent extends ReportedExtent {
  readonly found: number;
}

/** Called when a page has arrived. What it requests leaves before the keys of the page are decoded. */
export type BeforeDecoding = (extent: PageExtent) => void;

/** One page of the usage log, newest first. */
export interface LogPage extends ReportedExtent {
  readonly entries: readonly LogEntry[];
}

/**
 * The System API, one method for each endpoint. A request that breaks a limit of the contract is Fault `request.invalid`,
 * and is not sent. Each method checks the HTTP status and the envelope, and throws a Fault: those of `Http.send`,
 * `gateway.refused`, `credentials.refused`, `gateway.not-json`, `gateway.unexpected-shape`.
 *
 * Contract: “System API endpoints”.
 */
export interface SystemApi {
  /** Needs no credentials. `kind` is recognized by the names of its fields. */
  status(): Promise<{ quotaPerUnit: Decimal; kind?: GatewayKind }>;
  /** The prices of models, without credentials. Not every gateway has this. */
  prices(): Promise<readonly PublicPrice[]>;
  /** `wallet` is the balance in quota units. */
  self(): Promise<{ id: number; wallet: Quota; username?: string; group?: string }>;
  /** The ID of the user that the access token belongs to. */
  owner(): Promise<number>;
  groups(): Promise<readonly Group[]>;
  /**
   * Creates a new system access token and revokes the previous one, which makes this client unusable.
   * Sent at most once: never retried, and no redirect or other method leads to it.
   */
  rotateToken(): Promise<Secret>;
  /** Creates a key; the gateway does not return its id. @param sending `once`: sent immediately, or not at all. */
  createKey(settings: KeySettings, sending?: Sending): Promise<void>;
  /** Pages count from 1, `size` at most 100. @param beforeDecoding not called for a response that is not a page */
  listKeys(
    q: { page: number; size: number; excludeSmartRouting: boolean },
    beforeDecoding?: BeforeDecoding,
  ): Promise<KeyPage>;
  /** Matches `keyword` with the name and the stored value, `token` with the value. Limited to a few calls a minute. */
  searchKeys(q: { keyword?: string; token?: Secret; page: number; size: number }): Promise<KeyPage>;
  /** @throws Fault `gateway.not-found`, only when the credentials are valid; `gateway.unexpected-shape` for the record of another key. */
  readKey(id: KeyId): Promise<ObservedKey>;
  /** The usable credential, `sk-…`. */
  revealKey(id: KeyId): Promise<Secret>;
  /** Takes at most 100 ids. Keys that do not exist are omitted. */
  revealKeys(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>>;
  /** Writes all mutable settings: the record as read, with the patch applied. Sent immediately, once, or not at all. */
  updateKey(base: ObservedKey, patch: Partial<KeySettings>): Promise<void>;
  /** @param sending `once`: sent immediately, and not again after a 429 or a lost response. */
  setKeyStatus(id: KeyId, enabled: boolean, sending?: Sending): Promise<void>;
  /** @param sending `although-interrupted`: also after an interruption of the run. */
  deleteKey(id: KeyId, sending?: Sending): Promise<void>;
  /** Takes at most 100 ids. Returns the number of keys deleted; after a retry, the number that the last attempt found. */
  deleteKeys(ids: readonly KeyId[], sending?: Sending): Promise<number>;
  usageLog(q: { page: number; size: number }): Promise<LogPage>;
  /** Reads a video task of the account; undefined when it has none with this id. Not every gateway has this. */
  ownTask(taskId: string): Promise<VideoTask | undefined>;
  /** `quota` is the total ever used; of one name and time only where the gateway has filters. */
  usageStatistics(of?: Partial<UsageSpan>): Promise<{ quota: Quota; rpm?: number; tpm?: number }>;
  /**
   * Lists the models that this API key may use: all of the account's, when the key has no allowlist.
   * @throws Fault `gateway.refused` when the key is rejected, `gateway.not-found` when the gateway has no such listing.
   */
  models(key: Secret): Promise<readonly string[]>;
}

const NoData = z.unknown().transform((): void => undefined);

/** @param dialects omitted: the gateway follows the contract. */
export function createSystemApi(connection: SystemConnection, dialects?: DialectSides): SystemApi {
  const caller = openCaller(connection);
  const call = dialects ? inDialects(caller, dialects) : caller;
  return {
    status: async () => noteStatus(await call('status', StatusData), dialects),
    prices: () => call('prices', PricingData),
    self: async () => selfFrom(await call('self', SelfData)),
    owner: async () => (await call('self', SelfOwner)).id,
    groups: () => call('groups', GroupsData),
    rotateToken: async () => new Secret(await call('rotateToken', RotatedToken)),
    createKey: async (settings, sending) => {
      checkName(settings);
      return await call('createKey', NoData, { body: createBody(settings), sending });
    },
    listKeys: async ({ page, size, excludeSmartRouting }, beforeDecoding) =>
      call('listKeys', KeyPageData, {
        query: { ...paging(page, size), exclude_smart_routing: String(excludeSmartRouting) },
        ...(beforeDecoding && { onData: announcing(beforeDecoding) }),
      }),
    searchKeys: async ({ keyword, token, page, size }) =>
      call('searchKeys', FoundKeys, {
        query: {
          ...paging(page, size),
          ...(keyword === undefined ? {} : { keyword }),
          ...(token === undefined ? {} : { token: token.reveal() }),
        },
      }),
    readKey: (id) => call('readKey', keyDataOf(id), { id }),
    revealKey: async (id) => new Secret(credentialOf((await call('revealKey', RevealedKey, { id })).key)),
    revealKeys: async (ids) =>
      ids.length === 0
        ? new Map()
        : credentials(ids, await call('revealKeys', RevealedKeys, { body: batchBody(ids, 'revealBatch') })),
    updateKey: async (base, patch) => {
      checkName(patch);
      return await call('updateKey', NoData, { body: updateBody(base, patch), sending: 'once' });
    },
    setKeyStatus: (id, enabled, sending) =>
      call('setKeyStatus', NoData, {
        body: { id, status: enabled ? KEY_STATUS.enabled : KEY_STATUS.disabled },
        sending,
      }),
    deleteKey: (id, sending) => call('deleteKey', NoData, { id, sending }),
    deleteKeys: async (ids, sending) =>
      ids.length === 0
        ? 0
        : call('deleteKeys', z.int().nonnegative(), { body: batchBody(ids, 'deleteBatch'), sending }),
    usageLog: async ({ page, size }) => call('usageLog', LogPageData, { query: paging(page, size) }),
    ownTask: async (taskId) => {
      const { items } = await call('ownTasks', pageOf(z.unknown()), { query: { task_id: taskId, ...paging(1, 10) } });
      return items.flatMap((item) => VideoTask.safeParse(item).data ?? []).find((task) => task.taskId === taskId);
    },
    usageStatistics: async (of) =>
      statisticsFrom(await call('usageStatistics', UsageStatistics, of && { query: filters(of) })),
    models: (key) => listModels(connection, key),
  };
}

const filters = ({ name, from }: Partial<UsageSpan>) => ({
  type: String(LOG_TYPE.consumption),
  ...(name === undefined ? {} : { token_name: name }),
  ...(from === undefined ? {} : { start_timestamp: String(from) }),
});

/** Keeps each record twice: parsed, and as read, which an update echoes. */
const KeyData = z.looseObject({}).transform((raw, context): ObservedKey => {
  const record = KeyRecord.safeParse(raw);
  if (record.success) return keyFromWire(record.data, raw);
  for (const issue of record.error.issues) context.addIssue({ ...issue, code: 'custom', message: issue.message });
  return z.NEVER;
});

/** Whoever reads a key writes to the one that came: a cache in front of the gateway may respond with another one. */
const keyDataOf = (id: KeyId) =>
  KeyData.refine((key) => key.id === id, { error: 'is that of another key', path: ['id'] });

const KeyPageData = pageOf(z.unknown()).transform((page, context): KeyPage => {
  const shared: SharedSets = new Map();
  const keys = page.items.flatMap((raw, index): readonly ObservedKey[] => {
    if (isPlainRecord(raw)) return [keyFromWire(raw, raw, shared)];
    const read = KeyData.safeParse(raw);
    if (read.success) return [read.data];
    for (const { path, message } of read.error.issues) {
      context.addIssue({ code: 'custom', message, path: ['items', index, ...path] });
    }
    return [];
  });
  return { keys, ...extentOf(page) };
});

const FoundKeys = z.preprocess(pageOfAll, KeyPageData);

const ExtentData = pageOf(z.unknown()).transform(
  (page): PageExtent => ({ found: page.items.length, ...extentOf(page) }),
);

const announcing =
  (beforeDecoding: BeforeDecoding) =>
  async (data: unknown): Promise<void> => {
    const extent = ExtentData.safeParse(data);
    if (!extent.success) return;
    beforeDecoding(extent.data);
    // A connection that was used before sends in the turn after the one in which it is asked to.
    await turn();
    await turn();
  };

const LogPageData = pageOf(LogEntry).transform((page): LogPage => ({ entries: page.items, ...extentOf(page) }));

function extentOf(page: { total?: number | undefined; page_size?: number | undefined }) {
  const { total, page_size: size } = page;
  return { ...(total === undefined ? {} : { total }), ...(size === undefined || size < 1 ? {} : { size }) };
}

function noteStatus(status: z.infer<typeof StatusData>, dialects: DialectSides | undefined) {
  const kind = recognizeKind(status);
  // A status without a kind, for example that of a proxy, does not undo what other answers have shown.
  if (kind && dialects) dialects.session.kind = kind;
  return { quotaPerUnit: decimalOf(status.quota_per_unit), ...(kind === undefined ? {} : { kind }) };
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

/** Only the requested ids. */
function credentials(ids: readonly KeyId[], revealed: ReadonlyMap<number, string>): ReadonlyMap<KeyId, Secret> {
  const requested = new Set<number>(ids);
  const pairs = [...revealed].filter(([id]) => requested.has(id));
  return new Map(pairs.map(([id, stored]) => [keyId(id), new Secret(credentialOf(stored))]));
}

async function listModels(connection: SystemConnection, key: Secret): Promise<readonly string[]> {
  const request: HttpRequest = {
    method: 'GET',
    url: endpointUrl(connection.base, INFERENCE_API.models.path),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      authorization: `Bearer ${credentialOf(key.reveal())}`,
    },
    retry: 'yes',
    effect: 'reads',
    pace: 'inference',
  };
  const response = await connection.http.send(request);
  if (isMissing(response)) {
    throw new Fault('gateway.not-found', `${requestName(request)}: this gateway does not list models at this path.`, {
      detail: responseDetail(request, response),
    });
  }
  const body = tryParseJson(response.text);
  if (response.status >= 400) {
    const message = redactMessage(messageIn(body), [key, connection.accessToken, ...connection.otherSecrets]);
    throw refusedFault(request, response, message);
  }
  if (body === undefined) throw notJsonFault(request, response);
  const { data } = parseBody(ModelsAnswer, body, { request, response });
  return [...new Set(data.map(({ id }) => id))];
}
