import { LineCounter } from 'yaml';
import type { Place } from '../../domain/index.ts';
import { blankSecrets, quoted, type Report } from '../../source/index.ts';
import type { Entry, Scalar, Tree } from '../yaml/tree.ts';

const DEPTH_LIMIT = 100;

interface Reading {
  readonly text: string;
  readonly placeOf: (start: number, end: number) => Place;
  at: number;
}

/** The text is not JSON from this offset on. */
class NotJson extends Error {
  readonly at: number;
  readonly related: Place | undefined;
  constructor(message: string, at: number, related?: Place) {
    super(message);
    this.at = at;
    this.related = related;
  }
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function skipBlank(reading: Reading): void {
  BLANK.lastIndex = reading.at;
  reading.at += BLANK.exec(reading.text)?.[0].length ?? 0;
}

/** The next sign, passed over; ends when it is another one. */
function take(reading: Reading, signs: string, what: string): string {
  skipBlank(reading);
  const sign = reading.text[reading.at];
  if (sign === undefined) throw new NotJson('The text ends too early', reading.at);
  if (!signs.includes(sign)) throw new NotJson(`Here ${what} is wanted`, reading.at);
  reading.at += 1;
  return sign;
}

function leaf(reading: Reading, start: number, { value, source }: Pick<Scalar, 'value' | 'source'>): Scalar {
  const range = [start, reading.at] as const;
  const place = reading.placeOf(...range);
  return { kind: 'scalar', value, source, opaque: false, broken: false, size: 1, place, range };
}

/** Also texts of megabytes: no regular expression goes over them. */
function endOfText({ text }: Reading, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  throw new NotJson('A quote is not closed', start);
}

function readText(reading: Reading): Scalar {
  skipBlank(reading);
  const start = reading.at;
  if (reading.text[start] === undefined) throw new NotJson('The text ends too early', start);
  if (reading.text[start] !== '"') throw new NotJson('Here a name in double quotes is wanted', start);
  const end = endOfText(reading, start);
  try {
    const value = JSON.parse(reading.text.slice(start, end)) as string;
    reading.at = end;
    return leaf(reading, start, { value, source: value });
  } catch {
    throw new NotJson('The text in quotes has a line break, a control character or an unknown escape', start);
  }
}

function readPlain(reading: Reading): Scalar {
  const start = reading.at;
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(reading.text)?.[0];
  const word = number ?? [...WORDS.keys()].find((each) => reading.text.startsWith(each, start));
  if (word === undefined) throw new NotJson('Here a value is wanted', start);
  reading.at += word.length;
  if (/[\w.+-]/.test(reading.text[reading.at] ?? '')) throw new NotJson('This is no value of JSON', start);
  return leaf(reading, start, {
    value: number === undefined ? (WORDS.get(word) ?? null) : Number(number),
    source: word,
  });
}

const sizeOf = (nodes: readonly Tree[]): number => nodes.reduce((sum, node) => sum + node.size, 1);

function readList(reading: Reading, depth: number): Tree {
  const start = reading.at;
  const items: Tree[] = [];
  reading.at += 1;
  skipBlank(reading);
  if (reading.text[reading.at] === ']') reading.at += 1;
  else {
    do items.push(readValue(reading, depth));
    while (take(reading, ',]', '`,` or `]`') === ',');
  }
  const range = [start, reading.at] as const;
  return { kind: 'list', items, place: reading.placeOf(...range), range, size: sizeOf(items), broken: false };
}

function readEntry(reading: Reading, names: Map<string, Entry>, depth: number): void {
  const name = readText(reading);
  take(reading, ':', '`:`');
  const entry = { name: String(name.value), at: name.place, node: readValue(reading, depth) };
  const first = names.get(entry.name);
  if (first) throw new NotJson(`${quoted(entry.name)} stands twice in one object`, name.range[0], first.at);
  names.set(entry.name, entry);
}

function readFields(reading: Reading, depth: number): Tree {
  const start = reading.at;
  const names = new Map<string, Entry>();
  reading.at += 1;
  skipBlank(reading);
  if (reading.text[reading.at] === '}') reading.at += 1;
  else {
    do readEntry(reading, names, depth);
    while (take(reading, ',}', '`,` or `}`') === ',');
  }
  const range = [start, reading.at] as const;
  const entries = [...names.values()];
  const size = sizeOf(entries.map(({ node }) => node));
  return { kind: 'map', entries, place: reading.placeOf(...range), range, size, broken: false };
}

function readValue(reading: Reading, depth: number): Tree {
  if (depth > DEPTH_LIMIT) throw new NotJson(`Nested more than ${DEPTH_LIMIT} deep`, reading.at);
  skipBlank(reading);
  const sign = reading.text[reading.at];
  if (sign === undefined) throw new NotJson('The text ends too early', reading.at);
  if (sign === '"') return readText(reading);
  if (sign === '[') return readList(reading, depth + 1);
  return sign === '{' ? readFields(reading, depth + 1) : readPlain(reading);
}

function readAll(reading: Reading): Tree {
  const tree = readValue(reading, 0);
  skipBlank(reading);
  if (reading.at < reading.text.length) throw new NotJson('Something stands after the end', reading.at);
  return tree;
}

function placesIn(file: string, text: string): Reading['placeOf'] {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return (start, end) => {
    const [from, to] = [lines.linePos(start), lines.linePos(end)];
    return { file, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  };
}

/** How much is shown before and after the place where the text is no JSON any more. */
const SHOWN = 300;

/** The name of a member, a sign between values, or anything else. */
const PIECE = /((?<=[{,]\s{0,99})"[\w./ -]{0,60}"(?=\s{0,99}:)|[\s{}[\]:,]+)|"|[^\s{}[\]:,"]+/g;

interface Shown {
  readonly from: number;
  readonly to: number;
  /** What must not be shown between the two, from the first of them on. */
  readonly hidden: readonly (readonly [number, number])[];
}

/** What may be shown of a text that is no JSON: where a secret begins and ends can not be told, so only names are. */
function shownAround(text: string, at: number): Shown {
  const [from, to] = [Math.max(0, at - SHOWN), Math.min(text.length, at + SHOWN)];
  const pieces = [...text.slice(from, to).matchAll(PIECE)].filter(([, shown]) => shown === undefined);
  return { from, to, hidden: pieces.map(({ 0: piece, index }) => [index, index + piece.length] as const) };
}

function hideValues({ name, text }: { name: string; text: string }, at: number, report: Report): void {
  const { from, to, hidden } = shownAround(text, at);
  report.hide(name, [0, from]);
  for (const [start, end] of hidden) report.hide(name, [from + start, from + end]);
  report.hide(name, [to, text.length]);
}

function lineAt(text: string, at: number): string {
  if (text.trim() === '') return 'an empty file';
  const { from, to, hidden } = shownAround(text, at);
  const shown = blankSecrets(text.slice(from, to), hidden);
  const line = shown.slice(0, at - from).split('\n').length - 1;
  const found = shown.split('\n')[line]?.trim() ?? '';
  return found === '' ? 'an empty line' : quoted(found);
}

/**
 * Reads a text as strict JSON, with places: no comments, no commas too many, no name twice. Numbers keep their digits.
 *
 * @returns undefined when it is not JSON, which is reported
 */
export function parseJson({ name, text }: { name: string; text: string }, report: Report): Tree | undefined {
  const placeOf = placesIn(name, text);
  try {
    return readAll({ text, placeOf, at: 0 });
  } catch (thrown) {
    if (!(thrown instanceof NotJson)) throw thrown;
    hideValues({ name, text }, thrown.at, report);
    const isPage = /^\s*<(!doctype|html|\?xml)/i.test(text);
    report.problem({
      code: 'manifest.syntax',
      at: placeOf(thrown.at, Math.min(thrown.at + 1, text.length)),
      message: isPage ? 'This is a page, and no JSON.' : `${thrown.message}.`,
      found: isPage ? 'a page of HTML or XML' : lineAt(text, thrown.at),
      expected: 'JSON',
      hint: isPage ? 'Was it fetched from an address that wants a login?' : 'Synthesize it again; nobody need edit it.',
      ...(thrown.related ? { related: [{ place: thrown.related, message: 'the first one' }] } : {}),
    });
    return undefined;
  }
}

/** JSON within a value: all of it stands where the value stands. Undefined when it is not JSON. */
export function tryParseJson(text: string, place: Place): Tree | undefined {
  try {
    return readAll({ text, placeOf: () => place, at: 0 });
  } catch (thrown) {
    if (thrown instanceof NotJson) return undefined;
    throw thrown;
  }
}
