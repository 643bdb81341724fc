/** Checks of the shape of values, for programs without types. */

const isCollection = (value: unknown): value is Map<unknown, unknown> | Set<unknown> =>
  value instanceof Map || value instanceof Set;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isCollection(value) && !isDate(value);

/** Accepts a Date of another realm too, such as that of a test runner. */
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isCollection(value)) return value instanceof Map ? 'a Map' : 'a Set';
  if (isDate(value)) return 'a Date';
  return (
    { object: 'an object', undefined: 'nothing', bigint: 'a bigint' }[typeof value as string] ?? `a ${typeof value}`
  );
}

/** Terraform separates the words of a name by underscores, programs by capitals. */
const spelling = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Reports unknown fields: a misspelled restriction would have no effect. */
export function unknownFields(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const similar = known.find((each) => spelling(each) === spelling(name));
      const hint = similar === undefined ? `Expected one of ${known.join(', ')}.` : `Did you mean \`${similar}\`?`;
      return `\`${name}\`: Unknown field. ${hint}`;
    });
}

/** Puts a field before a text about it: `budget.usd: …` where the text begins with a part of it. */
export const within = (field: string, text: string): string =>
  text.startsWith('`') ? `\`${field}.${text.slice(1)}` : `\`${field}\`: ${text}`;

/** Explains why a value is not JSON; undefined when it is. Tokens count as JSON, because Terraform fills them in. */
export function jsonProblem(
  value: unknown,
  isToken: (value: unknown) => boolean,
  above: readonly unknown[] = [],
): string | undefined {
  if (isToken(value) || value === null || ['string', 'boolean'].includes(typeof value)) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `JSON has no ${value}`;
  if (typeof value !== 'object') return `JSON cannot hold ${kindOf(value)}`;
  if (above.includes(value)) return 'it contains itself';
  if (!Array.isArray(value) && !isRecord(value)) return `JSON cannot hold ${kindOf(value)}`;
  // Undefined members are omitted; an undefined item would move those after it.
  const parts = Array.isArray(value) ? [...value] : Object.values(value).filter((part) => part !== undefined);
  for (const part of parts) {
    const problem = jsonProblem(part, isToken, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
