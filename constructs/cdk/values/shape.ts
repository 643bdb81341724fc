/** What can be wrong with a value before any rule is about it. Types refuse most of it; programs without types do not. */

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Map) && !isDate(value);

/** Also a Date of another realm, such as that of a test runner. */
export const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]';

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Map) return 'a Map';
  if (isDate(value)) return 'a Date';
  return (
    { object: 'an object', undefined: 'nothing', bigint: 'a bigint' }[typeof value as string] ?? `a ${typeof value}`
  );
}

/** Fields that nobody knows: they would say nothing, and a restriction that was meant would not be there. */
export function unknownFields(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = known.find((each) => each.toLowerCase() === name.toLowerCase());
      const hint = meant === undefined ? `Fields: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
      return `\`${name}\`: There is no such field. ${hint}`;
    });
}

/** Why a value is no JSON; undefined when it is. Tokens are: Terraform fills them in. */
export function jsonProblem(
  value: unknown,
  isToken: (value: unknown) => boolean,
  above: readonly unknown[] = [],
): string | undefined {
  if (isToken(value) || value === null || ['string', 'boolean'].includes(typeof value)) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is no number of JSON`;
  if (typeof value !== 'object') return `${kindOf(value)} is no JSON`;
  if (above.includes(value)) return 'it holds itself';
  if (!Array.isArray(value) && !isRecord(value)) return `${kindOf(value)} is no JSON`;
  // A member that is undefined is left out; an item would move all after it.
  const parts = Array.isArray(value) ? [...value] : Object.values(value).filter((part) => part !== undefined);
  for (const part of parts) {
    const problem = jsonProblem(part, isToken, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
