import {
  type Decimal,
  effectiveStatus,
  type Json,
  lastUseOf,
  maskOf,
  type ObservedKey,
  type Quota,
  renderInstant,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
  type SettingName,
  type SettingValues,
  type UnixSeconds,
  usdFromQuota,
} from '../../../domain/index.ts';
import { masked } from './envelope.ts';

const amount = (quota: Quota, quotaPerUnit: Decimal) => ({ quota, usd: usdFromQuota(quota, quotaPerUnit, 6) });

type Encoders = { readonly [K in SettingKind]: (value: SettingValues[K], quotaPerUnit: Decimal) => unknown };

/** `null` stands for no restriction, and for no JSON. */
const ENCODERS: Encoders = {
  flag: (value) => value,
  text: (value) => value,
  textSet: (value) => value,
  ipSet: (value) => value,
  instant: (value) => (value === null ? null : renderInstant(value)),
  quota: amount,
  json: (value) => (value === '' ? null : value),
};

/** Settings whose JSON field is not called as the manifest calls them. */
const JSON_NAMES: Partial<Readonly<Record<SettingName, string>>> = { remain: 'remaining' };

function settingData(key: ObservedKey, name: SettingName, quotaPerUnit: Decimal): readonly [string, unknown] {
  const encode = ENCODERS[SETTINGS[name].kind] as (value: unknown, quotaPerUnit: Decimal) => unknown;
  return [JSON_NAMES[name] ?? name, encode(key[name], quotaPerUnit)];
}

/** The time of the last request, `never`, or null where it is unknown. */
function lastUseData(key: ObservedKey): string | null {
  const last = lastUseOf(key);
  if (typeof last === 'number') return renderInstant(last);
  return last === 'never' ? last : null;
}

/** A key as machines read it: settings by their manifest names, money in units and in dollars, times as text. */
export function keyData(
  key: ObservedKey,
  { quotaPerUnit, now }: { quotaPerUnit: Decimal; now: UnixSeconds },
  more: Readonly<Record<string, Json>> = {},
): Json {
  return masked({
    id: key.id,
    ...Object.fromEntries(SETTING_NAMES.map((name) => settingData(key, name, quotaPerUnit))),
    status: effectiveStatus(key, now),
    storedStatus: key.status,
    used: key.used === undefined ? null : amount(key.used, quotaPerUnit),
    created: key.createdAt === undefined ? null : renderInstant(key.createdAt),
    lastUsed: lastUseData(key),
    masked: maskOf(key),
    ...(key.odd ? { odd: key.odd } : {}),
    ...more,
  });
}
