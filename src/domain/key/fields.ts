/**
 * The field table: one row for each field of a key that people declare. Every border — manifest, saved plan, wire,
 * Terraform, constructs, reports, reference gateway — iterates over these rows with one codec for each kind.
 *
 * To add a field, add a row here. What a plain row declares is stored in one setting of the same name and kind.
 */

import type { DeclaredKind, SettingKind } from '../kinds/kind.ts';

/** The place of a setting in a gateway's record. */
export interface WirePlace {
  readonly at: string;
  /** A separate flag that enables the list; the gateway ignores the list while it is disabled. */
  readonly switch?: string;
  /** Sets only: the separator of the stored text. */
  readonly separator?: string;
  /** Sets only: does the gateway ignore white space and commas around an item? */
  readonly trims?: boolean;
  /** Instants only: the number that stands for no end. */
  readonly never?: number;
}

/** One setting of a key: a value that a full update writes. */
export interface SettingRow {
  readonly kind: SettingKind;
  readonly wire: WirePlace;
  /** The name in reports. */
  readonly label: string;
  /** The value that a new key gets when nothing is declared. */
  readonly initial: unknown;
  /** The text in reports for the value that restricts nothing. */
  readonly unrestricted?: string;
  /** Some gateways do not have it, and a key without it can do no more than a key with it. */
  readonly isOptional?: true;
  /** Gateways whose keys have groups of their own for the group `auto` keep it only in that group. */
  readonly isOfAuto?: true;
}

/** The group that stands for several groups. */
export const AUTO_GROUP = 'auto';

interface CommonRow {
  readonly kind: DeclaredKind;
  /** The name of the Terraform attribute. The manifest and the constructs use the name of the row. */
  readonly terraform: string;
  readonly label: string;
  /** Documentation, Markdown. */
  readonly doc: string;
  /** The valid values; for texts and the items of text sets. */
  readonly pattern?: RegExp;
  /** The name of one value, or one item of a set, in messages: `model ID`. */
  readonly noun?: string;
  /** A description of the accepted values. */
  readonly accepts?: string;
  /** The word with which people lift a restriction; `null` inside. */
  readonly unrestricted?: string;
  /** The reason why an empty set is invalid. */
  readonly whenEmpty?: string;
}

/** A row whose value is one setting, several settings, or the status of the key. */
export type FieldRow = CommonRow &
  (
    | Pick<SettingRow, 'wire' | 'initial' | 'isOptional' | 'isOfAuto'>
    | { readonly settings: Readonly<Record<string, SettingRow>> }
    | { readonly isStatus: true }
  );

/** A model ID as the gateway can store it: it splits the list on commas and does not trim. */
export const MODEL_ID = /^(?!\s)[^,\p{Cc}\p{Cs}\u2028\u2029]+(?<!\s)$/u;

/** Empty for the group of the account. */
const GROUP_NAME = /^$|^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]+(?<!\s)$/u;

