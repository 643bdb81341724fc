import { parseJson, READ_ONLY_FIELDS, SETTING_FIELDS } from '../../wire/index.ts';
import { parseInt64 } from '../int64.ts';
import { afterString } from './json-size.ts';

/** The fields that bodies of the System API have, apart from those of one gateway. */
const FIELDS: readonly string[] = [...Object.keys(SETTING_FIELDS), ...READ_ONLY_FIELDS, 'id', 'ids'];

/** No field holds a fraction, and an integer has no other form. */
const FRACTION = /^[-\d[][^"]*[.eE]/;
const INTEGER = /^-?(0|[1-9]\d*)$/;

/** Two names are the same field if these texts are equal. */
const folded = (name: string): string => name.toLowerCase().replaceAll('ſ', 's');

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (' \t\r\n'.includes(text[at] ?? 'end')) at += 1;
  return at;
}

/** The position of what ends the value that begins at `start`: a comma or a bracket of the object that contains it. */
function endOfValue(text: string, start: number): number {
  let level = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = afterString(text, at + 1) - 1;
    else if (character === '[' || character === '{') level += 1;
    else if (level === 0 && (character === ',' || character === ']' || character === '}')) return at;
    else if (character === ']' || character === '}') level -= 1;
  }
  return text.length;
}

/** The members of the object that a text begins with, each as two texts of JSON; none for null. */
function* membersIn(text: string): Generator<readonly [name: string, value: string]> {
  let at = afterBlanks(text, 0);
  if (text.startsWith('null', at)) return;
  if (text[at] !== '{') throw new SyntaxError('The body does not begin with an object');
  at = afterBlanks(text, at + 1);
  if (text[at] === '}') return;
  while (text[at] === '"') {
    const colon = afterBlanks(text, afterString(text, at + 1));
    const end = endOfValue(text, colon + 1);
    if (text[colon] !== ':') break;
    yield [text.slice(at, colon), text.slice(colon + 1, end).trim()];
    if (text[end] === '}') return;
    at = text[end] === ',' ? afterBlanks(text, end + 1) : text.length;
  }
  throw new SyntaxError('The object is not complete');
}

const parsedValue = (text: string): unknown => (INTEGER.test(text) ? parseInt64(text) : parseJson(text));

/**
 * Reads a body as gateways do whose decoder fills a record: it reads the first value, an object or null, and nothing after
 * it; a field may be written in another case, and its last value counts; integers are exact. Other members are dropped.
 *
 * @param more the fields that this gateway has besides those of the contract
 * @throws SyntaxError
 */
export function readLooseJson(text: string, more: readonly string[]): Readonly<Record<string, unknown>> {
  const names = new Map([...FIELDS, ...more].map((name) => [folded(name), name]));
  const record: Record<string, unknown> = {};
  for (const [name, value] of membersIn(text)) {
    const field = names.get(folded(String(JSON.parse(name))));
    const parsed = parsedValue(value);
    if (field === undefined) continue;
    if (FRACTION.test(value) && !more.includes(field)) throw new SyntaxError(`${field} is not an integer`);
    record[field] = parsed;
  }
  return record;
}
