import { z } from 'zod';
import { keyId, quota, type UsageEntry } from '../domain/index.ts';

/** Record types, which the contract leaves open; deployments have these. */
export const LOG_TYPE = { topUp: 1, consumption: 2, management: 3, system: 4, error: 5, refund: 6 } as const;

/** One entry of the usage log. Only what identifies and counts it is required. Contract: “Usage log entry”. */
export const LogEntry = z.looseObject({
  id: z.int().optional().catch(undefined),
  user_id: z.int().optional().catch(undefined),
  created_at: z.int(),
  type: z.int(),
  content: z.string().nullish(),
  username: z.string().nullish(),
  token_name: z.string().nullish(),
  model_name: z.string().nullish(),
  quota: z.int().nullish(),
  prompt_tokens: z.int().nullish(),
  completion_tokens: z.int().nullish(),
  use_time: z.number().nullish(),
  is_stream: z.boolean().nullish(),
  channel: z.int().nullish(),
  channel_name: z.string().nullish(),
  token_id: z.int().nullish(),
  group: z.string().nullish(),
  ip: z.string().nullish(),
  request_id: z.string().nullish(),
  other: z.string().nullish(),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** `data` of `/api/log/self/stat`. `rpm` and `tpm` are the use of the last 60 seconds where deployments tell. */
export const UsageStatistics = z.looseObject({
  quota: z.int(),
  rpm: z.int().optional().catch(undefined),
  tpm: z.int().optional().catch(undefined),
});
export type UsageStatistics = z.infer<typeof UsageStatistics>;

/** `items[].id` may be the ordinal in the listing, which moves: the request id tells entries apart, with time and type. */
function identityOf(entry: LogEntry): string {
  const request = entry.request_id || `#${entry.id ?? ''}`;
  return [request, entry.created_at, entry.type, entry.token_id ?? '', entry.quota ?? ''].join('|');
}

const SIGN: Readonly<Record<number, number>> = { [LOG_TYPE.consumption]: 1, [LOG_TYPE.refund]: -1 };

/** What a log entry means for budgets: consumption counts, a refund counts against it, the rest is 0. */
export function usageFromWire(entry: LogEntry): UsageEntry {
  return {
    identity: identityOf(entry),
    at: entry.created_at,
    keyId: entry.token_id && entry.token_id > 0 ? keyId(entry.token_id) : undefined,
    keyName: entry.token_name ?? '',
    spent: quota((SIGN[entry.type] ?? 0) * Math.abs(entry.quota ?? 0)),
  };
}
