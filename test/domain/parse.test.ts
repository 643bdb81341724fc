import { describe, expect, it } from 'vitest';
import { budgetProblems, KEY_FIELDS, parseValue, UNKNOWN } from '../../src/domain/index.ts';

const codes = (parsed: ReturnType<typeof parseValue>) =>
  parsed.diagnostics.map(({ code, path, severity }) => `${severity} ${code} ${JSON.stringify(path)}`);

describe('a value of a field', () => {
  it('is brought to normal form: sets sorted and without repetition, rules canonical, JSON canonical', () => {
    expect(parseValue(KEY_FIELDS.models, ['b', 'a']).value).toEqual(['a', 'b']);
    expect(parseValue(KEY_FIELDS.allowIps, ['203.0.113.7', '10.0.0.0/8']).value).toEqual([
      '10.0.0.0/8',
      '203.0.113.7/32',
    ]);
    expect(parseValue(KEY_FIELDS.expires, '1970-01-01T00:01:00Z').value).toBe(60);
    expect(parseValue(KEY_FIELDS.smartRouting, '{ "b": 1, "a": [] }').value).toBe('{"a":[],"b":1}');
    expect(parseValue(KEY_FIELDS.budget, { usd: '25', per: 'month' }).value).toMatchObject({
      kind: 'window',
      per: 'month',
    });
  });

  it('is null when the border read the word that lifts the restriction, and only where there is such a word', () => {
    expect(parseValue(KEY_FIELDS.models, null)).toEqual({ value: null, diagnostics: [] });
    expect(parseValue(KEY_FIELDS.expires, null)).toEqual({ value: null, diagnostics: [] });
    expect(codes(parseValue(KEY_FIELDS.group, null))).toEqual(['error manifest.invalid-value []']);
  });

  it.each([
    ['an empty list', parseValue(KEY_FIELDS.models, []), 'error manifest.empty-allowlist []'],
    [
      'the word for no restriction in a list',
      parseValue(KEY_FIELDS.models, ['a', 'any']),
      'error manifest.invalid-value [1]',
    ],
    ['a model ID with a comma', parseValue(KEY_FIELDS.models, ['a,b']), 'error manifest.invalid-value [0]'],
    [
      'an API key among models',
      parseValue(KEY_FIELDS.models, [`sk-${'x'.repeat(20)}`]),
      'error manifest.secret-in-manifest [0]',
    ],
    [
      'an address with host bits set',
      parseValue(KEY_FIELDS.allowIps, ['10.1.2.3/8']),
      'error manifest.invalid-ip-rule [0]',
    ],
    ['a blank before a group', parseValue(KEY_FIELDS.group, ' vip'), 'error manifest.invalid-value []'],
    [
      'a day that does not exist',
      parseValue(KEY_FIELDS.expires, '2027-02-30T00:00:00Z'),
      'error manifest.invalid-value []',
    ],
    ['null as tiers', parseValue(KEY_FIELDS.smartRouting, 'null'), 'error manifest.invalid-value []'],
    [
      'a number that JavaScript rounds',
      parseValue(KEY_FIELDS.smartRouting, '[1e400]'),
      'error manifest.invalid-value []',
    ],
    [
      'a budget in two units',
      parseValue(KEY_FIELDS.budget, { usd: '1', quota: '1' }),
      'error manifest.invalid-amount []',
    ],
    [
      'a top-up above the budget',
      parseValue(KEY_FIELDS.budget, { usd: '1', below: { usd: '2' } }),
      'error manifest.invalid-amount ["below"]',
    ],
    [
      'an unlimited budget with a window',
      parseValue(KEY_FIELDS.budget, { unlimited: true, per: 'day' }),
      'error manifest.invalid-value ["per"]',
    ],
  ])('is rejected: %s', (_what, parsed, code) => {
    expect(parsed.value).toBeUndefined();
    expect(codes(parsed)).toEqual([code]);
  });

  it('offers the corrected form of an address as data', () => {
    expect(parseValue(KEY_FIELDS.allowIps, ['10.1.2.3/8']).diagnostics[0]?.data).toEqual({ corrected: '10.0.0.0/8' });
  });

  it('warns about a repeated entry and names the first one', () => {
    const { value, diagnostics } = parseValue(KEY_FIELDS.models, ['a', 'b', 'a']);
    expect(value).toEqual(['a', 'b']);
    expect(diagnostics).toMatchObject([{ severity: 'warning', path: [2], data: { first: 0 } }]);
  });

  it('accepts a part of a budget that only a later run knows', () => {
    expect(budgetProblems({ usd: '1', below: { usd: UNKNOWN } })).toEqual([]);
    expect(budgetProblems({ unlimited: UNKNOWN })).toEqual([]);
  });
});
