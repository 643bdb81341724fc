import { type ObservedKey, oncePer, stemOf, tryParseGeneration } from '../../../../domain/index.ts';
import { generationsByStem } from '../../../../reconcile/index.ts';
import { isUnknown, type TerraformObject } from '../../../codec/value.ts';
import type { ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { nameTakenBy } from '../names/name-taken.ts';

/** A key that rotates is several keys at the gateway, its generations, whose names begin with that of the resource. */

/** The keys of one resource: a key that rotates has several. */
export interface LiveGenerations {
  /** The latest generation, which the resource stands for. */
  readonly current: ObservedKey;
  /** All of them, the oldest first. */
  readonly all: readonly ObservedKey[];
}

/** Is this the name of a generation of a key with a declared name? */
export const isGenerationOf = (declared: unknown, name: string): declared is string =>
  typeof declared === 'string' && declared !== name && tryParseGeneration(name)?.stem === stemOf(declared);

/** The name of a live key for people: that of the resource, if it is one of its generations. */
export const declaredNameOf = (declared: unknown, { name }: ObservedKey): string =>
  isGenerationOf(declared, name) ? declared : name;

/** A run with many new keys looks each of them up in the same list. */
const byStem = oncePer(generationsByStem);

/** The generations of a key whose names state a time, the oldest first. */
const datedOf = (declared: string, keys: readonly ObservedKey[]): readonly ObservedKey[] =>
  (byStem(keys).get(stemOf(declared)) ?? []).map(({ live }) => live);

interface NewName {
  readonly name: string;
  /** The keys that get it. */
  readonly own?: readonly ObservedKey[];
  /** The name is that of a key with generations: no other key may have it, even without a date. */
  readonly isOfGenerations?: boolean;
}

/**
 * The error of a new name that would make the key of one resource a generation of that of another, which would end it. Keys that this
 * run has ended or renamed do not count.
 */
export async function takenByGenerations(
  { name, own = [], isOfGenerations = false }: NewName,
  { store }: Pick<Client, 'store'>,
): Promise<ProtocolDiagnostic | undefined> {
  const isOwn = new Set(own.map(({ id }) => id));
  const othersIn = (keys: readonly ObservedKey[]) =>
    [...(isOfGenerations ? keys.filter((key) => key.name === name) : []), ...datedOf(name, keys)].filter(
      ({ id }) => !isOwn.has(id),
    );
  if (othersIn(await store.recent()).length === 0) return undefined;
  const others = othersIn(await store.walk());
  return others.length === 0 ? undefined : nameTakenBy(name, others);
}

/**
 * All generations of a key, the oldest first. The one without a date was there before the first rotation, so a later key with that
 * name is somebody else’s. Once the generations from before it have ended, it looks like the first one: only what a resource
 * remembers shows that it is not.
 *
 * @param isOwn decides about a key without a date
 */
export function generationsOf(
  declared: string,
  keys: readonly ObservedKey[],
  isOwn: (key: ObservedKey) => boolean = () => true,
): readonly ObservedKey[] {
  const dated = datedOf(declared, keys);
  const isFirst = (key: ObservedKey): boolean =>
    key.name === declared && dated.every(({ id }) => key.id < id) && isOwn(key);
  return [...keys.filter(isFirst), ...dated];
}

export const isDated = ({ name }: ObservedKey): boolean => tryParseGeneration(name) !== undefined;

/** Joins generations that were found in several ways. IDs ascend, so the highest one is the current one. */
export function joinGenerations(...found: readonly (readonly ObservedKey[])[]): readonly ObservedKey[] {
  const [only, ...others] = found.filter((keys) => keys.length > 0);
  const known = new Set(only?.map(({ id }) => id));
  if (only && others.flat().every(({ id }) => known.has(id))) return only;
  const byId = new Map(found.flat().map((key) => [key.id, key]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

/**
 * The name under which the gateway has the generations of a resource that gets a name. A run that was killed, or that failed, may have
 * renamed only some of them: then it is the former one, so that the rest follows.
 */
export function presentNameOf(
  planned: TerraformObject,
  { name: former }: TerraformObject,
  found: LiveGenerations,
): string {
  const next = isUnknown(planned.name ?? null) ? former : planned.name;
  const rest = found.all.findLast(({ name }) => name !== next && !isGenerationOf(next, name));
  if (rest === undefined) return declaredNameOf(next, found.current);
  return isGenerationOf(former, rest.name) ? former : (tryParseGeneration(rest.name)?.stem ?? rest.name);
}
