import {
  type KeySettings,
  type ObservedKey,
  OPTION_RULES,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
} from '../domain/index.ts';

type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText: Test = (value) => typeof value === 'string';
const isWhole: Test = (value) => Number.isSafeInteger(value);
const isId: Test = (value) => isWhole(value) && Number(value) > 0;
const listOf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(test);
const mapTo =
  (test: Test): Test =>
  (value) =>
    value instanceof Map && [...value].every(([id, member]) => isId(id) && test(member));
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

const SETTING: { readonly [K in SettingKind]: Test } = {
  flag: (value) => typeof value === 'boolean',
  text: isText,
  json: isText,
  textSet: orNull(listOf(isText)),
  ipSet: orNull(listOf(isText)),
  instant: orNull(isWhole),
  quota: isWhole,
};

type KeyMember = Exclude<keyof ObservedKey, keyof KeySettings>;

const MEMBERS: Readonly<Partial<Record<KeyMember, Test>>> = {
  id: isId,
  status: isText,
  masked: isText,
  record: isObject,
  used: orAbsent(isWhole),
  createdAt: orAbsent(isWhole),
  accessedAt: orAbsent(isWhole),
};

const isKey: Test = (value) =>
  isObject(value) &&
  SETTING_NAMES.every((name) => SETTING[SETTINGS[name].kind](value[name])) &&
  Object.entries(MEMBERS).every(([name, test]) => test(value[name]));

const isRate: Test = (value) =>
  isObject(value) && typeof value.digits === 'bigint' && value.digits > 0n && isWhole(value.scale);

/** The results that a method of a store may have, and the words for them. */
export interface Returned {
  readonly accepts: Test;
  readonly expected: string;
}

/** The results that Keyplane computes with. One of another type would end in an error of JavaScript, or in a wrong plan. */
export const RETURNED: Readonly<Record<string, Returned | undefined>> = {
  walk: { accepts: listOf(isKey), expected: 'a list of keys with all of their settings' },
  quotaPerUnit: { accepts: isRate, expected: 'a decimal above 0: `{ digits, scale }`' },
  wallet: { accepts: orAbsent(isWhole), expected: 'a whole number of quota units, or undefined' },
  groups: {
    accepts: orAbsent(listOf((each) => isObject(each) && isText(each.name))),
    expected: 'a list of groups with names, or undefined',
  },
  models: { accepts: orAbsent(listOf(isText)), expected: 'a list of texts, or undefined' },
  newest: {
    accepts: orAbsent((value) => isObject(value) && listOf(isKey)(value.keys) && isWhole(value.after)),
    expected: '`{ keys, after }`, or undefined',
  },
  tryRead: { accepts: orAbsent(isKey), expected: 'a key with all of its settings, or undefined' },
  readMany: { accepts: mapTo(isKey), expected: 'a Map from IDs to keys' },
  delete: { accepts: (value) => typeof value === 'boolean', expected: 'true or false' },
  reveal: {
    accepts: mapTo(OPTION_RULES.secret.accepts),
    expected: 'a Map from IDs to instances of `Secret`',
  },
  sumUsage: { accepts: orAbsent(isWhole), expected: 'a whole number of quota units, or undefined' },
};

export const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  isObject(value) && Symbol.asyncIterator in value;

/** The result of reading the usage log, which is not awaited. */
export const USAGE: Returned = { accepts: isIterable, expected: 'an async iterable of pages of the usage log' };

/** The pages that the iteration over it yields. */
export const USAGE_PAGE: Returned = {
  accepts: listOf((each) => isObject(each) && isText(each.identity) && isWhole(each.at) && isWhole(each.spent)),
  expected: 'lists of entries with `identity`, `at` and `spent`',
};
