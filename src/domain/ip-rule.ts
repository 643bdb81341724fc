import ipaddr from 'ipaddr.js';

/** An address range in canonical CIDR form: `10.0.0.0/8`, `203.0.113.7/32`, `2001:db8::/32`. */
export type IpRule = string & { readonly __ipRule: unique symbol };

export type IpRuleResult =
  | { readonly ok: true; readonly rule: IpRule }
  | { readonly ok: false; readonly problem: string; readonly corrected?: IpRule };

/** Four plain decimal parts: `ipaddr.js` would also take octal, hexadecimal and short forms, which gateways do not. */
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes('%')) return undefined;
  if (text.includes(':')) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
  return IPV4.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
}

/**
 * Reads one address or CIDR range. A range whose address has bits set beyond the prefix is refused, with the corrected
 * form: `10.1.2.3/8` could mean `10.0.0.0/8` or `10.1.2.3/32`, and a wrong guess opens a door.
 */
export function parseIpRule(text: string): IpRuleResult {
  const [addressText = '', prefixText, ...rest] = text.trim().split('/');
  const address = parseAddress(addressText);
  if (!address || rest.length > 0) return { ok: false, problem: 'not an IP address or CIDR range' };
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (prefixText !== undefined && !/^\d{1,3}$/.test(prefixText))
    return { ok: false, problem: 'the prefix is not a number' };
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) return { ok: false, problem: `the prefix is longer than ${bits} bits` };
  const cidr = `${address.toString()}/${prefix}`;
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
      : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
  const rule = `${network}/${prefix}` as IpRule;
  if (network !== address.toString()) {
    return { ok: false, problem: `the address has bits beyond its /${prefix} prefix`, corrected: rule };
  }
  return { ok: true, rule };
}

/** Sorted, without repetition: two lists that allow the same addresses by the same rules are equal. */
export function canonicalIpRules(rules: Iterable<IpRule>): readonly IpRule[] {
  return [...new Set(rules)].sort();
}
