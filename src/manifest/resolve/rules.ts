import {
  looksLikeCredential,
  matchesAnyGlob,
  nameFold,
  nameProblem,
  type Ownership,
  RESERVED_CHECK_NAMES,
} from '../../domain/index.ts';
import { quoted, type Report, type SourceDiagnostic, suggestion } from '../../source/index.ts';
import { MODULE_NAMES, SELECTORS } from '../schema/check.ts';
import type { DeclaredCheck } from '../validate/declared-checks.ts';
import type { DeclaredKey } from '../validate/declared-keys.ts';
import { describeNode, type Entry, tryFindEntry, type YamlNode } from '../yaml/node.ts';

function adviseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') return 'Give the key a name.';
  if (trimmed !== name) {
    return `Remove the white space. A key of the gateway that has it is declared by its ID: \`{ id: 17, name: ${JSON.stringify(name)} }\`.`;
  }
  const isAscii = /^\p{ASCII}*$/u.test(name);
  return isAscii ? 'Change the name.' : 'Change the name. Characters outside ASCII take more than one byte each.';
}

/** Reports an invalid key name. That of a key in normal form is valid. */
export function checkName({ name: own, label, at, desired }: DeclaredKey, report: Report): void {
  const name = label ?? own;
  const problem = desired ? undefined : nameProblem(name);
  if (!problem && !name.includes('${')) return;
  const common = { code: 'manifest.invalid-name', at, found: quoted(name) } as const;
  if (problem) {
    report.problem({
      ...common,
      message: `Invalid key name: ${problem}.`,
      expected: 'a name of 1 to 50 characters and at most 50 UTF-8 bytes',
      hint: adviseName(name),
    });
  } else if (/\$\{(env|file):/.test(name)) {
    report.problem({
      ...common,
      severity: 'warning',
      message: 'Keyplane does not replace references in names.',
      expected: 'a plain name',
      hint: 'The key will have exactly this name.',
    });
  }
}

/** Reports a name that looks like a credential: it must not become a public label. */
export function checkNoSecretName(
  { name, at }: Pick<Entry, 'name' | 'at'>,
  what: 'key' | 'check',
  report: Report,
): void {
  if (!looksLikeCredential(name)) return;
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: `The name of a ${what} looks like a credential.`,
    found: quoted(name),
    expected: 'a name that is not secret',
    hint: 'Names are public. If this is a credential, revoke it.',
  });
}

