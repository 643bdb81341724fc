import fc from 'fast-check';
import {
  type Budget,
  type BudgetAmount,
  type DesiredKey,
  type DesiredState,
  decimalOf,
  type IpRule,
  type KeySettings,
  keyName,
  quota,
  type Window,
} from '../../src/domain/index.ts';

/** Noon of 2026-11-20, UTC: the now of every property. */
export const NOW = Date.UTC(2026, 10, 20, 12) / 1000;

/** Few names, so that live and declared keys often meet; two differ only by case from others. */
const NAMES = ['prod-a', 'prod-b', 'prod-c', 'dev-a', 'dev-b', 'Prod-A', 'old', 'ключ'] as const;
const name = fc.constantFrom(...NAMES);
const group = fc.constantFrom('', 'default', 'vip');
const models = fc.uniqueArray(fc.constantFrom('alpha-chat-1', 'text-embedding-3-small', 'm x'), { minLength: 1 });
const rules = fc.uniqueArray(fc.constantFrom('10.0.0.0/8', '203.0.113.7/32', '2001:db8::/32'), { minLength: 1 });
const expires = fc.oneof(fc.constant(null), fc.integer({ min: NOW - 90_000, max: NOW + 9_000_000 }));
const units = fc.integer({ min: 0, max: 20_000_000 });

export const settings: fc.Arbitrary<KeySettings> = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.string({ maxLength: 12 }) }),
  group,
  crossGroupRetry: fc.boolean(),
  models: fc.oneof(fc.constant(null), models, fc.constant([])),
  allowIps: fc.oneof(fc.constant(null), rules, fc.constant(['10.1.2.3/8', 'nonsense'])),
  expires,
  unlimited: fc.boolean(),
  remain: fc.integer({ min: -5000, max: 20_000_000 }).map(quota),
  smartRouting: fc.boolean(),
  smartRouteTiers: fc.constantFrom('', '{"b":1,"a":[1,2]}', 'not json'),
});

export interface LiveKey {
  readonly settings: KeySettings;
  readonly status: number;
  readonly used: number;
  readonly extra: Record<string, unknown>;
}

/** An account: any keys, in any state, with fields that nobody knows. Names may repeat outside of what is declared. */
export const account: fc.Arbitrary<readonly LiveKey[]> = fc.uniqueArray(
  fc.record({
    settings,
    status: fc.constantFrom(1, 2, 3, 4),
    used: fc.oneof(fc.constant(0), units),
    extra: fc.dictionary(fc.constantFrom('rate_limit', 'tags', 'note'), fc.jsonValue({ maxDepth: 1 })),
  }),
  { selector: (key) => key.settings.name, maxLength: 8 },
);

const amount: fc.Arbitrary<BudgetAmount> = fc.oneof(
  units.map((n) => ({ quota: quota(n) })),
  fc.integer({ min: 0, max: 5000 }).map((cents) => ({ usd: decimalOf(cents / 100) })),
);

const budget: fc.Arbitrary<Budget> = fc.oneof(
  fc.constant<Budget>({ kind: 'unlimited' }),
  amount.map((a): Budget => ({ kind: 'lifetime', amount: a })),
  amount.map((a): Budget => ({ kind: 'initial', amount: a })),
  fc
    .tuple(amount, fc.constantFrom<Window>('hour', 'day', 'week', 'month', { days: 7 }))
    .map(([a, per]): Budget => ({ kind: 'window', amount: a, per })),
  fc.tuple(units, units).map(
    ([a, b]): Budget => ({
      kind: 'top-up',
      amount: { quota: quota(Math.max(a, b)) },
      below: { quota: quota(Math.min(a, b)) },
    }),
  ),
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const declared = fc
  .record({
    name: fc.constantFrom('prod-a', 'prod-b', 'prod-c', 'ключ').map(keyName),
    enabled: fc.boolean(),
    group: optional(group),
    crossGroupRetry: optional(fc.boolean()),
    models: optional(
      fc.oneof(
        fc.constant(null),
        models.map((m) => [...m].sort()),
      ),
    ),
    allowIps: optional(
      fc.oneof(
        fc.constant(null),
        rules.map((r) => [...r].sort() as IpRule[]),
      ),
    ),
    expires: optional(expires),
    budget: optional(budget),
    smartRouting: optional(fc.constantFrom('{"a":[1,2],"b":1}', '{}')),
    renamedFrom: optional(fc.constantFrom('old', 'dev-b').map(keyName)),
  })
  .map(
    (key) =>
      Object.fromEntries(Object.entries(key).filter(([, value]) => value !== undefined)) as unknown as DesiredKey,
  );

/** A valid manifest: names unique, sources of renames unique. */
export const desired: fc.Arbitrary<DesiredState> = fc.record({
  keys: fc.uniqueArray(declared, { selector: (key) => key.name }).map((keys) => {
    const taken = new Set<string | number>();
    return keys.map((key) => {
      if (key.renamedFrom === undefined || !taken.has(key.renamedFrom)) {
        if (key.renamedFrom) taken.add(key.renamedFrom);
        return key;
      }
      const { renamedFrom: _, ...rest } = key;
      return rest;
    });
  }),
  ownership: fc
    .record(
      {
        scope: fc.constantFrom(['prod-*', 'ключ'], ['*']),
        prune: fc.constantFrom('never' as const, 'disable' as const, 'delete' as const),
        quarantine: fc.constantFrom(86_400, 14 * 86_400),
        protect: fc.constantFrom([], ['prod-c'], ['dev-*']),
      },
      { requiredKeys: ['prune', 'protect'] },
    )
    .map(({ quarantine, ...rest }) =>
      rest.prune === 'delete' && quarantine !== undefined ? { ...rest, quarantine } : rest,
    ),
});
