import {
  byText,
  type DesiredKey,
  type DesiredState,
  Fault,
  isNameBefore,
  type KeyName,
  matchesKeyGlob,
  nameFold,
  type ObservedKey,
  restoredName,
  stemOf,
  tryParseQuarantine,
} from '../../domain/index.ts';
import { declaredFor, type Generation, generationsByStem, type Lineage, withKeys } from '../rotate/lineage.ts';
import { matchIds } from './adopt.ts';

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

/** The last matching of each desired state: a run needs that of the same two sides several times. Identity is the proof that they are the same. */
const LAST = new WeakMap<DesiredState, Matched>();

/**
 * Pairs live keys with declarations: by ID where one is declared, else by exact name, then by `renamedFrom`. A declared key that has
 * rotated is paired with each of its generations. One that is in quarantine is found by the name that it had before, where no other
 * key is the declared one.
 *
 * @throws Fault `plan.ambiguous` when two live keys match one declared name: whichever Keyplane chose could be the
 * wrong one, so a person decides; `plan.stale-adoption`.
 */
export function match(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
  const last = LAST.get(desired);
  if (last?.keys === keys) return last.matching;
  const matching = matchSides(desired, keys);
  LAST.set(desired, { keys, matching });
  return matching;
}

function matchSides(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
  const first = matchNames(desired, keys);
  const before = namesBefore(first.missing, keys);
  if (before.size === 0) return first;
  const byId = new Map(keys.map((key) => [key.id, key]));
  const asIs = (key: ObservedKey): ObservedKey => byId.get(key.id) ?? key;
  const found = matchNames(
    desired,
    keys.map((key) => ({ ...key, name: before.get(key.id) ?? key.name })),
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

/** The names before their quarantine of keys that are declared again: under their former name too. */
function namesBefore(missing: readonly DesiredKey[], keys: readonly ObservedKey[]): ReadonlyMap<number, KeyName> {
  const names = missing.flatMap(({ id, name, renamedFrom }) =>
    id !== undefined ? [] : [name, ...(typeof renamedFrom === 'string' ? [renamedFrom] : [])],
  );
  if (names.length === 0) return new Map();
  return new Map(
    keys.flatMap((key): [number, KeyName][] => {
      const quarantine = tryParseQuarantine(key.name);
      const name = quarantine && names.find((each) => isNameBefore(each, quarantine));
      return quarantine && name ? [[key.id, restoredName(name, quarantine)]] : [];
    }),
  );
}

function matchNames(desired: DesiredState, keys: readonly ObservedKey[]): Matching {
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
  const lineages = matchLineages(unmatched, live);
  for (const lineage of lineages.values()) {
    const shared = sharedNames(lineage);
    if (shared.length > 0) ambiguous.push(...shared);
    else pairs.push(...lineage.members.map((member) => pairOf(lineage, member)));
  }
  const declared = lineages.size === 0 ? unmatched : unmatched.filter((key) => !lineages.has(key));
  const renames = matchRenames(declared, live);
  const claimed = new Set(renames.values());
  const missing: DesiredKey[] = [];
  for (const key of declared) {
    const source = renames.get(key);
    const found = key.id === undefined ? (live.get(source ?? key.name) ?? []) : [];
    const free = source !== undefined || !claimed.has(key.name) ? found : [];
    const [only] = free;
    if (free.length > 1)
      ambiguous.push({ name: source ?? key.name, ids: free.map((k) => k.id), keys: free.map(factsOf) });
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
 * Finds the lineages of declared keys: those that have a generation with a date. Takes their keys out of `live`. A declaration
 * with a former name that is still in use takes over the generations of that name.
 */
function matchLineages(
  declared: readonly DesiredKey[],
  live: Map<string, ObservedKey[]>,
): ReadonlyMap<DesiredKey, Lineage> {
  const marked: ObservedKey[] = [];
  for (const [name, same] of live) {
    // Only a name with this mark can be that of a generation.
    if (name.includes('~')) for (const key of same) marked.push(key);
  }
  const byStem = generationsByStem(marked);
  const lineages = new Map<DesiredKey, Lineage>();
  if (byStem.size === 0) return lineages;
  const take = (key: DesiredKey, name: string): void => {
    const dated = byStem.get(stemOf(name)) ?? [];
    const undated = (live.get(name) ?? []).map((each): Generation => ({ live: each }));
    const [first, ...others] = [...undated, ...dated];
    if (first === undefined || dated.length === 0 || !live.has(dated[0]?.live.name ?? '')) return;
    lineages.set(key, { of: key, members: [first, ...others] });
    for (const { live: member } of [first, ...others]) live.delete(member.name);
  };
  const adopted = declared.filter(({ id }) => id === undefined);
  for (const key of adopted) take(key, key.name);
  for (const key of adopted) {
    const { renamedFrom } = key;
    if (typeof renamedFrom === 'string' && !lineages.has(key) && !live.has(key.name)) take(key, renamedFrom);
  }
  return lineages;
}

/** Several generations with one name: nothing shows which of them is which. */
function sharedNames({ members }: Lineage): readonly AmbiguousName[] {
  const names = new Set(members.map(({ live }) => live.name));
  return [...names].flatMap((name) => {
    const found = members.flatMap(({ live }) => (live.name === name ? [live] : []));
    return found.length > 1 ? [{ name, ids: found.map(({ id }) => id), keys: found.map(factsOf) }] : [];
  });
}

/**
 * Pairs declarations with the keys that they rename. A name that is used as a source is free for the next declaration in
 * a chain (`a` becomes `b` while `b` becomes `c`), so this repeats until nothing changes.
 */
function matchRenames(declared: readonly DesiredKey[], live: ReadonlyMap<string, unknown>): Map<DesiredKey, string> {
  const renames = new Map<DesiredKey, string>();
  const claimed = new Set<string>();
  const free = (name: string): boolean => live.has(name) && !claimed.has(name);
  for (let moved = true; moved; ) {
    moved = false;
    for (const key of declared) {
      const { renamedFrom } = key;
      if (typeof renamedFrom !== 'string' || free(key.name) || !free(renamedFrom)) continue;
      renames.set(key, renamedFrom);
      claimed.add(renamedFrom);
      moved = true;
    }
  }
  return renames;
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

/** A declared name that several live keys have, with what distinguishes them: the detail of `plan.ambiguous`. */
export interface AmbiguousName {
  readonly name: string;
  readonly ids: readonly number[];
  readonly keys: readonly Pick<ObservedKey, 'id' | 'group' | 'status' | 'used' | 'createdAt' | 'accessedAt'>[];
}

const factsOf = ({ id, group, status, used, createdAt, accessedAt }: ObservedKey): AmbiguousName['keys'][number] => ({
  id,
  group,
  status,
  ...(used === undefined ? {} : { used }),
  ...(createdAt === undefined ? {} : { createdAt }),
  ...(accessedAt === undefined ? {} : { accessedAt }),
});

function ambiguousFault(found: readonly AmbiguousName[]): Fault {
  const lines = found.map(({ name, ids }) => `“${name}” is the name of keys ${ids.join(' and ')}`);
  return new Fault('plan.ambiguous', `Two live keys match one declared name: ${lines.join('; ')}.`, {
    hint: 'Find out which one is in use, then delete or rename the other one in the gateway.',
    remedy: 'remove-duplicates',
    detail: { ambiguous: found },
  });
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
