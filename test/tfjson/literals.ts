import fc from 'fast-check';

export type Literal = null | boolean | string | number | readonly Literal[] | { readonly [name: string]: Literal };

const text = fc.string({ unit: fc.constantFrom(...'abXY 09_-.$%{}"\\/<>&é🔑\n\t'), maxLength: 8 });

/** Values that can be written in Terraform’s language, and in JSON. */
export const literals: fc.Arbitrary<Literal> = fc.letrec<{ value: Literal }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.integer({ min: -1000, max: 1000 }).map((number) => (number === 0 ? 1 : number)),
    fc.integer({ min: 1, max: 99_999 }).map((number) => number / 100),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const quoted = (value: string): string =>
  `"${value
    .replace(/["\\]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t')
    .replace(/[$%](?=\{)/g, '$&$&')}"`;

/** The literal in Terraform’s own language. */
export function literalText(literal: Literal): string {
  if (typeof literal === 'string') return quoted(literal);
  if (literal === null || typeof literal !== 'object') return String(literal);
  if (Array.isArray(literal)) return `[${literal.map(literalText).join(', ')}]`;
  return `{${Object.entries(literal)
    .map(([name, value]) => `(${quoted(name)}) = ${literalText(value)}`)
    .join(', ')}}`;
}
