import { toText } from './conversion.ts';
import type { Reader } from './reader.ts';
import { invalid, notEvaluated } from './unresolved.ts';
import { textValue, type Value } from './value.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);

/** `$${` and `%%{`, also with more signs before: Terraform removes one of them and inserts nothing. */
const ESCAPED = /(?:\$\$+|%%+)\{/y;
const PLAIN = /[^$%"\\\n]+|[^\\\n]/y;

function readEscape(reader: Reader): string {
  const sequence = reader.tryMatch(/\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S]?)/y) ?? '';
  const code = sequence.length > 2 ? Number.parseInt(sequence.slice(2), 16) : undefined;
  if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code);
  const character = ESCAPES.get(sequence.slice(1));
  if (character === undefined) throw invalid(`\`${sequence}\` is not an escape`);
  return character;
}

/** Reads the next piece of literal text. */
function readText(reader: Reader, isQuoted: boolean): string {
  const escaped = reader.tryMatch(ESCAPED);
  if (escaped !== undefined) return escaped.slice(1);
  const plain = reader.tryMatch(PLAIN);
  if (plain !== undefined) return plain;
  if (isQuoted && reader.text[reader.at] === '\n') throw invalid('a quoted string spans two lines');
  return isQuoted ? readEscape(reader) : (reader.tryMatch(/[\s\S]/y) ?? '');
}

function readInterpolation(reader: Reader, evaluate: () => Value): Value {
  reader.take('${');
  if (reader.text[reader.at] === '~') throw notEvaluated('`${~ … }`, which trims white space');
  const value = evaluate();
  if (reader.sees('~')) throw notEvaluated('`${ … ~}`, which trims white space');
  reader.take('}');
  return value;
}

/**
 * Evaluates a template up to the end of the text, or up to the closing quote. A single expression keeps its type;
 * everything else is a string.
 */
export function evaluateTemplate(reader: Reader, isQuoted: boolean, evaluate: () => Value): Value {
  const parts: Value[] = [];
  let text = '';
  while (!reader.isAtEnd && !(isQuoted && reader.text[reader.at] === '"')) {
    const start = reader.text.slice(reader.at, reader.at + 2);
    if (start === '%{') throw notEvaluated('a directive `%{ … }`');
    if (start !== '${') text += readText(reader, isQuoted);
    else {
      parts.push(...(text === '' ? [] : [text]), readInterpolation(reader, evaluate));
      text = '';
    }
  }
  if (isQuoted && reader.isAtEnd) throw invalid('a quote is not closed');
  if (isQuoted) reader.at += 1;
  if (text === '' && parts.length === 1) return parts[0] ?? null;
  return textValue(parts.map(toText).join('') + text);
}
