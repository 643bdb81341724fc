import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BudgetAmount,
  type Change,
  Fault,
  type KeyPolicy,
  type KeySettings,
  keyId,
  keyName,
  PLAN_NOTES,
  type Plan,
  type Policy,
  planNote,
  quota,
  RETAIN_REASONS,
  type Snapshot,
} from '../../src/domain/index.ts';
import { decodePlan, encodePlan } from '../../src/manifest/index.ts';

const texts = fc.option(fc.array(fc.string(), { maxLength: 3 }));
const units = fc.maxSafeInteger().map(quota);
const settings: fc.Arbitrary<KeySettings> = fc.record(
  {
    name: fc.string(),
    group: fc.string(),
    crossGroupRetry: fc.boolean(),
    models: texts,
    allowIps: texts,
    expires: fc.option(fc.integer()),
    unlimited: fc.boolean(),
    remain: units,
    smartRouting: fc.boolean(),
    smartRouteTiers: fc.json(),
  },
  { noNullPrototype: true },
);
const id = fc.integer({ min: 1 }).map(keyId);
const snapshot: fc.Arbitrary<Snapshot> = fc
  .tuple(settings, id, fc.constantFrom('enabled', 'disabled', 'expired', 'exhausted'), fc.option(units))
  .map(([all, of, status, used]) => ({ ...all, id: of, status, ...(used === null ? {} : { used }) }));
const place = fc.option(
  fc.constantFrom({ file: 'a.yaml', line: 1, column: 2 }, { file: 'b', line: 3, column: 4, endLine: 3, endColumn: 9 }),
);
const edits = fc
  .tuple(settings, settings, fc.subarray(['name', 'group', 'models', 'remain', 'expires'] as const, { minLength: 1 }))
  .map(([before, after, fields]) => fields.map((field) => ({ field, before: before[field], after: after[field] })));

const change = fc
  .tuple(
    fc.constantFrom('create', 'rename', 'update', 'enable', 'disable', 'delete', 'keep', 'retain'),
    settings,
    snapshot,
  )
  .chain(([verb, wanted, before]) =>
    fc.tuple(id, place, edits).map(([of, at, some]) => {
      const placed = at ? { place: at } : {};
      const onLive = { verb, name: before.name, id: of, ...placed };
      const forms: Readonly<Record<string, object>> = {
        create: { verb, name: keyName('new-key'), settings: wanted, enabled: true, ...placed },
        rename: { ...onLive, from: 'old', edits: some, before },
        update: { ...onLive, edits: some, before },
        enable: { ...onLive, before, reason: 'repaired' },
        disable:
          of % 2 === 0
            ? { ...onLive, before, reason: 'pruned' }
            : { ...onLive, before, reason: 'quarantined', quarantine: { until: 86_400 * of } },
        delete: { ...onLive, before, reason: 'destroyed' },
        keep: onLive,
        retain: { ...onLive, reason: RETAIN_REASONS[of % RETAIN_REASONS.length] },
      };
      return forms[verb] as Change;
    }),
  );

const amount: fc.Arbitrary<BudgetAmount> = fc.constantFrom(
  { usd: { digits: 5n, scale: 0 } },
  { usd: { digits: 125n, scale: 1 } },
  { quota: quota(7) },
);
const policy: fc.Arbitrary<Policy> = fc
  .tuple(amount, amount)
  .chain(([some, other]) =>
    fc.constantFrom<Policy>(
      { kind: 'unlimited' },
      { kind: 'lifetime', amount: some },
      { kind: 'initial', amount: some },
      { kind: 'window', amount: some, per: 'hour' },
      { kind: 'window', amount: some, per: { days: 7 } },
      { kind: 'top-up', amount: some, below: other },
      { kind: 'unmanaged' },
      { kind: 'none' },
      { kind: 'unknown' },
    ),
  );
const exposure = fc.record(
  { units: fc.bigInt({ min: 0n, max: 10n ** 21n }), unbounded: fc.nat(), unknown: fc.nat() },
  { noNullPrototype: true },
);
const keyPolicy: fc.Arbitrary<KeyPolicy> = fc
  .tuple(fc.option(id), policy, policy, exposure, exposure)
  .map(([of, before, after, then, now]) => ({
    name: 'prod-a',
    ...(of === null ? {} : { id: of }),
    before,
    after,
    exposure: { before: then, after: now },
  }));

