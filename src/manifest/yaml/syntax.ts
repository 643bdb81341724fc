import type { CST, ErrorCode, YAMLError } from 'yaml';
import type { SourceDiagnostic } from '../../source/index.ts';
import { isFieldName } from '../schema/advice/field.ts';
import { adviseLine } from '../schema/advice/line.ts';
import { type ScalarToken, scalarsOf } from './tokens.ts';

/** A syntax error in words of its own: those of the YAML library speak of its tokens. */
export interface SyntaxProblem extends Pick<SourceDiagnostic, 'message' | 'hint'> {
  /** The part of the text that must change. */
  readonly start: number;
  readonly end: number;
  /** Does everything after it in the document follow from it? */
  readonly isCause?: boolean;
}

interface SyntaxContext {
  readonly code: ErrorCode;
  /** The message of the YAML library. */
  readonly original: string;
  readonly text: string;
  readonly scalars: readonly ScalarToken[];
  readonly start: number;
  readonly end: number;
  /** The line at the start, without its indentation and its end. */
  readonly line: string;
  /** The start of that line, after its indentation. */
  readonly lineStart: number;
}

const endOfLine = (text: string, offset: number): number => {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
};

/** The rest of a line as a value: without a comment, and without brackets that close what is around it. */
function valueAt(text: string, offset: number): string {
  const rest = text.slice(offset, endOfLine(text, offset));
  return rest.replace(/\s#.*$/u, '').replace(/[\s\]},]+$/u, '');
}

const quote = (text: string): string => JSON.stringify(text);

const atLine = ({ lineStart, line }: SyntaxContext) => ({ start: lineStart, end: lineStart + line.length });

/** A list or a map whose closing bracket is missing, or whose lines are indented too little. */
function explainBracket({ original, text, start, line, lineStart }: SyntaxContext): SyntaxProblem | undefined {
  const kind = /^Flow (sequence|map) .*must/u.exec(original)?.[1];
  if (kind === undefined) return undefined;
  const [open, close] = kind === 'map' ? (['{', '}'] as const) : (['[', ']'] as const);
  let closed = 0;
  for (let offset = start - 1; offset >= 0; offset--) {
    if (text[offset] === close) closed++;
    else if (text[offset] === open && closed-- === 0) {
      if (isClosed(text, offset, open, close)) {
        const message = `This line belongs to the \`${open}\` above, and must be indented deeper than its line.`;
        return {
          start: lineStart,
          end: lineStart + line.length,
          message,
          hint: 'Indent it with spaces.',
          isCause: true,
        };
      }
      const message = `This \`${open}\` is not closed.`;
      return { start: offset, end: offset + 1, message, hint: `Add the missing \`${close}\`.`, isCause: true };
    }
  }
  return undefined;
}

/** Is the bracket closed further down, with no field on the lines between? */
function isClosed(text: string, from: number, open: string, close: string): boolean {
  let depth = 0;
  for (let offset = from; offset < text.length; offset++) {
    if (text[offset] === open) depth++;
    else if (text[offset] === close && --depth === 0) {
      const between = text.slice(endOfLine(text, from), offset);
      return between.includes('\t') || !/^\s*[\w-]+:(\s|$)/mu.test(between);
    }
  }
  return false;
}

const isFoldedQuote = ({ quote: mark, source }: ScalarToken): boolean => mark !== undefined && source.includes('\n');

/** A quoted text without its closing quote: it ends with the file, or at the next quote, some lines below. */
function explainQuote(context: SyntaxContext): SyntaxProblem | undefined {
  const { scalars, start, code, original } = context;
  const isOpen = code === 'MISSING_CHAR' && original.startsWith('Missing closing');
  const before = scalars.filter(({ offset }) => offset < start && offset >= 0);
  const last = before.reduce<ScalarToken | undefined>((a, b) => (a && a.offset > b.offset ? a : b), undefined);
  const opener = isOpen || (last && isFoldedQuote(last)) ? last : undefined;
  if (!opener?.quote) return undefined;
  const message = `This quote (\`${opener.quote}\`) is not closed on its line.`;
  const hint = `Add the missing \`${opener.quote}\` at the end of the string.`;
  return { start: opener.offset, end: opener.offset + 1, message, hint, isCause: true };
}

/** `'bob's team'`: a text after the closing quote. */
function explainApostrophe({ scalars, start, text, code }: SyntaxContext): SyntaxProblem | undefined {
  if (code !== 'UNEXPECTED_TOKEN') return undefined;
  const quoted = scalars.find((scalar) => {
    const end = scalar.offset + scalar.source.length;
    return scalar.quote && end <= start && text.slice(end, start).trim() === '';
  });
  if (!quoted?.quote) return undefined;
  const whole = valueAt(text, quoted.offset);
  const inner = whole.slice(1, -1);
  const isWhole = whole.endsWith(quoted.quote) && whole.length > quoted.source.length;
  const corrected = quoted.quote === "'" && !inner.includes('"') ? quote(inner) : quote(inner.replaceAll('\\', ''));
  return {
    start,
    end: endOfLine(text, start),
    message: `The string ends at its second quote (\`${quoted.quote}\`), but the line goes on.`,
    hint: isWhole ? `Did you mean \`${corrected}\`?` : 'Put the closing quote at the end of the value.',
    isCause: true,
  };
}

/** `{ group: ${GROUP} }`: a reference in braces without quotes. */
function explainReference({ text, start }: SyntaxContext): SyntaxProblem | undefined {
  if (text[start] !== '{' || text[start - 1] !== '$') return undefined;
  const [reference = ''] = /^\$\{+[^}\n]*\}+/u.exec(text.slice(start - 1)) ?? [];
  const name = /(\w+)\W*$/u.exec(reference)?.[1] ?? 'NAME';
  const meant = /^\$\{(env|file):/u.test(reference) ? reference.replace(/\}+$/u, '}') : `\${env:${name}}`;
  const message = 'Within `{ }` or `[ ]`, a reference needs quotes.';
  const end = start - 1 + reference.length;
  return { start: start - 1, end, message, hint: `Did you mean \`"${meant}"\`?`, isCause: true };
}

