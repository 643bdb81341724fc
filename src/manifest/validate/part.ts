import type { Place } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import { CheckDefinition } from '../schema/check.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import { Defaults, Gateway, Key, ManifestSchema, Ownership } from '../schema/manifest.ts';
import { type Entry, type Fields, found, plain, type Tree } from '../yaml/tree.ts';
import { asMap, type HeldFields, type MapReading, readFields } from './fields.ts';
import { reportIssues } from './issues.ts';

export interface DeclaredKey {
  readonly name: string;
  readonly at: Place;
  readonly fields: HeldFields<typeof Key>;
  /** Do omitted fields stay unmanaged, without `defaults`? */
  readonly isWhole?: boolean;
}

/** One document of a manifest, every field validated separately. Invalid fields are reported and omitted. */
export interface Part {
  readonly folder: string;
  readonly gateway: HeldFields<typeof Gateway>;
  readonly ownership: HeldFields<typeof Ownership>;
  readonly defaults: HeldFields<typeof Defaults>;
  readonly keys: readonly DeclaredKey[];
  /** Definitions of checks, also invalid ones: keys may select them. */
  readonly checks: readonly DeclaredCheck[];
  /** Names of single protected keys, in addition to `ownership.protect`. */
  readonly kept?: readonly string[];
}

/** The definition of a check, with the folder of its file. */
export interface DeclaredCheck extends Entry {
  readonly folder: string;
}

const ROOT = ManifestSchema.shape;

const TOKEN_HINT = 'The system access token comes from the environment or from `gateway.accessTokenFile`.';
const ELSEWHERE: Readonly<Record<string, string>> = {
  accessToken: TOKEN_HINT,
  token: TOKEN_HINT,
  name: 'The name of a key is its name in `keys`.',
};
const DEFAULTS_ELSEWHERE = { ...ELSEWHERE, renamedFrom: 'Move the former name to its key.' };

function checkVersion(root: Fields, report: Report): boolean {
  const entry = root.entries.find(({ name }) => name === 'version');
  if (entry?.node.kind === 'scalar' && entry.node.value === 1) return true;
  const { expected, hint } = FIELD_MESSAGES.version;
  const known = root.entries.some(({ name }) => Object.hasOwn(ROOT, name));
  const missing = { code: 'manifest.missing-field', message: 'The field `version` is missing.' } as const;
  const other = { code: 'manifest.unsupported-version', message: 'Unsupported version.' } as const;
  report.problem({
    ...(entry ? other : missing),
    at: entry?.node.place ?? { ...root.place, endLine: root.place.line, endColumn: root.place.column + 1 },
    found: found(entry?.node ?? root),
    expected: `\`version: ${expected}\``,
    hint: known ? hint : 'Check that this is a manifest: in a folder, Keyplane reads every YAML and JSON file.',
  });
  // If the version differs, or the file is something else, further diagnostics would mislead.
  return known && !entry;
}

function readKeys(node: Tree, report: Report): readonly DeclaredKey[] {
  const map = asMap(node, { report, expects: 'keys' }, 'keys');
  return (map?.entries ?? []).map(({ name, at, node: fields }) => {
    const reading: MapReading = { report, expects: 'key', elsewhere: ELSEWHERE };
    const own = asMap(fields, reading, name);
    return { name, at, fields: own ? readFields(Key, own, reading) : {} };
  });
}

function readChecks(node: Tree, report: Report): readonly Entry[] {
  const entries = asMap(node, { report, expects: 'map' }, 'checks')?.entries ?? [];
  for (const entry of entries.filter((each) => !each.node.broken)) {
    const parsed = CheckDefinition.safeParse(plain(entry.node));
    const rejected = { schema: CheckDefinition, node: entry.node, field: entry.name };
    if (!parsed.success) reportIssues(parsed.error.issues, rejected, report);
  }
  return entries;
}

/** Validates one document. @returns undefined when it is not a manifest of a supported version. */
export function readPart(node: Tree, { folder, report }: { folder: string; report: Report }): Part | undefined {
  const reading: MapReading = { report, expects: 'map', elsewhere: ELSEWHERE };
  const root = asMap(node, reading, 'manifest');
  if (!root || !checkVersion(root, report)) return undefined;
  for (const entry of root.entries) {
    if (!Object.hasOwn(ROOT, entry.name)) reportUnknown(report, entry, unknownRoot(entry.name));
  }
  const section = (name: string): Fields | undefined => {
    const entry = root.entries.find((each) => each.name === name);
    return entry && asMap(entry.node, reading, name);
  };
  const [gateway, ownership, defaults] = [section('gateway'), section('ownership'), section('defaults')];
  const nodeOf = (name: string): Tree | undefined => root.entries.find((each) => each.name === name)?.node;
  const [keys, checks] = [nodeOf('keys'), nodeOf('checks')];
  return {
    folder,
    gateway: gateway ? readFields(Gateway, gateway, reading) : {},
    ownership: ownership ? readFields(Ownership, ownership, reading) : {},
    defaults: defaults ? readFields(Defaults, defaults, { ...reading, elsewhere: DEFAULTS_ELSEWHERE }) : {},
    keys: keys ? readKeys(keys, report) : [],
    checks: checks ? readChecks(checks, report).map((entry) => ({ ...entry, folder })) : [],
  };
}

function unknownRoot(name: string): { known: readonly string[]; hint?: string } {
  const hint = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  return { known: Object.keys(ROOT).filter((field) => field !== '$schema'), ...(hint ? { hint } : {}) };
}
