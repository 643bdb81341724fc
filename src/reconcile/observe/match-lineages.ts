import { type DesiredKey, type ObservedKey, stemOf } from '../../domain/index.ts';
import { type Generation, generationsByStem, type Lineage } from '../rotate/lineage.ts';

/** The live keys by their names, and those that have the name of a generation by its stem. */
export interface NamedKeys {
  readonly byName: Map<string, ObservedKey[]>;
  readonly byStem: ReadonlyMap<string, readonly Generation[]>;
}

export function namedKeysOf(byName: Map<string, ObservedKey[]>): NamedKeys {
  const marked: ObservedKey[] = [];
  for (const [name, same] of byName) {
    // Only a name with this mark can be that of a generation.
    if (name.includes('~')) for (const key of same) marked.push(key);
  }
  return { byName, byStem: generationsByStem(marked) };
}

const datedOf = ({ byStem }: NamedKeys, name: string): readonly Generation[] =>
  byStem.size === 0 ? [] : (byStem.get(stemOf(name)) ?? []);

const membersOf = (live: NamedKeys, name: string): readonly Generation[] => [
  ...(live.byName.get(name) ?? []).map((each): Generation => ({ live: each })),
  ...datedOf(live, name),
];

const idsOf = (members: readonly Generation[]): readonly number[] => members.map(({ live: { id } }) => id);

/** Are all keys with the new name older than those with the former one, which are all generations with a date? */
function looksHalfRenamed(live: NamedKeys, { name, renamedFrom }: DesiredKey): boolean {
  if (typeof renamedFrom !== 'string' || live.byName.has(renamedFrom)) return false;
  const [done, left] = [idsOf(membersOf(live, name)), idsOf(datedOf(live, renamedFrom))];
  return done.length > 0 && left.length > 0 && Math.max(...done) < Math.min(...left);
}

/** Returns the declaration that takes over the former name of another one. */
const nextOf = ({ renamedFrom }: DesiredKey, declared: readonly DesiredKey[]): DesiredKey | undefined =>
  declared.find(({ name }) => name === renamedFrom);

/**
 * Did a rename of several generations end halfway? A run renames the oldest first, which is the one without a date, so whatever has the new
 * name is older than what has the former one. In a chain, the former name may be that of the next key already, which was renamed last.
 */
function isHalfRenamed(live: NamedKeys, key: DesiredKey, declared: readonly DesiredKey[]): boolean {
  if (!looksHalfRenamed(live, key)) return false;
  const next = nextOf(key, declared);
  if (next === undefined) return true;
  const isNextLeft = typeof next.renamedFrom === 'string' && membersOf(live, next.renamedFrom).length > 0;
  return isNextLeft && !looksHalfRenamed(live, next);
}

/** The keys with a name in a chain of which nothing shows to which declaration they belong: both look as if they were half renamed. */
export const undecidedKeys = (live: NamedKeys, declared: readonly DesiredKey[]): readonly (readonly ObservedKey[])[] =>
  live.byStem.size === 0
    ? []
    : declared.flatMap((key) => {
        const next = looksHalfRenamed(live, key) ? nextOf(key, declared) : undefined;
        if (next === undefined || !looksHalfRenamed(live, next)) return [];
        return [membersOf(live, next.name).map((member) => member.live)];
      });

/**
 * Pairs declarations with the names that they rename: those of keys, or of all generations of a key. A name that is used as a source
 * is free for the next declaration in a chain (`a` becomes `b` while `b` becomes `c`), so this repeats until nothing changes.
 */
export function matchRenames(declared: readonly DesiredKey[], live: NamedKeys): ReadonlyMap<DesiredKey, string> {
  const renames = new Map<DesiredKey, string>();
  const claimed = new Set<string>();
  const free = (name: string): boolean =>
    (live.byName.has(name) || datedOf(live, name).length > 0) && !claimed.has(name);
  for (let moved = true; moved; ) {
    moved = false;
    for (const key of declared) {
      const { renamedFrom } = key;
      if (typeof renamedFrom !== 'string' || !free(renamedFrom)) continue;
      if (free(key.name) && !isHalfRenamed(live, key, declared)) continue;
      renames.set(key, renamedFrom);
      claimed.add(renamedFrom);
      moved = true;
    }
  }
  return renames;
}

/**
 * Finds the lineages of declared keys: those that have a generation with a date, under their names or the former ones. Takes their
 * keys out of `live`.
 */
export function matchLineages(
  declared: readonly DesiredKey[],
  live: NamedKeys,
  renames: ReadonlyMap<DesiredKey, string>,
): ReadonlyMap<DesiredKey, Lineage> {
  const lineages = new Map<DesiredKey, Lineage>();
  if (live.byStem.size === 0) return lineages;
  const claimed = new Set(renames.values());
  const taken = new Set<number>();
  for (const key of declared) {
    if (key.id !== undefined) continue;
    const source = renames.get(key);
    // What another declaration renames has this name only until then.
    const isOwn = !claimed.has(key.name) && (source === undefined || isHalfRenamed(live, key, declared));
    const names = [...(isOwn ? [key.name] : []), ...(source === undefined ? [] : [source])];
    const [first, ...others] = names
      .flatMap((name) => membersOf(live, name))
      .filter(({ live: { id } }) => !taken.has(id));
    if (first === undefined || ![first, ...others].some(({ stated }) => stated)) continue;
    lineages.set(key, { of: key, members: [first, ...others] });
    for (const { live: member } of [first, ...others]) taken.add(member.id);
  }
  for (const { members } of lineages.values()) for (const { live: member } of members) live.byName.delete(member.name);
  return lineages;
}
