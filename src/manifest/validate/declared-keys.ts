import type { DesiredKey, Place, UnixSeconds } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import { KEY_HINTS } from '../schema/advice/field.ts';
import { didYouMean, inFlow } from '../schema/advice/form.ts';
import { KEY_FORMS } from '../schema/manifest.ts';
import { describeNode, type Entry, hasReferences, plain, tryFindEntry, type YamlNode } from '../yaml/node.ts';
import { asMap } from './fields.ts';
import { type KeyReading, type ParsedKeyFields, readKeyFields } from './key-fields.ts';
import { type Belongs, reportInColumn } from './misplaced.ts';

export interface DeclaredKey {
  /** The map key; for a key that is adopted by its ID, the name of the live key. */
  readonly name: string;
  /** The map key of an adopted key, which is not its name. */
  readonly label?: string;
  readonly at: Place;
  readonly fields: ParsedKeyFields<typeof KEY_FORMS>;
  /** The key in normal form, if its language has been parsed already; `defaults` do not apply to it. */
  readonly desired?: DesiredKey;
}

interface KeysContext {
  readonly report: Report;
  readonly now: UnixSeconds;
}

/** The fields that belong inside a field of a key. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  budget: ['usd', 'quota', 'per', 'below', 'initial'],
  smartRouting: ['tiers'],
  rotate: ['every', 'overlap', 'quiet', 'overlapBudget'],
};

const partsOf = (name: string): readonly string[] => (Object.hasOwn(INSIDE, name) && INSIDE[name]) || [];

export const isInKey: Belongs = (outer, { name }) => partsOf(outer).includes(name);

/** Is it a field, not another key? A key may have the name of a field, but then its value is a map. */
const isField = ({ name, node }: Entry): boolean =>
  Object.hasOwn(KEY_FORMS, name) && (node.kind !== 'map' || Object.hasOwn(INSIDE, name));

/** Advises on keys that are a list or one name. */
function adviseKeys(node: YamlNode): string | undefined {
  if (hasReferences(node) || node.kind === 'map') return undefined;
  const data = plain(node);
  const names = Array.isArray(data) ? data : [data];
  if (names.length > 0 && names.every((name) => typeof name === 'string' && name !== '')) {
    return didYouMean(`keys: ${inFlow(Object.fromEntries(names.map((name) => [name, {}])))}`);
  }
  const hasName = tryFindEntry(node.kind === 'list' && node.items[0] ? node.items[0] : node, 'name');
  return hasName ? 'Write the name of each key before its fields, like `app:`, in place of `-` and `name`.' : undefined;
}

/** Advises on a key without fields. */
function adviseKey({ name, node }: Entry): string | undefined {
  if (node.kind === 'scalar' && node.value === null) {
    return `${didYouMean(`${inFlow(name)}: {}`)} It inherits every field from \`defaults\`.`;
  }
  return Object.hasOwn(KEY_FORMS, name) ? `\`${name}\` is a field. Indent it below the name of its key.` : undefined;
}

/** Reports a field of a key that is in the column of the keys: its parts give it away. @returns whether it is one */
function reportLooseField({ name, at, node }: Entry, report: Report): boolean {
  if (node.kind !== 'map' || node.entries.length === 0) return false;
  const parts = partsOf(name);
  if (!node.entries.every((entry) => parts.includes(entry.name))) return false;
  report.problem({
    code: 'manifest.unknown-field',
    at,
    message: `\`${name}\` is in the column of the keys, but it is a field of a key.`,
    found: describeNode(node),
    expected: 'the name of a key',
    hint: `Indent \`${name}\` below the name of its key.`,
  });
  return true;
}

/** Fields without references: they decide which key is meant. */
const NAMES = ['name', 'renamedFrom'];

/** Validates the declarations of keys. */
export function readKeys(node: YamlNode, { report, now }: KeysContext): readonly DeclaredKey[] {
  const map = asMap(node, { report, expects: 'keys' }, 'keys', adviseKeys(node));
  const reading: KeyReading = { report, now, expects: 'key', hints: KEY_HINTS, belongs: isInKey, verbatim: NAMES };
  const reported = map ? reportInColumn(map, (_, entry) => isField(entry), report) : new Set<Entry>();
  const entries = map?.entries.filter((entry) => !reported.has(entry) && !reportLooseField(entry, report)) ?? [];
  return entries.map((entry) => {
    const { name, at, node: fields } = entry;
    if (fields.kind === 'map' && fields.entries.length === 0) return { name, at, fields: {} };
    const own = asMap(fields, reading, name, adviseKey(entry));
    return named({ name, at, fields: own ? readKeyFields(KEY_FORMS, own, reading) : {} }, report);
  });
}

/** Gives an adopted key the name of its live key. Reports an `id` or a `name` that is alone. */
function named(key: DeclaredKey, report: Report): DeclaredKey {
  const { id, name } = key.fields;
  if (id && name) return { ...key, name: name.value, label: key.name };
  const alone = id ?? name;
  if (alone && !alone.node.broken) {
    report.problem({
      code: 'manifest.missing-field',
      at: alone.at,
      message: id ? 'A key that is adopted by its ID requires its `name`.' : 'A `name` without an `id` has no meaning.',
      found: describeNode(alone.node),
      expected: 'both `id` and `name`, or neither',
      hint: id
        ? 'Write the name of the live key, exactly.'
        : `Remove \`name\`: this key is already called ${quoted(key.name)}.`,
    });
  }
  return key;
}
