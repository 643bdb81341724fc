import type { Place } from '../../domain/index.ts';
import { quoted } from '../../source/index.ts';
import type { JsonMember, JsonNode } from './node.ts';

const DEPTH_LIMIT = 100;

type PlaceOf = (start: number, end: number) => Place;

/** The text is not JSON from this offset on. */
export class JsonSyntaxError extends Error {
  readonly offset: number;
  readonly related: Place | undefined;
  constructor(message: string, offset: number, related?: Place) {
    super(message);
    this.offset = offset;
    this.related = related;
  }
}

const BLANK = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

interface JsonReader {
  readonly text: string;
  readonly placeOf: PlaceOf;
  at: number;
}

/** The next character after white space. */
function peek(reader: JsonReader): string {
  BLANK.lastIndex = reader.at;
  reader.at += BLANK.exec(reader.text)?.[0].length ?? 0;
  const character = reader.text[reader.at];
  if (character === undefined) throw new JsonSyntaxError('The text ends too early', reader.at);
  return character;
}

function take(reader: JsonReader, characters: string, what: string): string {
  const character = peek(reader);
  if (!characters.includes(character)) throw new JsonSyntaxError(`Expected ${what}`, reader.at);
  reader.at += 1;
  return character;
}

const rangeFrom = ({ at }: JsonReader, start: number): JsonNode['range'] => [start, at];

/** Also for strings of megabytes, which no regular expression could match. */
function endOfString({ text }: JsonReader, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  throw new JsonSyntaxError('A quote is not closed', start);
}

function readString(reader: JsonReader): JsonNode & { readonly kind: 'string' } {
  if (peek(reader) !== '"') throw new JsonSyntaxError('Expected a name in double quotes', reader.at);
  const start = reader.at;
  const end = endOfString(reader, start);
  try {
    const value = JSON.parse(reader.text.slice(start, end)) as string;
    reader.at = end;
    return { kind: 'string', value, place: reader.placeOf(start, end), range: rangeFrom(reader, start) };
  } catch {
    throw new JsonSyntaxError('The string has a line break, a control character or an unknown escape', start);
  }
}

function readPlain(reader: JsonReader): JsonNode {
  const start = reader.at;
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(reader.text)?.[0];
  const word = number ?? [...LITERALS.keys()].find((literal) => reader.text.startsWith(literal, start));
  if (word === undefined) throw new JsonSyntaxError('Expected a value', start);
  reader.at += word.length;
  if (/[\w.+-]/.test(reader.text[reader.at] ?? '')) throw new JsonSyntaxError('This is not a JSON value', start);
  const place = reader.placeOf(start, reader.at);
  const range = rangeFrom(reader, start);
  if (number !== undefined) return { kind: 'number', source: number, place, range };
  return { kind: 'literal', value: LITERALS.get(word) ?? null, place, range };
}

/** Reads everything between two brackets, separated by commas. */
function readAll(reader: JsonReader, close: string, readOne: () => void): void {
  reader.at += 1;
  if (peek(reader) === close) {
    reader.at += 1;
    return;
  }
  do readOne();
  while (take(reader, `,${close}`, `\`,\` or \`${close}\``) === ',');
}

/** Most objects are small: looking at each member takes less time and memory than a map. */
const FEW_MEMBERS = 16;

/** Finds the members of one object by their names, while it is read. */
function memberFinder(members: readonly JsonMember[]): (name: string) => JsonMember | undefined {
  let byName: Map<string, JsonMember> | undefined;
  return (name) => {
    if (members.length <= FEW_MEMBERS) return members.find((member) => member.name === name);
    byName ??= new Map();
    for (let at = byName.size; at < members.length; at += 1) {
      const member = members[at];
      if (member) byName.set(member.name, member);
    }
    return byName.get(name);
  };
}

function readMembers(reader: JsonReader, depth: number): readonly JsonMember[] {
  const members: JsonMember[] = [];
  const find = memberFinder(members);
  readAll(reader, '}', () => {
    const { value: name, place: at, range } = readString(reader);
    take(reader, ':', '`:`');
    const node = readValue(reader, depth);
    const first = find(name);
    if (first) throw new JsonSyntaxError(`${quoted(name)} occurs twice in one object`, range[0], first.at);
    members.push({ name, at, node });
  });
  return members;
}

function readValue(reader: JsonReader, depth: number): JsonNode {
  if (depth > DEPTH_LIMIT) throw new JsonSyntaxError(`The nesting is deeper than ${DEPTH_LIMIT}`, reader.at);
  const character = peek(reader);
  const start = reader.at;
  if (character === '"') return readString(reader);
  if (character === '[') {
    const items: JsonNode[] = [];
    readAll(reader, ']', () => items.push(readValue(reader, depth + 1)));
    return { kind: 'list', items, place: reader.placeOf(start, reader.at), range: rangeFrom(reader, start) };
  }
  if (character !== '{') return readPlain(reader);
  const members = readMembers(reader, depth + 1);
  return { kind: 'object', members, place: reader.placeOf(start, reader.at), range: rangeFrom(reader, start) };
}

/**
 * Reads strict JSON: no comments, no trailing commas, no name twice in one object.
 *
 * @throws JsonSyntaxError
 */
export function readJson(text: string, placeOf: PlaceOf): JsonNode {
  const reader: JsonReader = { text, placeOf, at: 0 };
  const node = readValue(reader, 0);
  if (/[^ \t\r\n]/.test(text.slice(reader.at))) {
    peek(reader);
    throw new JsonSyntaxError('Unexpected text after the end', reader.at);
  }
  return node;
}

/** JSON within a string: all of it has the place of the string. Undefined when it is not JSON. */
export function tryReadJson(text: string, place: Place): JsonNode | undefined {
  try {
    return readJson(text, () => place);
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) return undefined;
    throw thrown;
  }
}
