import * as z from 'zod';
import { FAMILIES, type FamilyId, KEY_STATUS, KeySettingsBody } from '../../wire/index.ts';
import { mapSettings, type StoredSettings, UNEXPIRING_ZERO_VALUES } from '../keys/settings.ts';
import { OverloadedPart } from '../server/load.ts';

const Rate = z.strictObject({ requests: z.int().positive(), seconds: z.number().positive() });

const Group = z.strictObject({
  ratio: z.union([z.number(), z.string()]).default(1),
  desc: z.string().default(''),
});

const Model = z.strictObject({
  ratio: z.number().nonnegative().default(1),
  completionRatio: z.number().nonnegative().default(1),
  cacheRatio: z.number().nonnegative().default(1),
  /** The price in dollars of an image, a task or any other request, instead of a price by tokens. */
  price: z.number().nonnegative().optional(),
  /** False for a model that is listed, but refused because it has no price. */
  priced: z.boolean().default(true),
  /** For models whose name does not imply the kind of request that they accept. */
  family: z.enum(FAMILIES.map(({ id }) => id) as [FamilyId, ...FamilyId[]]).optional(),
  /** The failure of every request or task of the model. */
  fails: z
    .strictObject({
      status: z.int().min(400).max(599).default(500),
      code: z.int().default(1000),
      message: z.string().min(1).default('the upstream failed as asked'),
    })
    .optional(),
  /** Video: the seconds that a task waits and runs, and the number of concurrent tasks. */
  task: z
    .strictObject({
      queueSeconds: z.int().nonnegative().default(1),
      runSeconds: z.int().nonnegative().default(4),
      slots: z.int().positive().optional(),
    })
    .prefault({}),
});

const Upstream = z.strictObject({
  /** Includes `/v1`: requests go to `{baseUrl}/chat/completions`. */
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
  /** Default: generated. */
  accessToken: z.string().regex(/^\S+$/, 'must not have white space').optional(),
  group: z.string().min(1).default('default'),
  /** The wallet, in quota units. */
  quota: z.int().default(0),
  /** True: an administrator has disabled the user, and with it all of its keys. */
  banned: z.boolean().default(false),
  /** Default: all of the gateway's. */
  groups: z.array(z.string().min(1)).optional(),
  models: z.array(z.string().min(1)).optional(),
});

const SETTING_DEFAULTS: StoredSettings = { ...UNEXPIRING_ZERO_VALUES, allow_ips: '' };

/** The fields of a key's settings, all of them optional. */
const SettingShape = mapSettings((field) =>
  z._default(KeySettingsBody.shape[field] as z.ZodType, SETTING_DEFAULTS[field]),
) as { [F in keyof StoredSettings]: z.ZodDefault<z.ZodType<StoredSettings[F], StoredSettings[F]>> };

/** A record of the contract. Only the name is required; fields beyond the contract are stored unchanged. */
const Key = z.looseObject({
  ...SettingShape,
  name: z.string(),
  id: z.int().positive().optional(),
  /** Default: the first account. */
  user_id: z.int().positive().optional(),
  /** With or without `sk-`. Default: generated. */
  key: z.string().min(1).optional(),
  status: z.int().min(1).max(4).default(KEY_STATUS.enabled),
  used_quota: z.int().nonnegative().default(0),
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

/** The contents of an empty ledger. Source: `docs/reference-gateway.md`, “Seed file”. */
export const Seed = z.strictObject({
  quotaPerUnit: z.number().positive().default(500_000),
  accounts: z.array(Account).min(1, 'there must be at least one account'),
  groups: byName(Group).default({ default: { ratio: 1, desc: '' }, vip: { ratio: 1, desc: '' } }),
  models: byName(Model).default({}),
  upstreams: z.array(Upstream).default([]),
  keys: z.array(Key).default([]),
  limits: Limits.default({}),
  /** False: what keys spend is not logged, as administrators of real gateways can set it. */
  logConsumption: z.boolean().default(true),
  /** The part of the machine that is too busy for uses of keys. */
  overloaded: OverloadedPart.nullable().default(null),
});

/** A seed as people write it: fields with a default may be omitted. */
export type Seed = z.input<typeof Seed>;
/** A seed with every default filled in. */
export type FullSeed = z.output<typeof Seed>;
export type SeedKey = FullSeed['keys'][number];
