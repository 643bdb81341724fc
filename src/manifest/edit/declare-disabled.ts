import { type Document, isMap, isScalar, LineCounter, type Pair, parseAllDocuments, type YAMLMap } from 'yaml';
import { canonicalJson, type Json, type Place } from '../../domain/index.ts';

/** Replaces the text from `from` to `to`. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The declaration of one key in its document. */
interface Declaration {
  readonly name: string;
  readonly pair: Pair;
  /** The offset of the name. */
  readonly start: number;
}

const NAME = 'enabled';

const entryOf = (map: unknown, name: string): Pair | undefined =>
  isMap(map) ? map.items.find(({ key }) => isScalar(key) && String(key.value) === name) : undefined;

const startOf = (node: unknown): number | undefined => (isScalar(node) || isMap(node) ? node.range?.[0] : undefined);

function find(documents: readonly Document[], { line, column }: Place, lines: LineCounter): Declaration | undefined {
  const keys = documents.flatMap(({ contents }) => {
    const value = entryOf(contents, 'keys')?.value;
    return isMap(value) ? value.items : [];
  });
  for (const pair of keys) {
    const start = startOf(pair.key);
    if (start === undefined || !isScalar(pair.key)) continue;
    const at = lines.linePos(start);
    if (at.line === line && at.col === column) return { name: String(pair.key.value), pair, start };
  }
  return undefined;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';

/** Adds a field before the first one, in the style of the map. */
function addField(
  text: string,
  map: YAMLMap,
  { field, newline }: { field: string; newline: string },
): Splice | undefined {
  const [from] = map.range ?? [];
  if (from === undefined) return undefined;
  if (map.flow) {
    const isEmpty = map.items.length === 0;
    return { from: from + 1, to: from + 1, text: isEmpty ? ` ${field} ` : ` ${field},` };
  }
  const first = startOf(map.items[0]?.key);
  if (first === undefined) return undefined;
  return { from: first, to: first, text: `${field}${newline}${' '.repeat(first - lineStart(text, first))}` };
}

function fieldSplice(
  text: string,
  { pair }: Declaration,
  style: { field: string; newline: string },
): Splice | undefined {
  const { value } = pair;
  if (!isMap(value)) return undefined;
  const own = entryOf(value, NAME);
  if (own === undefined) return addField(text, value, style);
  const range = isScalar(own.value) ? own.value.range : undefined;
  return range ? { from: range[0], to: range[1], text: 'false' } : undefined;
}

const applied = (text: string, splices: readonly Splice[]): string =>
  [...splices]
    .sort((a, b) => b.from - a.from)
    .reduce((whole, { from, to, text: put }) => whole.slice(0, from) + put + whole.slice(to), text);

/** All documents as plain data; undefined when the text cannot be relied on. */
function dataOf(text: string): readonly Json[] | undefined {
  const documents = parse(text, new LineCounter());
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document): Json => document.toJS());
}

const parse = (text: string, lineCounter: LineCounter): readonly Document[] => {
  const documents = parseAllDocuments(text, { schema: 'core', uniqueKeys: false, logLevel: 'silent', lineCounter });
  return Array.isArray(documents) ? documents : [];
};

const isObject = (value: Json | undefined): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same data with the key disabled, wherever the name is declared. */
function disabledIn(document: Json, name: string): Json {
  if (!isObject(document) || !isObject(document.keys) || !Object.hasOwn(document.keys, name)) return document;
  const fields = document.keys[name];
  const disabled = { ...(isObject(fields) ? fields : {}), [NAME]: false };
  return { ...document, keys: { ...document.keys, [name]: disabled } };
}

/** Is `after` what `before` is with the one key disabled, and nothing else? */
function isOnlyChange(before: string, after: string, name: string): boolean {
  try {
    const [then, now] = [dataOf(before), dataOf(after)];
    if (then === undefined || now === undefined) return false;
    const expected = then.map((document) => disabledIn(document, name));
    return canonicalJson(expected) === canonicalJson(now);
  } catch {
    return false;
  }
}

/**
 * Declares a key disabled in the YAML text of a manifest: sets or adds `enabled: false`, and leaves every other byte as it
 * was, comments and layout too.
 *
 * @param place the position of the key’s name
 * @param comment one line, without `#`; added above the key, except in JSON, which has no comments
 * @returns undefined when the text cannot be edited safely, for example because the key is an alias
 */
export function declareDisabled(
  text: string,
  { place, comment }: { readonly place: Place; readonly comment?: string | undefined },
): string | undefined {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const lines = new LineCounter();
  const declaration = find(parse(body, lines), place, lines);
  if (!declaration) return undefined;
  const newline = body.includes('\r\n') ? '\r\n' : '\n';
  const isJson = place.file.endsWith('.json');
  const field = isJson ? `"${NAME}": false` : `${NAME}: false`;
  const splice = fieldSplice(body, declaration, { field, newline });
  if (!splice) return undefined;
  const at = lineStart(body, declaration.start);
  const remark = { from: at, to: at, text: `${indentOf(body, declaration.start)}# ${comment}${newline}` };
  const candidates = comment !== undefined && !isJson ? [[remark, splice], [splice]] : [[splice]];
  const edited = candidates.map((splices) => applied(body, splices));
  const safe = edited.find((each) => isOnlyChange(body, each, declaration.name));
  return safe === undefined ? undefined : mark + safe;
}
