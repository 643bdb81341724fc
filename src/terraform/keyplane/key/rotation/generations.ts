import { type ObservedKey, oncePer, stemOf, tryParseGeneration } from '../../../../domain/index.ts';
import { generationsByStem } from '../../../../reconcile/index.ts';
import { isUnknown, type TerraformValue } from '../../../codec/value.ts';
import { DiagnosticError, type ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { nameTaken } from '../names/name-taken.ts';

/** A key that rotates is several keys at the gateway, its generations, whose names begin with that of the resource. */

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
    [...(isOfGenerations ? keys.filter((key) => key.name === name) : []), ...datedOf(name, keys)]
      .map(({ id }) => id)
      .filter((id) => !isOwn.has(id));
  if (othersIn(await store.recent()).length === 0) return undefined;
  const ids = othersIn(await store.walk());
  return ids.length === 0 ? undefined : nameTaken(name, ids);
}

/**
 * All generations of a key, the oldest first. The one without a date was there before the first rotation, so a later key with that
 * name is somebody else’s.
 */
export function generationsOf(declared: string, keys: readonly ObservedKey[]): readonly ObservedKey[] {
  const dated = datedOf(declared, keys);
  const isOlder = ({ id }: ObservedKey): boolean => dated.every((each) => id < each.id);
  return [...keys.filter((key) => key.name === declared && isOlder(key)), ...dated];
}

/**
 * Rejects a key whose name makes it a generation of another one.
 *
 * @param names those that the resource has and gets @throws DiagnosticError
 */
export function rejectOtherGeneration(names: readonly TerraformValue[], { id, name }: ObservedKey): void {
  const isOther = tryParseGeneration(name) !== undefined;
  if (!isOther || names.some((each) => isUnknown(each) || isGenerationOf(each, name))) return;
  const ofName = name.slice(0, name.lastIndexOf('~'));
  throw new DiagnosticError({
    summary: `The key ${id} is a generation of another key: its name is ${JSON.stringify(name)}`,
    detail: [
      `The rotation of ${JSON.stringify(ofName)} ends its former generations, whichever resource has them.`,
      'To manage the key that rotates, give this resource its name and its `rotation`.',
      'To keep this key apart from it, rename the key at the gateway first.',
      'To leave the key to its rotation, remove the `import` block, or the resource from the state with `terraform state rm`.',
    ].join('\n'),
    path: ['name'],
  });
}
