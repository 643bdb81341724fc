import type { TextSpec } from '../text.ts';
import { hashOf, wordsIn } from '../words.ts';
import { isKeywords, type Keywords, mapWithin } from './schema-walk.ts';

/** Keywords that constrain a text or a number. */
const BINDING = ['enum', 'const', '$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'pattern', 'format'];
const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

const isFree = (schema: Keywords): boolean => !BINDING.some((keyword) => keyword in schema);
const typesOf = ({ type }: Keywords): readonly unknown[] => [type].flat();

/** Unicode properties of letters and digits, which the generator does not support, as character ranges. */
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

function text(schema: Keywords, spec: TextSpec): Keywords {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, ...rest } = schema;
  const phrases = phrasesFor(spec, { least: Number(minLength), most: Number(maxLength) });
  return { ...rest, type: 'string', enum: phrases };
}

/** Small and not negative, like most numbers in an answer. */
function number(schema: Keywords, type: 'integer' | 'number'): Keywords {
  const [least, most] = [schema.minimum ?? schema.exclusiveMinimum, schema.maximum ?? schema.exclusiveMaximum];
  if (!NUMERIC.some((keyword) => keyword in schema)) {
    return { ...schema, type, minimum: 0, maximum: 100, ...(type === 'number' ? { multipleOf: 0.5 } : {}) };
  }
  if (typeof least === 'number' && most === undefined) return { ...schema, maximum: least + 100 + Math.abs(least) };
  if (typeof most === 'number' && least === undefined) return { ...schema, minimum: Math.min(0, most - 100) };
  return schema;
}

/** Requires an item in each list, unless the lists could be nested endlessly. */
function list(schema: Keywords): Keywords {
  const { items, minItems, maxItems } = schema;
  const mayGrow = minItems === undefined && Number(maxItems ?? 1) > 0 && isKeywords(items) && !('$ref' in items);
  return mayGrow ? { ...schema, minItems: 1 } : schema;
}

/** Restricts an enumeration to the values of the type. */
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

function leaf(schema: Keywords, spec: TextSpec): Keywords {
  if (Array.isArray(schema.enum)) return choice(schema);
  const types = typesOf(schema);
  if (types.includes('array')) return list(schema);
  if (types.includes('number') && WHOLE.includes(String(schema.format))) return { ...schema, type: 'integer' };
  if (!isFree(schema)) return schema;
  if (types.includes('string')) return text(schema, spec);
  if (types.includes('integer')) return number(schema, 'integer');
  return types.includes('number') ? number(schema, 'number') : schema;
}

/** Renames lists of item schemas as in the 2020 dialect, the only one that the generator supports. */
function withPrefixItems(schema: Keywords): Keywords {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

/** Translates a schema into the keywords that the generator supports. */
export const translated = (schema: unknown): unknown => {
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(withPrefixItems(schema), translated);
  return typeof within.pattern === 'string' ? { ...within, pattern: plainPattern(within.pattern) } : within;
};

/** Keywords under which an empty schema describes a value of its own, instead of constraining another. */
const FREE_PLACES = ['properties', 'items', 'prefixItems', 'additionalProperties'];
const isUnconstrained = (schema: unknown): boolean =>
  schema === true || (isKeywords(schema) && Object.keys(schema).length === 0);

/**
 * Narrows a schema so that its values read well: texts with the prompt's words, small numbers, lists that are not empty.
 * The result may be too narrow where several schemas apply to one value, so values are validated with the original.
 */
export const customizedSchema = (schema: unknown, spec: TextSpec, place = 'properties'): unknown => {
  if (isUnconstrained(schema)) return FREE_PLACES.includes(place) ? text({}, spec) : schema;
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(schema, (inner, keyword) => customizedSchema(inner, spec, keyword));
  return leaf(within, spec);
};

const WITHOUT_PROMPT = 'An answer to nothing';
const LONGEST = 5;

/** Truncates or repeats a phrase to a length within the bounds, counted in code points as in JSON Schema. */
function fitted(phrase: string, least: number, most: number): string {
  const letters = [...phrase];
  if (letters.length === 0) return '';
  while (letters.length < least) letters.push(' ', ...phrase);
  return letters.slice(0, Math.max(least, Math.min(most, letters.length))).join('');
}

/** Different short texts of a prompt's own words within these lengths. The seed determines where they begin. */
function phrasesFor(
  { prompt, seed }: { readonly prompt: string; readonly seed: number },
  { least, most }: { readonly least: number; readonly most: number },
): readonly string[] {
  const own = wordsIn(prompt).slice(0, 40);
  const words = own.length === 0 ? wordsIn(WITHOUT_PROMPT) : own;
  const start = hashOf(prompt, seed) % words.length;
  const phrases = words.map((_, index) => {
    const from = (start + index) % words.length;
    const phrase = words.slice(from, from + LONGEST).join(' ');
    return fitted(phrase, least, most);
  });
  return [...new Set(phrases)];
}

/** Generates a property name that satisfies a schema; usually a different one for each turn. */
type GenerateName = (names: Keywords, turn: number) => unknown;

const TURNS_FOR_EACH = 5;

function* distinctNames(names: Keywords, wanted: number, generateName: GenerateName): Generator<string> {
  const seen = new Set<string>();
  for (let turn = 0; turn < wanted * TURNS_FOR_EACH && seen.size < wanted; turn += 1) {
    const name = String(generateName({ type: 'string', ...names }, turn));
    if (!seen.has(name)) yield name;
    seen.add(name);
  }
}

/** The schemas of additional property names and of their values. */
function namedValues(schema: Keywords): readonly [Keywords, unknown] | undefined {
  const [pattern] = Object.entries(isKeywords(schema.patternProperties) ? schema.patternProperties : {});
  if (pattern !== undefined) return [{ pattern: pattern[0] }, pattern[1]];
  const { propertyNames, additionalProperties = {} } = schema;
  return isKeywords(propertyNames) ? [propertyNames, additionalProperties] : undefined;
}

/** Adds names for properties whose names a schema only describes: the generator would invent arbitrary ones. */
export const withNames = (schema: unknown, generateName: GenerateName): unknown => {
  if (!isKeywords(schema)) return schema;
  const within = mapWithin(schema, (inner) => withNames(inner, generateName));
  const own = isKeywords(within.properties) ? within.properties : {};
  const wanted = Number(within.minProperties ?? 0) - Object.keys(own).length;
  const described = namedValues(within);
  if (described === undefined || !(wanted > 0)) return within;
  const [names, value] = described;
  const added = [...distinctNames(names, wanted, generateName)];
  return {
    ...within,
    properties: { ...own, ...Object.fromEntries(added.map((name) => [name, value])) },
    required: [...new Set([...((within.required as readonly string[] | undefined) ?? []), ...added])],
  };
};
