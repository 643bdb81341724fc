/** The width of text on a terminal: East Asian characters and emoji take two columns, marks none. */

import { eastAsianWidth } from 'get-east-asian-width';

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Made when it is first needed: that takes as long as reading a manifest. */
let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Characters that take one column, and are not combined with others: ASCII, Latin, typographic quotes, dashes, bullets and arrows. */
const PLAIN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
  /^[\u0000-\u007f\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u2030-\u203b\u203d-\u2048\u2190-\u2193]*$/;

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  // Two letters that form a flag are narrow alone, and a sign with a variation selector is shown as an emoji.
  const isEmoji = grapheme.includes('\ufe0f') || /^\p{Emoji_Presentation}/u.test(grapheme);
  return isEmoji ? 2 : eastAsianWidth(grapheme.codePointAt(0) ?? 0);
}

/** Columns that a line takes; colours take none. */
export function widthOf(text: string): number {
  const bare = text.replace(COLOUR, '');
  if (PLAIN.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes(bare)) width += graphemeWidth(segment);
  return width;
}

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text;

/** The longest beginning of `text` that is at most `width` columns wide. */
function head(text: string, width: number): string {
  let taken = '';
  let used = 0;
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    taken += segment;
  }
  return taken;
}

/** The longest end of `text` that is at most `width` columns wide. */
export function endOf(text: string, width: number): string {
  const segments = [...graphemes(text)];
  let used = 0;
  const first = segments.findLastIndex(({ segment }) => {
    used += graphemeWidth(segment);
    return used > width;
  });
  return text.slice(segments[first + 1]?.index ?? (first < 0 ? 0 : text.length));
}

/** Cut to at most `width` columns, with an ellipsis. Not for text with colours. */
export const clip = (text: string, width: number): string =>
  widthOf(text) <= width ? text : `${head(text, Math.max(0, width - 1))}…`;

/** Text as lines of at most `width` columns, broken at spaces; a wider word has its own line. */
export function wrap(text: string, width: number): readonly string[] {
  // Most texts fit. Blanks at the beginning are dropped below.
  if (!text.startsWith(' ') && widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** The least width of a block next to its heading, however narrow the terminal is. */
const LEAST = 12;

/** A block whose first line begins with `first`, and the others with as many blanks. */
export function hang(first: string, text: string, width: number): readonly string[] {
  const indent = widthOf(first);
  return wrap(text, Math.max(LEAST, width - indent)).map((line, i) => (i === 0 ? first : ' '.repeat(indent)) + line);
}

/** A block whose first line is at the margin, and the others are indented by two columns. */
export const outdent = (text: string, width: number): readonly string[] =>
  hang('  ', text, width).map((line, i) => (i === 0 ? line.slice(2) : line));
