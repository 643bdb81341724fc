import type { Json } from '../kinds/json.ts';
import { renderDecimal, tryParseDecimal } from '../quantity.ts';

export const MEDIA_FORMATS = ['png', 'jpeg', 'webp', 'mp4'] as const;

/** The normal form of each kind of value that an assertion compares an answer with. */
export interface AssertionValues {
  readonly text: string;
  /** One or several texts. */
  readonly texts: readonly string[];
  /** A JavaScript regular expression, read with the `u` flag. */
  readonly pattern: string;
  readonly jsonSchema: Json;
  /** A whole number above 0. */
  readonly count: number;
  /** A number above 0, decimals allowed. */
  readonly seconds: number;
  readonly flag: boolean;
  readonly mediaFormat: (typeof MEDIA_FORMATS)[number];
  /** A decimal number, as canonical text. */
  readonly usd: string;
}

export type AssertionKind = keyof AssertionValues;

interface KindRules<T> {
  /** Completes “Expected …”. */
  readonly expected: string;
  /** Reads a value that was written in some language, numbers and flags also as text; undefined when it is not one. */
  parse(value: unknown): T | undefined;
}

const numberIn = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function tryParsePattern(value: unknown): string | undefined {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') ? value : undefined;
  } catch {
    return undefined;
  }
}

function tryParseUsd(value: unknown): string | undefined {
  const usd = typeof value === 'string' || typeof value === 'number' ? tryParseDecimal(String(value)) : undefined;
  return usd && usd.digits >= 0n ? renderDecimal(usd) : undefined;
}

function tryParseTexts(value: unknown): readonly string[] | undefined {
  const texts = typeof value === 'string' ? [value] : value;
  return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

const isObject = (value: unknown): value is { readonly [field: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rules of each kind of value. */
export const ASSERTION_KINDS: { readonly [K in AssertionKind]: KindRules<AssertionValues[K]> } = {
  text: { expected: 'a string', parse: textIn },
  texts: { expected: 'a string or a list of strings', parse: tryParseTexts },
  pattern: { expected: 'a regular expression', parse: tryParsePattern },
  jsonSchema: { expected: 'a JSON object', parse: (value) => (isObject(value) ? value : undefined) },
  count: {
    expected: 'a whole number above 0',
    parse(value) {
      const count = numberIn(value);
      return Number.isSafeInteger(count) && count > 0 ? count : undefined;
    },
  },
  seconds: {
    expected: 'a number above 0',
    parse(value) {
      const seconds = numberIn(value);
      return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
    },
  },
  flag: {
    expected: '`true` or `false`',
    parse: (value) => [true, false].find((flag) => flag === value || String(flag) === value),
  },
  mediaFormat: {
    expected: `one of ${MEDIA_FORMATS.join(', ')}`,
    parse: (value) => MEDIA_FORMATS.find((format) => format === value),
  },
  usd: { expected: 'an amount of US dollars that is not negative', parse: tryParseUsd },
};
