import type { KeyId, ObservedKey } from '../../domain/index.ts';
import { usesOf } from '../observe/duplicates.ts';
import type { KeyStore } from '../ports.ts';
import { CLOCKS_APART_SECONDS, createDigest, type LeftCreate } from './create-journal.ts';

/** The keys with the name of creates that were left, judged. */
export type Recognized =
  | { readonly state: 'absent' }
  /** Made by a left create, and by nobody else: the smallest ID, and unused twins of it. */
  | { readonly state: 'own'; readonly key: ObservedKey; readonly twins: readonly ObservedKey[] }
  /** More of them than were sent: some are its own, and nothing shows which. */
  | { readonly state: 'ambiguous'; readonly ids: readonly KeyId[] }
  /** Somebody else’s, or changed or used since. */
  | { readonly state: 'foreign'; readonly ids: readonly KeyId[] };

/** Longer than a create takes and clocks differ. A key that was made later is that of somebody with the same configuration. */
const LATEST_SECONDS = 3600;

const isInTime = ({ createdAt }: ObservedKey, { at }: LeftCreate): boolean =>
  createdAt === undefined || createdAt <= at + LATEST_SECONDS;

/** A new key is enabled at first; one that is declared disabled may have been disabled already. */
const isAsCreated = (key: ObservedKey, left: LeftCreate): boolean =>
  key.id > left.newestBefore &&
  isInTime(key, left) &&
  (key.status === 'enabled' || (key.status === 'disabled' && !left.enabled)) &&
  createDigest(key) === left.digest;

/**
 * Recognizes the key that a run made and did not live to store: it has the recorded name, is newer than every key that the
 * run had listed, was made within an hour, has the settings that were sent, and was never used. All keys of that name
 * must be like this, and there must not be more of them than were sent: another run may have made the same one.
 *
 * Writes nothing. Reads the usage log only where the record does not report the use.
 *
 * @param left the creates of one name
 */
export async function recognizeCreate(
  store: KeyStore,
  keys: readonly ObservedKey[],
  left: readonly LeftCreate[],
): Promise<Recognized> {
  const name = left[0]?.name;
  const named = keys.filter((key) => key.name === name).sort((a, b) => a.id - b.id);
  const [key, ...twins] = named;
  if (key === undefined) return { state: 'absent' };
  const ids = named.map(({ id }) => id);
  const foreign: Recognized = { state: 'foreign', ids };
  if (!named.every((each) => left.some((create) => isAsCreated(each, create)))) return foreign;
  // Each create was sent at most once.
  if (named.length > left.length) return { state: 'ambiguous', ids };
  const since = Math.min(...left.map(({ at }) => at)) - CLOCKS_APART_SECONDS;
  const uses = await usesOf(store, named, { since });
  return uses.every(({ isUsed }) => isUsed === false) ? { state: 'own', key, twins } : foreign;
}
