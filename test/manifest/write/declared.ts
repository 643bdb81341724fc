import fc from 'fast-check';
import {
  type Budget,
  type BudgetAmount,
  type CheckSpec,
  canonicalIpRules,
  canonicalJson,
  type Decimal,
  type DesiredKey,
  type IpRule,
  type Json,
  keyName,
  nameFold,
  nameProblem,
  quota,
  type Rotation,
  renderDecimal,
  tryParseDecimal,
  type Window,
} from '../../../src/domain/index.ts';
import type { ConvertInput, Manifest } from '../../../src/manifest/index.ts';

/** Names and values that each syntax has its own trouble with. */
export const ODD = [
  'prod-checkout',
  'prod_checkout',
  'prod/checkout',
  'Prod.Search',
  '${env:HOME}',
  '$${x}',
  '$$${x}',
  '%{if true}',
  '%%{x}',
  '"',
  "'",
  '`${x}`',
  '\\',
  'a\\"b',
  "it's",
  '"quoted"',
  '#no comment',
  '/* none */',
  '*/ // x',
  '<<EOT',
  'yes',
  'null',
  '1e3',
  '123',
  '-',
  '日本語',
  'ключ',
  '🦊 fox',
  'a: b',
  '__proto__',
  'constructor',
  'class',
  'app',
  'keyplane',
  'Resource',
  'a  b',
  'é',
  'zero\u200bwidth',
  'soft\u00adhyphen',
  '\u202eturned',
  'any',
];

const isName = (text: string): boolean => nameProblem(text) === undefined && text === text.normalize('NFC');

const name = fc
  .oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 8 }))
  .filter(isName);

const model = name.filter((text) => !text.includes(',') && text !== 'any');

const rules = fc
  .uniqueArray(fc.constantFrom('10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32', '::/0'), { minLength: 1 })
  .map((items) => canonicalIpRules(items as IpRule[]));

const usd: fc.Arbitrary<BudgetAmount> = fc
  .oneof(
    fc.constantFrom('0', '0.1', '25', '0.100000000000000001', '999999999.999999999999999999', '1234567.89'),
    fc
      .tuple(fc.integer({ min: 0, max: 9999 }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
      .map(([a, b]) => `${a}.${b}`),
  )
  .map((digits) => {
    const [whole = '0', fraction = ''] = digits.split('.');
    const exact = tryParseDecimal(
      fraction.replace(/0+$/, '') === '' ? whole : `${whole}.${fraction.replace(/0+$/, '')}`,
    );
    if (!exact) throw new Error(digits);
    return { usd: exact };
  });

const units: fc.Arbitrary<BudgetAmount> = fc
  .oneof(fc.constantFrom(0, 500_000_000_000_000), fc.integer({ min: 0, max: 20_000_000 }))
  .map((value) => ({ quota: quota(value) }));

const amount = fc.oneof(usd, units);

const budget: fc.Arbitrary<Budget> = fc.oneof(
  fc.constant<Budget>({ kind: 'unlimited' }),
  amount.map((each): Budget => ({ kind: 'lifetime', amount: each })),
  amount.map((each): Budget => ({ kind: 'initial', amount: each })),
  fc
    .tuple(amount, fc.constantFrom<Window>('hour', 'day', 'week', 'month', { days: 7 }))
    .map(([each, per]): Budget => ({ kind: 'window', amount: each, per })),
  amount.map((each): Budget => ({ kind: 'top-up', amount: each, below: each })),
);

/** Texts that Terraform takes as they are. */
const normal = fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 10 })).map((text) => text.normalize('NFC'));

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    normal,
    fc.constantFrom(null, true, false, 0, 1.5, -2, 1e21, 5e-7, 123456789),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(normal, tie('value')), { maxLength: 3 }).map((entries) => jsonObject(entries)),
  ),
})).value;

