import type { Report } from '../../source/index.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import { ROOT_FIELDS } from '../schema/manifest.ts';
import { describeNode, type Entry, type MapNode, type YamlNode } from '../yaml/node.ts';

/** Advises on a version that is not 1. */
function adviseVersion(node: YamlNode): string {
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (typeof value === 'number' && value > 1) return 'A later version of Keyplane may read it.';
  return value === '1' ? 'Did you mean `version: 1`, without quotes?' : 'Did you mean `version: 1`?';
}

const IS_IT_A_MANIFEST = 'Check that this is a manifest: in a folder, Keyplane reads every YAML and JSON file.';

/** Does the file have another field of a manifest than this one? `package.json` and others have a version too. */
const isManifest = ({ entries }: MapNode): boolean =>
  entries.some(({ name }) => name !== 'version' && ROOT_FIELDS.includes(name));

function reportVersion(root: MapNode, entry: Entry, report: Report): void {
  report.problem({
    code: 'manifest.unsupported-version',
    at: entry.node.place,
    message: 'This is not the version of a manifest.',
    found: describeNode(entry.node),
    expected: '`version: 1`',
    hint: isManifest(root) ? adviseVersion(entry.node) : IS_IT_A_MANIFEST,
  });
}

/** Reports a document without a version, or with another one. @returns whether to read on */
export function checkVersion(root: MapNode, report: Report): boolean {
  const entry = root.entries.find(({ name }) => name === 'version');
  if (entry?.node.kind === 'scalar' && entry.node.value === 1) return true;
  // If the version differs, or the file is something else, further diagnostics would mislead.
  if (entry) {
    reportVersion(root, entry, report);
    return false;
  }
  const known = isManifest(root);
  const misnamed = known ? root.entries.find(isVersion) : undefined;
  const start = { ...root.place, endLine: root.place.line, endColumn: root.place.column + 1 };
  report.problem({
    code: 'manifest.missing-field',
    at: misnamed?.at ?? start,
    message: 'The field `version` is missing.',
    found: misnamed ? `\`${misnamed.name}\`` : describeNode(root),
    expected: '`version: 1`',
    hint: misnamed ? 'Write `version: 1` in its place.' : known ? FIELD_MESSAGES.version.hint : IS_IT_A_MANIFEST,
  });
  return known;
}

/** Is this the version of another tool’s file? decK writes `_format_version`. */
export const isVersion = ({ name }: Entry): boolean => /version/iu.test(name) && name !== 'version';
