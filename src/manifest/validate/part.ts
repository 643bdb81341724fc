import type * as z from 'zod';
import { ASSERTIONS, type AssertionName, type DesiredKey, type Place, type UnixSeconds } from '../../domain/index.ts';
import { type Report, reportUnknown } from '../../source/index.ts';
import type { TerraformCheck } from '../../tfjson/index.ts';
import { KEY_ELSEWHERE, ROOT_ELSEWHERE } from '../schema/advice.ts';
import { CheckDefinition, OWN_CHECK_FIELDS } from '../schema/check.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import { Defaults, Gateway, Key, ManifestSchema, Ownership } from '../schema/manifest.ts';
import { describeNode, type Entry, exactData, type MapNode, plain, tryFindEntry, type YamlNode } from '../yaml/node.ts';
import { asMap, type MapReading, readFields, type ValidatedFields } from './fields.ts';
import { reportIssues } from './issues.ts';
import { type KeyReading, type ParsedKeyFields, readKeyFields } from './key-fields.ts';

export interface DeclaredKey {
  /** The map key; for a key that is adopted by its ID, the name of the live key. */
  readonly name: string;
  /** The map key of an adopted key, which is not its name. */
  readonly label?: string;
  readonly at: Place;
  readonly fields: ParsedKeyFields<typeof Key>;
  /** The key in normal form, if its language has been parsed already; `defaults` do not apply to it. */
  readonly desired?: DesiredKey;
}

/** One document of a manifest, every field validated separately. Invalid fields are reported and omitted. */
export interface Part {
  readonly folder: string;
  readonly gateway: ValidatedFields<typeof Gateway>;
  readonly ownership: ValidatedFields<typeof Ownership>;
  readonly defaults: ParsedKeyFields<typeof Defaults>;
  readonly keys: readonly DeclaredKey[];
  /** Definitions of checks, also invalid ones: keys may select them. */
  readonly checks: readonly DeclaredCheck[];
  /** Names of single protected keys, in addition to `ownership.protect`. */
  readonly kept?: readonly string[];
}

/** The definition of a check, with the folder of its file. */
export interface DeclaredCheck extends Entry {
  readonly folder: string;
  /** The valid fields of the check itself. */
  readonly fields: CheckFields;
  /** Are all fields valid, and none missing? */
  readonly isValid: boolean;
  /** The check in normal form, if Terraform JSON declares it. */
  readonly terraform?: TerraformCheck;
}

export type CheckFields = Partial<z.output<typeof CheckDefinition>>;

interface PartContext {
  readonly folder: string;
  readonly report: Report;
  readonly now: UnixSeconds;
}

const ROOT = ManifestSchema.shape;

const TOKEN_HINT = 'The system access token comes from the environment or from `gateway.accessTokenFile`.';
const ELSEWHERE: Readonly<Record<string, string>> = {
  accessToken: TOKEN_HINT,
  token: TOKEN_HINT,
  name: 'The name of a key is its name in `keys`.',
};
const OF_KEY = { ...ELSEWHERE, ...KEY_ELSEWHERE };
const OF_ROOT: Readonly<Record<string, string>> = { ...ELSEWHERE, ...ROOT_ELSEWHERE };
const DEFAULTS_ELSEWHERE = { ...OF_KEY, renamedFrom: 'Move the former name to its key.' };

function checkVersion(root: MapNode, report: Report): boolean {
  const entry = root.entries.find(({ name }) => name === 'version');
  if (entry?.node.kind === 'scalar' && entry.node.value === 1) return true;
  const { expected, hint } = FIELD_MESSAGES.version;
  const known = root.entries.some(({ name }) => Object.hasOwn(ROOT, name));
  const missing = { code: 'manifest.missing-field', message: 'The field `version` is missing.' } as const;
  const other = { code: 'manifest.unsupported-version', message: 'Unsupported version.' } as const;
  report.problem({
    ...(entry ? other : missing),
    at: entry?.node.place ?? { ...root.place, endLine: root.place.line, endColumn: root.place.column + 1 },
    found: describeNode(entry?.node ?? root),
    expected: `\`version: ${expected}\``,
    hint: known ? hint : 'Check that this is a manifest: in a folder, Keyplane reads every YAML and JSON file.',
  });
  // If the version differs, or the file is something else, further diagnostics would mislead.
  return known && !entry;
}

