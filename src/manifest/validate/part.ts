import type * as z from 'zod';
import {
  ASSERTIONS,
  type AssertionName,
  type DesiredKey,
  type Guardrails,
  type Place,
  type UnixSeconds,
} from '../../domain/index.ts';
import { isSecretField, quoted, type Report, reportUnknown } from '../../source/index.ts';
import type { TerraformCheck } from '../../tfjson/index.ts';
import { adviseRootField, DEFAULTS_HINTS, KEY_HINTS, OWNERSHIP_HINTS, TOKEN_HINTS } from '../schema/advice/field.ts';
import { didYouMean, inFlow } from '../schema/advice/form.ts';
import { AUDIT_FORMS } from '../schema/audit.ts';
import { checkDefinition, OWN_CHECK_FIELDS } from '../schema/check.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import type { Forms } from '../schema/forms.ts';
import { DEFAULTS_FORMS, GATEWAY_FORMS, KEY_FORMS, OWNERSHIP_FORMS, ROOT_FIELDS } from '../schema/manifest.ts';
import {
  describeNode,
  type Entry,
  exactData,
  hasReferences,
  type MapNode,
  plain,
  tryFindEntry,
  type YamlNode,
} from '../yaml/node.ts';
import { asMap, type MapReading, readFields, type ValidatedFields } from './fields.ts';
import { reportIssues } from './issues.ts';
import { type KeyReading, type ParsedKeyFields, readKeyFields } from './key-fields.ts';
import { type Belongs, reportInColumn } from './misplaced.ts';
import { type DeclaredOwners, readOwners } from './owners.ts';
import { readPolicy } from './policy.ts';

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

