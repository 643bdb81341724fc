import { comparableAddress } from './comparable-address.ts';
import type { AccountRef } from './key/key.ts';

/** A gateway's base URL as it is written everywhere: no user, no query and no fragment, where secrets could be. */
export const BASE_ADDRESS = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/u;

/** The names of this machine that reach the same server. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Names an account, equally for every spelling of its gateway's address: two runs that change one account, or pay for it,
 * must find each other. Not for comparing where credentials may be sent.
 */
export function accountName({ url, userId }: AccountRef): string {
  const address = new URL(url);
  address.hostname = address.hostname.replace(/\.$/, '');
  if (THIS_MACHINE.has(address.hostname)) address.hostname = '127.0.0.1';
  return `${comparableAddress(address.href)} ${userId}`;
}
