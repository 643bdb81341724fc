import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amountInQuota,
  canonicalIpRules,
  canonicalJsonText,
  type Decimal,
  type DesiredKey,
  effectiveStatus,
  type IpRule,
  type ObservedKey,
  parseIpRule,
  pendingChanges,
  quota,
  type StoredStatus,
  wantedCeiling,
} from '../../src/domain/index.ts';
import { renderManifest } from '../../src/manifest/index.ts';
import { plan } from '../../src/reconcile/index.ts';
import { plainKey } from '../plain-key.ts';
import { NOW, readText } from './scratch.ts';

const RATE: Decimal = { digits: 500_000n, scale: 0 };
const GATEWAY = { url: 'https://gateway.example.com', userId: 42 };

const observed = (id: number, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(id, { group: 'default', ...more });

const rendered = (keys: readonly ObservedKey[], rate = RATE) =>
  renderManifest({ gateway: GATEWAY, keys, quotaPerUnit: rate, now: NOW });

/** Expects every declared field of a live key to have its current value. */
function expectSame(desired: DesiredKey, live: ObservedKey, rate: Decimal): void {
  const { group, crossGroupRetry, models, allowIps, expires, budget, smartRouting, enabled } = desired;
  if (group !== undefined) expect(group).toBe(live.group);
  if (crossGroupRetry !== undefined) expect(crossGroupRetry).toBe(live.crossGroupRetry);
  if (models !== undefined) expect(models).toEqual(live.models && [...new Set(live.models)].sort());
  if (allowIps !== undefined) expect(allowIps).toEqual(live.allowIps && canonicalIpRules(rulesOf(live.allowIps)));
  if (expires !== undefined) expect(expires).toBe(live.expires);
  if (budget) expect(wantedCeiling(budget, live, live.used ?? quota(0), rate)).toEqual(ceilingOf(live));
  if (smartRouting !== undefined) {
    expect(live.smartRouting).toBe(true);
    expect(smartRouting).toBe(canonicalJsonText(live.smartRouteTiers));
  }
  const effective = effectiveStatus(live, NOW);
  if (effective === 'enabled') expect(enabled).toBe(true);
  if (live.status === 'disabled') expect(enabled).toBe(false);
}

const ceilingOf = (live: ObservedKey) => expect.objectContaining({ unlimited: live.unlimited, remain: live.remain });

function rulesOf(texts: readonly string[]): readonly IpRule[] {
  return texts.flatMap((text) => {
    const parsed = parseIpRule(text);
    if (parsed.ok) return [parsed.rule];
    return parsed.corrected ? [parsed.corrected] : [];
  });
}

const ODD = [
  'yes',
  '1e3',
  'null',
  'a: b',
  '日本',
  '<<',
  '__proto__',
  '${env:X}',
  '#',
  '- a',
  ' x',
  '',
  'constructor',
  '"',
  "'",
];
const text = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);
const model = fc.oneof(fc.constantFrom('alpha-chat-1', 'a,b', 'any', ''), text);
const ip = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.1.2.3/8', '10.0.0.0/8', '::/0', 'nonsense'), text);
const units = fc.oneof(fc.integer({ min: -1000, max: 20_000_000 }), fc.maxSafeInteger()).map(quota);

const liveKey = fc
  .record({
    name: text,
    status: fc.constantFrom<StoredStatus>('enabled', 'disabled', 'expired', 'exhausted'),
    group: fc.oneof(fc.constantFrom('default', 'vip', ''), text),
    crossGroupRetry: fc.boolean(),
    models: fc.option(fc.array(model, { maxLength: 4 })),
    allowIps: fc.option(fc.array(ip, { maxLength: 4 })),
    expires: fc.option(fc.oneof(fc.integer({ min: -5, max: 2_000_000_000 }), fc.maxSafeInteger())),
    unlimited: fc.boolean(),
    remain: units,
    smartRouting: fc.boolean(),
    smartRouteTiers: fc.oneof(
      fc.json({ stringUnit: 'binary' }),
      text,
      fc.constantFrom('{"__proto__":{"<<":1}}', '"${env:X}"'),
    ),
  })
  .chain((key) =>
    fc.option(units.filter((used) => used >= 0)).map((used) => ({ ...key, ...(used === null ? {} : { used }) })),
  );
const rate = fc.constantFrom<Decimal>(
  RATE,
  { digits: 3n, scale: 0 },
  { digits: 5000005n, scale: 1 },
  { digits: 7n, scale: 3 },
);

