import { KeySettingsBody, READ_ONLY_FIELDS } from '../../wire/index.ts';
import type { StoredKey } from '../ledger/keys.ts';

/** The mutable settings of a key, extra fields apart. */
export type Settings = Pick<
  StoredKey,
  | 'name'
  | 'expired_time'
  | 'remain_quota'
  | 'unlimited_quota'
  | 'model_limits_enabled'
  | 'model_limits'
  | 'allow_ips'
  | 'group'
  | 'cross_group_retry'
  | 'smart_routing'
  | 'smart_route_tiers'
>;

/** What a setting becomes when a full update leaves it out. `expired_time` 0 lies in the past: such a key dies. */
export const ZERO_VALUES: Settings = {
  name: '',
  expired_time: 0,
  remain_quota: 0,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: null,
  group: '',
  cross_group_retry: false,
  smart_routing: false,
  smart_route_tiers: '',
};

const SETTINGS = Object.keys(ZERO_VALUES) as (keyof Settings)[];

const GivenSettings = KeySettingsBody.partial();

/**
 * Reads the settings in a body; undefined if one has the wrong type, or contains a NUL, at which the ledger would cut it
 * off.
 */
export function tryReadSettings(body: unknown): Partial<Settings> | undefined {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return undefined;
  // Null means the zero value, as in every gateway of this family.
  const present = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const read = GivenSettings.safeParse(present);
  if (!read.success) return undefined;
  const { data } = read;
  if (SETTINGS.some((field) => String(data[field]).includes('\0'))) return undefined;
  return Object.fromEntries(SETTINGS.filter((field) => field in data).map((field) => [field, data[field]]));
}

/** The gateway's extra fields: from the body, otherwise with the value for an omitted field. */
export function extraFrom(body: unknown, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...known, ...Object.fromEntries(Object.entries(body as object).filter(([field]) => field in known)) };
}

const CONTRACT_FIELDS: ReadonlySet<string> = new Set([...SETTINGS, ...READ_ONLY_FIELDS, 'id']);

/** The fields of a record that are neither in the contract nor maintained by the gateway. */
export const unknownFields = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !CONTRACT_FIELDS.has(field)));
