import * as z from 'zod';
import {
  INITIAL_SETTINGS,
  type KeySettings,
  keyId,
  type ObservedKey,
  type OddValue,
  quota,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
  type SettingName,
  type SettingTable,
  type SettingValues,
  type StoredStatus,
  shortestIpRule,
  type WirePlace,
} from '../../domain/index.ts';
import { AnyInteger, nearestQuota, within } from './integer.ts';
import { AUTO_GROUPS, KEY_STATUS, KeyHead, OMITTED_FIELDS, shownCredential } from './key-record.ts';

/** `expired_time` of a key that never expires. Contract: “API key record”. */
export const NEVER_EXPIRES = -1;

type Wire<K extends SettingKind> = K extends 'flag'
  ? boolean
  : K extends 'instant' | 'quota'
    ? number
    : K extends 'ipSet'
      ? string | null
      : string;
type At<S extends SettingName> = SettingTable[S]['wire']['at'];
type SwitchOf<S extends SettingName> = SettingTable[S]['wire'] extends { readonly switch: infer W extends string }
  ? W
  : never;

/** The fields of a body or a record that hold settings. */
export type SettingFields = { [S in SettingName as At<S>]: Wire<SettingTable[S]['kind']> } & {
  [S in SettingName as SwitchOf<S>]: boolean;
};

/** The mutable settings of a key, all of them: what a create carries and a full update must never omit. */
export type KeySettingsBody = SettingFields & { [unknownField: string]: unknown };

interface Codec<V> {
  /** The form of the field in a body. */
  readonly schema: z.ZodType;
  /** The form of the field in a record, where a gateway may have stored what no body may contain. */
  readonly stored?: z.ZodType;
  /** @param stored the field; null when the record omits it @param isOn the switch, where there is one */
  readonly read: (stored: unknown, place: WirePlace, isOn: boolean) => V;
  readonly write: (value: V, place: WirePlace) => unknown;
}

function splitItems(text: unknown, { separator = ',', trims }: WirePlace): readonly string[] {
  const items = String(text ?? '').split(separator);
  // Without trimming, as the gateway does it: a blank is part of a model ID.
  return (trims ? items.map((item) => item.replace(/^[\s,]+|[\s,]+$/g, '')) : items).filter((item) => item !== '');
}

/** Without a switch, an empty list means no restriction; with one, it forbids everything. */
function readSet(stored: unknown, place: WirePlace, isOn: boolean): readonly string[] | null {
  const items = splitItems(stored, place);
  if (place.switch !== undefined) return isOn ? items : null;
  return items.length > 0 ? items : null;
}

const writeSet = (items: readonly string[] | null, { separator = ',' }: WirePlace): string =>
  items === null ? '' : items.join(separator);

const text = { schema: z.string(), read: (stored: unknown) => String(stored ?? ''), write: (value: string) => value };
const set = { schema: z.string(), read: readSet, write: writeSet };

/** The last second that a date of JavaScript holds. */
const LATEST = 8.64e12;

/** One codec for each kind of setting. What is special about one setting is in its row. */
const CODECS: { readonly [K in SettingKind]: Codec<SettingValues[K]> } = {
  flag: { schema: z.boolean(), read: (stored) => stored === true, write: (value) => value },
  text,
  json: text,
  textSet: set,
  ipSet: {
    ...set,
    schema: z.string().nullable(),
    write: (rules, place) => writeSet(rules?.map(shortestIpRule) ?? null, place),
  },
  instant: {
    schema: z.int(),
    stored: AnyInteger,
    read: (stored, { never = NEVER_EXPIRES }) =>
      stored === null || stored === never ? null : within(stored, 0, LATEST),
    write: (at, { never = NEVER_EXPIRES }) => at ?? never,
  },
  quota: {
    schema: z.int(),
    stored: AnyInteger,
    read: (stored) => quota(nearestQuota(stored ?? 0)),
    write: (units) => units,
  },
};

const codecOf = (name: SettingName): Codec<unknown> => CODECS[SETTINGS[name].kind] as Codec<unknown>;

/** The kind of each field that holds a setting. The switch of a list is a flag. */
export const SETTING_FIELDS = Object.fromEntries(
  SETTING_NAMES.flatMap((name): (readonly [string, SettingKind])[] => {
    const { wire, kind } = SETTINGS[name];
    return wire.switch === undefined ? [[wire.at, kind]] : [[wire.switch, 'flag'] as const, [wire.at, kind]];
  }),
) as { readonly [F in keyof SettingFields]: SettingKind };

