import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Budget,
  decimalOf,
  type Guardrails,
  type IpRule,
  type JudgedKey,
  judgeKey,
  judgePolicies,
  judgeTotal,
  parseGuardrails,
  quota,
} from '../../src/domain/index.ts';
import { NOW } from '../reconcile/account.ts';

const DAY = 86_400;
const usd = (value: number) => ({ usd: decimalOf(value) });
const window = (value: number, per: Extract<Budget, { kind: 'window' }>['per']): Budget => ({
  kind: 'window',
  amount: usd(value),
  per,
});

function rulesOf(input: Readonly<Record<string, unknown>>): Guardrails {
  const { value, diagnostics } = parseGuardrails(input);
  expect(diagnostics).toEqual([]);
  return value ?? {};
}

/** The facts that a policy finds about a key. */
const facts = (policy: Readonly<Record<string, unknown>>, key: Partial<JudgedKey>, rate?: number) =>
  judgeKey(
    rulesOf(policy),
    { name: 'a', ...key },
    { now: NOW, ...(rate === undefined ? {} : { quotaPerUnit: decimalOf(rate) }) },
  ).map(({ fact, isUndecided = false }) => (isUndecided ? `undecided: ${fact}` : fact));

const ips = (...rules: string[]) => ({ allowIps: rules as IpRule[] });
const halves = ips('0.0.0.0/1', '128.0.0.0/1');

