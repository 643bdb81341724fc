import {
  byText,
  type DesiredKey,
  type DesiredState,
  declaredName,
  isNameBefore,
  type KeyName,
  matchesKeyGlob,
  nameFold,
  type ObservedKey,
  restoredName,
  tryParseQuarantine,
} from '../../domain/index.ts';
import { declaredFor, type Generation, type Lineage, withKeys } from '../rotate/lineage.ts';
import { matchIds } from './adopt.ts';
import { type AmbiguousName, ambiguousFault, ambiguousName, refuseTakenNames } from './ambiguous.ts';
import { matchLineages, matchRenames, namedKeysOf, undecidedKeys } from './match-lineages.ts';

export interface Pair {
  /** The declaration of this key: for a generation, under its own name. */
  readonly desired: DesiredKey;
  readonly live: ObservedKey;
  /** The generations of the declared key, where it rotates or has rotated. */
  readonly lineage?: Lineage;
}

/** Ownership, settled: every live key is in exactly one of `pairs`, `undeclared` and `invisible`. */
export interface Matching {
  readonly pairs: readonly Pair[];
  /** Declared, without a matching live key. */
  readonly missing: readonly DesiredKey[];
  /** Owned by scope, but not declared. */
  readonly undeclared: readonly ObservedKey[];
  readonly invisible: readonly ObservedKey[];
}

interface Matched {
  readonly keys: readonly ObservedKey[];
  readonly matching: Matching;
}

/** Returns a key with the name that it has now. */
type AsIs = (key: ObservedKey) => ObservedKey;

/** The last matching of each desired state: a run needs that of the same two sides several times. Identity is the proof that they are the same. */
const LAST = new WeakMap<DesiredState, Matched>();

/**
 * Pairs live keys with declarations: by ID where one is declared, else by exact name, then by `renamedFrom`. A declared key that has
 * rotated is paired with each of its generations. One that is in quarantine is found by the name that it had before, where no other
 * key is the declared one.
 *
 * @throws Fault `plan.ambiguous` when two live keys match one declared name, or one live key two declarations: whichever Keyplane
 * chose could be the wrong one, so a person decides; `plan.stale-adoption`.
 */
export function match(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
  const last = LAST.get(desired);
  if (last?.keys === keys) return last.matching;
  const matching = matchSides(desired, keys);
  refuseTakenNames(matching);
  LAST.set(desired, { keys, matching });
  return matching;
}

function matchSides(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
  const first = matchNames(desired, keys);
  const before = namesBefore(desired, first, keys);
  if (before.size === 0) return first;
  const byId = new Map(keys.map((key) => [key.id, key]));
  const asIs: AsIs = (key) => byId.get(key.id) ?? key;
  const found = matchNames(
    desired,
    keys.map((key) => ({ ...key, name: before.get(key.id) ?? key.name })),
    asIs,
  );
  return {
    ...found,
    pairs: found.pairs.map(({ lineage, ...pair }) => ({
      ...pair,
      live: asIs(pair.live),
      ...(lineage && { lineage: withKeys(lineage, asIs) }),
    })),
    // The scope decides by the names that keys have now.
    ...splitRest(desired, keys, found.pairs),
  };
}

/**
 * The names before their quarantine of keys that are declared again: under their former name too. A run gives the generations of a
 * key their names back in the order of their ages, so one that is newer than those that have theirs still belongs to them.
 */
function namesBefore(
  { keys: declared }: DesiredState,
  { pairs }: Matching,
  keys: readonly ObservedKey[],
): ReadonlyMap<number, KeyName> {
  const waiting = keys.flatMap((key) => {
    const quarantine = tryParseQuarantine(key.name);
    return quarantine ? [{ id: key.id, quarantine }] : [];
  });
  if (waiting.length === 0) return new Map();
  const newest = new Map<string, number>();
  for (const { desired, live } of pairs) {
    const name = declaredName(desired);
    newest.set(name, Math.max(live.id, newest.get(name) ?? 0));
  }
  const names = declared.flatMap(({ id, name, renamedFrom }) => {
    const after = newest.get(name) ?? 0;
    const former = typeof renamedFrom === 'string' ? [{ name: renamedFrom, after }] : [];
    return id === undefined ? [{ name, after }, ...former] : [];
  });
  return new Map(
    waiting.flatMap(({ id, quarantine }): [number, KeyName][] => {
      const found = names.find(({ name, after }) => id > after && isNameBefore(name, quarantine));
      return found ? [[id, restoredName(found.name, quarantine)]] : [];
    }),
  );
}

