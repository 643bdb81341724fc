import { describe, expect, it } from 'vitest';
import { ExactNumber, type TerraformValue } from '../../../src/terraform/codec/value.ts';
import { FUNCTIONS } from '../../../src/terraform/keyplane/functions.ts';

const { usd_to_quota: toQuota, quota_to_usd: toUsd, parse_ip_rules: parseRules } = FUNCTIONS;

describe('functions of the provider', () => {
  it.each<[readonly TerraformValue[], number]>([
    [[25], 12_500_000],
    [[0.1], 50_000],
    [[new ExactNumber('0.1000000000000000001')], 50_000],
    [[25, 1000], 25_000],
    [[0.0000001], 0],
    [[-2], -1_000_000],
  ])('usd_to_quota%j is %i', (args, units) => {
    expect(toQuota.call(...args)).toBe(units);
  });

  it.each<[readonly TerraformValue[], TerraformValue]>([
    [[12_500_000], 25],
    [[1], 0.000002],
    [[0], 0],
    [[1_000_000, 500], 2000],
    [[-500_000], -1],
  ])('quota_to_usd%j is %j', (args, usd) => {
    expect(toUsd.call(...args)).toBe(usd);
  });

  it('parse_ip_rules gives the form in which a gateway keeps them', () => {
    expect(parseRules.call(['203.0.113.7', '10.0.0.0/8', '203.0.113.7/32', '2001:DB8::/32'])).toEqual([
      '10.0.0.0/8',
      '2001:db8::/32',
      '203.0.113.7/32',
    ]);
  });

  it.each<[string, () => TerraformValue, number, string]>([
    ['a rate of nothing', () => toQuota.call(1, 0), 1, 'above 0'],
    ['two rates', () => toQuota.call(1, 2, 3), 2, 'at most one rate'],
    ['half a unit', () => toUsd.call(0.5), 0, 'whole'],
    ['an amount that nobody has', () => toUsd.call(new ExactNumber('1e400')), 0, 'whole'],
    ['more than a gateway counts', () => toQuota.call(1e30), 0, 'is too much: one dollar is 500000 quota units'],
    ['a range with bits beyond its prefix', () => parseRules.call(['10.1.2.3/8']), 0, '(did you mean 10.0.0.0/8?)'],
    ['no address', () => parseRules.call(['here']), 0, 'not an IP address'],
  ])('refuses %s, at the argument', (_, call, position, message) => {
    expect(call).toThrow(expect.objectContaining({ position, message: expect.stringContaining(message) }));
    // Core ends the sentence.
    expect(call).not.toThrow(/\.$/);
  });
});
