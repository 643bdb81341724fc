import { asFault, type KeyId, type ObservedKey, type UnixSeconds } from '../../domain/index.ts';
import { type Twin, usesOf } from '../observe/duplicates.ts';
import { comparable, holds } from '../plan/diff.ts';
import type { KeyStore } from '../ports.ts';

/** The new keys that a run looks at. */
export interface NewKeys {
  /** The greatest ID before the first create. */
  readonly newestBefore: number;
  /** The twins that were deleted, by name: another run had created the same keys. */
  readonly removed: Map<string, readonly KeyId[]>;
}

export interface TwinOptions {
  /** The twins are newer: the usage log is read back to this time. */
  readonly since: UnixSeconds;
  readonly maxLogPages?: number | undefined;
  /** The names of keys that are declared disabled. Each run disables its own: their twins may differ in that. */
  readonly disabled: ReadonlySet<string>;
  /**
   * Rejects once another run may have taken the lock of the account. Omitted: the keys are new, and all runs keep the same one of
   * them, so that no lock is needed.
   */
  readonly ensureHeld?: (() => Promise<void>) | undefined;
}

/** The keys with these names that are newer than an ID, where a name has more than one. */
export function twinsIn(
  keys: readonly ObservedKey[],
  newerThan: ReadonlyMap<string, number>,
): readonly (readonly ObservedKey[])[] {
  const byName = new Map<string, ObservedKey[]>();
  for (const key of keys) {
    const after = newerThan.get(key.name);
    if (after !== undefined && key.id > after) byName.set(key.name, [...(byName.get(key.name) ?? []), key]);
  }
  return [...byName.values()].filter((twins) => twins.length > 1);
}

/**
 * Deletes the unused twins of new keys: every run that sees both keeps the smallest ID, so concurrent runs agree. A key that
 * was used, whose use is unknown, or that differs from the kept one stays, for a person to decide.
 *
 * @returns the IDs of the deleted keys. Never throws for a delete that fails: the key then counts as not deleted.
 * @throws Fault `apply.lock-lost`, before anything is deleted
 */
export async function settleTwins(
  store: KeyStore,
  groups: readonly (readonly ObservedKey[])[],
  { since, maxLogPages, ...options }: TwinOptions,
): Promise<ReadonlySet<KeyId>> {
  const uses = await usesOf(store, groups.flat(), { since, ...(maxLogPages && { maxPages: maxLogPages }) });
  const byId = new Map(uses.map((twin) => [twin.key.id, twin]));
  const unused = groups.flatMap((group): readonly Pair[] => {
    const [kept, ...others] = [...group].sort((a, b) => a.id - b.id).flatMap(({ id }) => byId.get(id) ?? []);
    if (!kept) return [];
    return others
      .filter((twin) => isSettleable(twin, kept, options.disabled))
      .map(({ key }) => ({ key, kept: kept.key }));
  });
  return await removed(store, new Map(unused.map((pair) => [pair.key.id, pair])), options);
}

/** A twin to delete, and the key that stays. */
interface Pair {
  readonly key: ObservedKey;
  readonly kept: ObservedKey;
}

const granted = ({ key, used }: Twin): number => key.remain + (used ?? 0);

/** Is a key as it was seen? The status does not count where each run disables its own key meanwhile. */
const isSame = (now: ObservedKey, before: ObservedKey, disabled: TwinOptions['disabled']): boolean =>
  (now.status === before.status || disabled.has(before.name)) && holds(now, comparable(before));

/** A twin without a use of its own that grants what the kept key grants. */
const isSettleable = (twin: Twin, kept: Twin, disabled: ReadonlySet<string>): boolean =>
  twin.isUsed === false &&
  holds(twin.key, comparable(kept.key)) &&
  (twin.key.status === kept.key.status || disabled.has(twin.key.name)) &&
  (twin.key.unlimited || granted(twin) === granted(kept));

async function removed(
  store: KeyStore,
  planned: ReadonlyMap<KeyId, Pair>,
  { disabled, ensureHeld }: Pick<TwinOptions, 'disabled' | 'ensureHeld'>,
): Promise<ReadonlySet<KeyId>> {
  if (planned.size === 0) return new Set();
  const ids = [...planned.keys()];
  const isUntouched = (now: ObservedKey): boolean => {
    const before = planned.get(now.id)?.key;
    if (before === undefined || !isSame(now, before, disabled)) return false;
    return now.remain === before.remain && now.used === before.used;
  };
  // The log may have taken many requests: what somebody did meanwhile with a twin, or with the key that stays, keeps it.
  const now = await store
    .readMany([...new Set([...planned.values()].flatMap(({ key, kept }) => [kept.id, key.id]))])
    .catch(() => undefined);
  if (now === undefined) return new Set();
  const stays = ({ kept }: Pair): boolean => {
    const found = now.get(kept.id);
    return found !== undefined && isSame(found, kept, disabled);
  };
  const unchanged = [...planned.values()].flatMap((pair) => {
    const found = now.get(pair.key.id);
    return found && isUntouched(found) && stays(pair) ? [found.id] : [];
  });
  const gone = ids.filter((id) => !now.has(id));
  if (unchanged.length === 0) return new Set(gone);
  await ensureHeld?.();
  const all = await store.delete(unchanged, isUntouched).catch(asFault);
  if (all === true) return new Set([...gone, ...unchanged]);
  const left = await store.readMany(ids).catch(() => undefined);
  return new Set(left ? ids.filter((id) => !left.has(id)) : []);
}
