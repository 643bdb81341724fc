import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Document, isMap, isScalar, visit } from 'yaml';
import { manifestDigest } from '../../src/manifest/index.ts';
import { readFiles } from '../manifest/scratch.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Declared {
  readonly ownership: Fields;
  readonly defaults: Fields;
  readonly keys: Readonly<Record<string, Fields>>;
}

const subset = (...words: string[]) => fc.subarray(words, { minLength: 1 });

const fields: fc.Arbitrary<Fields> = fc.record(
  {
    enabled: fc.boolean(),
    group: fc.constantFrom('default', 'vip', 'yes', '1e3', 'ключ: "a" #b'),
    models: fc.oneof(subset('alpha-chat-1', 'text-embedding-3-small', 'm:1'), fc.constant('any')),
    allowIps: fc.oneof(subset('10.0.0.0/8', '203.0.113.7', '2001:db8::/32'), fc.constant('anywhere')),
    checks: fc.subarray(['model-list', 'expired-key', 'disabled-key']),
    expires: fc.constantFrom('never', '2030-01-02T03:04:05Z'),
    budget: fc.oneof(
      fc.constant('unlimited'),
      fc.record({ usd: fc.constantFrom(1, 5, 0.25), per: fc.constantFrom('hour', 'month') }, { requiredKeys: ['usd'] }),
      fc.constant({ usd: 10, below: { usd: 2 } }),
    ),
  },
  { requiredKeys: ['budget'] },
);

const declared: fc.Arbitrary<Declared> = fc.record({
  ownership: fc.record({
    scope: fc.constant(['k-*', 'z-*']),
    prune: fc.constantFrom<unknown>('never', 'disable', 'delete', { mode: 'delete', quarantine: '14d' }),
    protect: fc.subarray(['k-1', 'z-*']),
  }),
  defaults: fields.map(({ group, models, allowIps }) => JSON.parse(JSON.stringify({ group, models, allowIps }))),
  keys: fc.dictionary(fc.constantFrom('k-1', 'k-2', 'k-10', 'k- 3'), fields, { minKeys: 1 }),
});

/** The layout of a manifest, which must be without meaning. */
const layout = fc.record({
  seed: fc.nat(),
  quotes: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE'),
  flow: fc.boolean(),
  anchors: fc.boolean(),
  comments: fc.boolean(),
  crlf: fc.boolean(),
  json: fc.boolean(),
  files: fc.boolean(),
  inherited: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer L> ? L : never;

/** The same values, with maps and sets in another order. */
function shuffled<T>(value: T, seed: number): T {
  const rank = (text: string): number =>
    [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0) + seed) % 9973, seed);
  const order = (a: unknown, b: unknown): number => rank(JSON.stringify(a)) - rank(JSON.stringify(b));
  if (Array.isArray(value)) return [...value].sort(order) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => order(a, b));
  return Object.fromEntries(entries.map(([name, each]) => [name, shuffled(each, seed)])) as T;
}

function written(tree: object, { quotes, flow, anchors, comments, crlf, json }: Layout): string {
  if (json) return JSON.stringify(tree, null, 1);
  const document = new Document(tree, { aliasDuplicateObjects: anchors });
  visit(document, {
    Pair(_, pair) {
      if (comments && isScalar(pair.key)) pair.key.commentBefore = ' why: "so"';
    },
    Map(depth, map) {
      if (flow && depth !== null && map !== document.contents && isMap(map)) map.flow = !comments;
    },
  });
  const text = document.toString({ defaultStringType: quotes as 'PLAIN', defaultKeyType: 'PLAIN' });
  return crlf ? text.replaceAll('\n', '\r\n') : text;
}

function filesOf({ ownership, defaults, keys }: Declared, how: Layout): Record<string, string> {
  const inherited = Object.entries(keys).map(([name, own]) => [name, how.inherited ? own : { ...defaults, ...own }]);
  const all = Object.fromEntries(inherited) as Declared['keys'];
  const head = { version: 1, ownership, ...(how.inherited ? { defaults } : {}) };
  const tree = (part: object): string => written(shuffled(part, how.seed), how);
  if (!how.files) return { 'keyplane.yaml': tree({ ...head, keys: all }) };
  const parts = Object.entries(all).map(([name, own], i) => [`${i}.yaml`, tree({ version: 1, keys: { [name]: own } })]);
  return { ...Object.fromEntries(parts), 'head.yaml': tree(head) };
}

