import type { Json } from '../../../domain/index.ts';

/** Words that some YAML reader takes for something else than text. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|nan|inf|any|anywhere|never|unlimited)$/i;

/** Nothing in this needs a quote in any version of YAML. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_.-]*$/;

/** Characters that a YAML text can not carry as they are, or that no editor shows. */
const INVISIBLE = /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]/gu;

const escapeCode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text between double quotes: JSON's form, which is YAML's too. */
const doubleQuoted = (text: string): string => JSON.stringify(text).replace(INVISIBLE, escapeCode);

/** A name of a field or key: quoted when any reader could take it for something else. */
export const writeName = (text: string): string =>
  PLAIN.test(text) && !RESERVED.test(text) ? text : doubleQuoted(text);

/** A replacer, because `$$` in a replacement text would stand for one `$`. */
const escapeReferences = (text: string): string => text.replaceAll('${', () => '$${');

/** A text as a value: `${` is written so that it stays as it is. */
export const writeText = (text: string): string => writeName(escapeReferences(text));

/** A JSON value on one line, in YAML's flow style. */
export function writeFlow(value: Json): string {
  if (typeof value === 'string') return doubleQuoted(escapeReferences(value));
  if (Array.isArray(value)) return `[${value.map((item: Json) => writeFlow(item)).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, member]) => `${doubleQuoted(name)}: ${writeFlow(member)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value);
}

const LINE_LENGTH = 100;

/** A list of texts, on one line while that is short enough. */
export function writeList(items: readonly string[], indent: string): string {
  const written = items.map(writeText);
  const line = `[${written.join(', ')}]`;
  return line.length <= LINE_LENGTH ? line : written.map((item) => `\n${indent}- ${item}`).join('');
}

/** A remark, on one line whatever it quotes. */
export const writeComment = (text: string): string => `# ${text.replace(/[\p{C}\u2028\u2029]/gu, '�')}`;