/** Names are those of the manifest; the order is that of the manifest, reports and edits. */
export const KEY_FIELDS = {
  enabled: {
    kind: 'flag',
    isStatus: true,
    terraform: 'enabled',
    label: 'enabled',
    doc: 'Set to false to disable the key. A new key is enabled unless this is false.',
  },
  group: {
    kind: 'text',
    terraform: 'group',
    wire: { at: 'group' },
    label: 'group',
    initial: '',
    pattern: GROUP_NAME,
    noun: 'group',
    accepts: 'the name of one of the account’s groups, or an empty string for the account’s own',
    doc: 'One of the account’s groups; an empty string for the account’s own.',
  },
  crossGroupRetry: {
    kind: 'flag',
    terraform: 'cross_group_retry',
    wire: { at: 'cross_group_retry' },
    label: 'cross-group retry',
    initial: false,
    isOptional: true,
    isOfAuto: true,
    doc: 'Retry failed requests in other groups. Only applies to automatic groups.',
  },
  models: {
    kind: 'textSet',
    terraform: 'models',
    wire: { at: 'model_limits', switch: 'model_limits_enabled', separator: ',' },
    label: 'models',
    initial: null,
    pattern: MODEL_ID,
    noun: 'model ID',
    accepts: 'a model ID without commas, control characters or surrounding spaces',
    unrestricted: 'any',
    whenEmpty: 'the gateway rejects every request of a key without models',
    doc: 'Model IDs that the key may use, or any. Omitted: not managed.',
  },
  allowIps: {
    kind: 'ipSet',
    terraform: 'allow_ips',
    wire: { at: 'allow_ips', separator: '\n', trims: true },
    label: 'allowed IPs',
    initial: null,
    noun: 'address',
    accepts: 'an IP address or a canonical CIDR range',
    unrestricted: 'anywhere',
    whenEmpty: 'the gateway treats an empty list as no restriction',
    doc: 'Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed.',
  },
  expires: {
    kind: 'instant',
    terraform: 'expires_at',
    wire: { at: 'expired_time', never: -1 },
    label: 'expires',
    initial: null,
    noun: 'expiry',
    accepts: 'a time with its offset, such as `2027-03-31T00:00:00Z`',
    unrestricted: 'never',
    doc: 'Time of expiry with its offset, or never. Omitted: not managed.',
  },
  budget: {
    kind: 'budget',
    terraform: 'budget',
    label: 'budget',
    settings: {
      unlimited: { kind: 'flag', wire: { at: 'unlimited_quota' }, label: 'remaining', initial: false },
      remain: { kind: 'quota', wire: { at: 'remain_quota' }, label: 'remaining', initial: 0 },
    },
    doc: 'The amount that the key can spend.',
  },
  smartRouting: {
    kind: 'json',
    terraform: 'smart_routing_tiers',
    label: 'smart routing',
    settings: {
      smartRouting: {
        kind: 'flag',
        wire: { at: 'smart_routing' },
        label: 'smart routing',
        initial: false,
        isOptional: true,
      },
      smartRouteTiers: {
        kind: 'json',
        wire: { at: 'smart_route_tiers' },
        label: 'routing tiers',
        initial: '',
        isOptional: true,
      },
    },
    doc: 'The Smart Routing tiers: opaque JSON, stored as is, or nothing for Smart Routing without tiers.',
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

export type FieldTable = typeof KEY_FIELDS;
export type FieldName = keyof FieldTable;

/** The rows in order, by name. */
export const FIELD_ROWS: readonly (readonly [FieldName, FieldRow])[] = Object.entries(KEY_FIELDS) as never;

/** The name of a key is its identity in a manifest, and a setting like the others at the gateway. */
const NAME = { kind: 'text', wire: { at: 'name' }, label: 'name', initial: '' } as const satisfies SettingRow;

type PlainTable = {
  readonly [F in FieldName as FieldTable[F] extends { readonly initial: unknown } ? F : never]: FieldTable[F];
};
type CompositeTable = {
  readonly [F in FieldName as FieldTable[F] extends { readonly settings: unknown } ? F : never]: FieldTable[F] extends {
    readonly settings: infer S;
  }
    ? S
    : never;
};
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer I) => void ? I : never;

/** Every setting of a key, in the order in which edits list them. */
export type SettingTable = { readonly name: typeof NAME } & PlainTable &
  Intersection<CompositeTable[keyof CompositeTable]>;
export type SettingName = keyof SettingTable;

const settingsOfRow = ([name, row]: readonly [string, FieldRow]): readonly (readonly [string, SettingRow])[] => {
  if ('settings' in row) return Object.entries(row.settings);
  return 'wire' in row && row.kind !== 'budget' ? [[name, { ...row, kind: row.kind }]] : [];
};

export const SETTINGS: Readonly<Record<SettingName, SettingRow>> = Object.fromEntries([
  ['name', NAME],
  ...FIELD_ROWS.flatMap(settingsOfRow),
]) as never;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The parts of a budget, with what each means. */
export const BUDGET_FIELDS = {
  usd: 'Amount in US dollars, exact to the last digit.',
  quota: 'Amount in internal quota units of the gateway.',
  per: 'Allowance for each time window, in UTC: hour, day, week, month, or a number of days such as 7d. A budget that is never refilled: lifetime.',
  below: 'Top up to the budget when less than this remains.',
  initial: 'Set the budget only when the key is created.',
} as const;

/** The Terraform attribute of each field. */
export const TERRAFORM_NAMES = Object.fromEntries(FIELD_ROWS.map(([field, row]) => [field, row.terraform])) as {
  readonly [F in FieldName]: FieldTable[F]['terraform'];
};