export function checkScope({ name, at }: DeclaredKey, { scope }: Ownership, report: Report): void {
  if (!scope || matchesAnyGlob(scope, name)) return;
  report.problem({
    code: 'manifest.outside-scope',
    at,
    message: `The key ${quoted(name)} is outside \`ownership.scope\`.`,
    found: quoted(name),
    expected: `a name that matches ${scope.map((glob) => `\`${glob}\``).join(' or ')}`,
    hint: 'Rename the key, or add a pattern to the scope.',
  });
}

type RenameProblem = Pick<SourceDiagnostic, 'message' | 'expected' | 'hint' | 'related'>;

const RENAME_PROBLEMS = {
  itself: {
    message: 'A key cannot be renamed from itself.',
    expected: 'another name',
    hint: 'Remove `renamedFrom`.',
  },
  twice: {
    message: 'Two keys are renamed from the same key.',
    expected: 'a former name that only one key uses',
    hint: 'Remove one of the two: one live key can only become one key.',
  },
  protected: {
    message: 'A protected key cannot be renamed.',
    expected: 'a former name that is not protected',
    hint: 'Remove the name from `ownership.protect`, or `preventDestroy` from its key, for this change.',
  },
  circle: {
    message: 'These renames form a cycle.',
    expected: 'renames that start from an unused name',
    hint: 'Rename one of the keys to an unused name first, and apply that.',
  },
  adopted: {
    message: 'A key that is adopted by its ID keeps its name.',
    expected: 'either `id` and `name`, or `renamedFrom`',
    hint: 'To rename it, write `renamedFrom: { id: … }` under the new name, without `id` and `name`.',
  },
  declared: {
    message: 'The former name is also declared as a key.',
    expected: 'a former name that is not declared',
    hint: 'Remove the declaration of the former name, or `renamedFrom`.',
  },
} as const satisfies Record<string, RenameProblem>;

/** Identifies the source of a rename, a name or an ID. No name begins with a blank. */
const sourceOf = (from: string | number): string => (typeof from === 'number' ? ` ${from}` : nameFold(from));

/** Follows `renamedFrom` from this key. @returns whether it leads back to the key */
function isCycle(key: DeclaredKey, byName: ReadonlyMap<string, DeclaredKey>): boolean {
  const visited = new Set<string>();
  let at: DeclaredKey | undefined = key;
  while (at?.fields.renamedFrom) {
    const source = sourceOf(at.fields.renamedFrom.value);
    if (source === nameFold(key.name)) return true;
    if (visited.has(source)) return false;
    visited.add(source);
    at = byName.get(source);
  }
  return false;
}

interface Renames {
  readonly byName: ReadonlyMap<string, DeclaredKey>;
  /** The first key that is renamed from this source. */
  readonly first: DeclaredKey | undefined;
  readonly protect: readonly string[];
}

function renameProblem(key: DeclaredKey, from: string | number, renames: Renames): RenameProblem | undefined {
  const { byName, first, protect } = renames;
  if (key.label !== undefined) return RENAME_PROBLEMS.adopted;
  if (from === key.name) return RENAME_PROBLEMS.itself;
  if (first) {
    const related = [{ place: first.fields.renamedFrom?.at ?? first.at, message: 'first rename' }];
    return { ...RENAME_PROBLEMS.twice, related };
  }
  if (typeof from === 'string' && matchesAnyGlob(protect, from)) return RENAME_PROBLEMS.protected;
  const declared = byName.get(sourceOf(from));
  // A rename that only changes the case of a name finds itself.
  if (!declared || declared === key) return undefined;
  if (isCycle(key, byName)) return RENAME_PROBLEMS.circle;
  if (declared.fields.renamedFrom) return undefined;
  return { ...RENAME_PROBLEMS.declared, related: [{ place: declared.at, message: 'declared here' }] };
}

/** Checks the rules of `renamedFrom`, which hold between keys. */
export function checkRenames(keys: readonly DeclaredKey[], { protect }: Ownership, report: Report): void {
  if (!keys.some(({ fields }) => fields.renamedFrom)) return;
  const byName = new Map(keys.map((key) => [nameFold(key.name), key]));
  for (const key of keys) if (key.fields.id) byName.set(sourceOf(key.fields.id.value), key);
  const sources = new Map<string, DeclaredKey>();
  for (const key of keys) {
    const renamed = key.fields.renamedFrom;
    if (!renamed) continue;
    const fold = sourceOf(renamed.value);
    const problem = renameProblem(key, renamed.value, { byName, first: sources.get(fold), protect });
    if (!sources.has(fold)) sources.set(fold, key);
    const common = {
      code: 'manifest.invalid-rename',
      at: renamed.node.place,
      found: describeNode(renamed.node),
    } as const;
    if (problem) report.problem({ ...common, ...problem });
  }
}

/** Reports selected names that are neither a defined check nor a module, kind or class. */
export function checkSelection(node: YamlNode, defined: ReadonlyMap<string, Entry>, report: Report): void {
  for (const item of node.kind === 'list' ? node.items : []) {
    const name = item.kind === 'scalar' ? String(item.value) : '';
    if (defined.has(name) || SELECTORS.includes(name)) continue;
    const known = [...defined.keys(), ...SELECTORS];
    const near = item.kind === 'scalar' && item.isReferenced ? undefined : suggestion(name, known);
    report.problem({
      code: 'manifest.unknown-check',
      at: item.place,
      message: 'Unknown check.',
      found: describeNode(item),
      expected: 'the name of a check in `checks`, a module, a kind or a class',
      hint: near ? `Did you mean \`${near}\`?` : `Modules, kinds and classes: ${SELECTORS.join(', ')}.`,
    });
  }
}

const moduleOf = ({ node, terraform }: DeclaredCheck): string => {
  if (terraform) return terraform.spec.module;
  const module = tryFindEntry(node, 'module')?.node;
  return module?.kind === 'scalar' ? String(module.value) : '';
};

/** Does a check have the name of another module? Selecting `image` would then be ambiguous. */
const isOfOtherModule = (check: DeclaredCheck): boolean =>
  MODULE_NAMES.includes(check.name) && moduleOf(check) !== check.name;

function checkDefinitionName(entry: DeclaredCheck, report: Report): void {
  const { name, at } = entry;
  const problem = nameProblem(name);
  const common = { at, found: quoted(name) };
  if (problem) {
    report.problem({
      ...common,
      code: 'manifest.invalid-name',
      message: `Invalid check name: ${problem}.`,
      expected: 'a name of 1 to 50 characters and at most 50 UTF-8 bytes',
      hint: 'Change the name. Reports and metrics use it.',
    });
  } else if (RESERVED_CHECK_NAMES.includes(name) || isOfOtherModule(entry)) {
    report.problem({
      ...common,
      code: 'manifest.invalid-value',
      message: 'A check cannot have the name of a class, a kind or another module.',
      expected: `a name other than ${RESERVED_CHECK_NAMES.join(', ')} and the names of other modules`,
      hint: 'Rename the check: a selection would be ambiguous.',
    });
  }
}

export function checkDefinitionNames(defined: ReadonlyMap<string, DeclaredCheck>, report: Report): void {
  for (const entry of defined.values()) {
    checkDefinitionName(entry, report);
    checkNoSecretName(entry, 'check', report);
  }
}
