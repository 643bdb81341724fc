import { type KeySettings, keyId, type ObservedKey, quota, type StoredStatus } from '../domain/index.ts';
import { KEY_STATUS, type KeyRecord, type KeySettingsBody, NEVER_EXPIRES, READ_ONLY_FIELDS } from './key-record.ts';

const STATUS_NAMES = Object.fromEntries(Object.entries(KEY_STATUS).map(([name, code]) => [code, name])) as Record<
  number,
  StoredStatus
>;

/** Split on commas without trimming, as the gateway does: a blank is part of a model ID. */
const splitModels = (text: string): readonly string[] => text.split(',').filter((id) => id !== '');

const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A record as read, to a key. `raw` is the same record before the schema touched it: it is what updates overlay. */
export function keyFromWire(record: KeyRecord, raw: Readonly<Record<string, unknown>> = record): ObservedKey {
  const addresses = splitLines(record.allow_ips ?? '');
  return {
    id: keyId(record.id),
    name: record.name,
    status: STATUS_NAMES[record.status] ?? 'disabled',
    group: record.group ?? '',
    crossGroupRetry: record.cross_group_retry ?? false,
    models: record.model_limits_enabled ? splitModels(record.model_limits ?? '') : null,
    allowIps: addresses.length > 0 ? addresses : null,
    expires: (record.expired_time ?? NEVER_EXPIRES) === NEVER_EXPIRES ? null : (record.expired_time ?? null),
    unlimited: record.unlimited_quota ?? false,
    remain: quota(record.remain_quota ?? 0),
    smartRouting: record.smart_routing ?? false,
    smartRouteTiers: record.smart_route_tiers ?? '',
    ...(record.used_quota === undefined ? {} : { used: quota(record.used_quota) }),
    ...(record.created_time ? { createdAt: record.created_time } : {}),
    masked: record.key ?? '',
    record: raw,
  };
}

const FIELDS: { readonly [F in keyof KeySettings]: (value: KeySettings[F]) => Partial<KeySettingsBody> } = {
  name: (name) => ({ name }),
  group: (group) => ({ group }),
  crossGroupRetry: (retry) => ({ cross_group_retry: retry }),
  models: (models) =>
    models === null
      ? { model_limits_enabled: false, model_limits: '' }
      : { model_limits_enabled: true, model_limits: models.join(',') },
  allowIps: (rules) => ({ allow_ips: rules === null ? '' : rules.join('\n') }),
  expires: (at) => ({ expired_time: at ?? NEVER_EXPIRES }),
  unlimited: (unlimited) => ({ unlimited_quota: unlimited }),
  remain: (remain) => ({ remain_quota: remain }),
  smartRouting: (smart) => ({ smart_routing: smart }),
  smartRouteTiers: (tiers) => ({ smart_route_tiers: tiers }),
};

/** Some settings of a key, as fields of a body. */
function settingsToWire(settings: Partial<KeySettings>): Partial<KeySettingsBody> {
  const body: Partial<KeySettingsBody> = {};
  for (const field of Object.keys(FIELDS) as (keyof KeySettings)[]) {
    const value = settings[field];
    // The field and its value belong together by the mapped type, which an indexed call can not express.
    if (value !== undefined) Object.assign(body, (FIELDS[field] as (value: unknown) => object)(value));
  }
  return body;
}

/** For mutable fields that a record left out, or has as null: either would be stored as zero, and the key would die. */
const WHEN_ABSENT: KeySettingsBody = {
  name: '',
  expired_time: NEVER_EXPIRES,
  remain_quota: 0,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  cross_group_retry: false,
  smart_routing: false,
  smart_route_tiers: '',
};

/** The body of a create: every mutable field, explicitly. */
export const createBody = (settings: KeySettings): KeySettingsBody => ({ ...WHEN_ABSENT, ...settingsToWire(settings) });

/**
 * The body of a full update: the record as read, unknown fields too, with the patch laid over it.
 * Carries neither the status nor anything else that the gateway owns.
 */
export function updateBody(base: ObservedKey, patch: Partial<KeySettings>): KeySettingsBody & { id: number } {
  // Only address rules may be null.
  const isVoid = ([field, value]: [string, unknown]): boolean =>
    value === null && field !== 'allow_ips' && Object.hasOwn(WHEN_ABSENT, field);
  const kept = Object.entries(base.record).filter((entry) => !READ_ONLY_FIELDS.has(entry[0]) && !isVoid(entry));
  return { ...WHEN_ABSENT, ...Object.fromEntries(kept), ...settingsToWire(patch), id: base.id };
}