const shape = Object.fromEntries(Object.entries(SETTING_FIELDS).map(([field, kind]) => [field, CODECS[kind].schema]));

export const KeySettingsBody = z.looseObject(shape) as unknown as z.ZodObject<z.ZodRawShape, z.core.$loose> &
  z.ZodType<KeySettingsBody>;

/**
 * One masked key record as read. Unknown fields are kept. Fields that some deployment omits when empty are optional;
 * `id`, `name` and `status` are not. Contract: “API key record”.
 */
export const KeyRecord = z.looseObject({
  ...Object.fromEntries(
    Object.entries(SETTING_FIELDS).map(([field, kind]) => {
      const { schema, stored = schema }: Pick<Codec<unknown>, 'schema' | 'stored'> = CODECS[kind];
      return [field, stored.nullish()];
    }),
  ),
  ...KeyHead,
});
export type KeyRecord = z.infer<typeof KeyRecord>;

const isMissing = (value: unknown): boolean => value === undefined || value === null;
const isText = (value: unknown): boolean => typeof value === 'string';
const isOptionalText = (value: unknown): boolean => isText(value) || isMissing(value);
const isOptionalInteger = (value: unknown): boolean => isMissing(value) || Number.isSafeInteger(value);
const isCounter = (value: unknown): boolean => value === undefined || Number.isSafeInteger(value);

/** The values of each kind that {@link KeyRecord} accepts unchanged; not all of those that it accepts. */
const PLAIN: { readonly [K in SettingKind]: (value: unknown) => boolean } = {
  flag: (value) => typeof value === 'boolean' || isMissing(value),
  text: isOptionalText,
  json: isOptionalText,
  textSet: isOptionalText,
  ipSet: isOptionalText,
  instant: isOptionalInteger,
  quota: isOptionalInteger,
};

const PLAIN_FIELDS: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ...Object.entries(SETTING_FIELDS).map(([field, kind]) => [field, PLAIN[kind]] as const),
  ['id', (value) => Number.isSafeInteger(value) && Number(value) > 0],
  ['name', isText],
  ['status', Number.isSafeInteger],
  ['key', isOptionalText],
  ['used_quota', isCounter],
  ['created_time', isCounter],
  ['accessed_time', isCounter],
];

/**
 * Is this certainly a record that {@link KeyRecord} accepts as it is? The schema alone decides about all others. Nearly all records
 * are, and the schema would take longer than everything else that is done with them.
 */
export function isPlainRecord(raw: unknown): raw is KeyRecord {
  // The schema drops a field of that name.
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw) || Object.hasOwn(raw, '__proto__')) return false;
  const record: Readonly<Record<string, unknown>> = Object(raw);
  return PLAIN_FIELDS.every(([field, isPlain]) => isPlain(record[field]));
}

const STATUS_NAMES = Object.fromEntries(Object.entries(KEY_STATUS).map(([name, code]) => [code, name])) as Record<
  number,
  StoredStatus
>;

/** The settings with their places and their codecs, found once. */
const ROWS = SETTING_NAMES.map((name) => {
  const { kind, wire } = SETTINGS[name];
  return { name, wire, codec: codecOf(name), isSet: kind === 'textSet' || kind === 'ipSet' };
});

/**
 * The sets that were decoded, by their texts. Most keys of an account have the same few: one list for all of them takes little
 * memory, and is brought to its normal form once.
 */
export type SharedSets = Map<string, unknown>;

function settingsFromWire(record: Readonly<Record<string, unknown>>, shared: SharedSets | undefined): KeySettings {
  const settings: Record<string, unknown> = {};
  for (const { name, wire, codec, isSet } of ROWS) {
    const stored = record[wire.at] ?? null;
    const isOn = wire.switch !== undefined && record[wire.switch] === true;
    if (!shared || !isSet || stored === null) {
      settings[name] = codec.read(stored, wire, isOn);
      continue;
    }
    const mark = `${name} ${isOn} ${stored}`;
    const value = shared.has(mark) ? shared.get(mark) : codec.read(stored, wire, isOn);
    shared.set(mark, value);
    settings[name] = value;
  }
  return settings as KeySettings;
}

