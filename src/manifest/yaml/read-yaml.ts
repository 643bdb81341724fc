import type { Report } from '../../source/index.ts';
import { isManifest, NOT_A_MANIFEST, reportOfForeign, SILENT } from '../files/foreign-file.ts';
import type { ReplacedText } from '../files/known-secrets.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type Part, type PartContext, readPart } from '../validate/part.ts';
import { treeOf } from './convert.ts';
import { parseYaml } from './parse.ts';
import type { ReferenceContext } from './references.ts';
import type { Sliced } from './slices.ts';

/** The context that one file is read in. */
export interface ReadingContext
  extends Pick<ReferenceContext, 'env'>,
    Partial<Pick<ReferenceContext, 'variables' | 'untrusted'>>,
    Pick<PartContext, 'now' | 'isPolicyFile'> {
  readonly onReplaced: (text: ReplacedText) => void;
}

/** The documents of one file. */
export interface ReadFile {
  readonly parts: readonly Part[];
  readonly faulty: boolean;
  /** Nothing of the file may be shown. */
  readonly isForeign?: true;
}

/** Reads a manifest that is not Terraform JSON. */
export function* readYaml(file: SourceFile, report: Report, context: ReadingContext): Sliced<ReadFile> {
  const { env, variables = [], untrusted = false, now, onReplaced, isPolicyFile = false } = context;
  const isOwn = isManifest(file.text);
  const { documents, placeOf, faulty } = yield* parseYaml(file, { report, isShown: isOwn });
  if (documents.length === 0 && !faulty) {
    report.problem({
      code: 'manifest.missing-field',
      at: placeOf(0, 0),
      message: 'The file is empty.',
      found: file.text.trim() === '' ? 'an empty file' : 'only comments',
      expected: '`version: 1`',
      hint: 'Pass other files if this one should be empty. Keys that were declared here would count as removed.',
    });
  }
  const references = { env, variables, untrusted, folder: file.folder };
  const parts: Part[] = [];
  for (const document of documents) {
    const node = yield* treeOf(document.contents, { references, report: isOwn ? report : SILENT, placeOf, onReplaced });
    // A broken root was reported to nobody.
    if (!isOwn && node.kind !== 'map') {
      report.problem({ ...NOT_A_MANIFEST, at: node.place });
      continue;
    }
    const part = yield* readPart(node, {
      folder: file.folder,
      report: isOwn ? report : reportOfForeign(report),
      now,
      isPolicyFile,
    });
    if (part) parts.push(part);
  }
  return { parts, faulty, ...(isOwn ? {} : { isForeign: true }) };
}
