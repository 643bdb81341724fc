import type { TextOrder } from '../text.ts';
import { phrasesFor } from './phrases.ts';
import { isKeywords, type Keywords, mapWithin } from './schema-walk.ts';

/** Keywords beside which a text or a number is not free. */
const BINDING = ['enum', 'const', '$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'pattern', 'format'];
const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

const isFree = (schema: Keywords): boolean => !BINDING.some((keyword) => keyword in schema);
const typesOf = ({ type }: Keywords): readonly unknown[] => [type].flat();

/** Letters and digits by their property in Unicode, which the generator does not know, as it knows them. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/\\p\{(?:Lu|Uppercase_Letter)\}/g, 'A-Z'],
  [/\\p\{(?:Ll|Lowercase_Letter)\}/g, 'a-z'],
  [/\\p\{(?:L|Letter|Alphabetic|Script=Latin)\}/g, 'A-Za-z'],
  [/\\p\{(?:N|Nd|Number)\}/g, '0-9'],
];
const CLASS_OR_PROPERTY = /\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}/g;

const spelled = (part: string): string =>
  SIGNS.reduce((text, [property, signs]) => text.replace(property, signs), part);

const plainPattern = (pattern: string): string =>
  pattern.replace(CLASS_OR_PROPERTY, (part) => (part.startsWith('[') ? spelled(part) : `[${spelled(part)}]`));

function text(schema: Keywords, order: TextOrder): Keywords {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, ...rest } = schema;
  const phrases = phrasesFor(order, { least: Number(minLength), most: Number(maxLength) });
  return { ...rest, type: 'string', enum: phrases };
}

/** Small, and not negative: what most numbers in an answer are. */
function number(schema: Keywords, type: 'integer' | 'number'): Keywords {
  const [least, most] = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum];
  if (!NUMERIC.some((keyword) => keyword in schema)) {
    return { ...schema, type, minimum: 0, maximum: 100, ...(type === 'number' ? { multipleOf: 0.5 } : {}) };
  }
  if (typeof least === 'number' && most === undefined) return { ...schema, maximum: least + 100 + Math.abs(least) };
  if (typeof most === 'number' && least === undefined) return { ...schema, minimum: Math.min(0, most - 100) };
  return schema;
}

/** A list has something in it, unless it could be a list of lists of lists without end. */
function list(schema: Keywords): Keywords {
  const { items, minItems, maxItems } = schema;
  const mayGrow = minItems === undefined && Number(maxItems ?? 1) > 0 && isKeywords(items) && !('$ref' in items);
  return mayGrow ? { ...schema, minItems: 1 } : schema;
}

/** Of the values to choose from those that are of the type. */
function choice({ type, ...schema }: Keywords): Keywords {
  const values = schema.enum as readonly unknown[];
  const isOf = (value: unknown): boolean =>
    [type].flat().some((name) => (name === 'integer' ? Number.isInteger(value) : name === nameOf(value)));
  return type === undefined ? schema : { ...schema, enum: values.filter(isOf) };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const WHOLE = ['int32', 'int64'];

function leaf(schema: Keywords, order: TextOrder): Keywords {
  if (Array.isArray(schema.enum)) return choice(schema);
  const types = typesOf(schema);
  if (types.includes('array')) return list(schema);
  if (types.includes('number') && WHOLE.includes(String(schema.format))) return { ...schema, type: 'integer' };
  if (!isFree(schema)) return schema;
  if (types.includes('string')) return text(schema, order);
  if (types.includes('integer')) return number(schema, 'integer');
  return types.includes('number') ? number(schema, 'number') : schema;
}

/** Lists of schemas for the first items, as the dialect of 2020 names them: the generator knows no other. */
function renamed(schema: Keywords): Keywords {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** What every attempt needs: the keywords that the generator knows. */
export const translated = (schema: unknown): unknown => {
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(renamed(schema), translated);
  return typeof within.pattern === 'string' ? { ...within, pattern: plainPattern(within.pattern) } : within;
};

/** Where a schema that asks for nothing stands for a value of its own, and is no condition on another. */
const FREE_PLACES = ['properties', 'items', 'prefixItems', 'additionalProperties'];
const asksNothing = (schema: unknown): boolean =>
  schema === true || (isKeywords(schema) && Object.keys(schema).length === 0);

/**
 * A narrower schema whose values read well: texts of the prompt's words, small numbers, lists that are not empty. It may
 * be too narrow, where several schemas meet in one value; so what comes of it is judged by the schema as it was.
 */
export const tailored = (schema: unknown, order: TextOrder, place = 'properties'): unknown => {
  if (asksNothing(schema)) return FREE_PLACES.includes(place) ? text({}, order) : schema;
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(schema, (inner, keyword) => tailored(inner, order, keyword));
  return leaf(within, order);
};
