import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type DeclaredSink,
  fileTrouble,
  type Place,
  SIDECAR,
  type SinkTarget,
  sinkId,
  sinkPlace,
} from '../../domain/index.ts';
import { confinedPath, quoted, type Report } from '../../source/index.ts';
import { sinkOf } from '../schema/sink.ts';
import type { Part } from '../validate/part.ts';
import { describeNode, type YamlNode } from '../yaml/node.ts';

type KeySection = Part['defaults'];

/** The folder of each file, by its name in places. */
function foldersOf(parts: readonly Part[]): ReadonlyMap<string, string> {
  const sections = parts.flatMap(({ folder, defaults, keys }) =>
    [defaults, ...keys.map(({ fields }) => fields)].map((fields) => ({ folder, fields })),
  );
  return new Map(
    sections.flatMap(({ folder, fields }) =>
      fields.deliver ? [[fields.deliver.node.place.file, folder] as const] : [],
    ),
  );
}

/** The file of a target, as the manifest names it; undefined when it is not a file. */
function sinkFile(target: SinkTarget): string | undefined {
  if ('kubernetesSecret' in target) return target.kubernetesSecret.file;
  return 'file' in target ? target.file : undefined;
}

function isConfined(target: SinkTarget, folder: string, node: YamlNode, report: Report): boolean {
  const file = sinkFile(target);
  if (file === undefined) return true;
  try {
    confinedPath(folder, file);
    return true;
  } catch (thrown) {
    report.problem({
      code: 'manifest.outside-folder',
      at: node.place,
      message: `The secret cannot be delivered to ${quoted(file)}: ${fileTrouble(thrown)}.`,
      found: describeNode(node),
      expected: 'a file in the folder of the manifest',
      hint: 'Move the manifest, or let a program deliver the secret with `exec`.',
    });
    return false;
  }
}

/** Returns the sinks that a key declares, by itself or by `defaults`. Reports a path out of the folder. */
export function sinksOf({ deliver }: KeySection, parts: readonly Part[], report: Report): readonly DeclaredSink[] {
  if (deliver === undefined) return [];
  const { node, value } = deliver;
  const folder = foldersOf(parts).get(node.place.file) ?? '.';
  return value.flatMap((declared, index) => {
    const at = node.kind === 'list' ? (node.items[index] ?? node) : node;
    const sink = sinkOf(declared);
    return isConfined(sink.target, folder, at, report) ? [{ ...sink, folder, place: at.place }] : [];
  });
}

interface Taken {
  readonly name: string;
  readonly place: Place | undefined;
  /** The format of a file that has room for several secrets. */
  readonly format: string | undefined;
}

const formatOf = (target: SinkTarget): string | undefined => ('as' in target ? target.format : undefined);

/**
 * The files of a target, by paths that do not depend on how the manifest spells them, or by which links it was found. Names that differ
 * only in case, or in how an accent is stored, are one file on some machines, and a manifest must mean the same on all of them.
 */
function filesOf(target: SinkTarget, folder: string): readonly string[] {
  const file = sinkFile(target);
  if (file === undefined) return [];
  const path = resolve(realpathSync(folder), file).normalize('NFC').toLowerCase();
  return 'encrypt' in target ? [path, path + SIDECAR] : [path];
}

/** The one place of a sink, and the files that it is in. */
function marksOf(target: SinkTarget, folder: string): readonly [string, ...string[]] {
  const [file, ...more] = filesOf(target, folder);
  if (file === undefined) return [sinkPlace(target)];
  return [`${file}\0${'as' in target ? target.as : ''}`, file, ...more];
}

/** Reports two secrets for one sink: the later one would overwrite the earlier one in every run. */
export function reportSharedSinks(
  keys: readonly { readonly name: string; readonly deliver?: readonly DeclaredSink[] }[],
  report: Report,
): void {
  const taken = new Map<string, Taken>();
  for (const { name, deliver = [] } of keys) {
    for (const { target, folder, place } of deliver) {
      const own = { name, place, format: formatOf(target) };
      const marks = marksOf(target, folder);
      const [bySink, ...byFiles] = marks.map((mark) => taken.get(mark));
      const byFile = byFiles.find((each) => each !== undefined);
      const fits = own.format !== undefined && byFile?.format === own.format;
      const other = bySink ?? (fits ? undefined : byFile);
      if (other && place) reportShared({ sink: sinkId(target), place, other, name }, report);
      for (const mark of marks) if (!taken.has(mark)) taken.set(mark, own);
    }
  }
}

function reportShared(
  { sink, place, other, name }: { sink: string; place: Place; other: Taken; name: string },
  report: Report,
): void {
  report.problem({
    code: 'manifest.shared-sink',
    at: place,
    message: other.name === name ? 'A key names one sink twice.' : 'Two keys name one sink.',
    found: quoted(sink),
    expected: 'one secret for each sink',
    hint: 'Choose another file, or another entry of the file. File names that differ only in case count as one.',
    ...(other.place ? { related: [{ place: other.place, message: `of the key ${quoted(other.name)}` }] } : {}),
  });
}
