import type { Parsed } from '../../../../domain/index.ts';
import { isObject, type TerraformValue } from '../../../codec/value.ts';

/** The most values that are remembered of one field. */
const MOST_VALUES = 100;

/** A value that JSON distinguishes from every other one. */
function isPlain(value: TerraformValue): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isPlain);
  return isObject(value) && Object.values(value).every(isPlain);
}

/** The valid values of one field, as they were parsed. */
export interface RememberedValues<V> {
  /** Parses a value that is not known; undefined where too little of it is. */
  parse(value: TerraformValue, parse: () => Parsed<V> | undefined): Parsed<V> | undefined;
}

/**
 * Remembers valid values: a thousand keys have the same list of models, which core has validated and planned for each of them.
 * What is invalid is parsed each time.
 */
export function openRememberedValues<V>(): RememberedValues<V> {
  const valid = new Map<string, Parsed<V>>();
  return {
    parse(value, parse) {
      if (!isPlain(value)) return parse();
      const text = JSON.stringify(value);
      const known = valid.get(text);
      if (known !== undefined) return known;
      const parsed = parse();
      if (parsed?.diagnostics.length === 0 && valid.size < MOST_VALUES) valid.set(text, parsed);
      return parsed;
    },
  };
}
