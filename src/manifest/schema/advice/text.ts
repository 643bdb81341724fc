/** Hints for texts, lists and flags: each guesses what the person meant, and is silent when it cannot. */

import { suggestion } from '../../../source/index.ts';
import { didYouMean, inBrackets, inFlow } from './form.ts';

/** Words for no restriction. Not `none`: it could mean that nothing is allowed, and a wrong guess opens a door. */
const UNRESTRICTED = /^(all|any|anything|anywhere|everything|everywhere|\*|unlimited|unrestricted)$/iu;

/**
 * Is the text a slip of the pen for this word, which lifts a restriction? It begins like it: `nowhere` and `limited` are near to
 * `anywhere` and `unlimited`, and mean the opposite.
 */
export const isSlipFor = (word: string, text: string): boolean =>
  text.slice(0, 2).toLowerCase() === word.slice(0, 2) && suggestion(text, [word]) !== undefined;

export const isUnrestricted = (text: string): boolean => UNRESTRICTED.test(text);

/** Advises on a list that is one string. */
export function adviseList(text: string, field: string, word?: string): string | undefined {
  if (word !== undefined && isUnrestricted(text)) return didYouMean(`${field}: ${word}`);
  if (text.trim() === '') return undefined;
  if (/^-\S/u.test(text)) return 'Write a space after each `-` of a list.';
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) return undefined;
  return didYouMean(`${field}: ${inBrackets(items)}`);
}

/** Advises on a text that is nearly one of a few names. */
export const adviseNameOf =
  (names: readonly string[]) =>
  (text: string): string | undefined => {
    const near = suggestion(text, names);
    return near === undefined ? undefined : didYouMean(near);
  };

/** Advises on a string that YAML reads as a number or a boolean. */
export const adviseQuotes = (text: string, isText: boolean): string | undefined =>
  isText ? undefined : `YAML reads this as a number or a boolean. ${didYouMean(`"${text}"`)}`;

const FLAGS: Readonly<Record<string, 'true' | 'false'>> = {
  ...Object.fromEntries(['yes', 'y', 'on', '1', 'enabled', 'active'].map((word) => [word, 'true'])),
  ...Object.fromEntries(['no', 'n', 'off', '0', 'disabled', 'inactive'].map((word) => [word, 'false'])),
};

/** Advises on a flag: `yes`, `on`, `1`. */
export function adviseFlag(text: string): string | undefined {
  const word = text.toLowerCase();
  const meant = (Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined) ?? suggestion(text, ['true', 'false']);
  if (meant === undefined) return undefined;
  const why = /^(yes|no|on|off|y|n)$/iu.test(text) ? `\`${text}\` is a string in YAML 1.2. ` : '';
  return `${why}${didYouMean(meant)}`;
}

/** Advises on a list for a field that has one value. */
export function adviseOneOfList(field: string, data: unknown): string | undefined {
  if (!Array.isArray(data)) return undefined;
  const [only, ...others] = data.filter((each) => typeof each === 'string');
  if (only === undefined || data.length > 1 + others.length) return undefined;
  return others.length === 0 ? didYouMean(`${field}: ${inFlow(only)}`) : 'Write one value, without brackets.';
}

/** Advises on a map for a field that is a list: its names are the items. */
export function adviseListParts(field: string, data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const names = Object.keys(data);
  return names.length === 0 ? undefined : didYouMean(`${field}: ${inBrackets(names)}`);
}

/** Advises on an entry that is a map of one field: `- name: gpt-4o`. */
export function adviseEntry(data: unknown): string | undefined {
  const values = typeof data === 'object' && data !== null ? Object.values(data) : [];
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? didYouMean(inFlow(only)) : undefined;
}

/** Advises on the URL of a gateway. */
export const adviseUrl = (text: string): string | undefined =>
  /^[\w-]+(\.[\w-]+)+(:\d+)?$/u.test(text) || /^localhost(:\d+)?$/u.test(text)
    ? `${didYouMean(`https://${text}`)}`
    : undefined;
