import { describe, expect, it } from 'vitest';
import {
  type Decimal,
  decimalOf,
  declarableEnabled,
  declarableFields,
  LAST_INSTANT,
  type ObservedKey,
  QUOTA_LIMIT,
  quota,
  USD_LIMIT,
} from '../../src/domain/index.ts';
import { plainKey } from '../plain-key.ts';

const RATE = decimalOf(500_000);
const NOW = 1_800_000_000;
const CREDENTIAL = `sk-${'x'.repeat(20)}`;

const fieldsOf = (more: Partial<ObservedKey>, rate: Decimal = RATE) => declarableFields(plainKey(1, more), rate);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const limited = (remain: number, used?: number): Partial<ObservedKey> => ({
  unlimited: false,
  remain: quota(remain),
  ...(used === undefined ? {} : { used: quota(used) }),
});

describe('the declaration of a live key', () => {
  it('has every field that the key uses, in the order of the table, and never the status', () => {
    expect(fieldsOf({})).toEqual({
      crossGroupRetry: { value: false },
      models: { value: null },
      allowIps: { value: null },
      expires: { value: null },
      budget: { value: { kind: 'unlimited' } },
    });
    const all = fieldsOf({ group: 'vip', smartRouting: true, smartRouteTiers: '[]' });
    expect(Object.keys(all)).toEqual([
      'group',
      'crossGroupRetry',
      'models',
      'allowIps',
      'expires',
      'budget',
      'smartRouting',
    ]);
  });

  it.each<[string, Partial<ObservedKey>, object]>([
    ['a group', { group: 'vip' }, { group: { value: 'vip' } }],
    ['models, sorted, each once', { models: ['b', 'a', 'b'] }, { models: { value: ['a', 'b'] } }],
    [
      'addresses, canonical, the network of those with host bits set',
      { allowIps: ['203.0.113.7', '10.1.2.3/8', '10.0.0.0/8'] },
      { allowIps: { value: ['10.0.0.0/8', '203.0.113.7/32'] } },
    ],
    ['the first instant', { expires: 0 }, { expires: { value: 0 } }],
    ['the last instant', { expires: LAST_INSTANT }, { expires: { value: LAST_INSTANT } }],
    [
      'tiers, without white space',
      { smartRouting: true, smartRouteTiers: '[ {"b": 1, "a": 2} ]' },
      { smartRouting: { value: '[{"b":1,"a":2}]' } },
    ],
    ['no tiers', { smartRouting: true, smartRouteTiers: '' }, { smartRouting: { value: '' } }],
    [
      'tiers that are a plain value',
      { smartRouting: true, smartRouteTiers: '"x"' },
      { smartRouting: { value: '"x"' } },
    ],
    [
      'tiers with null inside',
      { smartRouting: true, smartRouteTiers: '[null]' },
      { smartRouting: { value: '[null]' } },
    ],
    [
      'tiers of 40 levels',
      { smartRouting: true, smartRouteTiers: nested(40) },
      { smartRouting: { value: nested(40) } },
    ],
  ])('contains %s', (_, more, declared) => {
    expect(fieldsOf(more)).toMatchObject(declared);
  });

  it.each<[string, keyof ReturnType<typeof fieldsOf>, Partial<ObservedKey>, string]>([
    ['a group with white space', 'group', { group: ' vip' }, 'the group " vip" cannot be declared'],
    [
      'a group like a credential',
      'group',
      { group: CREDENTIAL },
      'the group looks like a credential; if it is one, revoke it',
    ],
    [
      'no models',
      'models',
      { models: [] },
      'the list of models is enabled and empty: the gateway rejects every request of a key without models',
    ],
    ['a model with a comma', 'models', { models: ['a', 'b,c'] }, 'the model ID "b,c" cannot be declared'],
    [
      'a model like a credential',
      'models',
      { models: [CREDENTIAL] },
      'the model ID looks like a credential; if it is one, revoke it',
    ],
    [
      'a model like the word',
      'models',
      { models: ['a', 'any'] },
      'the model ID "any" has the spelling of the word for no restriction',
    ],
    [
      'a line that is not an address',
      'allowIps',
      { allowIps: ['10.0.0.0/8', 'nowhere'] },
      'the line "nowhere" is not an IP address or range',
    ],
    [
      'a password in a line',
      'allowIps',
      { allowIps: ['http://me:pass@host'] },
      'the line "http://‹secret›@host" is not an IP address or range',
    ],
    ['no address', 'allowIps', { allowIps: [] }, 'the list of addresses is empty'],
    ['an expiry before 1970', 'expires', { expires: -5 }, 'the expiry -5 is not a time that can be declared'],
    [
      'an expiry of the year 10000',
      'expires',
      { expires: LAST_INSTANT + 1 },
      `the expiry ${LAST_INSTANT + 1} is not a time that can be declared`,
    ],
    ['an expiry between two seconds', 'expires', { expires: 0.5 }, 'the expiry 0.5 is not a time that can be declared'],
    [
      'tiers that are not JSON',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: '{' },
      'the Smart Routing tiers are not JSON that can be declared; they are left unchanged',
    ],
    [
      'tiers that are null',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: 'null' },
      'the Smart Routing tiers are not JSON that can be declared; they are left unchanged',
    ],
    [
      'tiers of 41 levels',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: nested(41) },
      'the Smart Routing tiers are not JSON that can be declared; they are left unchanged',
    ],
    [
      'tiers with a credential',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: JSON.stringify([CREDENTIAL]) },
      'the Smart Routing tiers are not JSON that can be declared; they are left unchanged',
    ],
    [
      'tiers with half a character',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: '["\\ud800"]' },
      'the Smart Routing tiers are not JSON that can be declared; they are left unchanged',
    ],
    [
      'tiers with a long number',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: '[1.00000000000000001]' },
      'the Smart Routing tiers contain the number 1.00000000000000001, which would be rounded; they are left unchanged',
    ],
    [
      'tiers with a member twice',
      'smartRouting',
      { smartRouting: true, smartRouteTiers: '{"a":1,"a":2}' },
      'the Smart Routing tiers contain "a" twice in one object; they are left unchanged',
    ],
  ])('gives the reason why it cannot contain %s', (_, field, more, unrepresentable) => {
    expect(fieldsOf(more)[field]).toEqual({ unrepresentable });
  });
});

