import type { Json } from '../../../domain/index.ts';
import { escapeUnseen } from '../invisible.ts';

/** Words that some YAML parsers do not read as strings. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null|nan|inf|any|anywhere|never|unlimited)$/i;

/** Matches strings that need no quotes in any version of YAML. */
const PLAIN = /^[A-Za-z][A-Za-z0-9_.-]*$/;

const escapeCode = (hex: string): string => (hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex}`);

/** Writes a string in double quotes, in JSON's form, which YAML shares. */
const doubleQuoted = (text: string): string => escapeUnseen(JSON.stringify(text), escapeCode);

/** Writes the name of a field or key, quoted if any parser could read it as another type. */
export const writeName = (text: string): string =>
  PLAIN.test(text) && !RESERVED.test(text) ? text : doubleQuoted(text);

/** The replacer is a function, because `$$` in a replacement means one `$`. */
const escapeReferences = (text: string): string => text.replaceAll('${', () => '$${');

/** Writes a string as a value. `${` is escaped, so it is not a reference. */
export const writeText = (text: string): string => writeName(escapeReferences(text));

/** Writes a JSON value on one line, in YAML's flow style. */
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

/** Writes a list of strings, on one line if that is short enough. */
export function writeList(items: readonly string[], indent: string): string {
  const written = items.map(writeText);
  const line = `[${written.join(', ')}]`;
  return line.length <= LINE_LENGTH ? line : written.map((item) => `\n${indent}- ${item}`).join('');
}

/** Writes a comment, on one line whatever it quotes. */
export const writeComment = (text: string): string => `# ${text.replace(/[\p{C}\u2028\u2029]|\u034f/gu, '�')}`;
