// What one JSON Schema allows, in words: the names of its types, the values it lists, its bounds.

const code = (value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const unique = (values) => [...new Set(values)];

export const alternativesOf = (schema) => schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];

const valuesOf = (schema) => schema.enum ?? (schema.const === undefined ? [] : [schema.const]);

const isSafe = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

/** `0–2`, `at least 1`, `at most 10`, and the same of so many characters or items. */
function range(least, most, unit = '') {
  if (isSafe(least) && isSafe(most)) {
    if (least === most) return `exactly ${least}${unit}`;
    return least < 0 ? `${least} to ${most}${unit}` : `${least}–${most}${unit}`;
  }
  if (isSafe(least)) return unit && least === 1 ? 'not empty' : `at least ${least}${unit}`;
  return isSafe(most) ? `at most ${most}${unit}` : '';
}

const primitive = (type, value) => (type === 'number' && Number.isInteger(value) ? 'integer' : (type ?? 'any'));

/** `string`, `integer[]`, as the contract writes them; one for each alternative. */
export function typesOf(schema) {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return unique(alternatives.flatMap(typesOf));
  if (schema.type === 'array') {
    const names = typesOf(schema.items || {});
    return names.length === 1 ? [`${names[0]}[]`] : [`(${names.join(' or ')})[]`];
  }
  return [schema.type].flat().map((type) => primitive(type, schema.const));
}

const boundsOf = (schema) => [
  range(schema.minimum, schema.maximum),
  isSafe(schema.exclusiveMinimum) ? `more than ${schema.exclusiveMinimum}` : '',
  isSafe(schema.exclusiveMaximum) ? `less than ${schema.exclusiveMaximum}` : '',
  schema.multipleOf === undefined ? '' : `a multiple of ${schema.multipleOf}`,
  range(schema.minLength, schema.maxLength, ' characters'),
  range(schema.minItems, schema.maxItems, schema.maxItems === 1 ? ' item' : ' items'),
  schema.pattern === undefined ? '' : `like ${code(schema.pattern)}`,
  schema.not === undefined ? '' : 'must not be sent',
];

/** Limits of alternatives of different types say of which they are. */
function typedLimits(alternatives) {
  const typesByWords = new Map();
  for (const alternative of alternatives) {
    const words = renderLimits(limitsOf(alternative));
    if (words !== '') typesByWords.set(words, [...(typesByWords.get(words) ?? []), ...typesOf(alternative)]);
  }
  return [...typesByWords].map(([words, types]) => `${unique(types).join(', ')}: ${words}`);
}

/** The values that a schema lists, and what else it says of a value. */
export function limitsOf(schema) {
  const alternatives = alternativesOf(schema);
  const inner =
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

/** Both in one line. */
export const renderLimits = ({ values, texts }) =>
  [values.map(code).join(', '), ...texts].filter((text) => text !== '').join('; ');