describe('the declared budget of a live key', () => {
  const usd = (digits: bigint, scale: number) => ({ usd: { digits, scale } });

  it.each<[string, Partial<ObservedKey>, Decimal, object]>([
    [
      'the whole grant where the use is known',
      limited(750_000, 500_000),
      RATE,
      { kind: 'lifetime', amount: usd(25n, 1) },
    ],
    ['nothing', limited(0, 0), RATE, { kind: 'lifetime', amount: usd(0n, 0) }],
    ['the grant of an overdrawn key', limited(-5, 500_005), RATE, { kind: 'lifetime', amount: usd(1n, 0) }],
    ['what remains where the use is unknown', limited(500_000), RATE, { kind: 'initial', amount: usd(1n, 0) }],
    ['nothing where an overdrawn key has an unknown use', limited(-5), RATE, { kind: 'initial', amount: usd(0n, 0) }],
    ['what remains where the use makes no sense', limited(500_000, -1), RATE, { kind: 'initial', amount: usd(1n, 0) }],
    ['what remains where the grant would be negative', limited(-5, 4), RATE, { kind: 'initial', amount: usd(0n, 0) }],
    [
      'what remains where the sum is not exact',
      limited(Number.MAX_SAFE_INTEGER, 1),
      decimalOf(Number.MAX_SAFE_INTEGER),
      { kind: 'initial', amount: usd(1n, 0) },
    ],
    ['units where dollars are not exact', limited(1, 0), decimalOf(3), { kind: 'lifetime', amount: { quota: 1 } }],
    ['dollars where the rate has a fraction', limited(1, 0), decimalOf(0.5), { kind: 'lifetime', amount: usd(2n, 0) }],
    ['units where no rate is known', limited(7, 0), decimalOf(0), { kind: 'lifetime', amount: { quota: 7 } }],
    ['the most dollars', limited(USD_LIMIT, 0), decimalOf(1), { kind: 'lifetime', amount: usd(BigInt(USD_LIMIT), 0) }],
    [
      'units beyond the most dollars',
      limited(USD_LIMIT + 1, 0),
      decimalOf(1),
      { kind: 'lifetime', amount: { quota: USD_LIMIT + 1 } },
    ],
    ['the most units', limited(QUOTA_LIMIT, 0), decimalOf(0), { kind: 'lifetime', amount: { quota: QUOTA_LIMIT } }],
  ])('is %s', (_, more, rate, value) => {
    expect(fieldsOf(more, rate).budget).toEqual({ value });
  });

  it('cannot be declared beyond the most units', () => {
    const unrepresentable = `the budget of ${QUOTA_LIMIT + 1} quota units is more than can be declared`;
    expect(fieldsOf(limited(QUOTA_LIMIT, 1), decimalOf(0)).budget).toEqual({ unrepresentable });
  });

  it('uses at most 18 decimals', () => {
    expect(fieldsOf(limited(1, 0), decimalOf(10 ** 18)).budget).toEqual({
      value: { kind: 'lifetime', amount: usd(1n, 18) },
    });
    expect(fieldsOf(limited(1, 0), decimalOf(10 ** 19)).budget).toEqual({
      value: { kind: 'lifetime', amount: { quota: 1 } },
    });
  });
});

describe('a live key is declared enabled', () => {
  it.each<[string, Partial<ObservedKey>, boolean]>([
    ['while it is', {}, true],
    ['while it has expired, whatever is stored', { expires: NOW }, true],
    ['while it is stored as expired, and has', { status: 'expired', expires: NOW }, true],
    ['while it is stored as exhausted, and is', { status: 'exhausted', ...limited(0) }, true],
    ['no longer, when its expiry was corrected and it was not enabled', { status: 'expired', expires: NOW + 1 }, false],
    ['no longer, when its quota was raised and it was not enabled', { status: 'exhausted', ...limited(1) }, false],
    ['never while it is disabled', { status: 'disabled' }, false],
    ['never while it is disabled and has expired', { status: 'disabled', expires: NOW }, false],
  ])('%s', (_, more, enabled) => {
    expect(declarableEnabled(plainKey(1, more), NOW)).toBe(enabled);
  });
});
