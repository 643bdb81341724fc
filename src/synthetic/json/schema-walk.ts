/** A schema that is an object, keyword by keyword. */
export type Keywords = Readonly<Record<string, unknown>>;

export const isKeywords = (value: unknown): value is Keywords =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Keywords with a schema, a list of schemas, or schemas by name, that describe the value. */
const ONE = ['items', 'additionalProperties', 'contains', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Changes every schema directly within a schema. */
export function mapWithin(schema: Keywords, change: (schema: unknown, keyword: string) => unknown): Keywords {
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    const changed = (within: unknown): unknown => change(within, keyword);
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(changed)];
    if (ONE.includes(keyword)) return [keyword, changed(value)];
    if (BY_NAME.includes(keyword) && isKeywords(value)) return [keyword, mapValues(value, changed)];
    return [keyword, value];
  });
  return Object.fromEntries(mapped);
}

const mapValues = (schemas: Keywords, change: (schema: unknown) => unknown): Keywords =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
