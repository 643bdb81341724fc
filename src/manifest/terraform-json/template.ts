import { type Cursor, isAtEnd, sees, skipBlank, take, tryMatch, unreadable } from './cursor.ts';
import type { Expression } from './expression.ts';
import { Refused } from './refused.ts';
import { textValue } from './value.ts';

type ReadExpression = (cursor: Cursor) => Expression;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/** `$${` and `%%{`, also with more signs before: one of them goes, and nothing is put in. */
const ESCAPED = /(?:\$\$+|%%+)\{/y;
const PLAIN = /[^$%"\\\n]+/y;

function readEscape(cursor: Cursor): string {
  cursor.at += 1;
  const unicode = tryMatch(cursor, /u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}/y);
  if (unicode !== undefined) {
    const code = Number.parseInt(unicode.slice(1), 16);
    if (code > 0x10ffff) throw unreadable(`\`\\${unicode}\` is no character`);
    return String.fromCodePoint(code);
  }
  const sign = cursor.text[cursor.at] ?? '';
  cursor.at += 1;
  const meant = ESCAPES[sign];
  if (meant === undefined) throw unreadable(`\`\\${sign}\` is no escape`);
  return meant;
}

function readInterpolation(cursor: Cursor, expression: ReadExpression): Expression {
  cursor.at += 2;
  if (cursor.text[cursor.at] === '~') throw new Refused('`${~ … }` cuts white space, which is not worked out.');
  const value = expression(cursor);
  if (sees(cursor, '~')) throw new Refused('`${ … ~}` cuts white space, which is not worked out.');
  skipBlank(cursor);
  take(cursor, '}');
  return value;
}

/** The next piece of literal text. */
function readText(cursor: Cursor, isQuoted: boolean): string {
  const escaped = tryMatch(cursor, ESCAPED);
  if (escaped !== undefined) return escaped.slice(1);
  if (isQuoted && cursor.text[cursor.at] === '\\') return readEscape(cursor);
  if (isQuoted && cursor.text[cursor.at] === '\n') throw unreadable('a quoted text goes over the end of a line');
  const plain = tryMatch(cursor, PLAIN);
  if (plain !== undefined) return plain;
  cursor.at += 1;
  return cursor.text[cursor.at - 1] ?? '';
}

/**
 * Reads a template up to the end of the text, or up to the closing quote. One expression alone keeps its type; everything
 * else is a text.
 */
export function readTemplate(cursor: Cursor, isQuoted: boolean, expression: ReadExpression): Expression {
  const parts: Expression[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push({ kind: 'literal', value: textValue(text) });
    text = '';
  };
  while (!isAtEnd(cursor) && !(isQuoted && cursor.text[cursor.at] === '"')) {
    const start = cursor.text.slice(cursor.at, cursor.at + 2);
    if (start === '%{') throw new Refused('A directive `%{ … }` is not worked out.');
    if (start !== '${') text += readText(cursor, isQuoted);
    else {
      flush();
      parts.push(readInterpolation(cursor, expression));
    }
  }
  flush();
  if (isQuoted && isAtEnd(cursor)) throw unreadable('a quote is not closed');
  if (isQuoted) cursor.at += 1;
  const [only] = parts;
  if (only === undefined) return { kind: 'literal', value: '' };
  return parts.length === 1 ? only : { kind: 'template', parts };
}
