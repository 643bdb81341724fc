import * as z from 'zod';
import type { SettingKind } from '../../domain/index.ts';
import { KeySettingsBody, NEVER_EXPIRES, READ_ONLY_FIELDS, SETTING_FIELDS } from '../../wire/index.ts';
import { type ExactSettingFields, Int64 } from '../int64.ts';

/** The mutable settings of a key, apart from extra fields. */
export type StoredSettings = ExactSettingFields;

const FIELDS = Object.keys(SETTING_FIELDS) as readonly (keyof StoredSettings)[];

/** Builds an object with one property for each field. */
export const mapSettings = (
  value: (field: keyof StoredSettings) => unknown,
): { [F in keyof StoredSettings]: unknown } =>
  Object.fromEntries(FIELDS.map((field) => [field, value(field)])) as { [F in keyof StoredSettings]: unknown };

const ZEROS: { readonly [K in SettingKind]: string | number | boolean | null } = {
  flag: false,
  text: '',
  json: '',
  textSet: '',
  ipSet: null,
  instant: 0,
  quota: 0,
};

/** The settings that a full update stores for omitted fields. Expiry 0 is in the past, so such a key expires. */
export const ZERO_VALUES = mapSettings((field) => ZEROS[SETTING_FIELDS[field]]) as StoredSettings;

/** The zero values, but without an expiry. */
export const UNEXPIRING_ZERO_VALUES: StoredSettings = { ...ZERO_VALUES, expired_time: NEVER_EXPIRES };

/** Picks the settings from a record that has all of them. */
export const settingsIn = (record: StoredSettings): StoredSettings =>
  mapSettings((field) => record[field]) as StoredSettings;

/** An integer of the ledger: the rules of a profile narrow it. A body that was not read exactly has it rounded. */
const Quota = z.union([Int64, z.number().refine((units) => Number.isInteger(units) && Math.abs(units) < 2 ** 63)]);

/** The mutable settings in a body, each of them optional. */
export const GivenSettings = KeySettingsBody.partial().extend({
  remain_quota: Quota.optional(),
  expired_time: Int64.optional(),
});

/** Fields that a gateway reads although it keeps its own values. */
const ReadOnly = z.object({
  id: Int64.optional(),
  user_id: Int64.optional(),
  status: Int64.optional(),
  key: z.string().optional(),
  created_time: Int64.optional(),
  accessed_time: Int64.optional(),
  used_quota: Int64.optional(),
});

/** Does a text among the settings contain a NUL? */
export const holdsNul = (settings: Partial<StoredSettings>): boolean =>
  Object.values(settings).some((value) => String(value).includes('\0'));

/** Reads the settings in a body; undefined if one has the wrong type. */
export function tryReadSettings(body: unknown): Partial<StoredSettings> | undefined {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return undefined;
  // Null means the zero value, as in every gateway of this family.
  const present = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const { data } = GivenSettings.safeParse(present);
  if (data === undefined || !ReadOnly.safeParse(present).success) return undefined;
  return Object.fromEntries(FIELDS.filter((field) => field in data).map((field) => [field, data[field]]));
}

/** The gateway's extra fields: from the body, otherwise with the value for an omitted field. */
export function extraFrom(body: unknown, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...known, ...Object.fromEntries(Object.entries(body as object).filter(([field]) => field in known)) };
}

const CONTRACT_FIELDS: ReadonlySet<string> = new Set([...FIELDS, ...READ_ONLY_FIELDS, 'id']);

/** The fields of a record that are neither in the contract nor maintained by the gateway. */
export const unknownFields = (record: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !CONTRACT_FIELDS.has(field)));