function readKeys(node: YamlNode, { report, now }: PartContext): readonly DeclaredKey[] {
  const map = asMap(node, { report, expects: 'keys' }, 'keys');
  const reading: KeyReading = { report, now, expects: 'key', elsewhere: OF_KEY };
  return (map?.entries ?? []).map(({ name, at, node: fields }) => {
    const own = asMap(fields, reading, name);
    return named({ name, at, fields: own ? readKeyFields(Key, own, reading) : {} }, report);
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
      message: id ? 'A key that is adopted by its ID requires its `name`.' : '`name` requires `id`.',
      found: describeNode(alone.node),
      expected: 'both `id` and `name`, or neither',
      hint: 'Only a live key that is adopted by its ID has a `name`; the name of any other is its name in `keys`.',
    });
  }
  return key;
}

const CHECK_SHAPE: Readonly<Record<string, z.ZodType>> = CheckDefinition.shape;

const isJsonSchema = (name: string): boolean => ASSERTIONS[name as AssertionName]?.kind === 'jsonSchema';

/** A definition as plain data; assertions keep all digits of their numbers. */
function checkData(node: YamlNode): unknown {
  const expect = tryFindEntry(node, 'expect')?.node;
  if (expect?.kind !== 'map') return plain(node);
  const assertions = expect.entries.map(({ name, node: value }) => [
    name,
    isJsonSchema(name) ? plain(value) : exactData(value),
  ]);
  return { ...(plain(node) as object), expect: Object.fromEntries(assertions) };
}

/** Keeps the fields that are valid on their own, so that one invalid field does not hide what else is wrong. */
function validFields(data: unknown): CheckFields {
  const own = Object.entries(data ?? {}).filter(([name]) => OWN_CHECK_FIELDS.includes(name));
  return Object.fromEntries(
    own.flatMap(([name, value]) => {
      const parsed = CHECK_SHAPE[name]?.safeParse(value);
      return parsed?.success ? [[name, parsed.data]] : [];
    }),
  );
}

function readCheck(entry: Entry, { folder, report }: PartContext): DeclaredCheck {
  const { name, node } = entry;
  if (node.broken) return { ...entry, folder, fields: {}, isValid: false };
  const data = checkData(node);
  const parsed = CheckDefinition.safeParse(data);
  if (parsed.success) return { ...entry, folder, fields: parsed.data, isValid: true };
  reportIssues(parsed.error.issues, { schema: CheckDefinition, node, field: name }, report);
  return { ...entry, folder, fields: validFields(data), isValid: false };
}

function readChecks(node: YamlNode, reading: PartContext): readonly DeclaredCheck[] {
  const entries = asMap(node, { report: reading.report, expects: 'map' }, 'checks')?.entries ?? [];
  return entries.map((entry) => readCheck(entry, reading));
}

/** Validates one document. @returns undefined when it is not a manifest of a supported version. */
export function readPart(node: YamlNode, context: PartContext): Part | undefined {
  const { folder, report, now } = context;
  const reading: MapReading = { report, expects: 'map', elsewhere: ELSEWHERE };
  const root = asMap(node, reading, 'manifest');
  if (!root || !checkVersion(root, report)) return undefined;
  for (const entry of root.entries) {
    if (!Object.hasOwn(ROOT, entry.name)) reportUnknown(report, entry, unknownRoot(entry.name));
  }
  const section = (name: string): MapNode | undefined => {
    const entry = root.entries.find((each) => each.name === name);
    return entry && asMap(entry.node, reading, name);
  };
  const [gateway, ownership, defaults] = [section('gateway'), section('ownership'), section('defaults')];
  const nodeOf = (name: string): YamlNode | undefined => root.entries.find((each) => each.name === name)?.node;
  const [keys, checks] = [nodeOf('keys'), nodeOf('checks')];
  return {
    folder,
    gateway: gateway ? readFields(Gateway, gateway, reading) : {},
    ownership: ownership ? readFields(Ownership, ownership, reading) : {},
    defaults: defaults ? readKeyFields(Defaults, defaults, { ...reading, now, elsewhere: DEFAULTS_ELSEWHERE }) : {},
    keys: keys ? readKeys(keys, context) : [],
    checks: checks ? readChecks(checks, context) : [],
  };
}

function unknownRoot(name: string): { known: readonly string[]; hint?: string } {
  const hint = Object.hasOwn(OF_ROOT, name) ? OF_ROOT[name] : undefined;
  return { known: Object.keys(ROOT).filter((field) => field !== '$schema'), ...(hint ? { hint } : {}) };
}