/** One document of a manifest, every field validated separately. Invalid fields are reported and omitted. */
export interface Part {
  readonly folder: string;
  readonly gateway: ValidatedFields<typeof GATEWAY_FORMS>;
  readonly ownership: ValidatedFields<typeof OWNERSHIP_FORMS>;
  readonly owners: DeclaredOwners;
  readonly audit?: ValidatedFields<typeof AUDIT_FORMS>;
  readonly policy?: Guardrails;
  /** Is there a policy, valid or not? */
  readonly hasPolicy?: boolean;
  readonly defaults: ParsedKeyFields<typeof DEFAULTS_FORMS>;
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

export type CheckFields = Partial<z.output<ReturnType<typeof checkDefinition>>>;

interface PartContext {
  readonly folder: string;
  readonly report: Report;
  readonly now: UnixSeconds;
  /** A file of a policy holds nothing else. */
  readonly isPolicyFile?: boolean;
}

/** The fields that belong inside a field of a key. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  budget: ['usd', 'quota', 'per', 'below', 'initial'],
  smartRouting: ['tiers'],
  rotate: ['every', 'overlap', 'quiet', 'overlapBudget'],
};

const SECTIONS: Readonly<Record<string, Forms>> = {
  gateway: GATEWAY_FORMS,
  ownership: OWNERSHIP_FORMS,
  defaults: DEFAULTS_FORMS,
};

const partsOf = (name: string): readonly string[] => (Object.hasOwn(INSIDE, name) && INSIDE[name]) || [];

const isInKey: Belongs = (outer, { name }) => partsOf(outer).includes(name);

/** Is it a field, not another key? A key may have the name of a field, but then its value is a map. */
const isField = ({ name, node }: Entry): boolean =>
  Object.hasOwn(KEY_FORMS, name) && (node.kind !== 'map' || Object.hasOwn(INSIDE, name));

const isInSection: Belongs = (outer, { name, node }) => {
  if (ROOT_FIELDS.includes(name)) return false;
  if (outer === 'keys' || outer === 'checks' || outer === 'owners') return node.kind === 'map';
  return Object.hasOwn(SECTIONS, outer) && Object.hasOwn(SECTIONS[outer] ?? {}, name);
};

/** Advises on a version that is not 1. */
function adviseVersion(node: YamlNode): string {
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (typeof value === 'number' && value > 1) return 'A later version of Keyplane may read it.';
  return value === '1' ? 'Did you mean `version: 1`, without quotes?' : 'Did you mean `version: 1`?';
}

function reportVersion(entry: Entry, report: Report): void {
  report.problem({
    code: 'manifest.unsupported-version',
    at: entry.node.place,
    message: 'This is not the version of a manifest.',
    found: describeNode(entry.node),
    expected: '`version: 1`',
    hint: adviseVersion(entry.node),
  });
}

/** Reports a document without a version, or with another one. @returns whether to read on */
function checkVersion(root: MapNode, report: Report): boolean {
  const entry = root.entries.find(({ name }) => name === 'version');
  if (entry?.node.kind === 'scalar' && entry.node.value === 1) return true;
  // If the version differs, or the file is something else, further diagnostics would mislead.
  if (entry) {
    reportVersion(entry, report);
    return false;
  }
  const known = root.entries.some(({ name }) => ROOT_FIELDS.includes(name));
  const misnamed = known ? root.entries.find(isVersion) : undefined;
  const start = { ...root.place, endLine: root.place.line, endColumn: root.place.column + 1 };
  report.problem({
    code: 'manifest.missing-field',
    at: misnamed?.at ?? start,
    message: 'The field `version` is missing.',
    found: misnamed ? `\`${misnamed.name}\`` : describeNode(root),
    expected: '`version: 1`',
    hint: misnamed
      ? 'Write `version: 1` in its place.'
      : known
        ? FIELD_MESSAGES.version.hint
        : 'Check that this is a manifest: in a folder, Keyplane reads every YAML and JSON file.',
  });
  return known;
}

/** Is this the version of another tool’s file? decK writes `_format_version`. */
const isVersion = ({ name }: Entry): boolean => /version/iu.test(name) && name !== 'version';

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

/** Fields without references: they decide which key is meant, and where credentials go. */
const NAMES = ['name', 'renamedFrom'];
const ORIGIN = ['url', 'accessTokenFile', 'profile'];

function readKeys(node: YamlNode, { report, now }: PartContext): readonly DeclaredKey[] {
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
  const shape: Readonly<Record<string, z.ZodType>> = checkDefinition().shape;
  const own = Object.entries(data ?? {}).filter(([name]) => OWN_CHECK_FIELDS.includes(name));
  return Object.fromEntries(
    own.flatMap(([name, value]) => {
      const parsed = shape[name]?.safeParse(value);
      return parsed?.success ? [[name, parsed.data]] : [];
    }),
  );
}

function readCheck(entry: Entry, { folder, report }: PartContext): DeclaredCheck {
  const { name, node } = entry;
  if (node.broken) return { ...entry, folder, fields: {}, isValid: false };
  const data = checkData(node);
  const parsed = checkDefinition().safeParse(data);
  if (parsed.success) return { ...entry, folder, fields: parsed.data, isValid: true };
  reportIssues(parsed.error.issues, { schema: checkDefinition(), node, field: name }, report);
  return { ...entry, folder, fields: validFields(data), isValid: false };
}

const DEFINE_CHECKS =
  'Define each check here by a name, like `ping: { module: chat }`. The `checks` of a key select them.';

function readChecks(node: YamlNode, reading: PartContext): readonly DeclaredCheck[] {
  const advice = node.kind === 'map' ? undefined : DEFINE_CHECKS;
  const entries = asMap(node, { report: reading.report, expects: 'map' }, 'checks', advice)?.entries ?? [];
  return entries.map((entry) => readCheck(entry, reading));
}

/** Validates one document. @returns undefined when it is not a manifest of a supported version. */
export function readPart(node: YamlNode, context: PartContext): Part | undefined {
  const { folder, report, now } = context;
  const reading: MapReading = { report, expects: 'map' };
  const root = asMap(node, { report, expects: 'manifest' }, 'manifest');
  if (!root || !checkVersion(root, report)) return undefined;
  const reported = reportInColumn(root, isInSection, report);
  const entries = root.entries.filter((entry) => !reported.has(entry));
  const misnamed = tryFindEntry(root, 'version') ? undefined : entries.find(isVersion);
  const fields = context.isPolicyFile ? POLICY_FILE_FIELDS : ROOT_FIELDS;
  for (const entry of entries) if (entry !== misnamed) checkRootField(entry, fields, report);
  const nodeOf = (name: string): YamlNode | undefined => entries.find((each) => each.name === name)?.node;
  const section = (name: string): MapNode | undefined => {
    const own = nodeOf(name);
    return own && asMap(own, reading, name, adviseSection(name, own));
  };
  const [gateway, ownership, defaults] = [section('gateway'), section('ownership'), section('defaults')];
  const audit = section('audit');
  const policyNode = nodeOf('policy');
  const policy = policyNode && readPolicy(policyNode, report);
  const [keys, checks, owners] = [nodeOf('keys'), nodeOf('checks'), nodeOf('owners')];
  const ofDefaults: KeyReading = { ...reading, now, hints: DEFAULTS_HINTS, belongs: isInKey };
  return {
    folder,
    gateway: gateway ? readFields(GATEWAY_FORMS, gateway, { ...reading, hints: TOKEN_HINTS, verbatim: ORIGIN }) : {},
    ownership: ownership ? readFields(OWNERSHIP_FORMS, ownership, { ...reading, hints: OWNERSHIP_HINTS }) : {},
    owners: owners ? readOwners(owners, report) : {},
    ...(policy ? { policy } : {}),
    hasPolicy: policyNode !== undefined,
    ...(audit ? { audit: readFields(AUDIT_FORMS, audit, reading) } : {}),
    defaults: defaults ? readKeyFields(DEFAULTS_FORMS, defaults, ofDefaults) : {},
    keys: keys ? readKeys(keys, context) : [],
    checks: checks ? readChecks(checks, context) : [],
  };
}

/** Advises on a section that is one value. */
function adviseSection(name: string, node: YamlNode): string | undefined {
  if (node.kind !== 'scalar' || node.isReferenced || typeof node.value !== 'string') return undefined;
  const field = { gateway: 'url', ownership: 'scope' }[name];
  return field && didYouMean(`${name}: ${inFlow({ [field]: node.value })}`);
}

/** The fields of a policy file. */
const POLICY_FILE_FIELDS = ['$schema', 'version', 'policy'];

function checkRootField(entry: Entry, fields: readonly string[], report: Report): void {
  const { name, node } = entry;
  if (fields.includes(name) || (isSecretField(name) && node.broken)) return;
  const known = fields.filter((field) => field !== '$schema');
  const hint = adviseRootField(name, hasReferences(node) || node.broken ? undefined : plain(node));
  reportUnknown(report, entry, { known, ...(hint ? { hint } : {}) });
}
