import { Composer, type CST, type Document, isScalar, LineCounter, Parser, type YAMLError } from 'yaml';
import { blankCredentials, type Place } from '../../domain/index.ts';
import { blankSecretLines, quoted, type Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';

const DEPTH_LIMIT = 100;

const HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML does not allow tabs there.',
  BAD_INDENT: 'Lines of one level begin in the same column.',
  BAD_ALIAS: 'Quote a text that begins with `*` or `&`.',
  BAD_SCALAR_START: 'Quote a text that begins with `@`, `` ` `` or `%`.',
  MISSING_CHAR: 'A quote or a bracket is not closed.',
  MULTILINE_IMPLICIT_KEY: 'Is a `:` or a closing quote missing on the line before?',
  BLOCK_AS_IMPLICIT_KEY: 'Quote a text that holds `: `.',
  TAG_RESOLVE_FAILED: 'A manifest has no use for tags; quote a text that begins with `!`.',
  UNEXPECTED_TOKEN: 'Look at the indentation, the colons and the quotes around it.',
};

export interface ParsedText {
  /** Those without a syntax error. Empty documents are left out. */
  readonly documents: readonly Document.Parsed[];
  readonly placeOf: (start: number, end: number) => Place;
  readonly faulty: boolean;
}

function places(file: string, lines: LineCounter): ParsedText['placeOf'] {
  return (start, end) => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(start, end));
    return { file, line: from.line, column: from.col, endLine: to.line, endColumn: to.col };
  };
}

/** How deep collections nest, without recursion: what comes after would recurse, and end the process. */
function depthOf(tokens: readonly CST.Token[]): { depth: number; offset: number } {
  const open: { token: CST.Token | null | undefined; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  let deepest = { depth: 0, offset: 0 };
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (!token) continue;
    if (depth > deepest.depth) deepest = { depth, offset: 'offset' in token ? token.offset : 0 };
    if (token.type === 'document') open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      open.push({ token: item.key, depth: depth + 1 }, { token: item.value, depth: depth + 1 });
    }
  }
  return deepest;
}

function reportError(error: YAMLError, { file, placeOf }: { file: SourceFile } & Pick<ParsedText, 'placeOf'>): Place {
  const [start, end] = error.pos;
  return placeOf(start, Math.min(end, file.text.length));
}

const isOldYaml = (document: Document.Parsed): boolean =>
  document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2';

const isEmpty = ({ contents }: Document.Parsed): boolean =>
  contents === null || (isScalar(contents) && contents.value === null && !contents.source);

function composed(tokens: readonly CST.Token[], length: number): Document.Parsed[] {
  const composer = new Composer({
    schema: 'core',
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokens, false, length)] as Document.Parsed[];
}

/**
 * Reads a text as a stream of YAML 1.2 documents (core schema). A document with a syntax error is reported and left
 * out: what it seems to say can not be relied on.
 */
export function parseYaml(file: SourceFile, report: Report): ParsedText {
  const lines = new LineCounter();
  const placeOf = places(file.name, lines);
  const tokens = [...new Parser(lines.addNewLine).parse(file.text)];
  const safeLines = blankCredentials(blankSecretLines(file.text)).split('\n');
  let faulty = false;
  const complained = new Set<number>();
  const complain = (at: Place, message: string, hint: string): void => {
    faulty = true;
    // What follows on one line mostly follows from the first.
    if (complained.has(at.line)) return;
    complained.add(at.line);
    const line = safeLines[at.line - 1]?.trim() ?? '';
    const found = line === '' ? 'an empty line' : quoted(line);
    report.problem({
      code: 'manifest.syntax',
      at,
      message,
      found,
      expected: 'YAML 1.2',
      hint,
    });
  };
  const { depth, offset } = depthOf(tokens);
  if (depth > DEPTH_LIMIT) {
    complain(placeOf(offset, offset + 1), `Nested more than ${DEPTH_LIMIT} deep.`, 'A manifest is shallow.');
    return { documents: [], placeOf, faulty };
  }
  const documents = composed(tokens, file.text.length).filter((document) => {
    const errors = [...document.errors, ...document.warnings];
    for (const error of errors) {
      const hint = HINTS[error.code] ?? 'Look at the indentation, the colons and the quotes around it.';
      complain(reportError(error, { file, placeOf }), `${error.message}.`, hint);
    }
    if (isOldYaml(document)) complain(placeOf(0, 0), 'The text says it is not YAML 1.2.', 'Remove `%YAML`.');
    return errors.length === 0 && !isOldYaml(document) && !isEmpty(document);
  });
  return { documents, placeOf, faulty };
}