describe('a policy', () => {
  it.each([
    ['budget', { budget: true }, {}, 'it has no budget'],
    ['unlimited', { budget: true }, { budget: { kind: 'unlimited' } }, 'its budget is unlimited'],
    ['any budget', { budget: true }, { budget: { kind: 'lifetime', amount: usd(9e8) } }, undefined],
    ['more', { budget: { usd: '100' } }, { budget: window(100.01, 'hour') }, 'its budget of $100.01 is more than $100'],
    ['as much', { budget: { usd: '100.00' } }, { budget: window(100, 'hour') }, undefined],
    [
      'hourly',
      { exposure: { usd: 719 } },
      { budget: window(1, 'hour') },
      'its exposure within 30 days of $720 is more than $719',
    ],
    ['hourly, as much', { exposure: { usd: 720 } }, { budget: window(1, 'hour') }, undefined],
    [
      '7 days',
      { exposure: { usd: 4 } },
      { budget: window(1, { days: 7 }) },
      'its exposure within 30 days of $5 is more than $4',
    ],
    [
      'top-up',
      { exposure: { usd: 1e8 } },
      { budget: { kind: 'top-up', amount: usd(1), below: usd(1) } },
      'its exposure within 30 days has no bound',
    ],
    ['no budget', { exposure: { usd: 1e8 } }, {}, 'its exposure within 30 days has no bound'],
    [
      'a new grant for each generation',
      { exposure: { usd: 3 } },
      { budget: { kind: 'initial', amount: usd(1) }, rotate: { every: 10 * DAY, overlap: DAY } },
      'its exposure within 30 days of $4 is more than $3',
    ],
    ['expiry', { expires: true }, {}, 'it does not expire'],
    ['never', { expires: '30d' }, { expires: null }, 'it does not expire'],
    ['expiry within', { expires: '30d' }, { expires: NOW + 30 * DAY }, undefined],
    [
      'a second later',
      { expires: '30d' },
      { expires: NOW + 30 * DAY + 1 },
      /^it expires on .*, which is more than 30d away$/,
    ],
    ['models', { models: true }, {}, 'it has no `models`'],
    ['any model', { models: true }, { models: null }, 'its `models` are "any"'],
    [
      'other models',
      { models: ['alpha-*'] },
      { models: ['alpha-1', 'Alpha-2', 'beta-1'] },
      /not allowed: Alpha-2, beta-1$/,
    ],
    ['forbidden models', { forbiddenModels: ['*-preview'] }, { models: ['x-PREVIEW', 'x'] }, /not allowed: x-PREVIEW$/],
    [
      'forbidden models by an entry that a gateway takes for a pattern',
      { forbiddenModels: ['*-preview', 'alpha-secret'] },
      { models: ['Alpha-*', 'beta-*', 'x'] },
      /not allowed: Alpha-\*, beta-\*$/,
    ],
    ['forbidden models by omission', { forbiddenModels: ['*-preview'] }, {}, 'it has no `models`'],
    ['forbidden models by "any"', { forbiddenModels: ['*-preview'] }, { models: null }, 'its `models` are "any"'],
    ['addresses', { allowIps: true }, {}, 'it has no `allowIps`'],
    ['anywhere', { allowIps: true }, { allowIps: null }, 'its `allowIps` are "anywhere"'],
    [
      'the internet',
      { allowIps: true },
      ips('0.0.0.0/0'),
      'its `allowIps` together admit at least half of the internet',
    ],
    ['its halves', { allowIps: true }, halves, 'its `allowIps` together admit at least half of the internet'],
    ['all of IPv6', { allowIps: true }, ips('::/0'), 'its `allowIps` together admit at least half of the internet'],
    ['near addresses', { allowIps: ['10.0.0.0/8'] }, ips('10.1.0.0/16', '10.0.0.1/32'), undefined],
    [
      'far addresses',
      { allowIps: ['10.0.0.0/8'] },
      ips('11.0.0.0/8', '10.0.0.0/7'),
      /not allowed: 11.0.0.0\/8, 10.0.0.0\/7$/,
    ],
    ['owner', { owner: true }, { metadata: { ticket: 'A-1' } }, 'it has no owner'],
    ['another owner', { owner: ['search'] }, { metadata: { owner: 'Search' } }, 'its owner `Search` is not allowed'],
    ['exempt', { budget: true, except: ['a*'] }, {}, undefined],
    ['disabled', { budget: true, owner: true }, { enabled: false }, undefined],
    ['enabled', { budget: true }, { enabled: true }, 'it has no budget'],
  ] as const)('judges %s', (_title, policy, key, expected) => {
    const found = facts(policy, key as Partial<JudgedKey>);
    expect(found).toEqual(
      expected === undefined ? [] : [typeof expected === 'string' ? expected : expect.stringMatching(expected)],
    );
  });

  it('leaves amounts of two units to the rate of the gateway, and is exact with it', () => {
    const key = { budget: { kind: 'lifetime', amount: { quota: quota(500_001) } } } as const;
    expect(facts({ budget: { usd: 1 } }, key)).toEqual([expect.stringMatching(/^undecided: .* has another unit than/)]);
    expect(facts({ budget: { usd: 1 } }, key, 500_000)).toEqual(['its budget of 500001 quota units is more than $1']);
    expect(facts({ budget: { usd: 1 } }, key, 500_001)).toEqual([]);
    expect(facts({ budget: { quota: 3 } }, { budget: window(0.000006000001, 'day') }, 500_000)).toHaveLength(1);
  });

  it('adds up the exposure of all keys, but not of those that are exempt or disabled', () => {
    const keys: readonly JudgedKey[] = [
      { name: 'a', budget: window(1, 'day') },
      { name: 'b', budget: { kind: 'lifetime', amount: { quota: quota(500_000) } } },
      { name: 'off', enabled: false, budget: { kind: 'unlimited' } },
      { name: 'root', budget: { kind: 'unlimited' } },
    ];
    const total = (most: number, quotaPerUnit?: number) =>
      judgeTotal(rulesOf({ totalExposure: { usd: most }, except: ['root'] }), keys, {
        ...(quotaPerUnit === undefined ? {} : { quotaPerUnit: decimalOf(quotaPerUnit) }),
      });
    expect(total(31, 500_000)).toEqual([]);
    expect(total(31)).toMatchObject([{ isUndecided: true }]);
    expect(total(29)).toMatchObject([
      { rule: 'totalExposure', fact: expect.stringContaining('of $30 and 500000 quota units is more than $29') },
    ]);
    expect(total(30, 500_000)).toHaveLength(1);
    expect(judgeTotal(rulesOf({ totalExposure: { usd: 1 } }), keys, {})).toMatchObject([
      { fact: 'the exposure of all keys within 30 days has no bound' },
    ]);
  });

  it.each([
    [{ budgets: true }, ['budgets'], 'manifest.unknown-field'],
    [{ budget: false }, ['budget'], 'manifest.invalid-value'],
    [{ budget: 'unlimited' }, ['budget'], 'manifest.invalid-value'],
    [{ budget: { unlimited: true } }, ['budget'], 'manifest.invalid-value'],
    [{ budget: { usd: 5, per: 'hour' } }, ['budget'], 'manifest.invalid-value'],
    [{ budget: { usd: -1 } }, ['budget', 'usd'], 'manifest.invalid-amount'],
    [{ budget: { usd: 'NaN' } }, ['budget', 'usd'], 'manifest.invalid-amount'],
    [{ budget: {} }, ['budget'], 'manifest.invalid-amount'],
    [{ exposure: true }, ['exposure'], 'manifest.invalid-value'],
    [{ expires: 'never' }, ['expires'], 'manifest.invalid-value'],
    [{ expires: 30 }, ['expires'], 'manifest.invalid-value'],
    [{ models: [] }, ['models'], 'manifest.invalid-value'],
    [{ forbiddenModels: [''] }, ['forbiddenModels', 0], 'manifest.invalid-value'],
    [{ forbiddenModels: [' x'] }, ['forbiddenModels', 0], 'manifest.invalid-value'],
    [{ forbiddenModels: [['x']] }, ['forbiddenModels', 0], 'manifest.invalid-value'],
    [{ allowIps: ['10.1.2.3/8'] }, ['allowIps', 0], 'manifest.invalid-ip-rule'],
    [{ allowIps: [null] }, ['allowIps', 0], 'manifest.invalid-ip-rule'],
    [{ allowIps: 'anywhere' }, ['allowIps'], 'manifest.invalid-value'],
    [{ owner: null }, ['owner'], 'manifest.invalid-value'],
    [{ __proto__: null, constructor: true }, ['constructor'], 'manifest.unknown-field'],
  ])('rejects the rule %j, which would forbid nothing', (policy, path, code) => {
    const { value, diagnostics } = parseGuardrails(policy);
    expect(value).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ severity: 'error', path, code });
    expect(diagnostics.every(({ expected }) => expected !== undefined)).toBe(true);
  });

  it('cannot be weakened by another policy', () => {
    const strict = rulesOf({ budget: { usd: 1 }, owner: true });
    const limit = fc.constantFrom(
      {},
      { budget: { usd: 1e6 } },
      { owner: ['x'] },
      { budget: { usd: 5 }, except: ['*'] },
    );
    const key: JudgedKey = { name: 'a', budget: window(2, 'day') };
    fc.assert(
      fc.property(fc.array(limit, { maxLength: 4 }), fc.nat(4), (others, at) => {
        const policies = others.map(rulesOf).toSpliced(at, 0, strict);
        const found = judgePolicies(policies, { keys: [key], all: [key] }, { now: NOW });
        const rules = found.map(({ data }) => data?.rule);
        expect(rules).toEqual(expect.arrayContaining(['budget', 'owner']));
      }),
    );
  });

  it('reports what is wrong, where, what was expected and what to do, in one line whatever the name', () => {
    const place = { file: 'keyplane.yaml', line: 4, column: 3 };
    const rule = { file: 'policy.yaml', line: 2, column: 1 };
    const policy: Guardrails = { ...rulesOf({ expires: '30d' }), places: { expires: rule } };
    const key: JudgedKey = { name: 'a\nb\u001b[2J', place };
    expect(judgePolicies([policy], { keys: [key], all: [key] }, { now: NOW })).toEqual([
      {
        severity: 'error',
        code: 'guard.policy',
        path: ['expires'],
        message: 'The policy does not allow “a\\u{a}b\\u{1b}[2J”: it does not expire.',
        expected: 'an expiry within 30d',
        hint: 'Set `expires` to a time.',
        data: { rule: 'expires', names: [key.name] },
        place,
        related: [{ place: rule, message: 'the rule of the policy' }],
      },
    ]);
  });
});
