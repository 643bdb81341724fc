import {
  comparableAddress,
  type DeclaredSink,
  type DesiredKey,
  type DesiredState,
  FIELD_ROWS,
  fileTrouble,
  type Json,
  type KeyId,
  type KeyName,
  nameProblem,
  type Ownership,
  type Place,
  propagateOf,
  tryParseProfileName,
  type Waiver,
} from '../../domain/index.ts';
import { confinedPath, type Report } from '../../source/index.ts';
import type { OWNERSHIP_FORMS } from '../schema/manifest.ts';
import type { DeclaredCheck } from '../validate/declared-checks.ts';
import type { DeclaredKey } from '../validate/declared-keys.ts';
import type { Validated, ValidatedFields } from '../validate/fields.ts';
import type { Part } from '../validate/part.ts';
import { describeNode, plain, type YamlNode } from '../yaml/node.ts';
import { type DefinedCheck, tryReadCheck } from './check-spec.ts';
import { mergeChecks, mergeKeys, mergeSections } from './merge.ts';
import { metadataOf, ownerRules } from './metadata.ts';
import { checkPrune, pruneOf } from './prune.ts';
import { checkGenerationNames, checkRotatingKey, checkRotation, rotationOf } from './rotation.ts';
import {
  checkDefinitionNames,
  checkName,
  checkNoSecretName,
  checkRenames,
  checkScope,
  checkSelection,
} from './rules.ts';
import { reportSharedSinks, sinksOf } from './sinks.ts';

/** The gateway and the account, as far as the manifest declares them. */
export interface GatewaySection {
  readonly url?: string;
  readonly userId?: number;
  /** Absolute. */
  readonly accessTokenFile?: string;
  /** The name of a profile that comes with Keyplane, or the absolute path of a file. */
  readonly profile?: string;
}

function ownershipOf(fields: ValidatedFields<typeof OWNERSHIP_FORMS>, kept: readonly string[]): Ownership {
  return {
    ...(fields.scope ? { scope: fields.scope.value } : {}),
    ...pruneOf(fields.prune),
    protect: [...new Set([...(fields.protect?.value ?? []), ...kept])],
  };
}

/** The fields of the gateway that name files, with a noun for messages. */
const FILE_FIELDS = {
  accessTokenFile: { noun: 'access token file', remedy: 'name-token-file' },
  profile: { noun: 'profile', remedy: 'name-profile-file' },
} as const;

/** Makes a path absolute: two files may mean the same file by different relative paths. Reports a path out of the folder. */
function absolutePath(field: keyof typeof FILE_FIELDS, { gateway, folder }: Part, report: Report) {
  const { [field]: named } = gateway;
  if (named === undefined || (field === 'profile' && tryParseProfileName(named.value))) return named;
  const { noun, remedy } = FILE_FIELDS[field];
  try {
    return { ...named, value: confinedPath(folder, named.value) };
  } catch (thrown) {
    report.problem({
      code: 'manifest.outside-folder',
      at: named.node.place,
      message: `The ${noun} cannot be used: ${fileTrouble(thrown)}.`,
      found: describeNode(named.node),
      expected: 'a file in the folder of the manifest',
      hint: 'A manifest cannot name files of the machine that reads it.',
      remedy,
    });
    return undefined;
  }
}

function withAbsolutePaths(part: Part, report: Report): Part['gateway'] {
  const { accessTokenFile: _, profile: __, ...rest } = part.gateway;
  const token = absolutePath('accessTokenFile', part, report);
  const profile = absolutePath('profile', part, report);
  return { ...rest, ...(token && { accessTokenFile: token }), ...(profile && { profile }) };
}

function gatewayOf(parts: readonly Part[], report: Report): GatewaySection {
  const same = (a: Validated<unknown>, b: Validated<unknown>): boolean =>
    comparableAddress(String(a.value)) === comparableAddress(String(b.value));
  const merged = mergeSections(
    'gateway',
    parts.map((part) => withAbsolutePaths(part, report)),
    { report, same },
  );
  return {
    ...(merged.url ? { url: merged.url.value } : {}),
    ...(merged.userId ? { userId: merged.userId.value } : {}),
    ...(merged.accessTokenFile ? { accessTokenFile: merged.accessTokenFile.value } : {}),
    ...(merged.profile ? { profile: merged.profile.value } : {}),
  };
}

