import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalIpRules,
  type IpRule,
  isRuleWithin,
  isWithinRules,
  parseIpRule,
  tryFindAddressWithin,
} from '../../src/domain/index.ts';

const ruleOf = (text: string): string | undefined => {
  const result = parseIpRule(text);
  return result.ok ? result.rule : undefined;
};

const correctionOf = (text: string): string | undefined => {
  const result = parseIpRule(text);
  return result.ok ? undefined : result.corrected;
};

describe('an IP rule', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    [' 10.0.0.0/8\r', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['255.255.255.255/32', '255.255.255.255/32'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:0db8:0:0:0:0:0:1', '2001:db8::1/128'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
    ['::/0', '::/0'],
    ['::1', '::1/128'],
  ])('is canonical CIDR: %s is %s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1/32'],
    ['::FFFF:0a00:0001', '10.0.0.1/32'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0.0.0.0/96', '0.0.0.0/0'],
  ])('is the IPv4 range that an IPv4-mapped one names: %s is %s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it('stays IPv6 when a mapped address reaches beyond the mapped range', () => {
    expect(correctionOf('::ffff:10.0.0.0/95')).toBe('::fffe:0:0/95');
    expect(ruleOf('::/64')).toBe('::/64');
  });

  it.each([
    ['::10.0.0.1', '::a00:1/128'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221/128'],
    ['::ffff:0:10.0.0.1', '::ffff:0:a00:1/128'],
  ])('reads a dotted end as the last two groups, and nothing more: %s is %s', (text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.1.2.3/0', '0.0.0.0/0'],
    ['10.1.2.3/31', '10.1.2.2/31'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ])('is refused with bits beyond its prefix, and corrected: %s to %s', (text, corrected) => {
    expect(ruleOf(text)).toBeUndefined();
    expect(correctionOf(text)).toBe(corrected);
  });

  it.each([
    '',
    '/',
    '/8',
    'localhost',
    '*',
    '10.0.0',
    '10.0.0.0.0',
    '10.0.0.256',
    '-1.0.0.0',
    '167772160',
    '0x0a.0.0.1',
    '010.0.0.1',
    '10.00.0.1',
    '١٠.0.0.1',
    '10.0.0.1:80',
    '10.0.0.0-10.0.0.9',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/+8',
    '10.0.0.0/8.0',
    '10.0.0.0/08',
    '10.0.0.0/1e1',
    '10.0.0.0/8/8',
    '10.0.0.1 /8',
    '10.0.0.1,10.0.0.2',
    'fe80::1%eth0',
    'fe80::%1/64',
    '[::1]',
    ':::',
    ':',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    '::/129',
    '::ffff:010.0.0.1',
    '::ffff:0x7f.0.0.1',
    '::ffff:999.0.0.1',
    '::ffff:10.0.1',
    '10.0.0.1::',
  ])('is refused without a guess: %j', (text) => {
    expect(ruleOf(text)).toBeUndefined();
    expect(correctionOf(text)).toBeUndefined();
  });

  it('holds the network of its address, by an oracle on big integers', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 32n - 1n), fc.integer({ min: 0, max: 32 }), (address, prefix) => {
        const dotted = (bits: bigint) => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.');
        const hole = BigInt(32 - prefix);
        const network = (address >> hole) << hole;
        const result = parseIpRule(`${dotted(address)}/${prefix}`);
        expect(result.ok).toBe(network === address);
        expect(result.ok ? result.rule : result.corrected).toBe(`${dotted(network)}/${prefix}`);
      }),
    );
  });

  it('holds the network of an IPv6 address, by the same oracle', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 64n, 2n ** 128n - 1n), fc.integer({ min: 0, max: 128 }), (address, prefix) => {
        const groups = (bits: bigint) =>
          [7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n].map((n) => ((bits >> (16n * n)) & 0xffffn).toString(16)).join(':');
        const hole = BigInt(128 - prefix);
        const network = (address >> hole) << hole;
        const result = parseIpRule(`${groups(address)}/${prefix}`);
        const same = parseIpRule(`${groups(network)}/${prefix}`);
        expect(same.ok).toBe(true);
        expect(result.ok).toBe(network === address);
        expect(result.ok ? result.rule : result.corrected).toBe(same.ok ? same.rule : undefined);
      }),
    );
  });

  it('reads its own canonical form as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const rule = ruleOf(address);
        if (rule !== undefined) expect(ruleOf(rule)).toBe(rule);
      }),
    );
  });

  it('never throws, whatever is written', () => {
    const characters = fc.constantFrom(...'0123456789abcdefx.:/%[]* -');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: characters })), (text) => {
        parseIpRule(text);
      }),
    );
  });
});

describe('the problem with an IP rule', () => {
  it.each([
    ['nowhere', 'not an IP address or CIDR range'],
    ['10.0.0.0/8/8', 'not an IP address or CIDR range'],
    ['10.0.0.0/x', 'the prefix is not a number'],
    ['10.0.0.0/33', 'the prefix is longer than 32 bits'],
    ['::/129', 'the prefix is longer than 128 bits'],
  ])('of %s: %s', (text, problem) => {
    expect(parseIpRule(text)).toEqual({ ok: false, problem });
  });
});

describe('a list of IP rules', () => {
  it('is equal for the same rules in any order, any number of times', () => {
    const rules = fc.uniqueArray(fc.ipV4().map((address) => `${address}/32` as IpRule));
    fc.assert(
      fc.property(rules, (list) => {
        expect(canonicalIpRules([...list].reverse().concat(list))).toEqual(canonicalIpRules(list));
      }),
    );
  });
});

describe('isWithinRules', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['203.0.113.7', ['203.0.113.7'], true],
    ['203.0.113.7', ['203.0.113.7/32', 'nonsense'], true],
    ['203.0.113.8', ['nonsense'], false],
    ['2001:db8::1', ['2001:db8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['10.1.2.3', ['2001:db8::/32'], false],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['nowhere', ['0.0.0.0/0'], false],
    [' 10.1.2.3 ', ['10.0.0.0/8'], true],
    ['127.0.0.1', [], false],
  ])('decides whether %s is within %j: %s', (address, rules, within) => {
    expect(isWithinRules(address, rules)).toBe(within);
  });
});

describe('tryFindAddressWithin', () => {
  it.each([
    [['2001:db8::/32', '10.0.0.0/8'], '10.0.0.0'],
    [['nonsense', '203.0.113.7'], '203.0.113.7'],
    [['2001:db8::/32'], '2001:db8::'],
    [['nonsense'], undefined],
    [[], undefined],
  ])('finds an address that %j let in: %s', (rules, address) => {
    expect(tryFindAddressWithin(rules)).toBe(address);
  });
});

describe('isRuleWithin', () => {
  it.each([
    ['10.1.0.0/16', ['10.0.0.0/8'], true],
    ['10.0.0.0/8', ['10.0.0.0/8'], true],
    ['10.0.0.0/7', ['10.0.0.0/8'], false],
    ['11.0.0.0/16', ['nonsense', '10.0.0.0/8'], false],
    ['11.0.0.0/16', ['10.0.0.0/8', '11.0.0.0/8'], true],
    ['2001:db8::/48', ['2001:db8::/32'], true],
    ['2001:db8::/48', ['0.0.0.0/0'], false],
    ['10.0.0.0/8', [], false],
  ])('decides whether %s is within %j: %s', (rule, ranges, within) => {
    expect(isRuleWithin(rule as IpRule, ranges)).toBe(within);
  });
});
