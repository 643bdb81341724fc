import {
  type DesiredKey,
  type DesiredState,
  Fault,
  matchesAnyGlob,
  nameFold,
  type ObservedKey,
} from '../domain/index.ts';

export interface Pair {
  readonly desired: DesiredKey;
  readonly live: ObservedKey;
}

/** Ownership, settled: every live key is in exactly one of `pairs`, `undeclared` and `invisible`. */
export interface Matching {
  readonly pairs: readonly Pair[];
  /** Declared, but no live key answers to it. */
  readonly missing: readonly DesiredKey[];
  /** Owned by scope, but not declared. */
  readonly undeclared: readonly ObservedKey[];
  readonly invisible: readonly ObservedKey[];
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Says which live key answers to which declaration, by exact name, then by `renamedFrom`.
 *
 * @throws Fault `plan.ambiguous` when two live keys answer to one declared name: whichever Keyplane chose could be the
 * wrong one, so a person decides.
 */
export function match(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
  const live = new Map<string, ObservedKey[]>();
  for (const key of [...keys].sort((a, b) => a.id - b.id)) live.set(key.name, [...(live.get(key.name) ?? []), key]);
  const declared = [...desired.keys].sort((a, b) => byText(a.name, b.name));
  const answers = answerRenames(declared, live);
  const ambiguous: { name: string; ids: readonly number[] }[] = [];
  const claimed = new Set(answers.values());
  const pairs: Pair[] = [];
  const missing: DesiredKey[] = [];
  for (const key of declared) {
    const source = answers.get(key);
    const found = live.get(source ?? key.name) ?? [];
    const free = source !== undefined || !claimed.has(key.name) ? found : [];
    const [only] = free;
    if (free.length > 1) ambiguous.push({ name: source ?? key.name, ids: free.map((k) => k.id) });
    else if (only) pairs.push({ desired: key, live: only });
    else missing.push(key);
  }
  if (ambiguous.length > 0) throw ambiguousFault(ambiguous);
  return { pairs, missing, ...splitRest(desired, keys, pairs) };
}

/**
 * Which declarations are answered by the key that they were renamed from. A name that is taken as a source is free for
 * the next in a chain (`a` becomes `b` while `b` becomes `c`), so this goes on until nothing moves.
 */
function answerRenames(declared: readonly DesiredKey[], live: ReadonlyMap<string, unknown>): Map<DesiredKey, string> {
  const answers = new Map<DesiredKey, string>();
  const claimed = new Set<string>();
  const free = (name: string): boolean => live.has(name) && !claimed.has(name);
  for (let moved = true; moved; ) {
    moved = false;
    for (const key of declared) {
      if (key.renamedFrom === undefined || answers.has(key) || free(key.name) || !free(key.renamedFrom)) continue;
      answers.set(key, key.renamedFrom);
      claimed.add(key.renamedFrom);
      moved = true;
    }
  }
  return answers;
}

function splitRest(desired: DesiredState, keys: readonly ObservedKey[], pairs: readonly Pair[]) {
  const answered = new Set(pairs.map((pair) => pair.live.id));
  const scope = desired.ownership.scope ?? [];
  const undeclared: ObservedKey[] = [];
  const invisible: ObservedKey[] = [];
  for (const key of keys) {
    if (answered.has(key.id)) continue;
    (matchesAnyGlob(scope, key.name) ? undeclared : invisible).push(key);
  }
  return { undeclared, invisible };
}

function ambiguousFault(found: readonly { name: string; ids: readonly number[] }[]): Fault {
  const lines = found.map(({ name, ids }) => `“${name}” is the name of keys ${ids.join(' and ')}`);
  return new Fault('plan.ambiguous', `Two live keys answer to one declared name: ${lines.join('; ')}.`, {
    hint: 'Find out which one is in use (`keyplane keys get ID`), then delete the other (`keyplane keys delete ID`) or rename it at the gateway.',
    detail: { ambiguous: found },
  });
}

/** Live names that differ from a declared, missing one only by case, by that declared name. */
export function caseTwins(missing: readonly DesiredKey[], keys: readonly ObservedKey[]): ReadonlyMap<string, string> {
  const folded = new Map(keys.map((key) => [nameFold(key.name), key.name]));
  const twins = missing.flatMap((key): [string, string][] => {
    const twin = folded.get(nameFold(key.name));
    return twin === undefined || twin === key.name ? [] : [[key.name, twin]];
  });
  return new Map(twins);
}
