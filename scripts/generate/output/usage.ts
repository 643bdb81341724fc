import * as z from 'zod';
import { amount, instant, keyId, quota, sum } from './values.ts';

const count = z.int().min(0);

const sums = {
  requests: count,
  promptTokens: z.string(),
  completionTokens: z.string(),
  cost: sum,
  days: z.array(z.string()).describe('Quota units of each day, the oldest first.'),
};

const keyUsage = z
  .object({
    name: z.string(),
    id: keyId.nullable(),
    exists: z.boolean(),
    managed: z.boolean(),
    owner: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    ...sums,
    used: sum.nullable(),
    granted: sum.nullable(),
    remaining: z.union([sum, z.literal('unlimited'), z.null()]),
    window: z.string().nullable(),
    refillsAt: instant.nullable(),
    perDay: sum,
    exhaustsAt: instant.nullable(),
    lastUsed: instant.nullable(),
    log: z.string().describe('Whether the log has every request of the key.'),
  })
  .meta({ id: 'KeyUsage' });

const usage = z.object({
  since: instant,
  by: z.string(),
  keys: z.array(keyUsage),
  groups: z.array(z.object({ name: z.string().nullable(), ...sums })).nullable(),
  wallet: z.object({ balance: sum.nullable(), perDay: sum, exhaustsAt: instant.nullable() }),
  log: z.object({ entries: count, readSince: instant, isCut: z.boolean() }),
  findings: z.array(
    z.object({
      kind: z.enum(['share', 'exhausted', 'projected']),
      name: z.string().optional().describe('Absent: the wallet.'),
      id: keyId.optional(),
      text: z.string(),
    }),
  ),
  remarks: z.array(z.string()),
});

const logEntry = z
  .object({
    at: instant,
    type: z.union([z.string(), z.int()]).describe('The number of the type, if Keyplane does not know it.'),
    key: z.object({ id: keyId.nullable(), name: z.string() }),
    model: z.string().nullable(),
    group: z.string().nullable(),
    cost: amount,
    promptTokens: quota.nullable().describe('Tokens.'),
    completionTokens: quota.nullable().describe('Tokens.'),
    seconds: z.number().nullable(),
    streamed: z.boolean().nullable(),
    path: z.string().nullable(),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    taskId: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'LogEntry' });

export const USAGE_KINDS = {
  usage,
  'usage-log': z.object({ entries: z.array(logEntry), isComplete: z.boolean() }),
} as const;