type KeySection = Part['defaults'];

/** The fields that only a manifest has. */
const FURTHER = ['rotate', 'deliver'] as const;

/** The further fields of a key, unchanged: what writers copy. */
export type Verbatim = Readonly<Partial<Record<(typeof FURTHER)[number], Json>>>;

function desiredKey(key: DeclaredKey, fields: KeySection, deliver: readonly DeclaredSink[]): DesiredKey {
  const declared: Record<string, unknown> = {};
  for (const [field] of FIELD_ROWS) {
    const value = fields[field]?.value;
    if (value !== undefined) declared[field] = value;
  }
  const { id, renamedFrom } = key.fields;
  return {
    name: key.name as KeyName,
    ...(key.label !== undefined && id ? { id: id.value } : {}),
    enabled: true,
    ...declared,
    ...(renamedFrom ? { renamedFrom: renamedFrom.value as KeyName | KeyId } : {}),
    ...(fields.rotate ? { rotate: rotationOf(fields.rotate.value) } : {}),
    ...(deliver.length > 0 ? { deliver } : {}),
    place: key.at,
  };
}

function definedChecks(declared: readonly DeclaredCheck[], report: Report): readonly DefinedCheck[] {
  const defined = declared.flatMap((check) => tryReadCheck(check, report) ?? []);
  return defined.sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
}

/** The fields of a key, completed by those of `defaults`. */
function completed({ fields, desired }: DeclaredKey, defaults: KeySection): KeySection {
  if (desired) return fields;
  return Object.keys(fields).length === 0 ? defaults : { ...defaults, ...fields };
}

function verbatimOf(fields: KeySection): Verbatim {
  const nodes = FURTHER.flatMap((field) => {
    const { node } = fields[field] ?? {};
    return node ? [[field, plain(node) as Json] as const] : [];
  });
  return Object.fromEntries(nodes);
}

const byName = <T extends { readonly name: string }>(a: T, b: T): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

function placesIn(node: YamlNode): readonly Place[] {
  if (node.kind === 'scalar') return node.isReferenced ? [node.place] : [];
  return node.kind === 'list' ? node.items.flatMap(placesIn) : node.entries.flatMap((entry) => placesIn(entry.node));
}

const inSection = (section: Readonly<Record<string, Validated<unknown> | undefined>>): readonly Place[] =>
  Object.values(section).flatMap((validated) => (validated ? placesIn(validated.node) : []));

/** The locations of values that came from the environment or a file. */
const referencedLocations = ({ gateway, ownership, owners, defaults, keys, checks }: Part): readonly Place[] => [
  ...[gateway, ownership, owners, defaults].flatMap(inSection),
  ...keys.flatMap(({ fields }) => inSection(fields)),
  ...checks.flatMap(({ node }) => placesIn(node)),
];

function waiversOf(parts: readonly Part[]): Pick<Resolved, 'waivers'> {
  const waivers = parts.flatMap(({ audit }) => {
    const { value = [], node } = audit?.waivers ?? {};
    return value.map((waiver, i) => {
      const place = node?.kind === 'list' ? node.items[i]?.place : undefined;
      return { ...waiver, ...(place ? { place } : {}) };
    });
  });
  return waivers.length > 0 ? { waivers } : {};
}

function policiesOf(parts: readonly Part[]): Pick<DesiredState, 'policies'> {
  const policies = parts.flatMap(({ policy }) => policy ?? []);
  return policies.length > 0 ? { policies } : {};
}

