import { resolve } from 'node:path';
import {
  comparableAddress,
  type DesiredKey,
  type DesiredState,
  type Json,
  type KeyName,
  nameProblem,
  type Ownership,
  type Place,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { Ownership as OwnershipSchema } from '../schema/manifest.ts';
import type { Held, HeldFields } from '../validate/fields.ts';
import type { DeclaredCheck, DeclaredKey, Part } from '../validate/part.ts';
import { plain } from '../yaml/tree.ts';
import { type DefinedCheck, tryReadCheck } from './check-spec.ts';
import { type NormalFields, type Normalizing, normalize } from './field.ts';
import { mergeChecks, mergeKeys, mergeSections } from './merge.ts';
import { opaquePlaces } from './opaque.ts';
import {
  checkDefinitionNames,
  checkName,
  checkNoSecretName,
  checkRenames,
  checkScope,
  checkSelection,
} from './rule.ts';

/** Where the gateway is, as far as the manifest says. */
export interface GatewaySection {
  readonly url?: string;
  readonly userId?: number;
  /** Absolute. */
  readonly accessTokenFile?: string;
}

const asList = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

function ownershipOf(fields: HeldFields<typeof OwnershipSchema>, kept: readonly string[]): Ownership {
  return {
    ...(fields.scope ? { scope: asList(fields.scope.value) } : {}),
    prune: fields.prune?.value ?? 'never',
    protect: [...new Set([...asList(fields.protect?.value ?? []), ...kept])],
  };
}

/** Paths mean something in the folder of their own file only, so they are made absolute before they are compared. */
function withAbsolutePath({ gateway, folder }: Part): Part['gateway'] {
  const { accessTokenFile: file, ...rest } = gateway;
  return file ? { ...rest, accessTokenFile: { ...file, value: resolve(folder, file.value) } } : rest;
}

function gatewayOf(parts: readonly Part[], { report }: Normalizing): GatewaySection {
  const same = (a: Held<unknown>, b: Held<unknown>): boolean =>
    comparableAddress(String(a.value)) === comparableAddress(String(b.value));
  const merged = mergeSections('gateway', parts.map(withAbsolutePath), { report, same });
  return {
    ...(merged.url ? { url: merged.url.value } : {}),
    ...(merged.userId ? { userId: Number(merged.userId.value) } : {}),
    ...(merged.accessTokenFile ? { accessTokenFile: merged.accessTokenFile.value } : {}),
  };
}

const PENDING = ['rotate', 'deliver'] as const;

function desiredKey(key: DeclaredKey, defaults: NormalFields | undefined, own: NormalFields): DesiredKey {
  const { pending, enabled = true, ...managed } = { ...defaults, ...own };
  const declared = { ...defaults?.pending, ...pending };
  const waiting = PENDING.filter((part) => declared[part]);
  const { renamedFrom } = key.fields;
  return {
    name: key.name as KeyName,
    enabled,
    ...managed,
    ...(renamedFrom ? { renamedFrom: renamedFrom.value as KeyName } : {}),
    ...(waiting.length > 0 ? { unimplemented: waiting } : {}),
    place: key.at,
  };
}

function definedChecks(declared: readonly DeclaredCheck[], report: Report): readonly DefinedCheck[] {
  const defined = declared.flatMap((check) => tryReadCheck(check, report) ?? []);
  return defined.sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
}

const defaultsFor = ({ isWhole }: DeclaredKey, defaults: Part['defaults']): Part['defaults'] =>
  isWhole ? {} : defaults;

function selectionsOf(keys: readonly DeclaredKey[], defaults: Part['defaults']): Resolved['selections'] {
  const selected = keys.map((key) => {
    const { checks } = { ...defaultsFor(key, defaults), ...key.fields };
    return [key.name as KeyName, checks?.value ?? []] as const;
  });
  return new Map(selected.filter(([, words]) => words.length > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Declared for later stages of Keyplane: validated, and kept as it was written. */
export type Waiting = Readonly<Partial<Record<(typeof PENDING)[number], Json>>>;

function waitingOf(keys: readonly DeclaredKey[], defaults: Part['defaults']): Resolved['waiting'] {
  const each = keys.map((key) => {
    const { name, fields } = key;
    const held = PENDING.flatMap((part) => {
      const { node } = fields[part] ?? defaultsFor(key, defaults)[part] ?? {};
      return node ? [[part, plain(node) as Json] as const] : [];
    });
    return [name as KeyName, Object.fromEntries(held) as Waiting] as const;
  });
  return new Map(each.filter(([, waiting]) => Object.keys(waiting).length > 0));
}

export interface Resolved {
  readonly gateway: GatewaySection;
  readonly desired: DesiredState;
  readonly checks: readonly DefinedCheck[];
  /** What each key selects, its own or that of the defaults. Keys that select nothing are absent. */
  readonly selections: ReadonlyMap<KeyName, readonly string[]>;
  /** What of each key does not act yet. Keys that have nothing of it are absent. */
  readonly waiting: ReadonlyMap<KeyName, Waiting>;
  /** Where values stand that came from the environment or a file. */
  readonly references: readonly Place[];
}

/**
 * Merges the parts of a manifest and brings them to normal form. What is wrong is reported; then the answer is not to
 * be used.
 */
export function resolveParts(parts: readonly Part[], context: Normalizing): Resolved {
  const { report } = context;
  const ownershipParts = parts.map((part) => part.ownership);
  const kept = parts.flatMap((part) => part.kept ?? []);
  const ownership = ownershipOf(mergeSections('ownership', ownershipParts, { report }), kept);
  const defaults = mergeSections(
    'defaults',
    parts.map((part) => part.defaults),
    { report },
  );
  const checks = mergeChecks(parts, report);
  checkDefinitionNames(checks, report);
  if (defaults.checks) checkSelection(defaults.checks.node, checks, report);
  const normalDefaults = normalize(defaults, context);
  const keys = mergeKeys(parts, report).map((key) => {
    checkName(key, report);
    checkNoSecretName(key, 'key', report);
    if (!nameProblem(key.name)) checkScope(key, ownership, report);
    if (key.fields.checks) checkSelection(key.fields.checks.node, checks, report);
    return key;
  });
  checkRenames(keys, ownership, report);
  const desired = keys.map((key) =>
    desiredKey(key, key.isWhole ? undefined : normalDefaults, normalize(key.fields, context)),
  );
  desired.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return {
    gateway: gatewayOf(parts, context),
    desired: { keys: desired, ownership },
    checks: definedChecks([...checks.values()], report),
    selections: selectionsOf(keys, defaults),
    waiting: waitingOf(keys, defaults),
    references: parts.flatMap(opaquePlaces),
  };
}
