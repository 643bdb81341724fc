import { SETTING_NAMES, SETTINGS, type SettingName, type UnkeptSettings } from '../../domain/index.ts';
import type { GatewayProfile } from './gateway-profile.ts';
import { SETTING_FIELDS } from './key-codec.ts';

/** The fields that the contract gives the record of a key. */
const KEY_RECORD_FIELDS: readonly string[] = ['id', ...Object.keys(SETTING_FIELDS), 'status', 'key'];

/** The words of profiles for the credential that a list shows. */
export type SecretForm = 'masked' | 'masked in the middle' | 'clear';

export function secretFormOf(shown: string): SecretForm {
  if (!shown.includes('*')) return 'clear';
  return /^\*+$/.test(shown) ? 'masked' : 'masked in the middle';
}

/** The word of profiles for no field. */
const NONE = 'none';

/** The fields that a record lacks, as a profile states them. */
export const missingFields = (record: Readonly<Record<string, unknown>>): string =>
  KEY_RECORD_FIELDS.filter((field) => !Object.hasOwn(record, field)).join(', ') || NONE;

const MISSING = 'keys.record.missing-fields';

const missingIn = ({ observed }: GatewayProfile): ReadonlySet<string> => {
  const { [MISSING]: stated = NONE } = observed;
  return new Set(stated === NONE ? [] : stated.split(', '));
};

/**
 * The optional settings that a gateway does not keep, by the statements of its profile. A profile that was made without
 * writing states only which fields records lack.
 */
export function unkeptBy(profile: GatewayProfile): Pick<UnkeptSettings, 'everywhere' | 'outsideAuto'> {
  const missing = missingIn(profile);
  const optional = SETTING_NAMES.filter((name) => SETTINGS[name].isOptional);
  const keptWord = (name: SettingName) => profile.observed[`keys.keeps.${SETTINGS[name].wire.at}`];
  const isMissing = (name: SettingName): boolean => missing.has(SETTINGS[name].wire.at) && keptWord(name) !== 'kept';
  // The question is asked about a key outside of the group `auto`.
  const isOfAuto = (name: SettingName): boolean => SETTINGS[name].isOfAuto === true && !isMissing(name);
  const lost = optional.filter((name) => isMissing(name) || keptWord(name) === 'dropped');
  return { everywhere: lost.filter((name) => !isOfAuto(name)), outsideAuto: lost.filter(isOfAuto) };
}

/** The values without which Keyplane would misread the keys. */
const REQUIRED: Readonly<Record<string, string>> = { 'keys.list.place': 'data.items', 'keys.list.first-page': '1' };

const OPTIONAL_FIELDS: ReadonlySet<string> = new Set(
  SETTING_NAMES.filter((name) => SETTINGS[name].isOptional).map((name) => SETTINGS[name].wire.at),
);

/** The statements of a profile with which Keyplane must not write: `id: value`. */
export function unsupportedStatements(profile: GatewayProfile): readonly string[] {
  const places = Object.entries(REQUIRED).flatMap(([id, required]) => {
    const { [id]: stated = required } = profile.observed;
    return stated === required ? [] : [`${id}: ${stated}`];
  });
  // A key without one of them could be less restricted than its declaration.
  const fields = [...missingIn(profile)].filter((field) => !OPTIONAL_FIELDS.has(field));
  return fields.length === 0 ? places : [...places, `${MISSING}: ${fields.join(', ')}`];
}

/** The parts of a page of the list that statements of a profile are about. */
export interface ListedPage {
  readonly hasTotal: boolean;
  /** The credential of each record as the list shows it; empty where it shows none. */
  readonly secrets: readonly string[];
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** The statements of a profile that a page of the list contradicts: `id: value`. Nothing of a record is in them. */
export function contradictedStatements(
  { observed }: GatewayProfile,
  { hasTotal, secrets, records }: ListedPage,
): readonly string[] {
  const wrong: string[] = [];
  const { 'keys.list.total': total, 'keys.record.secret': secret, [MISSING]: missing } = observed;
  if (total !== undefined && (total === 'data.total') !== hasTotal) wrong.push(`keys.list.total: ${total}`);
  const [shown] = secrets.filter((each) => each !== '');
  if (secret !== undefined && shown !== undefined && secretFormOf(shown) !== secret) {
    wrong.push(`keys.record.secret: ${secret}`);
  }
  if (missing !== undefined && records.length > 0) {
    const stated = new Set(missing === NONE ? [] : missing.split(', '));
    const has = (field: string) => (record: Readonly<Record<string, unknown>>) => Object.hasOwn(record, field);
    const isWrong = KEY_RECORD_FIELDS.some((field) =>
      stated.has(field) ? records.every(has(field)) : !records.some(has(field)),
    );
    if (isWrong) wrong.push(`${MISSING}: ${missing}`);
  }
  return wrong;
}
