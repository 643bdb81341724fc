import { isObject, type TerraformValue } from '../codec/value.ts';
import type { Attribute, Schema } from './schema.ts';

type Check = NonNullable<Attribute['check']>;

const MOST_VALUES = 100;

/** A value that is the same as every equal one. */
const isPrimitive = (value: TerraformValue): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0));

/** A value that JSON distinguishes from every other one. */
function isPlain(value: TerraformValue): boolean {
  if (isPrimitive(value)) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return isObject(value) && Object.values(value).every(isPlain);
}

/** The check, which accepts a value that it has accepted before without looking at it again. */
function remembering(check: Check): Check {
  const valid = new Set<TerraformValue>();
  const validTexts = new Set<string>();
  /** Those that the decoder shares. A value never changes. */
  const seen = new WeakSet<object>();
  const checked = <K>(value: TerraformValue, key: K, keys: Set<K>): ReturnType<Check> => {
    if (keys.has(key)) return [];
    const errors = check(value);
    if (errors.length === 0 && valid.size + validTexts.size < MOST_VALUES) keys.add(key);
    return errors;
  };
  return (value) => {
    if (isPrimitive(value)) return checked(value, value, valid);
    const object = typeof value === 'object' ? value : undefined;
    if (object && seen.has(object)) return [];
    const errors = isPlain(value) ? checked(value, JSON.stringify(value), validTexts) : check(value);
    if (errors.length === 0 && object) seen.add(object);
    return errors;
  };
}

const withMemory = (attribute: Attribute): Attribute =>
  attribute.check === undefined || attribute.isSensitive
    ? attribute
    : { ...attribute, check: remembering(attribute.check) };

/**
 * Returns a schema whose attributes remember valid values: a thousand keys have the same list of models, and core has each of them
 * validated twice. Secrets are not remembered.
 */
export function withRememberedChecks(schema: Schema): Schema {
  const attributes = Object.entries(schema.attributes).map(([name, attribute]) => [name, withMemory(attribute)]);
  return { ...schema, attributes: Object.fromEntries(attributes) };
}
