import ipaddr from 'ipaddr.js';

/** An address range in canonical CIDR form: `10.0.0.0/8`, `203.0.113.7/32`, `2001:db8::/32`. */
export type IpRule = string & { readonly __ipRule: unique symbol };

export type IpRuleResult =
  | { readonly ok: true; readonly rule: IpRule }
  | { readonly ok: false; readonly problem: string; readonly corrected?: IpRule };

/** Four plain decimal parts: `ipaddr.js` would also take octal, hexadecimal and short forms, which gateways do not. */
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;
const PREFIX = /^(0|[1-9]\d{0,2})$/;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const parseIpv4 = (text: string): ipaddr.IPv4 | undefined =>
  IPV4.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;

/** `::10.0.0.1` as `::a00:1`: `ipaddr.js` reads it as `::ffff:10.0.0.1`, another address, and lets octal parts in. */
function withoutDottedPart(text: string): string | undefined {
  const dotted = text.slice(text.lastIndexOf(':') + 1);
  if (!dotted.includes('.')) return text;
  const ipv4 = parseIpv4(dotted);
  if (!ipv4) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.octets;
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16));
  return text.slice(0, -dotted.length) + groups.join(':');
}

function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const plain = text.includes('%') ? undefined : withoutDottedPart(text);
  return plain !== undefined && ipaddr.IPv6.isValid(plain) ? ipaddr.IPv6.parse(plain) : undefined;
}

const networkOf = (address: Address, prefix: number): Address =>
  address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${prefix}`)
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${prefix}`);

/** An IPv4-mapped range, `::ffff:10.0.0.0/104`, is the IPv4 range that it names: gateways see the same clients by both. */
function ruleOf(network: Address, prefix: number): IpRule {
  // A network whose last mapped bit is set has a prefix of at least 96.
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) {
    return `${network.toIPv4Address()}/${prefix - 96}` as IpRule;
  }
  return `${network}/${prefix}` as IpRule;
}

/** The keys of an account have the same few rules, and each key is compared. Only rules are remembered: other text may be a credential. */
const known = new Map<string, IpRuleResult>();
const MOST_RULES = 1000;

/**
 * Reads one address or CIDR range. A range whose address has bits set beyond the prefix is refused, with the corrected
 * form: `10.1.2.3/8` could mean `10.0.0.0/8` or `10.1.2.3/32`, and a wrong guess opens a door.
 */
export function parseIpRule(text: string): IpRuleResult {
  const before = known.get(text);
  if (before !== undefined) return before;
  const result = readRule(text);
  if (result.ok && known.size < MOST_RULES) known.set(text, result);
  return result;
}

function readRule(text: string): IpRuleResult {
  const [addressText = '', prefixText, ...rest] = text.trim().split('/');
  const address = parseAddress(addressText);
  if (!address || rest.length > 0) return { ok: false, problem: 'not an IP address or CIDR range' };
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (prefixText !== undefined && !PREFIX.test(prefixText)) return { ok: false, problem: 'the prefix is not a number' };
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) return { ok: false, problem: `the prefix is longer than ${bits} bits` };
  const network = networkOf(address, prefix);
  const rule = ruleOf(network, prefix);
  if (network.toString() === address.toString()) return { ok: true, rule };
  return { ok: false, problem: `the address has bits beyond its /${prefix} prefix`, corrected: rule };
}

/** A range of one address as that address: some gateways ignore ranges, and a key that has no other rule is then open to everybody. */
export const shortestIpRule = (rule: string): string => rule.replace(/^(?:([\d.]+)\/32|([\da-f:]+)\/128)$/, '$1$2');

/** Sorted, without repetition: two lists that allow the same addresses by the same rules are equal. */
export function canonicalIpRules(rules: Iterable<IpRule>): readonly IpRule[] {
  return [...new Set(rules)].sort();
}

/** Does one of these rules, as a live key has them, let this address in? Rules that cannot be parsed match no address. */
export function isWithinRules(address: string, rules: readonly string[]): boolean {
  const asked = parseAddress(address.trim());
  if (!asked) return false;
  const own = asked instanceof ipaddr.IPv6 && asked.isIPv4MappedAddress() ? asked.toIPv4Address() : asked;
  return rules.some((text) => {
    const parsed = parseIpRule(text);
    if (!parsed.ok) return false;
    const [network = '', prefix = ''] = parsed.rule.split('/');
    const range = ipaddr.parse(network);
    return own.kind() === range.kind() && own.match(range as never, Number(prefix));
  });
}

/** Returns an address that these rules let in, IPv4 where there is one; undefined if no rule can be parsed. */
export function tryFindAddressWithin(rules: readonly string[]): string | undefined {
  const addresses = rules.flatMap((text) => {
    const parsed = parseIpRule(text);
    return parsed.ok ? [parsed.rule.slice(0, parsed.rule.indexOf('/'))] : [];
  });
  return addresses.find((address) => !address.includes(':')) ?? addresses[0];
}

/** Does one of these ranges hold every address of the rule? Ranges that cannot be parsed contain nothing. */
export function isRuleWithin(rule: IpRule, ranges: readonly string[]): boolean {
  const [address = '', prefix = ''] = rule.split('/');
  return ranges.some((text) => {
    const range = parseIpRule(text);
    return range.ok && Number(range.rule.split('/')[1]) <= Number(prefix) && isWithinRules(address, [range.rule]);
  });
}