export interface Resolved {
  readonly gateway: GatewaySection;
  readonly desired: DesiredState;
  readonly checks: readonly DefinedCheck[];
  /** The audit findings that are accepted for a time. Absent: none. */
  readonly waivers?: readonly Waiver[];
  /** The names that each key selects, its own or those of the defaults. Keys that select nothing are absent. */
  readonly selections: ReadonlyMap<KeyName, readonly string[]>;
  /** The further fields of each key, unchanged. Keys without any are absent. */
  readonly verbatim: ReadonlyMap<KeyName, Verbatim>;
  /** The locations of values that came from the environment or a file. */
  readonly references: readonly Place[];
}

/** Merges the parts of a manifest. Reports what is wrong between them; then the result must not be used. */
export function resolveParts(parts: readonly Part[], report: Report): Resolved {
  const ownershipParts = parts.map((part) => part.ownership);
  const kept = parts.flatMap((part) => part.kept ?? []);
  const merged = mergeSections('ownership', ownershipParts, { report });
  checkPrune(merged, report);
  const ownership = ownershipOf(merged, kept);
  const defaultParts = parts.map((part) => part.defaults);
  const defaults = mergeSections('defaults', defaultParts, { report });
  const checks = mergeChecks(parts, report);
  checkDefinitionNames(checks, report);
  if (defaults.checks) checkSelection(defaults.checks.node, checks, report);
  const declared = [...mergeKeys(parts, report)];
  for (const key of declared) checkKey(key, { ownership, checks }, report);
  for (const { rotate } of [...defaultParts, ...declared.map(({ fields }) => fields)]) {
    if (rotate) checkRotation(rotate, report);
  }
  checkRenames(declared, ownership, report);
  checkGenerationNames(declared, report);
  const ownerParts = parts.map((part) => part.owners);
  const owners = ownerRules(mergeSections('owners', ownerParts, { report }), parts);
  const keys = declared.sort(byName).map((key) => ({
    key,
    name: key.name as KeyName,
    fields: completed(key, defaults),
    metadata: metadataOf(key.name, key.fields, { defaults: key.desired ? {} : defaults, rules: owners }),
  }));
  const desiredKeys = keys.map(({ key, fields, metadata }): DesiredKey => {
    const own = key.desired ?? desiredKey(key, fields, sinksOf(fields, parts, report));
    return metadata ? { ...own, metadata } : own;
  });
  reportSharedSinks(desiredKeys, report);
  keys.forEach(({ key, fields }, i) => {
    if (fields.rotate) {
      checkRotatingKey(key, fields.rotate, { ownership, propagate: propagateOf(desiredKeys[i]) }, report);
    }
  });
  return {
    gateway: gatewayOf(parts, report),
    desired: { keys: desiredKeys, ownership, ...policiesOf(parts), ...(owners.length > 0 ? { owners } : {}) },
    checks: definedChecks([...checks.values()], report),
    ...waiversOf(parts),
    selections: selectionsOf(keys.map(({ name, fields }) => [name, fields.checks?.value ?? []])),
    verbatim: new Map(
      keys.flatMap(({ name, fields }): [KeyName, Verbatim][] =>
        FURTHER.some((field) => fields[field]) ? [[name, verbatimOf(fields)]] : [],
      ),
    ),
    references: parts.flatMap(referencedLocations),
  };
}

/** Keys that were adopted by their IDs may share a name: then each is proven by the checks of all of them. */
function selectionsOf(keys: readonly (readonly [KeyName, readonly string[]])[]): Resolved['selections'] {
  const selections = new Map<KeyName, readonly string[]>();
  for (const [name, words] of keys) {
    if (words.length > 0) selections.set(name, [...new Set([...(selections.get(name) ?? []), ...words])]);
  }
  return selections;
}

function checkKey(
  key: DeclaredKey,
  { ownership, checks }: { ownership: Ownership; checks: ReadonlyMap<string, DeclaredCheck> },
  report: Report,
): void {
  checkName(key, report);
  checkNoSecretName(key, 'key', report);
  if (key.label !== undefined || !nameProblem(key.name)) checkScope(key, ownership, report);
  if (key.fields.checks) checkSelection(key.fields.checks.node, checks, report);
}
