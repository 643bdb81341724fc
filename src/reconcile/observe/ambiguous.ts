import {
  type Advice,
  type DesiredKey,
  declaredName,
  Fault,
  isNameBefore,
  type ObservedKey,
  stemOf,
  tryParseGeneration,
  tryParseQuarantine,
} from '../../domain/index.ts';

/** A declared name that several live keys have, with what distinguishes them: the detail of `plan.ambiguous`. */
export interface AmbiguousName {
  readonly name: string;
  readonly ids: readonly number[];
  /** Each with the name that it has now: a key in quarantine is found by the one that it had before. */
  readonly keys: readonly Pick<ObservedKey, 'id' | 'name' | 'group' | 'status' | 'used' | 'createdAt' | 'accessedAt'>[];
}

const factsOf = ({ id, name, group, status, used, createdAt, accessedAt }: ObservedKey) => ({
  id,
  name,
  group,
  status,
  ...(used === undefined ? {} : { used }),
  ...(createdAt === undefined ? {} : { createdAt }),
  ...(accessedAt === undefined ? {} : { accessedAt }),
});

export const ambiguousName = (name: string, keys: readonly ObservedKey[]): AmbiguousName => ({
  name,
  ids: keys.map(({ id }) => id),
  keys: keys.map(factsOf),
});

const listed = (ids: readonly number[]): string => `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;

const quarantinedOf = ({ keys }: AmbiguousName): readonly number[] =>
  keys.flatMap(({ id, name }) => (tryParseQuarantine(name) ? [id] : []));

export function ambiguousFault(found: readonly AmbiguousName[]): Fault {
  const lines = found.map((each) => {
    const quarantined = quarantinedOf(each);
    const note = quarantined.length === 0 ? '' : ` (in quarantine: ${quarantined.join(', ')})`;
    return `“${each.name}” is the name of keys ${listed(each.ids)}${note}`;
  });
  const message = `Several live keys match one declared name: ${lines.join('; ')}.`;
  // Keys in quarantine have names of their own, so those are not duplicates.
  const advice: Advice = found.some((each) => quarantinedOf(each).length > 0)
    ? { hint: 'Find out which one is in use, then declare it by `renamedFrom: { id: … }`, or delete the other one.' }
    : {
        hint: 'Find out which one is in use, then delete or rename the other one in the gateway.',
        remedy: 'remove-duplicates',
      };
  return new Fault('plan.ambiguous', message, { ...advice, detail: { ambiguous: found } });
}

/** Does this key have the former name of the declared one, or its ID? */
export function isRenameSource({ renamedFrom }: DesiredKey, { id, name }: ObservedKey): boolean {
  if (typeof renamedFrom !== 'string') return renamedFrom === id;
  const quarantine = tryParseQuarantine(name);
  if (quarantine) return isNameBefore(renamedFrom, quarantine);
  return renamedFrom === name || tryParseGeneration(name)?.stem === stemOf(renamedFrom);
}

interface Matched {
  readonly pairs: readonly { readonly desired: DesiredKey; readonly live: ObservedKey }[];
  readonly missing: readonly DesiredKey[];
}

/**
 * Refuses to rename a key whose name is declared too, and for which no other key would take its place: after such renames were applied
 * and the last key of the chain was deleted, their declarations are still the same, and would give the key away that has its name.
 *
 * @throws Fault `plan.ambiguous`
 */
export function refuseTakenNames({ pairs, missing }: Matched): void {
  const renamed = missing.filter((key) => key.renamedFrom !== undefined);
  const absent = new Map<string, DesiredKey>(renamed.map((key) => [key.name, key]));
  const taken = pairs.flatMap(({ desired, live }) => {
    const { renamedFrom } = desired;
    const own = typeof renamedFrom === 'string' ? absent.get(renamedFrom) : undefined;
    return own && isRenameSource(desired, live) ? [{ own, live, other: declaredName(desired) }] : [];
  });
  if (taken.length === 0) return;
  const lines = taken.map(
    ({ own, live, other }) =>
      `key ${live.id} (“${live.name}”) is either “${own.name}” or the key that “${other}” is renamed from`,
  );
  throw new Fault('plan.ambiguous', `A live key matches two declarations: ${lines.join('; ')}.`, {
    hint: 'Remove `renamedFrom` from the declarations whose renames were applied. If the key should get the other name, rename it by hand first.',
    detail: { ambiguous: taken.map(({ live }) => ambiguousName(live.name, [live])) },
  });
}
