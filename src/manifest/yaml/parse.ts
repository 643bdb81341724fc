import { Composer, type CST, type Document, isScalar, LineCounter, Parser } from 'yaml';
import { blankCredentials, once, type Place } from '../../domain/index.ts';
import { blankSecretLines, quoted, type Report } from '../../source/index.ts';
import { HIDDEN_LINE } from '../files/foreign-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { explainFile, foreignCharacters } from './copied.ts';
import { explainSyntax, type SyntaxProblem } from './syntax.ts';
import { depthOf } from './tokens.ts';

const DEPTH_LIMIT = 100;
const MOST_ERRORS = 20;

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

const isOldYaml = (document: Document.Parsed): boolean =>
  document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2';

const OLD_YAML: SyntaxProblem = {
  start: 0,
  end: 0,
  message: 'The file declares another version of YAML than 1.2.',
  hint: 'Remove `%YAML`.',
};

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

interface YamlReport {
  readonly report: Report;
  /** May diagnostics quote the text? */
  readonly isShown: boolean;
}

const UNSHOWN = {
  code: 'manifest.syntax',
  message: 'The file is not valid YAML.',
  found: HIDDEN_LINE,
  expected: 'valid YAML that begins with `version: 1`',
  hint: 'Check that this is a manifest. If it is, write `version: 1` in its first line to see what is wrong.',
} as const;

/** Reports syntax errors: one for each line, because further ones mostly follow from the first. */
function syntaxReport({
  file,
  report,
  isShown,
  placeOf,
}: { file: SourceFile } & YamlReport & Pick<ParsedText, 'placeOf'>) {
  // Made for the first problem: most texts have none.
  const linesOf = once(() => file.text.split('\n'));
  const safeLinesOf = once(() => blankCredentials(blankSecretLines(file.text)).split('\n'));
  const reported = new Set<number>();
  return ({ start, end, message, hint }: SyntaxProblem): void => {
    const at = placeOf(start, end);
    if (reported.has(at.line)) return;
    reported.add(at.line);
    if (!isShown) {
      if (reported.size === 1) report.problem({ ...UNSHOWN, at });
      return;
    }
    const [lines, safeLines] = [linesOf(), safeLinesOf()];
    const line = safeLines[at.line - 1]?.trim() ?? '';
    const found = line === '' ? 'an empty line' : quoted(line);
    // A corrected form repeats what the line holds.
    const isSecret = safeLines[at.line - 1] !== lines[at.line - 1];
    const safeHint = isSecret && hint.startsWith('Did you mean') ? 'Quote the value.' : hint;
    report.problem({ code: 'manifest.syntax', at, message, found, expected: 'valid YAML', hint: safeHint });
  };
}

/** The syntax errors of a document, up to the first that the others follow from. */
function problemsOf(document: Document.Parsed, text: string, tokens: readonly CST.Token[]): readonly SyntaxProblem[] {
  const errors = [...document.errors, ...document.warnings];
  const whole = errors.length > 0 ? explainFile(text) : undefined;
  if (whole) return [whole];
  // Each is looked for in the whole text, and a million of them help nobody.
  const problems = errors.slice(0, MOST_ERRORS).map((error) => explainSyntax(error, text, tokens));
  const cause = problems.findIndex(({ isCause }) => isCause);
  return cause < 0 ? problems : problems.slice(0, cause + 1);
}

/**
 * Parses a text as a stream of YAML 1.2 documents (core schema). A document with a syntax error is reported and
 * omitted, because its content cannot be relied on.
 */
export function parseYaml(file: SourceFile, { report, isShown }: YamlReport): ParsedText {
  const lines = new LineCounter();
  const placeOf = places(file.name, lines);
  const tokens = [...new Parser(lines.addNewLine).parse(file.text)];
  const reportSyntax = syntaxReport({ file, report, isShown, placeOf });
  const { depth, offset } = depthOf(tokens);
  if (depth > DEPTH_LIMIT) {
    const hint = `Nest at most ${DEPTH_LIMIT} lists and maps.`;
    const message = `The file nests more than ${DEPTH_LIMIT} levels deep.`;
    reportSyntax({ start: offset, end: offset + 1, message, hint });
    return { documents: [], placeOf, faulty: true };
  }
  const copied = foreignCharacters(tokens, file.text);
  for (const problem of copied) reportSyntax(problem);
  if (copied.length > 0) return { documents: [], placeOf, faulty: true };
  let faulty = false;
  const documents = composed(tokens, file.text.length).filter((document) => {
    const problems = [...problemsOf(document, file.text, tokens), ...(isOldYaml(document) ? [OLD_YAML] : [])];
    for (const problem of problems) reportSyntax(problem);
    faulty ||= problems.length > 0;
    return problems.length === 0 && !isEmpty(document);
  });
  return { documents, placeOf, faulty };
}
