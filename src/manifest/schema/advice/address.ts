/** Hints for IP addresses and ranges. */

import { parseIpRule } from '../../../domain/index.ts';
import { didYouMean, inBrackets } from './form.ts';
import { isSlipFor, isUnrestricted } from './text.ts';

/** The prefix of a netmask, such as 8 for `255.0.0.0`. */
function tryReadNetmask(mask: string): number | undefined {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/u.test(mask)) return undefined;
  const bits = mask
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/u.test(bits) ? bits.indexOf('0') + (bits.includes('0') ? 0 : 33) : undefined;
}

/** Returns forms that an address could have been meant to be, some of which are not valid either. */
function addressForms(text: string): readonly string[] {
  const [address = '', prefix] = text.split('/');
  const mask = prefix === undefined ? undefined : tryReadNetmask(prefix);
  const parts = address.split('.');
  const stars = parts.length - parts.filter((part) => part !== '*').length;
  const known = parts.filter((part) => part !== '*');
  return [
    ...(mask === undefined ? [] : [`${address}/${mask}`]),
    ...(stars > 0 ? [`${[...known, ...parts.slice(known.length).map(() => '0')].join('.')}/${known.length * 8}`] : []),
    ...(prefix !== undefined && parts.length < 4
      ? [`${[...parts, '0', '0', '0'].slice(0, 4).join('.')}/${prefix}`]
      : []),
    text.replace(/%.*$/u, ''),
    text.replace(/^(\d[\d.]*):\d+$/u, '$1').replace(/^\[(.*)\](:\d+)?$/u, '$1'),
    text.replace(/(^|\.)0+(?=\d)/gu, '$1'),
    text.replace(/^https?:\/\//u, '').replace(/\/$/u, ''),
  ];
}

/** Returns the rule that a text was meant to be, if it is one or can be corrected. */
function tryReadRule(text: string): string | undefined {
  const parsed = parseIpRule(text);
  if (parsed.ok) return text;
  return parsed.corrected ?? addressForms(text).find((form) => parseIpRule(form).ok);
}

/** Returns the rules in a text that separates them by commas, semicolons or blanks. */
function tryReadRules(text: string): readonly string[] | undefined {
  const rules = text
    .trim()
    .split(/[\s,;]+/u)
    .map(tryReadRule);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

/** Advises on a list of addresses that is one string. */
export function adviseAddresses(text: string, field: string, word = ''): string | undefined {
  const rules = tryReadRules(text);
  if (rules) return didYouMean(`${field}: ${inBrackets(rules)}`);
  const isWord = isUnrestricted(text) || isSlipFor(word, text);
  return isWord ? didYouMean(`${field}: ${word}`) : adviseAddress(text);
}

/** Advises on an IP address or a range. */
export function adviseAddress(text: string): string | undefined {
  const meant = tryReadRule(text);
  if (meant !== undefined) return didYouMean(meant);
  const several = tryReadRules(text);
  if (several) return `Write each address as an item of its own. ${didYouMean(inBrackets(several).slice(1, -1))}`;
  if (/^[\d.]+\/\d+$/u.test(text)) return 'The prefix of an IPv4 range is at most `/32`.';
  if (/^[\da-f:]+\/\d+$/iu.test(text)) return 'The prefix of an IPv6 range is at most `/128`.';
  if (/^[\d.]+\s?-\s?[\d.]+$/u.test(text)) return 'Write the addresses as CIDR ranges, like `10.0.0.0/28`.';
  return /^[a-z][\w-]*(\.[\w-]+)+$/iu.test(text) ? 'Write IP addresses: host names are not looked up.' : undefined;
}
