import { isObject, type TerraformValue } from '../codec/value.ts';
import type { Attribute, Schema } from './schema.ts';

type Check = NonNullable<Attribute['check']>;

const MOST_VALUES = 100;

/** A value that JSON distinguishes from every other one. */
function isPlain(value: TerraformValue): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isPlain);
  return isObject(value) && Object.values(value).every(isPlain);
}

/** The check, which accepts a value that it has accepted before without looking at it again. */
function remembering(check: Check): Check {
  const valid = new Set<string>();
  return (value) => {
    if (!isPlain(value)) return check(value);
    const text = JSON.stringify(value);
    if (valid.has(text)) return [];
    const errors = check(value);
    if (errors.length === 0 && valid.size < MOST_VALUES) valid.add(text);
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
