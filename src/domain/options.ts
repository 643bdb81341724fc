import { Fault } from './fault.ts';

/** The values that an option may have, and the words for them. */
export interface OptionRule {
  readonly accepts: (value: unknown) => boolean;
  readonly expected: string;
  readonly isRequired?: true;
}

const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** An object that has these methods. */
export const withMethods = (expected: string, ...names: readonly string[]): OptionRule => ({
  accepts: (value) => names.every((name) => typeof memberOf(value, name) === 'function'),
  expected,
});

const isText = (value: unknown): boolean => typeof value === 'string';

/** An object of texts, with these members or, without any, with all. A class such as `Headers` keeps its members elsewhere. */
export const ofTexts = (expected: string, ...names: readonly string[]): OptionRule => ({
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(Symbol.iterator in value) &&
    Object.entries(value).every(
      ([name, member]) => (names.length === 0 || names.includes(name)) && (member === undefined || isText(member)),
    ),
  expected,
});

/** The longest delay of a timer of Node.js, 24.8 days: a longer one ends at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Below the longest timer, as twice the time of one option is waited for. */
const LONGEST_MS = 1_000_000_000;

/** The kinds of options that programs set. */
export const OPTION_RULES = {
  text: { accepts: isText, expected: 'a text' },
  callback: { accepts: (value: unknown) => typeof value === 'function', expected: 'a function' },
  signal: withMethods('an AbortSignal', 'addEventListener', 'throwIfAborted'),
  secret: withMethods('a `Secret`: `new Secret(text)`', 'reveal'),
  /** A time for a timer. */
  milliseconds: {
    accepts: (value: unknown) => isNumber(value, 0, LONGEST_MS),
    expected: 'a number of milliseconds, up to 1,000,000,000 (11 days)',
  },
  /** A time to compare with, which may be endless. */
  patience: {
    accepts: (value: unknown) => isNumber(value, 0, Number.POSITIVE_INFINITY),
    expected: 'a number of milliseconds',
  },
  count: {
    accepts: (value: unknown) =>
      value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) > 0),
    expected: 'a whole number, 1 or more',
  },
  retries: {
    accepts: (value: unknown) =>
      value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
    expected: 'a whole number, 0 or more',
  },
} as const satisfies Readonly<Record<string, OptionRule>>;

/**
 * Checks options of programs, also of those without types: a wrong one would hang, or be ignored in silence. A value may be a
 * secret, so none is repeated.
 *
 * @throws Fault `usage.invalid`
 */
export function checkOptions(options: unknown, rules: Readonly<Record<string, OptionRule>>): void {
  if (typeof options !== 'object' || options === null) {
    throw new Fault('usage.invalid', 'The options are not an object.');
  }
  for (const [name, { accepts, expected, isRequired }] of Object.entries(rules)) {
    const value = memberOf(options, name);
    if (value === undefined ? !isRequired : accepts(value)) continue;
    throw new Fault('usage.invalid', `Invalid value for the option \`${name}\`: expected ${expected}.`);
  }
}
