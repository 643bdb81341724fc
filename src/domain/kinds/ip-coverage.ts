import ipaddr from 'ipaddr.js';
import { parseIpRule } from './ip-rule.ts';

/** The first and the last address of a range, as numbers. */
interface AddressSpan {
  readonly isIpv6: boolean;
  readonly first: bigint;
  readonly last: bigint;
}

function spanOf(network: string, prefix: number): AddressSpan {
  const bytes = ipaddr.parse(network).toByteArray();
  const first = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const free = BigInt(bytes.length * 8 - prefix);
  return { isIpv6: bytes.length > 4, first, last: first + (1n << free) - 1n };
}

/** A gateway ignores the bits beyond a prefix, and rules that it cannot read. */
function tryReadSpan(text: string): AddressSpan | undefined {
  const parsed = parseIpRule(text);
  const rule = parsed.ok ? parsed.rule : parsed.corrected;
  const [network, prefix] = rule?.split('/') ?? [];
  return network === undefined ? undefined : spanOf(network, Number(prefix));
}

/** The addresses that clients on the internet have: `0.0.0.0/0` and `2000::/3`. */
const INTERNET: readonly AddressSpan[] = [
  { isIpv6: false, first: 0n, last: 2n ** 32n - 1n },
  { isIpv6: true, first: 2n ** 125n, last: 2n ** 126n - 1n },
];

/** Returns how many addresses within a range the spans hold together: spans may overlap. */
function sizeWithin(range: AddressSpan, spans: readonly AddressSpan[]): bigint {
  const own = spans
    .filter(({ isIpv6 }) => isIpv6 === range.isIpv6)
    .sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  let [size, next] = [0n, range.first];
  for (const { first, last } of own) {
    const from = first > next ? first : next;
    const to = last < range.last ? last : range.last;
    if (to < from) continue;
    size += to - from + 1n;
    next = to + 1n;
  }
  return size;
}

/**
 * Returns whether these rules together let in at least half of all addresses on the internet, of one family: `0.0.0.0/0`, or
 * `0.0.0.0/1` and `128.0.0.0/1`, or any longer list that adds up to it.
 */
export function admitsTheInternet(rules: readonly string[]): boolean {
  const spans = rules.flatMap((text) => tryReadSpan(text) ?? []);
  return INTERNET.some((range) => 2n * sizeWithin(range, spans) >= range.last - range.first + 1n);
}
