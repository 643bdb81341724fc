import type { Place } from '../../domain/index.ts';
import { blankSecrets, quoted, type Report } from '../../source/index.ts';
import type { JsonNode } from './node.ts';
import { JsonSyntaxError, readJson } from './reader.ts';

/** Finds lines and columns by offset. */
function placesIn(file: string, text: string): (start: number, end: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  /** The number of the line, from 0. */
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const columnOf = (offset: number, line: number): number => offset - (starts[line] ?? 0) + 1;
  return (start, end) => {
    const line = lineOf(start);
    const endLine = lineOf(end);
    const [column, endColumn] = [columnOf(start, line), columnOf(end, endLine)];
    return { file, line: line + 1, column, endLine: endLine + 1, endColumn };
  };
}

/** The number of characters shown before and after a syntax error. */
const SHOWN = 300;

/** The name of a member, punctuation, or anything else. */
const PIECE = /((?<=[{,]\s{0,99})"[\w./ -]{0,60}"(?=\s{0,99}:)|[\s{}[\]:,]+)|"|[^\s{}[\]:,"]+/g;

interface Excerpt {
  readonly from: number;
  readonly to: number;
  /** Ranges to blank, relative to `from`. */
  readonly hidden: readonly (readonly [number, number])[];
}

/** Selects what may be shown: where a secret begins and ends is unknown in broken JSON, so only names are. */
function excerptAround(text: string, at: number): Excerpt {
  const [from, to] = [Math.max(0, at - SHOWN), Math.min(text.length, at + SHOWN)];
  const pieces = [...text.slice(from, to).matchAll(PIECE)].filter(([, shown]) => shown === undefined);
  return { from, to, hidden: pieces.map(({ 0: piece, index }) => [index, index + piece.length] as const) };
}

function hideValues({ name, text }: SourceText, at: number, report: Report): void {
  const { from, to, hidden } = excerptAround(text, at);
  report.hide(name, [0, from]);
  for (const [start, end] of hidden) report.hide(name, [from + start, from + end]);
  report.hide(name, [to, text.length]);
}

function lineAt(text: string, at: number): string {
  if (text.trim() === '') return 'an empty file';
  const { from, to, hidden } = excerptAround(text, at);
  const shown = blankSecrets(text.slice(from, to), hidden);
  const line = shown.slice(0, at - from).split('\n').length - 1;
  const found = shown.split('\n')[line]?.trim() ?? '';
  return found === '' ? 'an empty line' : quoted(found);
}

interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** Reads a file of Terraform JSON. Returns undefined, and reports it, when the file is not JSON. */
export function parseJsonFile(file: SourceText, report: Report): JsonNode | undefined {
  const placeOf = placesIn(file.name, file.text);
  try {
    return readJson(file.text, placeOf);
  } catch (thrown) {
    if (!(thrown instanceof JsonSyntaxError)) throw thrown;
    hideValues(file, thrown.offset, report);
    const isPage = /^\s*<(!doctype|html|\?xml)/i.test(file.text);
    report.problem({
      code: 'manifest.syntax',
      at: placeOf(thrown.offset, Math.min(thrown.offset + 1, file.text.length)),
      message: isPage ? 'The file is a web page, not JSON.' : `${thrown.message}.`,
      found: isPage ? 'a page of HTML or XML' : lineAt(file.text, thrown.offset),
      expected: 'JSON',
      hint: isPage ? 'Was it downloaded from an address that requires a login?' : 'Synthesize it again.',
      ...(thrown.related ? { related: [{ place: thrown.related, message: 'first occurrence' }] } : {}),
    });
    return undefined;
  }
}
