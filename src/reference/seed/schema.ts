import { z } from 'zod';
import { FAMILIES, type FamilyId, KEY_STATUS, NEVER_EXPIRES } from '../../wire/index.ts';

const Rate = z.strictObject({ requests: z.int().positive(), seconds: z.number().positive() });

const Group = z.strictObject({
  ratio: z.union([z.number(), z.string()]).default(1),
  desc: z.string().default(''),
});

const Model = z.strictObject({
  ratio: z.number().nonnegative().default(1),
  completionRatio: z.number().nonnegative().default(1),
  cacheRatio: z.number().nonnegative().default(1),
  /** Dollars for an image, a task or any other request, instead of a price by tokens. */
  price: z.number().nonnegative().optional(),
  /** False: the model is listed, and refused for want of a price. */
  priced: z.boolean().default(true),
  /** For models whose name does not tell what kind of request they take. */
  family: z.enum(FAMILIES.map(({ id }) => id) as [FamilyId, ...FamilyId[]]).optional(),
  /** Every request or task of the model fails so. */
  fails: z
    .strictObject({
      status: z.int().min(400).max(599).default(500),
      code: z.int().default(1000),
      message: z.string().min(1).default('the upstream failed as asked'),
    })
    .optional(),
  /** Video: seconds that a task waits and runs, and how many run at once. */
  task: z
    .strictObject({
      queueSeconds: z.int().nonnegative().default(1),
      runSeconds: z.int().nonnegative().default(4),
      slots: z.int().positive().optional(),
    })
    .prefault({}),
});

const Upstream = z.strictObject({
  /** With its `/v1`: requests go to `{baseUrl}/chat/completions`. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** The environment variable that holds its key. */
  keyEnv: z
    .string()
    .regex(/^[A-Z_][A-Z0-9_]*$/, 'must be the name of an environment variable')
    .optional(),
  models: z.array(z.string().min(1)).min(1),
});

const Account = z.strictObject({
  userId: z.int().positive(),
  username: z.string().min(1).optional(),
  /** Absent: generated. */
  accessToken: z.string().regex(/^\S+$/, 'must not have white space').optional(),
  group: z.string().min(1).default('default'),
  /** The wallet, in quota units. */
  quota: z.int().default(0),
  /** Absent: all of the gateway. */
  groups: z.array(z.string().min(1)).optional(),
  models: z.array(z.string().min(1)).optional(),
});

/** A record of the contract. Every field may be left out but the name; any further field is kept as it is. */
const Key = z.looseObject({
  id: z.int().positive().optional(),
  /** Absent: the first account. */
  user_id: z.int().positive().optional(),
  name: z.string(),
  /** With or without `sk-`. Absent: generated. */
  key: z.string().min(1).optional(),
  status: z.int().min(1).max(4).default(KEY_STATUS.enabled),
  expired_time: z.int().default(NEVER_EXPIRES),
  remain_quota: z.int().default(0),
  used_quota: z.int().nonnegative().default(0),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: z.string().default(''),
  allow_ips: z.string().nullable().default(''),
  group: z.string().default(''),
  cross_group_retry: z.boolean().default(false),
  smart_routing: z.boolean().default(false),
  smart_route_tiers: z.string().default(''),
  created_time: z.int().optional(),
  accessed_time: z.int().optional(),
});

const Limits = z.strictObject({
  api: Rate.nullable().optional(),
  search: Rate.nullable().optional(),
  reveal: Rate.nullable().optional(),
  keysPerUser: z.int().nonnegative().nullable().optional(),
});

const byName = <Value extends z.ZodType>(value: Value) => z.record(z.string().min(1), value);

/** What an empty ledger begins with. Source: `docs/reference-gateway.md`, “Seed file”. */
export const Seed = z.strictObject({
  quotaPerUnit: z.number().positive().default(500_000),
  accounts: z.array(Account).min(1, 'there must be at least one account'),
  groups: byName(Group).default({ default: { ratio: 1, desc: '' }, vip: { ratio: 1, desc: '' } }),
  models: byName(Model).default({}),
  upstreams: z.array(Upstream).default([]),
  keys: z.array(Key).default([]),
  limits: Limits.default({}),
});

/** As it is written: what has a default may be left out. */
export type Seed = z.input<typeof Seed>;
/** As it is read: every default filled in. */
export type FullSeed = z.output<typeof Seed>;
export type SeedKey = FullSeed['keys'][number];