function matchNames(desired: DesiredState, keys: readonly ObservedKey[], asIs: AsIs = (key) => key): Matching {
  const sorted = [...desired.keys].sort((a, b) => byText(a.name, b.name));
  const byId = matchIds(sorted, keys);
  const taken = new Set([...byId.values()].map(({ id }) => id));
  const live = new Map<string, ObservedKey[]>();
  for (const key of [...keys].sort((a, b) => a.id - b.id)) {
    if (taken.has(key.id)) continue;
    const same = live.get(key.name);
    if (same) same.push(key);
    else live.set(key.name, [key]);
  }
  const ambiguous: AmbiguousName[] = [];
  const pairs: Pair[] = [...byId].map(([key, found]) => ({ desired: key, live: found }));
  const unmatched = byId.size === 0 ? sorted : sorted.filter((key) => !byId.has(key));
  const named = namedKeysOf(live);
  for (const undecided of undecidedKeys(named, unmatched)) {
    const [name = ''] = undecided.map((key) => key.name);
    ambiguous.push(ambiguousName(name, undecided.map(asIs)));
  }
  const renames = matchRenames(unmatched, named);
  const lineages = matchLineages(unmatched, named, renames);
  for (const lineage of lineages.values()) {
    const unclear = unclearNames(lineage, asIs);
    if (unclear.length > 0) ambiguous.push(...unclear);
    else pairs.push(...lineage.members.map((member) => pairOf(lineage, member)));
  }
  const declared = lineages.size === 0 ? unmatched : unmatched.filter((key) => !lineages.has(key));
  const claimed = new Set(renames.values());
  const missing: DesiredKey[] = [];
  for (const key of declared) {
    const source = renames.get(key);
    const found = key.id === undefined ? (live.get(source ?? key.name) ?? []) : [];
    const free = source !== undefined || !claimed.has(key.name) ? found : [];
    const [only] = free;
    if (free.length > 1) ambiguous.push(ambiguousName(source ?? key.name, free.map(asIs)));
    else if (only) pairs.push(pairOfOne(key, only));
    else missing.push(key);
  }
  if (ambiguous.length > 0) throw ambiguousFault(ambiguous);
  return { pairs, missing, ...splitRest(desired, keys, pairs) };
}

const pairOf = (lineage: Lineage, generation: Generation): Pair => ({
  desired: declaredFor(lineage, generation),
  live: generation.live,
  lineage,
});

/** A key without a date in its name is the first generation of one that rotates. */
const pairOfOne = (desired: DesiredKey, live: ObservedKey): Pair => ({
  desired,
  live,
  lineage: { of: desired, members: [{ live }] },
});

/**
 * Generations of which nothing shows which is which: several have one name, or the one without a date is not the oldest. A run gives no
 * such name to a key that has generations, so somebody else made that one, and a rotation would end it.
 */
function unclearNames({ members }: Lineage, asIs: AsIs): readonly AmbiguousName[] {
  const names = new Set(members.map(({ live }) => live.name));
  const shared = [...names].map((name) => members.flatMap(({ live }) => (live.name === name ? [live] : [])));
  const dated = members.flatMap(({ live, stated }) => (stated ? [live] : []));
  const late = members.find(({ live, stated }) => !stated && dated.some(({ id }) => id < live.id));
  const unclear = late ? [...shared, [late.live, ...dated]] : shared;
  return unclear.flatMap((keys) => {
    const [first] = keys;
    return first && keys.length > 1 ? [ambiguousName(first.name, keys.map(asIs))] : [];
  });
}

function splitRest(desired: DesiredState, keys: readonly ObservedKey[], pairs: readonly Pair[]) {
  const undeclared: ObservedKey[] = [];
  const invisible: ObservedKey[] = [];
  // Each pair has a key of its own.
  if (pairs.length === keys.length) return { undeclared, invisible };
  const matched = new Set(pairs.map((pair) => pair.live.id));
  const scope = desired.ownership.scope ?? [];
  for (const key of keys) {
    if (matched.has(key.id)) continue;
    (matchesKeyGlob(scope, key.name) ? undeclared : invisible).push(key);
  }
  return { undeclared, invisible };
}

/** Live names that differ from a declared, missing one only by case, by that declared name. */
export function caseTwins(missing: readonly DesiredKey[], keys: readonly ObservedKey[]): ReadonlyMap<string, string> {
  if (missing.length === 0) return new Map();
  const folded = new Map(keys.map((key) => [nameFold(key.name), key.name]));
  const twins = missing.flatMap((key): [string, string][] => {
    const twin = folded.get(nameFold(key.name));
    return twin === undefined || twin === key.name ? [] : [[key.name, twin]];
  });
  return new Map(twins);
}
