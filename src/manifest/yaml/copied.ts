import type { CST } from 'yaml';
import type { SyntaxProblem } from './syntax.ts';
import { scalarsOf } from './tokens.ts';

const WHOLE: readonly (Pick<SyntaxProblem, 'message' | 'hint'> & { readonly pattern: RegExp })[] = [
  {
    pattern: /^<{7}(?: .*)?$/mu,
    message: 'This line marks a merge conflict that is not resolved.',
    hint: 'Keep one of the two sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.',
  },
  {
    pattern: /^```.*$/mu,
    message: 'This line is a code fence of Markdown, not YAML.',
    hint: 'Remove it, and the one after the text.',
  },
];

/** Explains what makes a whole file invalid, whatever the errors within it are. */
export function explainFile(text: string): SyntaxProblem | undefined {
  for (const { pattern, ...words } of WHOLE) {
    const match = pattern.exec(text);
    if (match) return { start: match.index, end: match.index + match[0].trimEnd().length, ...words };
  }
  return undefined;
}

/** Characters that look like YAML’s own: white space other than a blank, and curly quotes. */
const FOREIGN_SPACE = /^[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]+/u;
const SPACE_AFTER_COLON = /^[\w.~-]+:([\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]+)/u;
const CURLY_QUOTED = /^[“”„«‘’‚‹](.*?)[“”«»‘’›]?$/u;

/** `- a` and a deeper `- b` are one item, `a - b`. */
function continuedItem(source: string, offset: number, lineEnd: number): SyntaxProblem {
  const start = offset + source.indexOf('-', lineEnd);
  const message = 'This line is indented deeper than the item above it, so it continues its string.';
  return { start, end: offset + source.length, message, hint: 'Start it in the column of the `-` above.' };
}

/** Editors begin a new line after it, and the parser continues the old one: a key could hide in a comment. */
function strayReturn(text: string): SyntaxProblem | undefined {
  const start = text.search(/\r(?!\n)/u);
  if (start < 0) return undefined;
  const message = 'A carriage return alone does not end a line in a manifest.';
  return { start, end: start + 1, message, hint: 'Save the file with LF or CRLF line endings.' };
}

/** Finds carriage returns alone, items that run together, and strings without quotes that begin with such a character: somebody copied them from a page or a document. */
export function foreignCharacters(tokens: readonly CST.Token[], text: string): readonly SyntaxProblem[] {
  const stray = strayReturn(text);
  if (stray) return [stray];
  return scalarsOf(tokens).flatMap(({ offset, source, quote: mark }): readonly SyntaxProblem[] => {
    if (mark) return [];
    const dash = text.slice(0, offset).endsWith('- ') ? source.search(/\n *- /u) : -1;
    if (dash >= 0) return [continuedItem(source, offset, dash)];
    const space = FOREIGN_SPACE.exec(source)?.[0].length;
    if (space !== undefined) {
      const message = 'These are special spaces, such as no-break spaces, which YAML does not accept as indentation.';
      return [{ start: offset, end: offset + space, message, hint: 'Replace them with ordinary spaces.' }];
    }
    const [named, after] = SPACE_AFTER_COLON.exec(source) ?? [];
    if (named !== undefined && after !== undefined) {
      const message = 'This is a special space, such as a no-break space, which YAML does not accept after a colon.';
      const end = offset + named.length;
      return [{ start: end - after.length, end, message, hint: 'Replace it with an ordinary space.' }];
    }
    const inner = CURLY_QUOTED.exec(source)?.[1];
    if (inner === undefined) return [];
    const message = 'Curly quotes do not quote a string in YAML.';
    return [
      { start: offset, end: offset + source.length, message, hint: `Did you mean \`${JSON.stringify(inner)}\`?` },
    ];
  });
}
