import * as z from 'zod';
import { keyId, quota, type UsageEntry } from '../../domain/index.ts';

/** Record types, which the contract leaves open; deployments have these. */
export const LOG_TYPE = { topUp: 1, consumption: 2, management: 3, system: 4, error: 5, refund: 6 } as const;

const text = z.string().optional().catch(undefined);
const whole = z.int().optional().catch(undefined);

/**
 * One entry of the usage log. Strict in what identifies and counts it, forgiving in the rest: an odd value in a field
 * that is only shown must not hide the log. Contract: “Usage log entry”.
 */
export const LogEntry = z.looseObject({
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
});
export type LogEntry = z.infer<typeof LogEntry>;

/** `data` of `/api/log/self/stat`. On deployed gateways, `rpm` and `tpm` are the use of the last 60 seconds. */
export const UsageStatistics = z.looseObject({
  quota: z.int(),
  rpm: z.int().optional().catch(undefined),
  tpm: z.int().optional().catch(undefined),
});
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

/** Parses billing metadata, which is JSON in a text; unreadable metadata counts as empty. */
function metadataOf({ other }: LogEntry): { path?: string; taskId?: string } {
  try {
    const { request_path: path, task_id: taskId } = JSON.parse(other ?? '') as Readonly<Record<string, unknown>>;
    return {
      ...(typeof path === 'string' && path !== '' ? { path } : {}),
      ...(typeof taskId === 'string' && taskId !== '' ? { taskId } : {}),
    };
  } catch {
    return {};
  }
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
    ...(entry.is_stream === undefined ? {} : { streamed: entry.is_stream }),
    ...(entry.prompt_tokens === undefined ? {} : { promptTokens: entry.prompt_tokens }),
    ...(entry.completion_tokens === undefined ? {} : { completionTokens: entry.completion_tokens }),
    spent: quota((SIGN[entry.type] ?? 1) * Math.abs(entry.quota ?? 0)),
  };
}