describe('a manifest written from live keys', () => {
  test('reads back without an error, declares of each key what it is already, and plans to nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(liveKey, { maxLength: 6 }), rate, async (settings, quotaPerUnit) => {
        const keys = settings.map((setting, i) => observed(i + 1, setting));
        const { text: manifest, skipped } = rendered(keys, quotaPerUnit);
        const { manifest: read, diagnostics } = await readText(manifest);
        expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
        const declared = read?.desired.keys ?? [];
        expect(declared.length + skipped.length).toBe(keys.length);
        for (const desired of declared) {
          const live = keys.find(({ id, name }) =>
            desired.id === undefined ? name === desired.name : id === desired.id,
          );
          if (!live) throw new Error(`no live key is named ${desired.name}`);
          expectSame(desired, live, quotaPerUnit);
        }
        if (!read) throw new Error('the manifest was not read');
        const state = { account: GATEWAY, quotaPerUnit, groups: [], keys, used: new Map() };
        expect(pendingChanges(plan(read.desired, state, NOW))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('declares every field of an ordinary key', async () => {
    const key = observed(1, {
      models: ['b', 'a'],
      allowIps: ['203.0.113.7'],
      expires: Date.UTC(2030, 0, 1) / 1000,
      unlimited: false,
      remain: quota(12_000_000),
      used: quota(500_000),
      smartRouting: true,
      smartRouteTiers: '{"z":1,"a":["${x}"]}',
    });
    const { text: manifest, skipped } = renderManifest({
      gateway: GATEWAY,
      keys: [key],
      quotaPerUnit: RATE,
      now: NOW,
      schemaRef: 'https://example.com/keyplane.schema.json',
    });
    expect(skipped).toEqual([]);
    expect(manifest).toBe(`# yaml-language-server: $schema=https://example.com/keyplane.schema.json
version: 1

gateway:
  url: "https://gateway.example.com"
  userId: 42

keys:
  key-1:
    group: default
    crossGroupRetry: false
    models: [a, b]
    allowIps: ["203.0.113.7/32"]
    expires: 2030-01-01T00:00:00Z
    budget: { usd: 25 }
    smartRouting: { tiers: { "z": 1, "a": ["$\${x}"] } }
`);
  });

  test('lifts what most keys share into defaults, but no budget, expiry or allowlist, and nothing that some key omits', () => {
    const keys = [observed(1), observed(2), observed(3, { crossGroupRetry: true }), observed(4, { group: '' })];
    const own = '    models: any\n    allowIps: anywhere\n    expires: never\n    budget: unlimited\n';
    expect(rendered(keys).text).toContain(`defaults:
  crossGroupRetry: false

keys:
  key-1:
    group: default
${own}  key-2:
    group: default
${own}  key-3:
    group: default
    crossGroupRetry: true
${own}  key-4:
${own}`);
  });

  test.each([
    ['a known use', { remain: 1_000_000, used: 250_000 }, '{ usd: 2.5 }'],
    ['an overdraft', { remain: -50_000, used: 550_000 }, '{ usd: 1 }'],
    ['an overdraft beyond what is known of its use', { remain: -50_000, used: 10 }, '{ usd: 0, initial: true }'],
    ['an unknown use', { remain: 1_000_000 }, '{ usd: 2, initial: true }'],
    ['an overdraft of unknown use', { remain: -1 }, '{ usd: 0, initial: true }'],
  ])('writes a budget with %s', (_, { remain, ...rest }, budget) => {
    const used = 'used' in rest ? { used: quota(rest.used) } : {};
    const { text: manifest } = rendered([observed(1, { unlimited: false, remain: quota(remain), ...used })]);
    expect(manifest).toContain(`budget: ${budget}`);
  });

  test('writes units where dollars would not be exact', () => {
    const key = observed(1, { unlimited: false, remain: quota(10), used: quota(0) });
    expect(rendered([key], { digits: 3n, scale: 0 }).text).toContain('budget: { quota: 10 }');
    expect(amountInQuota({ quota: quota(10) }, { digits: 3n, scale: 0 })).toBe(10);
  });

  test('leaves a budget alone that has more units than a manifest takes', () => {
    const key = observed(1, { unlimited: false, remain: quota(1e15), used: quota(0) });
    const { text: manifest } = rendered([key], { digits: 3n, scale: 0 });
    expect(manifest).toContain('the budget of 1000000000000000 quota units is more than can be declared');
    expect(manifest).not.toContain('budget: {');
  });

  test.each<[string, Partial<ObservedKey>, boolean]>([
    ['stored as disabled', { status: 'disabled' }, true],
    ['stored as expired, and expired', { status: 'expired', expires: NOW - 1 }, false],
    ['stored as expired, its expiry corrected', { status: 'expired', expires: NOW + 9 }, true],
    ['stored as exhausted, and exhausted', { status: 'exhausted', unlimited: false }, false],
    ['stored as exhausted, its quota corrected', { status: 'exhausted' }, true],
    ['stored as enabled, though expired', { status: 'enabled', expires: NOW - 1 }, false],
  ])('declares a key off when it is %s: %o → %s', (_, more, off) => {
    expect(rendered([observed(1, more)]).text.includes('enabled: false')).toBe(off);
  });

  test('omits keys whose names look like credentials, and lists them', () => {
    const keys = [observed(4, { name: `sk-${'a1'.repeat(12)}` }), observed(5, { name: 'good' })];
    const { text: manifest, skipped } = rendered(keys);
    expect(skipped.map((key) => key.id)).toEqual([4]);
    expect(manifest).toContain('good:');
    expect(manifest).not.toContain('sk-a1');
  });

  test('declares by ID every key whose name does not identify it or could not be given to a new key', async () => {
    const names = ['', ' lead ', 'tab\there', 'é'.repeat(26), 'Twin', 'twin', 'same', 'same', '${env:X}', 'key-1'];
    const keys = names.map((name, i) => observed(i + 1, { name }));
    const { text: manifest, skipped } = rendered(keys);
    expect(skipped).toEqual([]);
    expect(manifest).toContain('  key-2:\n    id: 2\n    name: " lead "\n');
    expect(manifest).toContain('  key-1-1:\n    id: 1\n    name: ""\n');
    const { manifest: read, diagnostics } = await readText(manifest);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(read?.desired.keys.map(({ id, name }) => [id, name])).toEqual(
      expect.arrayContaining([...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => [id, names[id - 1]]), [undefined, 'key-1']]),
    );
  });

  test('imports keys with one name by their IDs in the languages of Terraform, and omits names that Terraform refuses', () => {
    const keys = [observed(1, { name: ' lead ' }), observed(2, { name: 'twin' }), observed(3, { name: 'twin' })];
    const { text, skipped } = renderManifest({
      gateway: GATEWAY,
      keys,
      quotaPerUnit: RATE,
      now: NOW,
      language: 'hcl',
    });
    expect(skipped).toMatchObject([{ id: 1, reason: expect.stringContaining('white space') }]);
    expect(text).toContain('import {\n  to = keyplane_api_key.twin_2\n  id = "2"\n}');
    expect(text).toContain('import {\n  to = keyplane_api_key.twin_3\n  id = "3"\n}');
  });

  test('omits a list whose entry has the spelling of the word for no restriction, with the reason', () => {
    const { text: manifest, leftOut } = rendered([observed(1, { models: ['any'] }), observed(2)]);
    const why = 'models is omitted: the model ID "any" has the spelling of the word for no restriction';
    expect(manifest).toContain(`  key-1:\n    # ${why}\n`);
    expect(manifest).not.toContain('models: [any]');
    expect(leftOut).toEqual([{ key: 'key-1', what: why }]);
  });

  test('explains each omitted field in a comment', () => {
    const key = observed(1, {
      models: [],
      allowIps: ['nonsense\u2028line'],
      expires: -7,
      smartRouting: true,
      smartRouteTiers: '{',
    });
    const { text: manifest } = rendered([key]);
    for (const field of ['models', 'allowIps', 'expires', 'smartRouting']) {
      expect(manifest).toMatch(new RegExp(`^ {4}# ${field} is omitted: .+$`, 'm'));
      expect(manifest).not.toMatch(new RegExp(`^ +${field}:`, 'm'));
    }
  });

  test.each([
    ['[12345678901234567890123]', 'contain the number 12345678901234567890123, which would be rounded'],
    ['[1e400]', 'contain the number 1e400, which would be rounded'],
    ['[{"a":1.0,"a":2}]', 'contain "a" twice in one object'],
  ])('leaves tiers alone that it would write otherwise than they are: %s', (smartRouteTiers, why) => {
    const { text } = rendered([observed(1, { smartRouting: true, smartRouteTiers })]);
    expect(text).toContain(`# smartRouting is omitted: the Smart Routing tiers ${why}; they are left unchanged`);
    expect(text).not.toContain('tiers:');
  });

  test('holds no masked key and nothing of the raw record', () => {
    const { text: manifest } = rendered([observed(1, { masked: 'mask-canary', record: { key: 'record-canary' } })]);
    expect(manifest).not.toMatch(/canary/);
  });
});
