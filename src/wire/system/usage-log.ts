import * as z from 'zod';
import { type Billing, keyId, parseShallowJson, quota, type UsageEntry } from '../../domain/index.ts';

/** Record types, which the contract leaves open; deployments have these. */
export const LOG_TYPE = { topUp: 1, consumption: 2, management: 3, system: 4, error: 5, refund: 6, login: 7 } as const;

const text = z.lazy(() => z.string().optional().catch(undefined));
const whole = z.lazy(() => z.int().optional().catch(undefined));

/**
 * One entry of the usage log. Strict in what identifies and counts it, forgiving in the rest: an odd value in a field
 * that is only shown must not hide the log. Contract: “Usage log entry”.
 */
export const LogEntry = z.lazy(() =>
  z.looseObject({
    id: whole,
    user_id: whole,
    created_at: z.int(),
    type: z.int(),
    content: text,
    username: text,
    token_name: z.string().nullish(),
    model_name: text,
    quota: z.int().nullish(),
    prompt_tokens: whole,
    completion_tokens: whole,
    use_time: z.number().optional().catch(undefined),
    is_stream: z.boolean().optional().catch(undefined),
    channel: whole,
    channel_name: text,
    token_id: z.int().nullish(),
    group: text,
    ip: text,
    request_id: text,
    other: text,
  }),
);
export type LogEntry = z.infer<typeof LogEntry>;

/** `data` of `/api/log/self/stat`. On deployed gateways, `rpm` and `tpm` are the use of the last 60 seconds. */
export const UsageStatistics = z.lazy(() =>
  z.looseObject({
    quota: z.int(),
    rpm: z.int().optional().catch(undefined),
    tpm: z.int().optional().catch(undefined),
  }),
);
export type UsageStatistics = z.infer<typeof UsageStatistics>;

/** `items[].id` may be the ordinal in the listing, which shifts: request id, time and type together identify an entry. */
function identityOf(entry: LogEntry): string {
  const request = entry.request_id || `#${entry.id ?? ''}`;
  return [request, entry.created_at, entry.type, entry.token_id ?? '', entry.quota ?? ''].join('|');
}

/**
 * The entry types that do not count as use: top-ups, and records without a request. Any other type, also an unknown one,
 * is consumption: ignoring it would refill a budget at every run.
 */
const SIGN: Readonly<Record<number, number>> = {
  [LOG_TYPE.topUp]: 0,
  [LOG_TYPE.management]: 0,
  [LOG_TYPE.system]: 0,
  [LOG_TYPE.error]: 0,
  [LOG_TYPE.refund]: -1,
};

/** The types of the entries that a request settles. */
const SETTLED: readonly number[] = [LOG_TYPE.consumption, LOG_TYPE.refund];

const factor = z.lazy(() => z.number().optional().catch(undefined));
const name = z.lazy(() => z.string().min(1).optional().catch(undefined));

/** Billing metadata. Contract: “Keys inside `other`”. */
const Metadata = z.lazy(() =>
  z
    .looseObject({
      request_path: name,
      task_id: name,
      model_price: factor,
      model_ratio: factor,
      completion_ratio: factor,
      cache_ratio: factor,
      group_ratio: factor,
      user_group_ratio: factor,
    })
    .catch({}),
);

type Factor = Exclude<keyof Billing, 'group'>;

const FACTORS = {
  modelPrice: 'model_price',
  modelRatio: 'model_ratio',
  completionRatio: 'completion_ratio',
  cacheRatio: 'cache_ratio',
  groupRatio: 'group_ratio',
  userGroupRatio: 'user_group_ratio',
} as const satisfies Record<Factor, string>;

/** Parses billing metadata, which is JSON in a text; unreadable metadata counts as empty. */
function metadataOf({ other, group }: LogEntry): Pick<UsageEntry, 'path' | 'taskId' | 'billing'> {
  let metadata: z.infer<typeof Metadata>;
  try {
    metadata = Metadata.parse(parseShallowJson(other ?? ''));
  } catch {
    return {};
  }
  const { request_path: path, task_id: taskId } = metadata;
  const factors = Object.entries(FACTORS).flatMap(([field, key]) =>
    metadata[key] === undefined ? [] : [[field, metadata[key]]],
  );
  return {
    ...(path === undefined ? {} : { path }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(factors.length === 0 ? {} : { billing: { ...Object.fromEntries(factors), ...(group ? { group } : {}) } }),
  };
}

/** Converts a log entry for budgets: consumption counts, a refund counts against it. */
export function usageFromWire(entry: LogEntry): UsageEntry {
  return {
    identity: identityOf(entry),
    at: entry.created_at,
    keyId: entry.token_id && entry.token_id > 0 ? keyId(entry.token_id) : undefined,
    keyName: entry.token_name ?? '',
    ...(entry.model_name ? { model: entry.model_name } : {}),
    ...(entry.request_id ? { requestId: entry.request_id } : {}),
    ...metadataOf(entry),
    ...(entry.ip ? { ip: entry.ip } : {}),
    ...(entry.is_stream === undefined ? {} : { streamed: entry.is_stream }),
    ...(entry.prompt_tokens === undefined ? {} : { promptTokens: entry.prompt_tokens }),
    ...(entry.completion_tokens === undefined ? {} : { completionTokens: entry.completion_tokens }),
    spent: quota((SIGN[entry.type] ?? 1) * Math.abs(entry.quota ?? 0)),
    ...(SETTLED.includes(entry.type) ? {} : { isOther: true }),
  };
}

type LogWord = keyof typeof LOG_TYPE;

const isLogWord = (word: string): word is LogWord => word in LOG_TYPE;

/** The names of the record types, by their numbers. */
const LOG_WORDS = new Map<number, LogWord>(
  Object.keys(LOG_TYPE)
    .filter(isLogWord)
    .map((word) => [LOG_TYPE[word], word]),
);

/** An entry of the usage log as people read it. Members that the gateway does not report are absent. */
export interface LogRecord extends UsageEntry {
  /** The number of the type, if Keyplane does not know it. */
  readonly type: LogWord | number;
  /** The group that served the request. */
  readonly group?: string;
  /** The duration of the request, in seconds. */
  readonly seconds?: number;
  /** Notes, or the message of an error; text of the gateway or of its upstream. */
  readonly note?: string;
}

export function logRecordFromWire(entry: LogEntry): LogRecord {
  const { type, group, use_time: seconds, content: note } = entry;
  return {
    ...usageFromWire(entry),
    type: LOG_WORDS.get(type) ?? type,
    ...(group ? { group } : {}),
    ...(seconds === undefined ? {} : { seconds }),
    ...(note ? { note } : {}),
  };
}
