import type { ProfileName } from '../../../../src/reference/index.ts';

/** Values of each attribute of a key: two that differ, and what the gateway stores for each. */

export type Stored = Readonly<Record<string, unknown>>;

/** One of the values of an attribute; `initial` is that of a new key whose configuration omits it. */
export type Which = 'first' | 'second' | 'initial';

/** An attribute that people set, as HCL and in the fields of the stored key. */
export interface SetValues {
  readonly first: string;
  readonly second: string;
  /** The first value as an import reads it, where that is another form. */
  readonly imported?: string;
  /** The fields that somebody stores at the gateway; omitted: those of the second value. */
  readonly edited?: Stored;
  /** The fields of the stored key; for an attribute that the gateway does not have, those of the state. */
  readonly stored: Readonly<Record<Which, Stored>>;
}

const FLAG = { first: 'true', second: 'false' } as const;

/** By attribute; a new attribute needs a row. The first value differs from that of a new key. */
const SET: Readonly<Record<string, (label: string) => SetValues>> = {
  name: (label) => ({
    first: `"${label}"`,
    second: `"${label}-2"`,
    stored: { first: { name: label }, second: { name: `${label}-2` }, initial: {} },
  }),
  enabled: () => ({
    first: 'false',
    second: 'true',
    stored: { first: { status: 2 }, second: { status: 1 }, initial: { status: 1 } },
  }),
  group: () => ({
    first: '"vip"',
    second: '"default"',
    stored: { first: { group: 'vip' }, second: { group: 'default' }, initial: { group: '' } },
  }),
  cross_group_retry: () => ({
    ...FLAG,
    stored: {
      first: { cross_group_retry: true },
      second: { cross_group_retry: false },
      initial: { cross_group_retry: false },
    },
  }),
  models: () => ({
    first: '["alpha-chat-1"]',
    second: '["text-embedding-3-small"]',
    stored: {
      first: { model_limits_enabled: true, model_limits: 'alpha-chat-1' },
      second: { model_limits_enabled: true, model_limits: 'text-embedding-3-small' },
      initial: { model_limits_enabled: false, model_limits: '' },
    },
  }),
  allow_ips: () => ({
    first: '["10.0.0.0/8"]',
    second: '["192.0.2.0/24"]',
    stored: { first: { allow_ips: '10.0.0.0/8' }, second: { allow_ips: '192.0.2.0/24' }, initial: { allow_ips: '' } },
  }),
  expires_at: () => ({
    first: '"2033-01-22T09:46:40Z"',
    second: '"2036-03-24T23:33:20Z"',
    stored: {
      first: { expired_time: 1_990_000_000 },
      second: { expired_time: 2_090_014_400 },
      initial: { expired_time: -1 },
    },
  }),
  budget: () => ({
    first: '{ usd = 50, per = "lifetime" }',
    // Raising a budget takes proof of its use, which some gateways do not report.
    second: '{ usd = 25, per = "lifetime" }',
    imported: '{ usd = 50, initial = true }',
    edited: { remain_quota: 50_000_000 },
    stored: {
      first: { unlimited_quota: false, remain_quota: 25_000_000 },
      second: { unlimited_quota: false, remain_quota: 12_500_000 },
      initial: { unlimited_quota: false, remain_quota: 0 },
    },
  }),
  smart_routing_tiers: () => ({
    first: 'jsonencode({ a = [1] })',
    second: 'jsonencode({ a = [2] })',
    stored: {
      first: { smart_routing: true, smart_route_tiers: '{"a":[1]}' },
      second: { smart_routing: true, smart_route_tiers: '{"a":[2]}' },
      initial: { smart_routing: false, smart_route_tiers: '' },
    },
  }),
  name_prefix: (label) => ({
    // A key that is imported by the name begins with it.
    first: `"${label}"`,
    second: `"${label}-b-"`,
    stored: {
      first: { name_prefix: label },
      second: { name_prefix: `${label}-b-` },
      initial: { name_prefix: null },
    },
  }),
  rotate_when_changed: () => ({
    first: '{ a = "1" }',
    second: '{ a = "2" }',
    stored: {
      first: { rotate_when_changed: { a: '1' } },
      second: { rotate_when_changed: { a: '2' } },
      initial: { rotate_when_changed: null },
    },
  }),
  on_destroy: () => ({
    first: '"delete"',
    second: '"abandon"',
    stored: {
      first: { on_destroy: 'delete' },
      second: { on_destroy: 'abandon' },
      initial: { on_destroy: null },
    },
  }),
  rotation: () => ({
    first: '{ every = "90d", overlap = "7d" }',
    second: '{ every = "60d", overlap = "7d" }',
    stored: {
      first: { rotation: { every: '90d', overlap: '7d', quiet: null } },
      second: { rotation: { every: '60d', overlap: '7d', quiet: null } },
      initial: { rotation: null },
    },
  }),
  timeouts: () => ({
    first: '{ create = "10m" }',
    second: '{ create = "20m" }',
    stored: {
      first: { timeouts: { create: '10m', delete: null, read: null, update: null } },
      second: { timeouts: { create: '20m', delete: null, read: null, update: null } },
      initial: { timeouts: null },
    },
  }),
};

/** A change behind the back of Terraform: an edit of the stored key, or use of the key. */
export type Edit = { readonly fields: Stored } | { readonly spent: number };

/** An attribute that the provider reads. */
export interface ReadValue {
  /** A value as HCL, which is rejected. */
  readonly written: string;
  /** The value in the state that a stored key requires. */
  read(stored: Stored, profile: ProfileName): unknown;
  /** Gateways that do not report it: the state has null. */
  readonly unreportedBy?: ProfileName;
  /** Omitted where nothing can change it. */
  readonly edit?: Edit;
}

const STATUSES: Readonly<Record<string, string>> = { 1: 'enabled', 2: 'disabled', 3: 'expired', 4: 'exhausted' };
const status: ReadValue = {
  written: '"disabled"',
  read: ({ status }) => STATUSES[String(status)],
  edit: { fields: { status: 2 } },
};

const MASK = '*'.repeat(10);

const READ: Readonly<Record<string, ReadValue>> = {
  id: { written: '999', read: ({ id }) => id },
  status,
  stored_status: status,
  remaining_quota: { written: '5', read: ({ remain_quota: remain }) => remain, edit: { spent: 200_000 } },
  used_quota: {
    written: '5',
    read: ({ used_quota: used }) => used,
    unreportedBy: 'contract',
    edit: { spent: 200_000 },
  },
  masked_key: {
    written: '"abcd"',
    read: ({ key }, profile) =>
      profile === 'contract' ? MASK : `${String(key).slice(0, 4)}${MASK}${String(key).slice(-4)}`,
  },
  old_generations: { written: '["one"]', read: () => null },
  created_at: {
    written: '"2020-01-01T00:00:00Z"',
    read: ({ created_time: at }) => new Date(Number(at) * 1000).toISOString().replace('.000', ''),
    unreportedBy: 'contract',
  },
};

function valuesIn<T>(table: Readonly<Record<string, T>>, attribute: string): T {
  const found = table[attribute];
  if (found === undefined) throw new Error(`no values of ${attribute}`);
  return found;
}

export const setValues = (attribute: string, label: string): SetValues => valuesIn(SET, attribute)(label);
export const readValue = (attribute: string): ReadValue => valuesIn(READ, attribute);
