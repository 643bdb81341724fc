import {
  type DesiredKey,
  type DesiredState,
  type KeyMetadata,
  metadataByRule,
  nameFold,
  type ObservedKey,
  stemOf,
  tryParseGeneration,
} from '../../domain/index.ts';
import { underDeclaredNames } from '../../reconcile/index.ts';

/** The declarations of live keys; none without a manifest. */
export interface DeclarationLookup {
  readonly of: (key: Pick<ObservedKey, 'id' | 'name'>) => DesiredKey | undefined;
  /** The metadata of the declaration of a name, or of the rules of owners. */
  readonly metadataOf: (name: string) => KeyMetadata | undefined;
}

/** Looks declarations up by the ID that they adopt, else by name. A generation has the declaration of the key that rotated. */
export function declarationsOf(desired: DesiredState | undefined): DeclarationLookup {
  const keys = desired?.keys ?? [];
  const byId = new Map(keys.flatMap((key) => (key.id === undefined ? [] : [[key.id, key] as const])));
  const byName = new Map(keys.map((key) => [nameFold(key.name), key] as const));
  // A key that is adopted by its ID does not rotate.
  const byStem = new Map(keys.flatMap((key) => (key.id === undefined ? [[stemOf(key.name), key] as const] : [])));
  const named = (name: string): DesiredKey | undefined => {
    const stem = tryParseGeneration(name)?.stem;
    return byName.get(nameFold(name)) ?? (stem === undefined ? undefined : byStem.get(stem));
  };
  return {
    of(key) {
      const declared = named(key.name);
      return byId.get(key.id) ?? (declared?.id === undefined ? declared : undefined);
    },
    metadataOf: (name) => {
      const declared = named(name);
      return declared ? declared.metadata : metadataByRule(name, desired?.owners);
    },
  };
}

/** The IDs of all keys except the older generations of declared ones. */
export function currentIds(desired: DesiredState | undefined, keys: readonly ObservedKey[]): ReadonlySet<number> {
  const names = (desired?.keys ?? []).map(({ name }) => name);
  return new Set(underDeclaredNames(names, keys).map(({ id }) => id));
}
