import { NEVER_EXPIRES, SYSTEM_LIMITS } from '../../wire/index.ts';
import type { Messages } from '../profiles/messages.ts';
import { areAddresses } from './addresses.ts';
import type { StoredSettings } from './settings.ts';

/** A write of settings, with everything that the rules need. */
export interface SettingsWrite {
  readonly settings: StoredSettings;
  /** The settings before the write; omitted for a create. */
  readonly stored?: StoredSettings | undefined;
  /** The groups that the account may use. */
  readonly groups: readonly string[];
  /** The units of one dollar. */
  readonly quotaPerUnit: number;
}

/** One reason to refuse a create or a full update. */
export interface SettingRule {
  readonly message: keyof Messages;
  readonly isBroken: (judged: SettingsWrite) => boolean;
}

/** Applies a rule only to a value that the write changes: a stored value may always be sent back. */
const onlyIfChanged = (field: keyof StoredSettings, rule: SettingRule): SettingRule => ({
  message: rule.message,
  isBroken: (judged) => judged.stored?.[field] !== judged.settings[field] && rule.isBroken(judged),
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

export const nameGiven: SettingRule = {
  message: 'nameMissing',
  isBroken: ({ settings }) => settings.name === '',
};

export const nameInCharacters: SettingRule = {
  message: 'nameTooLong',
  isBroken: ({ settings }) => [...settings.name].length > SYSTEM_LIMITS.nameLength,
};

export const nameInBytes: SettingRule = {
  message: 'nameTooLong',
  isBroken: ({ settings }) => Buffer.byteLength(settings.name) > SYSTEM_LIMITS.nameLength,
};

export const quotaNotNegative: SettingRule = {
  message: 'quotaNegative',
  isBroken: ({ settings }) => !settings.unlimited_quota && settings.remain_quota < 0,
};

/** The quota is a number that every client reads exactly. */
export const quotaIsExact: SettingRule = {
  message: 'unreadableBody',
  isBroken: ({ settings }) => !Number.isSafeInteger(settings.remain_quota),
};

/** A limited key holds at most a billion dollars. */
export const quotaInBounds: SettingRule = {
  message: 'quotaTooLarge',
  isBroken: ({ settings, quotaPerUnit }) => !settings.unlimited_quota && settings.remain_quota > 1e9 * quotaPerUnit,
};

export const expiryIsTime: SettingRule = onlyIfChanged('expired_time', {
  message: 'invalidExpiry',
  isBroken: ({ settings }) => settings.expired_time < 0 && settings.expired_time !== NEVER_EXPIRES,
});

export const groupIsAvailable: SettingRule = onlyIfChanged('group', {
  message: 'unknownGroup',
  isBroken: ({ settings, groups }) => settings.group !== '' && !groups.includes(settings.group),
});

export const addressesAreValid: SettingRule = onlyIfChanged('allow_ips', {
  message: 'invalidAddress',
  isBroken: ({ settings }) => !areAddresses(settings.allow_ips ?? ''),
});

export const tiersAreJson: SettingRule = onlyIfChanged('smart_route_tiers', {
  message: 'invalidTiers',
  isBroken: ({ settings }) => settings.smart_route_tiers !== '' && !isJson(settings.smart_route_tiers),
});
