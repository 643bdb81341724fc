import { type EntryFormat, refuseSpecial } from './entry-format.ts';

/** An assignment, with the range of its value, quotes included, and of its lines. */
interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly range: readonly [number, number];
  readonly lines: readonly [number, number];
}

const HEAD = /[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*/y;
const QUOTES = ['"', "'", '`'];

/** The end of the line at an offset, its line break included. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** The offset of the closing quote. Only double quotes have escapes. */
function closingQuote(text: string, open: number): number {
  const quote = text[open];
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  throw new Error(`a value in it has no closing ${quote}`);
}

function valueAt(text: string, start: number): Pick<Assignment, 'value' | 'range'> {
  if (QUOTES.includes(text[start] ?? '')) {
    const end = closingQuote(text, start);
    const rest = text.slice(end + 1, lineEnd(text, end));
    if (/^\s*(?:#|$)/.test(rest)) return { value: text.slice(start + 1, end), range: [start, end + 1] };
    if (end >= lineEnd(text, start)) throw new Error(`a value in it continues after its closing ${text[start]}`);
    // What follows the quote is part of the value.
  }
  const line = text.slice(start, lineEnd(text, start)).replace(/\r?\n$/, '');
  const value = line.replace(/[ \t]+#.*$/, '').trimEnd();
  const bare = value.startsWith('#') ? '' : value;
  // A shell takes what follows a space for a program to run.
  const from = bare === '' ? text.lastIndexOf('=', start) + 1 : start;
  return { value: bare, range: [from, from + bare.length] };
}

/** Lists the assignments of a text. Lines that are none are left to whoever wrote them. */
function assignments(text: string): readonly Assignment[] {
  const found: Assignment[] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    HEAD.lastIndex = at;
    const head = HEAD.exec(text);
    let end = lineEnd(text, at);
    if (head) {
      const own = valueAt(text, at + head[0].length);
      end = lineEnd(text, own.range[1]);
      found.push({ name: head[1] ?? '', ...own, lines: [at, end] });
    }
    at = end;
  }
  return found;
}

function findOne(text: string, name: string): Assignment | undefined {
  const own = assignments(text).filter((assignment) => assignment.name === name);
  if (own.length > 1) throw new Error(`${name} is assigned more than once, and readers differ in which one counts`);
  return own[0];
}

/** The line break that the text uses. */
const lineBreak = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** The format of `.env` files. Comments, order, `export`, blank lines and the other entries stay as they are. */
export const dotenv = (name: string): EntryFormat => ({
  find: (text) => findOne(text, name)?.value || undefined,
  set(text = '', value) {
    refuseSpecial(value);
    const own = findOne(text, name);
    // An empty value may be followed by a comment immediately.
    if (own) return text.slice(0, own.range[0]) + value + text.slice(own.range[1]).replace(/^#/, ' #');
    const gap = text === '' || text.endsWith('\n') || text === '\ufeff' ? '' : lineBreak(text);
    return `${text}${gap}${name}=${value}${lineBreak(text)}`;
  },
  remove(text) {
    const own = findOne(text, name);
    const rest = own ? text.slice(0, own.lines[0]) + text.slice(own.lines[1]) : text;
    return rest.trim() === '' ? undefined : rest;
  },
});
