import { looksLikeCredential, matchesAnyGlob, nameFold, nameProblem, type Ownership } from '../../domain/index.ts';
import { type Problem, quoted, type Report, suggestion } from '../../source/index.ts';
import { MODULE_NAMES, RESERVED_CHECK_NAMES, SELECTORS } from '../schema/check.ts';
import type { DeclaredKey } from '../validate/part.ts';
import { type Entry, found, type Tree, tryFindEntry } from '../yaml/tree.ts';

/** What is wrong with the name of a declared key. */
export function checkName({ name, at }: DeclaredKey, report: Report): void {
  const problem = nameProblem(name);
  const common = { code: 'manifest.invalid-name', at, found: quoted(name) } as const;
  if (problem) {
    report.problem({
      ...common,
      message: `The name of a key is not allowed: ${problem}.`,
      expected: 'a name of 1 to 50 characters and at most 50 UTF-8 bytes',
      hint: 'Change the name; a text that is not Latin takes more bytes than characters.',
    });
  } else if (/\$\{(env|file):/.test(name)) {
    report.problem({
      ...common,
      severity: 'warning',
      message: 'References are not replaced in names.',
      expected: 'a plain name',
      hint: 'The key will have this very name.',
    });
  }
}

/** A name that looks like a credential was pasted into the wrong place: it must not become a public label. */
export function checkNoSecretName(
  { name, at }: Pick<Entry, 'name' | 'at'>,
  what: 'key' | 'check',
  report: Report,
): void {
  if (!looksLikeCredential(name)) return;
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: `The name of a ${what} looks like an API key.`,
    found: quoted(name),
    expected: 'a name that may be shown',
    hint: 'Names are shown everywhere. If this is a credential, revoke it.',
  });
}

export function checkScope({ name, at }: DeclaredKey, { scope }: Ownership, report: Report): void {
  if (!scope || matchesAnyGlob(scope, name)) return;
  report.problem({
    code: 'manifest.outside-scope',
    at,
    message: `The key ${quoted(name)} lies outside \`ownership.scope\`.`,
    found: quoted(name),
    expected: `a name that matches ${scope.map((glob) => `\`${glob}\``).join(' or ')}`,
    hint: 'Rename the key, or add a pattern to the scope.',
  });
}

type RenameProblem = Pick<Problem, 'message' | 'expected' | 'hint' | 'related'>;

const RENAME_PROBLEMS = {
  itself: {
    message: 'A key can not be renamed from itself.',
    expected: 'another name',
    hint: 'Remove `renamedFrom`.',
  },
  twice: {
    message: 'Two keys are renamed from one.',
    expected: 'a name that is used once',
    hint: 'One live key can become one key.',
  },
  protected: {
    message: 'A protected key is never renamed.',
    expected: 'a name that is not protected',
    hint: 'Take the name out of `ownership.protect`, or `preventDestroy` off its key, for this change.',
  },
  circle: {
    message: 'These renames go round in a circle.',
    expected: 'renames that end at a free name',
    hint: 'Rename one of them to a free name first, and apply that.',
  },
  declared: {
    message: 'The former name is declared as a key of its own.',
    expected: 'a name that is free',
    hint: 'Remove the declaration of the former name, or `renamedFrom`.',
  },
} as const satisfies Record<string, RenameProblem>;

/** Does following `renamedFrom` from this key lead back to it? */
function isCycle(key: DeclaredKey, byName: ReadonlyMap<string, DeclaredKey>): boolean {
  const visited = new Set<string>();
  let at: DeclaredKey | undefined = key;
  while (at?.fields.renamedFrom) {
    const source = nameFold(at.fields.renamedFrom.value);
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

function renameProblem(key: DeclaredKey, source: string, renames: Renames): RenameProblem | undefined {
  const { byName, first, protect } = renames;
  if (source === key.name) return RENAME_PROBLEMS.itself;
  if (first) {
    const related = [{ place: first.fields.renamedFrom?.at ?? first.at, message: 'the other one' }];
    return { ...RENAME_PROBLEMS.twice, related };
  }
  if (matchesAnyGlob(protect, source)) return RENAME_PROBLEMS.protected;
  const declared = byName.get(nameFold(source));
  // A rename that only changes the case of a name finds itself.
  if (!declared || declared === key) return undefined;
  if (isCycle(key, byName)) return RENAME_PROBLEMS.circle;
  if (declared.fields.renamedFrom) return undefined;
  return { ...RENAME_PROBLEMS.declared, related: [{ place: declared.at, message: 'declared here' }] };
}

/** The rules of `renamedFrom`, which are rules between keys. */
export function checkRenames(keys: readonly DeclaredKey[], { protect }: Ownership, report: Report): void {
  const byName = new Map(keys.map((key) => [nameFold(key.name), key]));
  const sources = new Map<string, DeclaredKey>();
  for (const key of keys) {
    const renamed = key.fields.renamedFrom;
    if (!renamed) continue;
    const fold = nameFold(renamed.value);
    const problem = renameProblem(key, renamed.value, { byName, first: sources.get(fold), protect });
    if (!sources.has(fold)) sources.set(fold, key);
    const common = { code: 'manifest.invalid-rename', at: renamed.node.place, found: found(renamed.node) } as const;
    if (problem) report.problem({ ...common, ...problem });
  }
}

/** Names that a selection of checks may use are those defined, the modules and the classes. */
export function checkSelection(node: Tree, defined: ReadonlyMap<string, Entry>, report: Report): void {
  for (const item of node.kind === 'list' ? node.items : []) {
    const name = item.kind === 'scalar' ? String(item.value) : '';
    if (defined.has(name) || SELECTORS.includes(name)) continue;
    const known = [...defined.keys(), ...SELECTORS];
    const near = item.kind === 'scalar' && item.opaque ? undefined : suggestion(name, known);
    report.problem({
      code: 'manifest.unknown-check',
      at: item.place,
      message: 'There is no such check, module or class.',
      found: found(item),
      expected: 'a check that `checks` defines, a module, or a class',
      hint: near ? `Did you mean \`${near}\`?` : `Modules and classes: ${SELECTORS.join(', ')}.`,
    });
  }
}

const moduleOf = (node: Tree): string => {
  const module = tryFindEntry(node, 'module')?.node;
  return module?.kind === 'scalar' ? String(module.value) : '';
};

/** A check `image` that asks for words would be what `image` selects. */
const isOfOtherModule = ({ name, node }: Entry): boolean => MODULE_NAMES.includes(name) && moduleOf(node) !== name;

function checkDefinitionName(entry: Entry, report: Report): void {
  const { name, at } = entry;
  const problem = nameProblem(name);
  const common = { at, found: quoted(name) };
  if (problem) {
    report.problem({
      ...common,
      code: 'manifest.invalid-name',
      message: `The name of a check is not allowed: ${problem}.`,
      expected: 'a name of 1 to 50 characters and at most 50 UTF-8 bytes',
      hint: 'Change the name: reports and metrics call the check by it.',
    });
  } else if (RESERVED_CHECK_NAMES.includes(name) || isOfOtherModule(entry)) {
    report.problem({
      ...common,
      code: 'manifest.invalid-value',
      message: 'A check can not have the name of a class, a kind or another module.',
      expected: `a name other than ${RESERVED_CHECK_NAMES.join(', ')} and those of other modules`,
      hint: 'A selection could mean either.',
    });
  }
}

export function checkDefinitionNames(defined: ReadonlyMap<string, Entry>, report: Report): void {
  for (const entry of defined.values()) {
    checkDefinitionName(entry, report);
    checkNoSecretName(entry, 'check', report);
  }
}
