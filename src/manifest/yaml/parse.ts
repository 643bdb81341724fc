import { Composer, type CST, type Document, isScalar, LineCounter, Parser, type YAMLError } from 'yaml';
import { blankCredentials, type Place } from '../../domain/index.ts';
import { blankSecretLines, quoted, type Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';

const DEPTH_LIMIT = 100;

const HINTS: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML does not allow tabs there.',
  BAD_INDENT: 'Start the lines of one level in the same column.',
  BAD_ALIAS: 'Quote a string that begins with `*` or `&`.',
  BAD_SCALAR_START: 'Quote a string that begins with `@`, `` ` `` or `%`.',
  MISSING_CHAR: 'A quote or a bracket is not closed.',
  MULTILINE_IMPLICIT_KEY: 'Is a `:` or a closing quote missing on the line before?',
  BLOCK_AS_IMPLICIT_KEY: 'Quote a string that contains `: `.',
  TAG_RESOLVE_FAILED: 'Manifests do not support tags. Quote a string that begins with `!`.',
  UNEXPECTED_TOKEN: 'Check the indentation, the colons and the quotes around it.',
};

interface Opener {
  readonly offset: number;
  readonly open: string;
  readonly close: string;
}

/** Returns the place in the text where the list or map begins that an error finds open, or undefined. */
function openerOf({ message, pos: [end] }: YAMLError, text: string): Opener | undefined {
  const kind = /^Flow (sequence|map) .*must/u.exec(message)?.[1];
  if (kind === undefined) return undefined;
  const [open, close] = kind === 'map' ? (['{', '}'] as const) : (['[', ']'] as const);
  let closed = 0;
  for (let offset = end - 1; offset >= 0; offset--) {
    if (text[offset] === close) closed++;
    else if (text[offset] === open && closed-- === 0) return { offset, open, close };
  }
  return undefined;
}

export interface ParsedText {
  /** The documents without a syntax error. Empty documents are omitted. */
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

/** Measures how deep collections nest, without recursion: the composer recurses and would overflow the stack. */
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

function placeOfError(error: YAMLError, { file, placeOf }: { file: SourceFile } & Pick<ParsedText, 'placeOf'>): Place {
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
 * Parses a text as a stream of YAML 1.2 documents (core schema). A document with a syntax error is reported and
 * omitted, because its content cannot be relied on.
 */
export function parseYaml(file: SourceFile, report: Report): ParsedText {
  const lines = new LineCounter();
  const placeOf = places(file.name, lines);
  const tokens = [...new Parser(lines.addNewLine).parse(file.text)];
  const safeLines = blankCredentials(blankSecretLines(file.text)).split('\n');
  let faulty = false;
  const reported = new Set<number>();
  const reportSyntax = (at: Place, message: string, hint: string): void => {
    faulty = true;
    // Further errors on one line mostly follow from the first.
    if (reported.has(at.line)) return;
    reported.add(at.line);
    const line = safeLines[at.line - 1]?.trim() ?? '';
    const found = line === '' ? 'an empty line' : quoted(line);
    report.problem({ code: 'manifest.syntax', at, message, found, expected: 'YAML 1.2', hint });
  };
  const { depth, offset } = depthOf(tokens);
  if (depth > DEPTH_LIMIT) {
    const hint = `Nest at most ${DEPTH_LIMIT} lists and maps.`;
    reportSyntax(placeOf(offset, offset + 1), `The file nests more than ${DEPTH_LIMIT} levels deep.`, hint);
    return { documents: [], placeOf, faulty };
  }
  const documents = composed(tokens, file.text.length).filter((document) => {
    const errors = [...document.errors, ...document.warnings];
    for (const error of errors) {
      const opener = openerOf(error, file.text);
      if (opener) {
        const place = placeOf(opener.offset, opener.offset + 1);
        reportSyntax(place, `This \`${opener.open}\` is not closed.`, `Add the missing \`${opener.close}\`.`);
        // Whatever else is wrong follows from it.
        break;
      }
      const hint = HINTS[error.code] ?? 'Check the indentation, the colons and the quotes around it.';
      reportSyntax(placeOfError(error, { file, placeOf }), `${error.message}.`, hint);
    }
    if (isOldYaml(document))
      reportSyntax(placeOf(0, 0), 'The file declares another version of YAML than 1.2.', 'Remove `%YAML`.');
    return errors.length === 0 && !isOldYaml(document) && !isEmpty(document);
  });
  return { documents, placeOf, faulty };
}
