import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import { type EntryFormat, refuseSpecial } from './entry-format.ts';

type TextLanguage = 'json' | 'yaml';

const NAMES: Readonly<Record<TextLanguage, string>> = { json: 'JSON', yaml: 'YAML' };

/** @throws an error whose message ends a sentence and shows nothing of the text */
function parse(text: string, language: TextLanguage): Document.Parsed {
  const document = parseDocument(text, { uniqueKeys: true, version: '1.2', keepSourceTokens: true });
  const [error] = document.errors;
  if (error?.code === 'MULTIPLE_DOCS') throw new Error('it has more than one document');
  if (error?.code === 'DUPLICATE_KEY') throw new Error('an entry in it occurs more than once');
  if (error) throw new Error(`it is not valid ${NAMES[language]}`);
  if (language === 'json' && !isJson(text)) throw new Error('it is not valid JSON');
  return document;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isBlank = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === '';

function entries(text: string, language: TextLanguage): YAMLMap | undefined {
  const { contents } = parse(text, language);
  if (contents === null) return undefined;
  if (!isMap(contents)) throw new Error('it does not consist of named entries');
  return contents;
}

const keyOf = ({ key }: Pair): unknown => (isScalar(key) ? key.value : key);

const pairOf = (map: YAMLMap | undefined, name: string): Pair | undefined =>
  map?.items.find((pair) => String(keyOf(pair)) === name);

/** The name as text for every reader: those of YAML 1.1 take `on` for a Boolean. */
const nameIn = (language: TextLanguage, name: string): string =>
  language === 'json' ? JSON.stringify(name) : stringify(name, { compat: 'yaml-1.1', lineWidth: 0 }).trimEnd();

/** The value, as a program that reads the file gets it. */
function dataOf(text: string, language: TextLanguage): Readonly<Record<string, unknown>> {
  // A file of anchors may hold a few bytes that mean gigabytes.
  const data: unknown = isBlank(text) ? {} : (parse(text, language).toJS({ maxAliasCount: 100 }) ?? {});
  return Object.fromEntries(Object.entries(Object(data)));
}

const rangeOf = (node: unknown): readonly [number, number] => {
  const range = isNode(node) ? node.range : undefined;
  if (!range) throw new Error('an entry in it cannot be located');
  return [range[0], range[1]];
};

/** Replaces the value of an entry, or inserts an entry after the last one. */
function spliced(text: string, map: YAMLMap, [name, value]: readonly [string, string], language: TextLanguage): string {
  const own = pairOf(map, name);
  const written = JSON.stringify(value);
  if (own?.value) {
    const [start, end] = rangeOf(own.value);
    const gap = start === end && /\S$/.test(text.slice(0, start)) ? ' ' : '';
    // The last line break of a block belongs to its value.
    const lineBreak = /\n$/.test(text.slice(start, end)) ? '\n' : '';
    return `${text.slice(0, start)}${gap}${written}${lineBreak}${text.slice(end)}`;
  }
  if (own) throw new Error(`the entry ${name} in it has no value to replace`);
  const last = map.items.at(-1);
  if (map.flow === true || language === 'json') {
    const [start, end] = rangeOf(map);
    const entry = `${nameIn(language, name)}: ${written}`;
    const after = last ? rangeOf(last.value ?? last.key)[1] : start + 1;
    const [gap] = last ? (/(?<=[{,])\s*$/.exec(text.slice(0, rangeOf(last.key)[0])) ?? [' ']) : ['\n  '];
    const close = last || end - 1 > start + 1 ? '' : '\n';
    return `${text.slice(0, after)}${last ? ',' : ''}${gap}${entry}${close}${text.slice(after)}`;
  }
  const column = rangeOf(map)[0] - (text.lastIndexOf('\n', rangeOf(map)[0] - 1) + 1);
  return `${text}${text.endsWith('\n') ? '' : '\n'}${' '.repeat(column)}${nameIn(language, name)}: ${written}\n`;
}

/** Removes an entry with its line or its comma. */
function cut(text: string, map: YAMLMap, own: Pair): string {
  const at = map.items.indexOf(own);
  const [start] = rangeOf(own.key);
  const end = rangeOf(own.value ?? own.key)[1];
  const next = map.items[at + 1];
  if (next && (map.flow === true || /^\s*,/.test(text.slice(end))))
    return text.slice(0, start) + text.slice(rangeOf(next.key)[0]);
  const before = map.items[at - 1];
  if (before && map.flow === true) return text.slice(0, rangeOf(before.value ?? before.key)[1]) + text.slice(end);
  if (map.flow === true) return text.slice(0, start) + text.slice(end);
  const lineEnd = text.indexOf('\n', end);
  return text.slice(0, text.lastIndexOf('\n', start - 1) + 1) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}

/** Verifies that an edit changed one entry and nothing else: anchors and merged maps reach further than their line. */
function verified(
  before: string,
  after: string,
  [name, value]: readonly [string, string | undefined],
  language: TextLanguage,
): string {
  const { [name]: _old, ...rest } = dataOf(before, language);
  const wanted = value === undefined ? rest : { ...rest, [name]: value };
  if (isDeepStrictEqual(dataOf(after, language), wanted)) return after;
  throw new Error(`another entry in it depends on the entry ${name}`);
}

/** The formats whose texts are maps: everything but the one entry stays as it is, byte for byte. */
export const structured = (language: TextLanguage, name: string): EntryFormat => ({
  find(text) {
    const value = isBlank(text) ? undefined : dataOf(text, language)[name];
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw new Error(`the entry ${name} in it is not text`);
    }
    return value || undefined;
  },
  set(text = '', value) {
    refuseSpecial(value);
    const map = isBlank(text) ? undefined : entries(text, language);
    const edited = map ? spliced(text, map, [name, value], language) : started(text, [name, value], language);
    return verified(text, edited, [name, value], language);
  },
  remove(text) {
    const map = isBlank(text) ? undefined : entries(text, language);
    const own = pairOf(map, name);
    if (map === undefined || own === undefined) return text;
    if (map.items.length === 1) return undefined;
    return verified(text, cut(text, map, own), [name, undefined], language);
  },
});

/** The first entry of a file that has none. Comments stay above it. */
function started(text: string, [name, value]: readonly [string, string], language: TextLanguage): string {
  if (language === 'json') return `${JSON.stringify({ [name]: value }, null, 2)}\n`;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${gap}${nameIn(language, name)}: ${JSON.stringify(value)}\n`;
}
