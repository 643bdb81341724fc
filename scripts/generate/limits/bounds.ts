/** The parts of a JSON Schema that the limits page shows. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** The values that a schema lists, and its bounds in words. */
export interface Limits {
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];

export const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];

const valuesOf = (schema: JsonSchema): readonly unknown[] =>
  schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

const isSafe = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** Renders `0–2`, `at least 1` or `at most 10`, with a unit such as ` characters`. */
function range(least: number | undefined, most: number | undefined, unit = ''): string {
  if (isSafe(least) && isSafe(most)) {
    if (least === most) return `exactly ${least}${unit}`;
    return least < 0 ? `${least} to ${most}${unit}` : `${least}–${most}${unit}`;
  }
  if (isSafe(least)) return unit && least === 1 ? 'not empty' : `at least ${least}${unit}`;
  return isSafe(most) ? `at most ${most}${unit}` : '';
}

const primitive = (type: string | undefined, value: unknown): string =>
  type === 'number' && Number.isInteger(value) ? 'integer' : (type ?? 'any');

/** Returns `string` or `integer[]`, as the contract writes them; one for each alternative. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return unique(alternatives.flatMap(typesOf));
  if (schema.type === 'array') {
    const names = typesOf(schema.items ?? {});
    return names.length === 1 ? [`${names[0]}[]`] : [`(${names.join(' or ')})[]`];
  }
  return [schema.type].flat().map((type) => primitive(type, schema.const));
}

const boundsOf = (schema: JsonSchema): readonly string[] => [
  range(schema.minimum, schema.maximum),
  isSafe(schema.exclusiveMinimum) ? `more than ${schema.exclusiveMinimum}` : '',
  isSafe(schema.exclusiveMaximum) ? `less than ${schema.exclusiveMaximum}` : '',
  schema.multipleOf === undefined ? '' : `a multiple of ${schema.multipleOf}`,
  range(schema.minLength, schema.maxLength, ' characters'),
  range(schema.minItems, schema.maxItems, schema.maxItems === 1 ? ' item' : ' items'),
  schema.pattern === undefined ? '' : `like ${code(schema.pattern)}`,
  schema.not === undefined ? '' : 'must not be sent',
];

/** Renders the limits of alternatives, each with its types. */
function typedLimits(alternatives: readonly JsonSchema[]): readonly string[] {
  const typesByWords = new Map<string, readonly string[]>();
  for (const alternative of alternatives) {
    const words = renderLimits(limitsOf(alternative));
    if (words !== '') typesByWords.set(words, [...(typesByWords.get(words) ?? []), ...typesOf(alternative)]);
  }
  return [...typesByWords].map(([words, types]) => `${unique(types).join(', ')}: ${words}`);
}

export function limitsOf(schema: JsonSchema): Limits {
  const alternatives = alternativesOf(schema);
  const inner: readonly Limits[] =
    typesOf(schema).length < 2 ? alternatives.map(limitsOf) : [{ values: [], texts: typedLimits(alternatives) }];
  const texts = [
    ...boundsOf(schema),
    ...inner.flatMap((limits) => limits.texts),
    schema.default === undefined ? '' : `default ${code(schema.default)}`,
    schema.description ?? '',
  ];
  return {
    values: unique([...valuesOf(schema), ...inner.flatMap(({ values }) => values)]),
    texts: unique(texts).filter((text) => text !== ''),
  };
}

/** Renders the values and the bounds in one line. */
export const renderLimits = ({ values, texts }: Limits): string =>
  [values.map(code).join(', '), ...texts].filter((text) => text !== '').join('; ');