/** `group: team: blue`, or a line that is deeper than the field above it. */
function explainNested(context: SyntaxContext): SyntaxProblem | undefined {
  const { code, text, start, end, line, lineStart } = context;
  if (code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined;
  const value = valueAt(text, start);
  if (/:\s/u.test(`${value} `)) {
    const message = 'This value contains `: `, which begins another field.';
    const inBraces = isFieldName(value.slice(0, value.indexOf(':')));
    const meant = inBraces ? `{ ${value} }` : quote(value);
    return { start, end: start + value.length, message, hint: `Did you mean \`${meant}\`?`, isCause: true };
  }
  if (line.startsWith('- ')) return { ...atLine(context), ...OTHER_COLUMN };
  const next = text.slice(endOfLine(text, start)).search(/\S/u);
  if (next < 0) return { start, end, message: 'A field follows a value.', hint: 'Check the indentation.' };
  const at = endOfLine(text, start) + next;
  return {
    start: at,
    end: endOfLine(text, at),
    message: 'This line is indented deeper than the field above it, which already has a value.',
    hint: `Start it in the column of \`${line.slice(0, start - lineStart).replace(/:\s*$/u, '')}\`.`,
    isCause: true,
  };
}

/** A line that is neither a field nor an item of a list. */
function explainLine(context: SyntaxContext): SyntaxProblem | undefined {
  const { code, original, line, scalars, start } = context;
  const hasNoValue = original.startsWith('Implicit map keys need');
  if (code !== 'MULTILINE_IMPLICIT_KEY' && !hasNoValue) return undefined;
  if (scalars.some(({ offset, quote: mark }) => mark && offset === start)) return undefined;
  if (/^[\w"'-]+:\s/u.test(line)) {
    const message = 'A comma is missing at the end of this line.';
    return { ...atLine(context), message, hint: 'Separate the fields in braces with commas.', isCause: true };
  }
  const message = 'This line is not a field: a colon and a space must follow the name.';
  return { ...atLine(context), message, hint: adviseLine(line), isCause: true };
}

/** A tab before a line, and whatever else is wrong with the line because of it. */
function explainTab(context: SyntaxContext): SyntaxProblem | undefined {
  const { text, lineStart, line } = context;
  const start = text.lastIndexOf('\n', lineStart - 1) + 1;
  if (!text.slice(start, lineStart).includes('\t')) return undefined;
  const message = 'A tab is not allowed as indentation.';
  return { start, end: lineStart + line.length, message, hint: 'Indent with spaces.' };
}

const OTHER_COLUMN = {
  message: 'This line is not aligned with the other lines at its level.',
  hint: 'Start the lines of one level in the same column.',
};

function explainIndentation(context: SyntaxContext): SyntaxProblem | undefined {
  const { code } = context;
  return code === 'BAD_INDENT' ? { ...atLine(context), ...OTHER_COLUMN } : undefined;
}

/** Text that a string without quotes cannot begin with: a name before its colon, an item of a list, or a value. */
function explainStart({ code, text, start, lineStart }: SyntaxContext): SyntaxProblem | undefined {
  if (code !== 'BAD_SCALAR_START') return undefined;
  const isWithinBrackets = /[[{][^\]}]*$/u.test(text.slice(lineStart, start));
  const [value = ''] = valueAt(text, start).split(isWithinBrackets ? /:(?:\s|$)|,/u : /:(?:\s|$)/u);
  const message = `A string that begins with \`${text[start] === '`' ? '` ` `' : text[start]}\` needs quotes.`;
  return { start, end: start + value.length, message, hint: `Did you mean \`${quote(value)}\`?` };
}

interface Words extends Pick<SyntaxProblem, 'message' | 'hint' | 'isCause'> {
  /** Part of the message of the YAML library. */
  readonly when: string;
}

const WORDS: readonly Words[] = [
  {
    when: 'Comments must be separated',
    message: 'A comment needs a space before its `#`.',
    hint: 'Write a space before the `#`.',
  },
  {
    when: 'Alias cannot be an empty string',
    message: 'A `*` without quotes is an alias in YAML, and this one has no name.',
    hint: 'Quote a pattern: `"*"`. To allow every model, write `models: any`.',
  },
  {
    when: 'Block collections are not allowed within flow',
    message: 'A comma is missing before the next field.',
    hint: 'Separate fields in braces with commas: `{ a: 1, b: 2 }`.',
    isCause: true,
  },
  {
    when: 'flow-map-end token in YAML stream',
    message: 'This `}` closes nothing.',
    hint: 'Remove it, or add the missing `{`.',
  },
  {
    when: 'flow-seq-end token in YAML stream',
    message: 'This `]` closes nothing.',
    hint: 'Remove it, or add the missing `[`.',
  },
  {
    when: 'Unexpected , in flow',
    message: 'This comma has no value before it.',
    hint: 'Remove the comma.',
  },
  {
    when: 'Unexpected scalar at node end',
    message: 'The value ends before this text.',
    hint: 'Remove the text, or quote the value as a whole. A comma belongs only between braces or brackets.',
    isCause: true,
  },
  {
    when: 'Unresolved tag',
    message: 'A manifest cannot have tags, the words that begin with `!`.',
    hint: 'Remove the tag, or quote a string that begins with `!`. Secrets and variables come in as `${env:NAME}`.',
  },
  {
    when: 'Invalid escape sequence',
    message: 'A `\\` in double quotes begins an escape, and this one does not exist.',
    hint: 'Use single quotes, or write `\\\\` for one backslash.',
  },
  {
    when: 'block-seq-ind on same line with key',
    message: 'The first item of a list must not be on the line of its field.',
    hint: 'Start each `- ` on a line of its own, or write `[a, b]`.',
    isCause: true,
  },
];

const EXPLAINERS: readonly ((context: SyntaxContext) => SyntaxProblem | undefined)[] = [
  explainBracket,
  explainTab,
  explainQuote,
  explainApostrophe,
  explainReference,
  explainNested,
  explainLine,
  explainIndentation,
  explainStart,
];

const OTHER = 'Check the indentation, the colons and the quotes around it.';

/** Explains an error of the YAML library by what a person did. */
export function explainSyntax(error: YAMLError, text: string, tokens: readonly CST.Token[]): SyntaxProblem {
  const start = Math.min(error.pos[0], text.length);
  const end = Math.min(error.pos[1], text.length);
  const begin = text.lastIndexOf('\n', start - 1) + 1;
  const [indent = ''] = /^[ \t]*/u.exec(text.slice(begin)) ?? [];
  const lineStart = begin + indent.length;
  const line = text.slice(lineStart, endOfLine(text, lineStart)).trimEnd();
  const scalars = scalarsOf(tokens);
  const context = { code: error.code, original: error.message, text, scalars, start, end, line, lineStart };
  for (const explainer of EXPLAINERS) {
    const problem = explainer(context);
    if (problem) return problem;
  }
  const words = WORDS.find(({ when }) => error.message.includes(when));
  return words ? { start, end, ...words } : { start, end, message: `${error.message}.`, hint: OTHER };
}
