import fc from 'fast-check';

/** The most that a mutated text has: far below every stated limit, so that a run has time for many. */
const LONGEST = 32 * 1024;

/** Bytes that mean something to most readers, and some that mean nothing to any. */
const WORDS: readonly string[] = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    "'",
    '\\',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '- ',
    '? ',
    '#',
    '%',
    '&a ',
    '*a',
    '<<: *a',
    '!!str ',
    '|\n',
  ],
  ...[
    '---\n',
    '...\n',
    '${',
    '${env:HOME}',
    '${file:x}',
    '\u0000',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '💥',
    '‹',
  ],
  ...[
    'null',
    'true',
    '~',
    '0',
    '-1',
    '1e999',
    '-0',
    '0.1',
    '9007199254740993',
    '123456789012345678901234567890',
    'NaN',
    '""',
    '[]',
    '{}',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'length',
    'data: ',
    'data: [DONE]\n\n',
    'event: x\n',
    'id: 1\n',
    'retry: 1\n',
    ': \n',
  ],
];

/** Values that a reader may find in the place of another, while the text remains what it is. */
const VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '0.5', '1e999', '9007199254740993', '123456789012345678901234567890'],
  ...[
    '""',
    '"x"',
    '"__proto__"',
    '"2026-01-01T00:00:00Z"',
    '[]',
    '{}',
    '[[1]]',
    '[null]',
    '{"a": 1}',
    '{"__proto__": 1}',
  ],
];

const VALUE = /"(?:[^"\\\n]|\\.)*"|-?\b\d[\d.]*|\b(?:true|false|null)\b|\[\]|\{\}/g;

/** One change of a text. Positions are parts of its length, so that each can be applied to any text. */
type Mutation =
  | { readonly kind: 'insert'; readonly at: number; readonly word: string; readonly times: number }
  | { readonly kind: 'remove' | 'double' | 'keep'; readonly at: number; readonly length: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number; readonly length: number }
  | { readonly kind: 'replace'; readonly at: number; readonly value: string }
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number };

const part = fc.double({ min: 0, max: 1, noNaN: true });
const length = fc.oneof(fc.nat(8), fc.nat(200));

const replacement: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constant('replace' as const),
  at: part,
  value: fc.constantFrom(...VALUES),
});

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({
    kind: fc.constant('insert' as const),
    at: part,
    word: fc.constantFrom(...WORDS),
    times: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(300) }),
  }),
  fc.record({ kind: fc.constantFrom('remove' as const, 'double' as const, 'keep' as const), at: part, length }),
  fc.record({ kind: fc.constant('move' as const), at: part, to: part, length }),
  fc.record({ kind: fc.constant('flip' as const), at: part, bit: fc.nat(6) }),
);

function withValue(text: string, at: number, value: string): string {
  const places = [...text.matchAll(VALUE)];
  const place = places[Math.min(Math.floor(at * places.length), places.length - 1)];
  return place ? text.slice(0, place.index) + value + text.slice(place.index + place[0].length) : text;
}

function mutated(text: string, change: Mutation): string {
  const at = Math.floor(change.at * text.length);
  const before = text.slice(0, at);
  switch (change.kind) {
    case 'insert':
      return before + change.word.repeat(change.times) + text.slice(at);
    case 'remove':
      return before + text.slice(at + change.length);
    case 'double':
      return before + text.slice(at, at + change.length) + text.slice(at);
    case 'keep':
      return text.slice(0, at + change.length);
    case 'move': {
      const rest = before + text.slice(at + change.length);
      const to = Math.floor(change.to * rest.length);
      return rest.slice(0, to) + text.slice(at, at + change.length) + rest.slice(to);
    }
    case 'replace':
      return withValue(text, change.at, change.value);
    case 'flip':
      return before + String.fromCharCode((text.charCodeAt(at) || 0) ^ (1 << change.bit)) + text.slice(at + 1);
  }
}

/** Texts that differ from one of the seeds by a few mutations, half of them in values alone. */
export const mutants = (seeds: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.oneof(
        fc.array(replacement, { minLength: 1, maxLength: 4 }),
        fc.array(mutation, { minLength: 1, maxLength: 8 }),
      ),
    )
    .map(([seed, changes]) => changes.reduce((text, change) => mutated(text, change).slice(0, LONGEST), seed));
