import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitsTheInternet } from '../../src/domain/index.ts';

/** Every range with this prefix, without some of them. */
const ranges = (prefix: number, without: readonly number[] = []): readonly string[] =>
  Array.from({ length: 2 ** prefix }, (_, i) => i)
    .filter((i) => !without.includes(i))
    .map((i) => `${i * 2 ** (8 - prefix)}.0.0.0/${prefix}`);

describe('IP rules that admit the internet', () => {
  it.each([
    ['the range of every address', ['0.0.0.0/0']],
    ['the range of every IPv6 address', ['::/0']],
    ['every IPv4 address, mapped', ['::ffff:0:0/96']],
    ['a prefix of 0 behind an address', ['10.1.2.3/0']],
    ['white space around a rule', [' 0.0.0.0/0 ']],
    ['two halves', ['0.0.0.0/1', '128.0.0.0/1']],
    ['one half', ['128.0.0.0/1']],
    ['every range of 8 bits without two', ranges(8, [10, 127])],
    ['the same in reverse', ranges(8, [0, 10]).toReversed()],
    ['global unicast IPv6', ['2000::/3']],
    ['the halves of global unicast IPv6', ['2000::/4', '3000::/4']],
    ['a half, an office and a rule that nothing can read', ['office', '203.0.113.7', '0.0.0.0/1']],
  ])('are %s', (_title, rules) => {
    expect(admitsTheInternet(rules)).toBe(true);
  });

  it.each([
    ['no rule', []],
    ['private networks', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
    ['a quarter, repeated', ['64.0.0.0/2', '64.0.0.0/2', '64.0.0.0/3', '64.0.0.1']],
    ['a quarter of each family', ['0.0.0.0/2', '2000::/5']],
    ['a rule that nothing can read', ['0.0.0.0/33', 'anywhere', '']],
  ])('are not %s', (_title, rules) => {
    expect(admitsTheInternet(rules)).toBe(false);
  });

  it('are found in any order and with overlaps, by their share of the ranges', () => {
    const rule = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(63)).map(([prefix, i]) => {
      const base = (i % 2 ** prefix) * 2 ** (8 - prefix);
      return { text: `${base}.0.0.0/${prefix}`, first: base, last: base + 2 ** (8 - prefix) - 1 };
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 12 }), (rules) => {
        const octets = Array.from({ length: 256 }, (_, at) => at);
        const share = octets.filter((at) => rules.some(({ first, last }) => first <= at && at <= last)).length;
        expect(admitsTheInternet(rules.map(({ text }) => text))).toBe(share >= 128);
      }),
    );
  });
});
