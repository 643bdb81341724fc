import { BlockList, isIP } from 'node:net';

/** Splits `allow_ips` into lines as gateways do, ignoring blanks. */
const linesOf = (allowIps: string): readonly string[] =>
  allowIps
    .split('\n')
    .map((line) => line.replaceAll(/\s/g, ''))
    .filter((line) => line !== '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Adds an address or a range to the list. Returns false if the text is neither. */
function tryAddLine(list: BlockList, line: string): boolean {
  const [address = '', prefix, ...rest] = line.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (prefix === undefined) {
    list.addAddress(address, familyOf(address));
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return false;
  list.addSubnet(address, Number(prefix), familyOf(address));
  return true;
}

/** Is every line an address or a range? */
export const areAddresses = (allowIps: string): boolean => {
  const list = new BlockList();
  return linesOf(allowIps).every((line) => tryAddLine(list, line));
};

/**
 * May this address use the key? Null and empty restrict nothing. Invalid lines are ignored, so a list of only invalid
 * lines admits nobody.
 */
export function isAddressAllowed(allowIps: string | null, address: string): boolean {
  if (allowIps === null || allowIps === '') return true;
  // Commas at the ends of a line are dropped, where a gateway has stored them.
  const lines = linesOf(allowIps).map((line) => line.replaceAll(/^,+|,+$/g, ''));
  if (lines.length === 0) return true;
  const list = new BlockList();
  for (const line of lines) tryAddLine(list, line);
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}
