type Schema = Readonly<Record<string, unknown>>;

/** An object as strict structured output wants it: every property required, and no other. */
const closed = (properties: Schema, rest: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});

const nested = (levels: number): Schema =>
  levels === 0 ? { type: 'string' } : closed({ [`l${levels}`]: nested(levels - 1) });
const branching = Object.fromEntries([...'abcdefgh'].map((name) => [name, { $ref: '#/$defs/node' }]));
const formatted = (...formats: string[]): Schema =>
  closed(Object.fromEntries(formats.map((format) => [format, { type: 'string', format }])));

/** Schemas that some value satisfies, by what is in them. */
export const SATISFIABLE: Readonly<Record<string, unknown>> = {
  'no condition': {},
  true: true,
  'each simple type': closed({
    text: { type: 'string' },
    whole: { type: 'integer' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
  }),
  'nested objects': closed({ a: closed({ b: closed({ c: { type: 'string' } }) }), d: { type: 'integer' } }),
  'sixty levels': nested(60),
  'two hundred members': closed(
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`m${at}`, { type: at % 2 ? 'string' : 'integer' }])),
  ),
  'an enumeration of several types': { enum: ['a', 1, null, { b: 2 }] },
  'an enumeration within a type': { type: 'string', enum: [1, 'two', null] },
  'a constant': { const: { a: [1, 'x'] } },
  'a text or null': closed({ middle: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
  'a list of types': closed({ middle: { type: ['string', 'null'] }, size: { type: ['integer', 'null'] } }),
  'one of several kinds': closed({
    item: {
      anyOf: [closed({ kind: { const: 'user' }, age: { type: 'number' } }), closed({ kind: { const: 'place' } })],
    },
  }),
  'exactly one of several': {
    oneOf: [closed({ kind: { const: 'a' } }), closed({ kind: { const: 'b' }, y: { type: 'string' } })],
  },
  'all of several': {
    $defs: { base: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
    allOf: [{ $ref: '#/$defs/base' }, { properties: { name: { type: 'string' } }, required: ['name'] }],
  },
  'ranges that meet': { allOf: [{ type: 'integer', minimum: 5 }, { maximum: 9 }, { multipleOf: 4 }] },
  'a text that is not this one': { type: 'string', not: { enum: ['a'] } },
  'a condition': {
    type: 'object',
    properties: { country: { enum: ['de', 'us'] }, zip: { type: 'string' } },
    required: ['country', 'zip'],
    if: { properties: { country: { const: 'de' } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: { properties: { zip: { pattern: '^\\d{5}$' } } },
    else: { properties: { zip: { pattern: '^[A-Z]{2}$' } } },
  },
  'members that need others': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
    dependentRequired: { a: ['b'] },
  },
  'a tree': {
    $ref: '#/$defs/node',
    $defs: {
      node: closed({ value: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }),
    },
  },
  'a tree with patterns': {
    $ref: '#/$defs/node',
    $defs: {
      node: closed({
        id: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      }),
    },
  },
  'a chain': closed(
    { list: { $ref: '#/$defs/link' } },
    {
      $defs: {
        link: closed({ value: { type: 'number' }, next: { anyOf: [{ $ref: '#/$defs/link' }, { type: 'null' }] } }),
      },
    },
  ),
  itself: closed({ name: { type: 'string' }, child: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }),
  'an expression': {
    $ref: '#/$defs/term',
    $defs: {
      term: {
        anyOf: [
          { type: 'number' },
          closed({ sign: { enum: ['+', '*'] }, left: { $ref: '#/$defs/term' }, right: { $ref: '#/$defs/term' } }),
        ],
      },
    },
  },
  'eight ways to recur': { $ref: '#/$defs/node', $defs: { node: { type: 'object', properties: branching } } },
  patterns: closed({
    code: { type: 'string', pattern: '^[a-z]+$', minLength: 5, maxLength: 8 },
    colour: { type: 'string', pattern: '^#[0-9a-fA-F]{6}$' },
    day: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' },
  }),
  'a pattern of letters by property': { type: 'string', pattern: '^\\p{N}\\p{Lu}[\\p{Ll}\\s]+$' },
  formats: formatted('date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'),
  'rare formats': formatted(
    'iso-time',
    'iso-date-time',
    'url',
    'byte',
    'regex',
    'json-pointer',
    'nobody knows this one',
  ),
  'whole numbers by format': closed({
    a: { type: 'number', format: 'int32' },
    b: { type: 'integer', format: 'int64' },
  }),
  lengths: closed({
    long: { type: 'string', minLength: 50, maxLength: 60 },
    short: { type: 'string', maxLength: 3 },
    some: { type: 'string', minLength: 1 },
  }),
  bounds: closed({
    a: { type: 'integer', minimum: 10, maximum: 12 },
    b: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
    c: { type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 7 },
    d: { type: 'number', minimum: 5000 },
    e: { type: 'integer', maximum: -5000 },
  }),
  steps: closed({
    cents: { type: 'number', multipleOf: 0.01, minimum: 0, maximum: 10 },
    sevens: { type: 'integer', multipleOf: 7, minimum: 100, maximum: 110 },
  }),
  lists: closed({
    three: { type: 'array', items: { type: 'integer' }, minItems: 3, maxItems: 3 },
    distinct: { type: 'array', items: { enum: ['x', 'y', 'z'] }, uniqueItems: true, minItems: 3 },
    holding: { type: 'array', items: { type: 'integer' }, contains: { const: 5 } },
  }),
  'fifty of sixty': {
    type: 'array',
    minItems: 50,
    uniqueItems: true,
    items: { type: 'integer', minimum: 1, maximum: 60 },
  },
  'a tuple': { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
  'a place on earth': closed({
    at: {
      type: 'array',
      prefixItems: [
        { type: 'number', minimum: -180, maximum: 180 },
        { type: 'number', minimum: -90, maximum: 90 },
      ],
      minItems: 2,
      maxItems: 2,
    },
  }),
  'any names': { type: 'object', additionalProperties: { type: 'integer', minimum: 1 }, minProperties: 1 },
  'names by a pattern': {
    type: 'object',
    patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
    additionalProperties: false,
    minProperties: 2,
  },
  'names under a rule': {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{3}$' },
    minProperties: 2,
    additionalProperties: { type: 'string' },
  },
  'names of other scripts': closed({
    ключ: { type: 'string' },
    'a b/c~d': { type: 'integer' },
    '😀': { type: 'boolean' },
  }),
  'names that JavaScript has already': closed({ constructor: { type: 'string' }, toString: { type: 'integer' } }),
  'nothing unevaluated': {
    type: 'object',
    allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }],
    properties: { b: { type: 'integer' } },
    required: ['b'],
    unevaluatedProperties: false,
  },
  'a default of another type': closed({ a: { type: 'integer', default: 'x' } }),
  'an identifier': { $id: 'https://example.com/one.json', ...closed({ id: { type: 'string' } }) },
  'the dialect of 2020': {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...closed({ a: { type: 'string' } }),
  },
  'the dialect of 2019': {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    ...closed({ a: { type: 'string' } }),
  },
  'draft 7': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed({ a: { $ref: '#/definitions/whole' } }),
    definitions: { whole: { type: 'integer' } },
  },
  'a tuple of draft 7': {
    type: 'array',
    items: [{ type: 'string' }, { type: 'number' }],
    minItems: 2,
    additionalItems: false,
  },
};

/** Schemas that no value satisfies, and invalid schemas. */
export const UNSATISFIABLE: Readonly<Record<string, unknown>> = {
  false: false,
  null: null,
  'a text': 'string',
  'a list': [],
  'a range without inside': { type: 'integer', minimum: 5, maximum: 4 },
  'the negation of everything': { not: {} },
  'an empty enumeration': { enum: [] },
  'a constant of another type': { type: 'string', const: 4 },
  'an unknown type': { type: 'strang' },
  'an unknown dialect': { $schema: 'https://example.com/own', type: 'string' },
  'a broken pattern': { type: 'string', pattern: '(' },
  'a reference to nothing': { $ref: '#/$defs/none' },
  'a reference to another place': { $ref: 'https://example.com/x.json' },
  'a reference to itself alone': { $ref: '#' },
  'a chain without end': { $ref: '#/$defs/link', $defs: { link: closed({ next: { $ref: '#/$defs/link' } }) } },
  'a tree without leaves': {
    $ref: '#/$defs/node',
    $defs: { node: closed({ left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } }) },
  },
  'three distinct flags': { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'boolean' } },
  'an impossible member': { type: 'object', properties: { a: false }, required: ['a'] },
  'a member that may not be': { type: 'object', additionalProperties: false, required: ['a'] },
  'a thousand million items': { type: 'array', minItems: 1e9, items: { type: 'integer' } },
  'a million items in lists of a thousand': {
    type: 'array',
    minItems: 1000,
    items: { type: 'array', minItems: 1000, items: { type: 'integer' } },
  },
  'a thousand million letters': { type: 'string', minLength: 1e9 },
  'a pattern of a million letters': { type: 'string', pattern: '^(a{1000}){1000}$' },
};