/** Lists the stored numbers for which the settings hold another one. */
function oddValues(record: Readonly<Record<string, unknown>>, settings: KeySettings): readonly OddValue[] {
  const odd = Number(record.status) in STATUS_NAMES ? [] : [{ field: 'status', stored: `${record.status}` }];
  for (const {
    name,
    wire: { at },
  } of ROWS) {
    const stored = record[at];
    const isNumber = typeof stored === 'number' || typeof stored === 'bigint';
    const isExact = settings[name] === null || settings[name] === stored;
    if (isNumber && !isExact) odd.push({ field: at, stored: `${stored}` });
  }
  return odd;
}

/**
 * Lists the settings for which the gateway has no field. A gateway that omits empty fields shows nothing about them, so the
 * record must have a field that is empty.
 */
function lackedSettings(record: Readonly<Record<string, unknown>>): readonly SettingName[] {
  if (ROWS.every(({ wire }) => wire.at in record)) return [];
  const absent = SETTING_NAMES.filter((name) => !(SETTINGS[name].wire.at in record));
  const showsEmpty = SETTING_NAMES.some((name) => !absent.includes(name) && !record[SETTINGS[name].wire.at]);
  return showsEmpty ? absent : [];
}

/** Undefined where keys have no such field. */
function autoGroupsOf(record: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { [AUTO_GROUPS]: groups } = record;
  if (groups === undefined) return undefined;
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
}

/** Decodes a record. `raw` is the same record before the schema touched it: it is what updates are laid over. */
export function keyFromWire(
  record: KeyRecord,
  raw: Readonly<Record<string, unknown>> = record,
  shared?: SharedSets,
): ObservedKey {
  const settings = settingsFromWire(record, shared);
  const odd = oddValues(record, settings);
  const lacks = lackedSettings(raw);
  const autoGroups = autoGroupsOf(raw);
  const shown = shownCredential(record.key ?? '');
  return {
    id: keyId(record.id),
    // A key works in status 1 only, so any other one disables it.
    status: STATUS_NAMES[Number(record.status)] ?? 'disabled',
    ...settings,
    ...(record.used_quota === undefined ? {} : { used: quota(record.used_quota) }),
    ...(record.created_time ? { createdAt: record.created_time } : {}),
    ...(record.accessed_time ? { accessedAt: record.accessed_time } : {}),
    ...(odd.length > 0 ? { odd } : {}),
    ...(lacks.length > 0 ? { lacks } : {}),
    ...(autoGroups === undefined ? {} : { autoGroups }),
    ...shown,
    record: shown.masked === (record.key ?? '') ? raw : { ...raw, key: shown.masked },
  };
}

/** Encodes some settings as fields of a body. */
function settingsToWire(settings: Partial<KeySettings>): Partial<KeySettingsBody> {
  const fields = SETTING_NAMES.flatMap((name): (readonly [string, unknown])[] => {
    const { wire } = SETTINGS[name];
    const value = settings[name];
    if (value === undefined) return [];
    const own = [wire.at, codecOf(name).write(value, wire)] as const;
    return wire.switch === undefined ? [own] : [[wire.switch, value !== null], own];
  });
  return Object.fromEntries(fields);
}

/** For mutable fields that a record omits, or has as null: either would be stored as zero, and the key would die. */
const WHEN_ABSENT = settingsToWire(INITIAL_SETTINGS) as KeySettingsBody;

/** Returns the body of a create: every mutable field, explicitly. */
export const createBody = (settings: KeySettings): KeySettingsBody => ({ ...WHEN_ABSENT, ...settingsToWire(settings) });

const MAY_BE_NULL: ReadonlySet<string> = new Set(
  SETTING_NAMES.filter((name) => SETTINGS[name].kind === 'ipSet').map((name) => SETTINGS[name].wire.at),
);

/**
 * Returns the body of a full update: the record as read, unknown fields too, with the patch laid over it.
 * Carries neither the status nor anything else that the gateway owns, nor a field that it keeps when omitted.
 */
export function updateBody(base: ObservedKey, patch: Partial<KeySettings>): KeySettingsBody & { id: number } {
  const isVoid = ([field, value]: [string, unknown]): boolean =>
    value === null && !MAY_BE_NULL.has(field) && Object.hasOwn(WHEN_ABSENT, field);
  const kept = Object.entries(base.record).filter((entry) => !OMITTED_FIELDS.has(entry[0]) && !isVoid(entry));
  return { ...WHEN_ABSENT, ...Object.fromEntries(kept), ...settingsToWire(patch), id: base.id };
}