const plans: fc.Arbitrary<Plan> = fc.record(
  {
    account: fc.constant({ url: 'https://gateway.example.com', userId: 42 }),
    at: fc.integer(),
    quotaPerUnit: fc.constantFrom({ digits: 500_000n, scale: 0 }, { digits: 5_000_001n, scale: 1 }),
    changes: fc.array(change, { maxLength: 6 }),
    notes: fc.array(
      fc
        .record({
          code: fc.constantFrom(...Object.keys(PLAN_NOTES)),
          name: fc.option(fc.constant('prod-a'), { nil: undefined }),
        })
        .map(({ code, name }) => planNote(code as keyof typeof PLAN_NOTES, 'm', name)),
      { maxLength: 2 },
    ),
    policies: fc.array(keyPolicy, { maxLength: 4 }),
    invisible: fc.nat(),
    owned: fc.nat(),
    fingerprint: fc.constant('f'.repeat(64)),
  },
  { noNullPrototype: true },
);

const sample = (): Plan => fc.sample(plans, { numRuns: 1, seed: 7 })[0] as Plan;

function faultOf(text: string): Fault {
  try {
    decodePlan(text);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('the plan was read');
}

describe('a saved plan', () => {
  test('reads back as exactly the plan that was saved', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(decodePlan(JSON.stringify(encodePlan(plan)))).toStrictEqual(plan);
      }),
    );
  });

  test('may have another layout and another order of fields', () => {
    const saved = encodePlan(sample()) as Record<string, unknown>;
    const turned = Object.fromEntries(Object.entries(saved).reverse());
    expect(decodePlan(JSON.stringify(turned, null, '\t'))).toStrictEqual(sample());
  });

  test('carries nothing that is not part of a plan', () => {
    const before = { ...fc.sample(snapshot, 1)[0], masked: 'canary', record: { key: 'canary' } } as unknown as Snapshot;
    const kept = { verb: 'disable', name: 'a', id: keyId(1), before, reason: 'declared' } as const;
    const plan: Plan = { ...sample(), changes: [kept] };
    expect(JSON.stringify(encodePlan(plan))).not.toContain('canary');
  });

  test.each<[string, (saved: Record<string, unknown>) => string, RegExp]>([
    ['is not JSON', () => '{', /not JSON/],
    ['is another document', () => '{"kind":"plan","version":1}', /not a saved plan/],
    ['is null', () => 'null', /not a saved plan/],
    ['is of another version', (saved) => JSON.stringify({ ...saved, version: 3 }), /version 3/],
    ['is of version 1, without policies', (saved) => JSON.stringify({ ...saved, version: 1 }), /version 1/],
    ['lacks a field', (saved) => JSON.stringify({ ...saved, fingerprint: undefined }), /fingerprint/],
    ['has a field more', (saved) => JSON.stringify({ ...saved, force: true }), /force/],
    ['has another rate', (saved) => JSON.stringify({ ...saved, quotaPerUnit: 'many' }), /quotaPerUnit/],
    ['has another amount', (saved) => JSON.stringify({ ...saved, owned: Number(saved.owned) + 1 }), /edited/],
    ['has a checksum of its own making', (saved) => JSON.stringify({ ...saved, checksum: 'sha256:0' }), /edited/],
    ['has no checksum', (saved) => JSON.stringify({ ...saved, checksum: undefined }), /checksum/],
    ['has a rate of nothing', (saved) => JSON.stringify({ ...saved, quotaPerUnit: '0' }), /quotaPerUnit/],
    [
      'has an unknown verb',
      (saved) => JSON.stringify({ ...saved, changes: [{ verb: 'wipe', name: 'a', id: 1 }] }),
      /changes\.0\.verb/,
    ],
    [
      'has an update without edits',
      (saved) => JSON.stringify({ ...saved, changes: [{ verb: 'update', name: 'a', id: 1, edits: [], before: {} }] }),
      /changes\.0\.edits/,
    ],
    [
      'has an invalid id',
      (saved) => JSON.stringify({ ...saved, changes: [{ verb: 'keep', name: 'a', id: 0 }] }),
      /changes\.0\.id/,
    ],
  ])('that %s is rejected with an explanation', (_, corrupt, message) => {
    const fault = faultOf(corrupt(encodePlan(sample()) as Record<string, unknown>));
    expect(fault.code).toBe('plan.unreadable');
    expect(fault.message).toMatch(message);
    expect(fault.hint).toBeTruthy();
  });
});
