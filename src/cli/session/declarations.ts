import {
  type DesiredKey,
  type DesiredState,
  type KeyMetadata,
  metadataByRule,
  nameFold,
  type ObservedKey,
} from '../../domain/index.ts';

/** The declarations of live keys; none without a manifest. */
export interface DeclarationLookup {
  readonly of: (key: Pick<ObservedKey, 'id' | 'name'>) => DesiredKey | undefined;
  /** The metadata of the declaration of a name, or of the rules of owners. */
  readonly metadataOf: (name: string) => KeyMetadata | undefined;
}

/** Looks declarations up by the ID that they adopt, else by name. */
export function declarationsOf(desired: DesiredState | undefined): DeclarationLookup {
  const keys = desired?.keys ?? [];
  const byId = new Map(keys.flatMap((key) => (key.id === undefined ? [] : [[key.id, key] as const])));
  const byName = new Map(keys.map((key) => [nameFold(key.name), key] as const));
  return {
    of(key) {
      const named = byName.get(nameFold(key.name));
      return byId.get(key.id) ?? (named?.id === undefined ? named : undefined);
    },
    metadataOf: (name) => byName.get(nameFold(name))?.metadata ?? metadataByRule(name, desired?.owners),
  };
}
