import { blankSecrets, type Diagnostic, type Place, Secret, secretRanges } from '../../domain/index.ts';
import { confinedPath, MOST_BYTES, type Report, readRegularFile } from '../../source/index.ts';
import type { SourceFile } from './source-file.ts';

/** A text that a reference was replaced in. */
export interface ReplacedText {
  readonly value: string;
  readonly at: Place;
  readonly range: readonly [number, number];
}

/** The place where a manifest names its access token file, also in a text that is not valid YAML. */
const TOKEN_FILE = /accessTokenFile["']?[ \t]*:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s,}#]+))/g;

function tryReadToken(folder: string, path: string): Secret | undefined {
  try {
    return new Secret(readRegularFile(confinedPath(folder, path), MOST_BYTES.credential).toString('utf8').trim());
  } catch {
    // Whoever needs the file reports that it cannot be read.
    return undefined;
  }
}

/** The access tokens in the files that manifests name. */
export const tokensOf = (files: readonly SourceFile[]): readonly Secret[] =>
  files.flatMap(({ text, folder }) =>
    [...text.matchAll(TOKEN_FILE)].flatMap(([, ...forms]) => tryReadToken(folder, forms.join('')) ?? []),
  );

function placeAt({ name, text }: SourceFile, [start, end]: readonly [number, number]): Place {
  const before = text.slice(0, start);
  const [line, column] = [before.split('\n').length, start - before.lastIndexOf('\n')];
  return { file: name, line, column, endLine: line, endColumn: column + end - start };
}

function reportSecret(at: Place, report: Report): void {
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: 'The manifest contains the access token or an API key.',
    found: 'a value that is not shown',
    expected: 'no secret',
    hint: 'Settings are shown everywhere. If this one was committed, revoke it.',
    remedy: 'supply-token',
  });
}

/** Reports and hides secrets that are known, wherever a file contains one or a reference stands for one. */
export function reportKnownSecrets(
  { files, replaced }: { readonly files: readonly SourceFile[]; readonly replaced: readonly ReplacedText[] },
  secrets: readonly Secret[],
  report: Report,
): void {
  for (const file of files) {
    for (const range of secrets.flatMap((secret) => secretRanges(file.text, secret))) {
      report.hide(file.name, range);
      reportSecret(placeAt(file, range), report);
    }
  }
  for (const { value, at, range } of replaced) {
    if (secrets.every((secret) => secretRanges(value, secret).length === 0)) continue;
    report.hide(at.file, range);
    reportSecret(at, report);
  }
}

/** The diagnostic without secrets that are known: it may quote a value. */
export function withoutSecrets(diagnostic: Diagnostic, secrets: readonly Secret[]): Diagnostic {
  const clean = (text: string): string => blankSecrets(text, secrets);
  const { message, found, expected, hint } = diagnostic;
  return {
    ...diagnostic,
    message: clean(message),
    ...(found === undefined ? {} : { found: clean(found) }),
    ...(expected === undefined ? {} : { expected: clean(expected) }),
    ...(hint === undefined ? {} : { hint: clean(hint) }),
  };
}