/** Also with a member `__proto__`. */
function jsonObject(entries: readonly (readonly [string, Json])[]): { [name: string]: Json } {
  const out: { [name: string]: Json } = {};
  for (const [key, value] of entries) {
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return out;
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const without = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const expires = fc.oneof(fc.constant(null), fc.integer({ min: 1_900_000_000, max: 253_402_300_799 }));

/** Durations as people write them, and the longest one. */
const rotate: fc.Arbitrary<Rotation> = fc
  .record({
    every: fc.constantFrom(3600, 5400, 7_776_000, 9_999_999 * 86_400),
    overlap: fc.constantFrom(1, 59, 60, 3599),
    quiet: optional(fc.constantFrom(1, 90, 172_800)),
  })
  .map((fields) => without(fields) as Rotation);

const key = fc
  .record({
    name: name.map(keyName),
    enabled: fc.boolean(),
    group: optional(name),
    crossGroupRetry: optional(fc.boolean()),
    models: optional(
      fc.oneof(
        fc.constant(null),
        fc.uniqueArray(model, { minLength: 1, maxLength: 6 }).map((all) => [...all].sort()),
      ),
    ),
    allowIps: optional(fc.oneof(fc.constant(null), rules)),
    expires: optional(expires),
    budget: optional(budget),
    smartRouting: optional(fc.oneof(fc.constant(''), json.filter((tiers) => tiers !== null).map(canonicalJson))),
    rotate: optional(rotate),
    renamedFrom: optional(
      name
        .map((text) => `old-${text}`)
        .filter(isName)
        .map(keyName),
    ),
  })
  .map((fields) => without(fields) as DesiredKey);

/** Names differ, also without regard to case, and so do former names. */
const keys = fc
  .uniqueArray(key, { selector: (each) => nameFold(each.name), maxLength: 6 })
  .map((all): readonly DesiredKey[] => {
    const taken = new Set(all.map((each) => nameFold(each.name)));
    return all.map(({ renamedFrom, ...rest }) => {
      if (renamedFrom === undefined || taken.has(nameFold(String(renamedFrom)))) return rest;
      taken.add(nameFold(String(renamedFrom)));
      return { ...rest, renamedFrom };
    });
  });

const request = fc
  .array(fc.tuple(fc.constantFrom('messages', 'max_tokens', 'user', 'a b', '"', '${x}'), json), { maxLength: 3 })
  .map(jsonObject);

const check: fc.Arbitrary<CheckSpec> = fc
  .record({
    name: name.filter((text) => !['inference', 'media', 'enforcement', 'free', 'cheap', 'costly'].includes(text)),
    module: fc.constantFrom('chat' as const, 'image' as const, 'embeddings' as const),
    model: optional(model),
    request,
    expect: fc
      .record({
        contains: optional(fc.array(name, { minLength: 1, maxLength: 2 })),
        jsonSchema: optional(request),
        maxLatencyMs: optional(fc.integer({ min: 1, max: 100_000 })),
        audio: optional(fc.boolean()),
        maxCost: optional(fc.constantFrom('0.1', '0.000000000000000001', '2')),
      })
      .map(without),
    retries: fc.integer({ min: 0, max: 5 }),
    timeoutMs: optional(fc.constantFrom(1000, 30_000, 600_000, 7_200_000)),
    folder: fc.constant('.'),
  })
  .map((fields) => without(fields) as CheckSpec);

type Declared = ConvertInput['manifest'];

/** A manifest with whatever people call things. Names of checks are none of modules. */
export const declared: fc.Arbitrary<Declared> = fc
  .record({
    keys,
    checks: fc.uniqueArray(check, { selector: (each) => each.name, maxLength: 3 }),
    protect: fc.subarray(ODD.slice(0, 6)),
    selected: fc.array(fc.nat(5), { maxLength: 4 }),
  })
  .map(({ keys: all, checks, protect, selected }): Declared => {
    const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
    const protectedNames = protect.filter((each) =>
      sorted.some((one) => one.name === each && one.renamedFrom === undefined && one.rotate === undefined),
    );
    const words = checks.map((each) => each.name);
    const selections = new Map(
      sorted.filter((_, at) => selected.includes(at) && words.length > 0).map((each) => [each.name, words] as const),
    );
    return {
      gateway: { url: 'https://gateway.example.com', userId: 42 },
      desired: { keys: sorted, ownership: { prune: 'never', protect: protectedNames } },
      checks: [...checks].sort((a, b) => (a.name < b.name ? -1 : 1)),
      selections,
      verbatim: new Map(),
    };
  });

const plainChecks = (checks: readonly CheckSpec[]): unknown =>
  checks.map(({ place: _, folder: __, hidden: ___, ...spec }) => ({
    ...spec,
    request: canonicalJson(spec.request),
    expect: canonicalJson(spec.expect),
  }));

/** `0.10` and `0.1` are one amount. */
const plainAmounts = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'digits' in value ? renderDecimal(value as Decimal) : value;

/** Everything in a manifest except its places, for comparing. */
export const meaning = (manifest: Declared | Manifest | undefined) =>
  manifest && {
    gateway: manifest.gateway,
    keys: manifest.desired.keys.map(
      ({ place: _, deliver = [], ...rest }) =>
        JSON.parse(
          JSON.stringify(
            { ...rest, deliver: deliver.map(({ place: __, folder: ___, ...sink }) => sink) },
            plainAmounts,
          ),
        ) as DesiredKey,
    ),
    ownership: manifest.desired.ownership,
    checks: plainChecks(manifest.checks),
    // The order of a selection has no meaning.
    selections: [...manifest.selections].map(([name, words]) => [name, [...words].sort()]),
    // A rotation is compared with the other fields of its key: only YAML keeps its text.
    verbatim: [...manifest.verbatim].flatMap(([name, { rotate: _, ...rest }]) =>
      Object.keys(rest).length > 0 ? [[name, rest]] : [],
    ),
  };
