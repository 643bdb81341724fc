import {
  byText,
  type DesiredKey,
  type GenerationName,
  generationName,
  type KeyName,
  type ObservedKey,
  stemOf,
  tryParseGeneration,
  type UnixSeconds,
} from '../../domain/index.ts';

/** One live key of a lineage, and what its name states; nothing for the key that was there before the first rotation. */
export interface Generation {
  readonly live: ObservedKey;
  readonly stated?: GenerationName;
}

/** The live generations of one declared key, the oldest first. The last one is the current one. */
export interface Lineage {
  readonly of: DesiredKey;
  readonly members: readonly [Generation, ...Generation[]];
}

export const currentOf = ({ members }: Lineage): Generation => members.at(-1) ?? members[0];

/** The generation that came after this one; undefined for the current one. */
export const successorOf = ({ members }: Lineage, { id }: ObservedKey): Generation | undefined =>
  members[members.findIndex(({ live }) => live.id === id) + 1];

/** Returns what all names of a key have in common: its own, and those of its generations. */
export const stemOfLive = (name: string): string => tryParseGeneration(name)?.stem ?? stemOf(name);

/** Is this pair one of a generation that has a successor? */
export const isOld = ({ lineage, live }: { readonly lineage?: Lineage; readonly live: ObservedKey }): boolean =>
  lineage !== undefined && currentOf(lineage).live.id !== live.id;

/** Returns the same generations, with their keys as `change` returns them. */
export function withKeys({ of, members }: Lineage, change: (live: ObservedKey) => ObservedKey): Lineage {
  const [first, ...others] = members;
  const changed = (generation: Generation): Generation => ({ ...generation, live: change(generation.live) });
  return { of, members: [changed(first), ...others.map(changed)] };
}

/**
 * The time from which the age of a generation counts; undefined where neither its name nor its record shows it. A name that
 * somebody wrote for a later time makes no generation younger.
 */
export function birthOf({ live: { createdAt }, stated }: Generation): UnixSeconds | undefined {
  if (stated === undefined) return createdAt;
  return createdAt === undefined ? stated.born : Math.min(stated.born, createdAt);
}

/** The live keys whose names have the form of a generation, by their stem, the oldest first. */
export function generationsByStem(keys: readonly ObservedKey[]): ReadonlyMap<string, readonly Generation[]> {
  const byStem = new Map<string, Generation[]>();
  for (const live of keys) {
    const stated = tryParseGeneration(live.name);
    if (stated) byStem.set(stated.stem, [...(byStem.get(stated.stem) ?? []), { live, stated }]);
  }
  for (const generations of byStem.values()) generations.sort(byAge);
  return byStem;
}

const byAge = (a: Generation, b: Generation): number =>
  (a.stated?.born ?? 0) - (b.stated?.born ?? 0) || byText(a.live.name, b.live.name) || a.live.id - b.live.id;

/** The name that a generation has under its declared name, which may be new. */
const nameUnder = (of: KeyName, stated: GenerationName | undefined): KeyName =>
  stated ? generationName(of, stated) : of;

/**
 * Returns the declaration of one generation: what is declared for the key, under the name of the generation. The status of an old
 * generation is not declared, unless all are declared disabled.
 */
export function declaredFor({ of: declared, members }: Lineage, { live, stated }: Generation): DesiredKey {
  const { enabled, ...rest } = declared;
  const name = nameUnder(declared.name, stated);
  const isCurrent = members.at(-1)?.live.id === live.id;
  const isStatusDeclared = enabled !== undefined && (isCurrent || !enabled);
  return {
    ...rest,
    ...(isStatusDeclared && { enabled }),
    name,
    ...((members.length > 1 || name !== declared.name) && { of: declared.name }),
  };
}

/**
 * Returns the keys as people know them: the current generation of each of these names has that name, and older ones are left
 * out. All other keys are as they are.
 */
export function underDeclaredNames(names: readonly string[], keys: readonly ObservedKey[]): readonly ObservedKey[] {
  const byStem = generationsByStem(keys);
  if (byStem.size === 0) return keys;
  const current = new Map<number, string>();
  const left = new Set<number>();
  for (const name of new Set(names)) {
    const dated = byStem.get(stemOf(name)) ?? [];
    const last = dated.at(-1);
    if (last === undefined) continue;
    for (const { live } of dated) left.add(live.id);
    for (const key of keys) if (key.name === name) left.add(key.id);
    current.set(last.live.id, name);
  }
  return keys.flatMap((key) => {
    const name = current.get(key.id);
    if (name !== undefined) return [{ ...key, name }];
    return left.has(key.id) ? [] : [key];
  });
}