async function digestOf(files: Record<string, string>): Promise<string> {
  const { manifest, diagnostics } = await readFiles(files);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (!manifest) throw new Error(`${JSON.stringify(errors)}\n${Object.values(files).join('\n')}`);
  return manifestDigest(manifest);
}

const PLAIN = {
  seed: 0,
  quotes: 'PLAIN',
  flow: false,
  anchors: false,
  comments: false,
  crlf: false,
  json: false,
  files: false,
  inherited: true,
} as const;

/** Changes of meaning; undefined where one changes nothing. */
const CHANGES: Readonly<Record<string, (given: Declared) => Declared>> = {
  'another key': (given) => ({ ...given, keys: { ...given.keys, 'z-new': { budget: { usd: 1 } } } }),
  'a key less': ({ keys, ...given }) => ({ ...given, keys: Object.fromEntries(Object.entries(keys).slice(1)) }),
  'a status': onFirst((own) => ({ ...own, enabled: own.enabled === false })),
  'a group': onFirst((own) => ({ ...own, group: 'other' })),
  'a model': onFirst((own) => ({ ...own, models: ['other'] })),
  'an address': onFirst((own) => ({ ...own, allowIps: ['192.0.2.1'] })),
  'an expiry': onFirst((own) => ({ ...own, expires: '2030-01-02T03:04:06Z' })),
  'an amount': onFirst((own) => ({ ...own, budget: { usd: 0.26 } })),
  'a window': onFirst((own) => ({ ...own, budget: { usd: 1, per: 'week' } })),
  'a threshold': onFirst((own) => ({ ...own, budget: { usd: 10, below: { usd: 2.01 } } })),
  'a check': onFirst((own) => ({ ...own, checks: ['forbidden-model'] })),
  'the pruning': ({ ownership, ...given }) => ({
    ...given,
    ownership: { ...ownership, prune: ownership.prune === 'never' ? 'delete' : 'never' },
  }),
  'the quarantine': ({ ownership, ...given }) => ({
    ...given,
    ownership: { ...ownership, prune: { mode: 'delete', quarantine: '15d' } },
  }),
  'the protection': ({ ownership, ...given }) => ({ ...given, ownership: { ...ownership, protect: ['k-2'] } }),
  'the scope': ({ ownership, ...given }) => ({ ...given, ownership: { ...ownership, scope: ['k-*', 'z-*', 'y'] } }),
};

function onFirst(change: (own: Fields) => Fields) {
  return (given: Declared): Declared => {
    const [[name, own] = ['k-1', {}], ...others] = Object.entries(given.keys);
    return { ...given, keys: { [name]: change(own), ...Object.fromEntries(others) } };
  };
}

describe('the digest of a manifest', () => {
  it('is the same in every layout', async () => {
    await fc.assert(
      fc.asyncProperty(declared, layout, async (given, how) => {
        expect(await digestOf(filesOf(given, how))).toBe(await digestOf(filesOf(given, PLAIN)));
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on the order of checks', async () => {
    const check = (name: string) => `  ${name}: { module: chat, model: ${name} }\n`;
    const manifestOf = (...names: string[]) => ({
      'keyplane.yaml': `version: 1\nchecks:\n${names.map(check).join('')}keys: { a: { checks: [${names}] } }\n`,
    });
    expect(await digestOf(manifestOf('one', 'two', 'three'))).toBe(await digestOf(manifestOf('three', 'two', 'one')));
    expect(await digestOf(manifestOf('one', 'two'))).not.toBe(await digestOf(manifestOf('one', 'three')));
  });

  it('is another one after every change of meaning', async () => {
    await fc.assert(
      fc.asyncProperty(declared, fc.constantFrom(...Object.values(CHANGES)), layout, async (given, change, how) => {
        expect(await digestOf(filesOf(change(given), how))).not.toBe(await digestOf(filesOf(given, PLAIN)));
      }),
      { numRuns: 60 },
    );
  });
});
