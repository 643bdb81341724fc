import { type ObservedKey, stemOf, tryParseGeneration } from '../../../../domain/index.ts';
import { generationsByStem } from '../../../../reconcile/index.ts';

/** A key that rotates is several keys at the gateway, its generations, whose names begin with that of the resource. */

/** Is this the name of a generation of a key with a declared name? */
export const isGenerationOf = (declared: unknown, name: string): declared is string =>
  typeof declared === 'string' && declared !== name && tryParseGeneration(name)?.stem === stemOf(declared);

/** The name of a live key for people: that of the resource, if it is one of its generations. */
export const declaredNameOf = (declared: unknown, { name }: ObservedKey): string =>
  isGenerationOf(declared, name) ? declared : name;

/**
 * All generations of a key, the oldest first. The one without a date was there before the first rotation, so a later key with that
 * name is somebody else’s.
 */
export function generationsOf(declared: string, keys: readonly ObservedKey[]): readonly ObservedKey[] {
  const dated = (generationsByStem(keys).get(stemOf(declared)) ?? []).map(({ live }) => live);
  const isOlder = ({ id }: ObservedKey): boolean => dated.every((each) => id < each.id);
  return [...keys.filter((key) => key.name === declared && isOlder(key)), ...dated];
}