const lists = (levels: number): Schema =>
  levels === 0 ? { type: 'integer' } : { type: 'array', minItems: 10, items: lists(levels - 1) };
const series = (names: readonly string[], value: unknown): Schema =>
  Object.fromEntries(names.map((name) => [name, value]));
const NAMES = Array.from({ length: 500 }, (_, index) => `p${index}`);
const chain = (links: number, link: (next: Schema) => Schema): Schema =>
  Object.fromEntries(
    Array.from({ length: links }, (_, at) => [
      `l${at}`,
      at === links - 1 ? { type: 'string' } : link({ $ref: `#/$defs/l${at + 1}` }),
    ]),
  );

/** Schemas that would keep a process busy for minutes, or fill its memory. */
export const EXPLOSIVE: Readonly<Record<string, unknown>> = {
  'lists that require themselves': {
    $ref: '#/$defs/node',
    $defs: { node: closed({ kids: { type: 'array', minItems: 5000, items: { $ref: '#/$defs/node' } } }) },
  },
  'lists in lists, six deep': lists(6),
  'half a million items in five thousand lists': closed(
    series(
      Array.from({ length: 5000 }, (_, index) => `p${index}`),
      { type: 'array', minItems: 100, items: { type: 'string' } },
    ),
  ),
  'a hundred million letters in all': closed(series(NAMES, { type: 'string', minLength: 200_000 })),
  'a million members in objects of a thousand': {
    type: 'object',
    minProperties: 1000,
    patternProperties: {
      '^a[0-9]{4}$': { type: 'object', minProperties: 1000, patternProperties: { '^x[0-9]{4}$': { type: 'string' } } },
    },
  },
  'twice as many members at each of thirty levels': {
    $ref: '#/$defs/l0',
    $defs: chain(30, (next) => closed({ left: next, right: next })),
  },
  'twice as many conditions at each of thirty levels': {
    $ref: '#/$defs/l0',
    $defs: chain(30, (next) => ({ allOf: [next, next] })),
  },
  'a pattern that backtracks without end': {
    type: 'string',
    pattern: '^(a+)+$',
    allOf: [{ enum: [`${'a'.repeat(40)}!`] }],
  },
};
