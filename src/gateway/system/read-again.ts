import type { KeyId, ObservedKey } from '../../domain/index.ts';
import type { ReadPage } from './listing.ts';
import type { KeyPage } from './system-api.ts';

/** Below this number, keys are read one by one, unless far fewer pages have them. */
const FEW = 10;
/** A page takes the gateway longer than a key. */
const KEYS_FOR_A_PAGE = 3;

interface KeyReads {
  readonly page: ReadPage;
  readonly walk: () => Promise<readonly ObservedKey[]>;
  readonly one: (id: KeyId) => Promise<ObservedKey | undefined>;
}

/** Reads some keys again. */
export type ReadAgain = (ids: readonly KeyId[]) => Promise<ReadonlyMap<KeyId, ObservedKey>>;

/**
 * Reads list pages and remembers which keys each has, so that many keys are read again by the pages that they were on, and
 * not one by one. Keys move to other pages when others are created or deleted: those that are not found are read one by
 * one, or with a walk.
 */
export function openReadAgain({ page, walk, one }: KeyReads): { page: KeyReads['page']; readAgain: ReadAgain } {
  const pageOf = new Map<KeyId, number>();
  const remember: ReadPage = async (number, beforeDecoding): Promise<KeyPage> => {
    const found = await page(number, beforeDecoding);
    for (const { id } of found.keys) pageOf.set(id, number);
    return found;
  };
  const each = async (ids: readonly KeyId[]): Promise<readonly ObservedKey[]> =>
    (await Promise.all(ids.map(one))).filter((key) => key !== undefined);
  /** The pages that have these keys; undefined: not all of them are known. */
  const pagesOf = (ids: readonly KeyId[]): ReadonlySet<number> | undefined =>
    ids.every((id) => pageOf.has(id)) ? new Set(ids.flatMap((id) => pageOf.get(id) ?? [])) : undefined;
  const areFew = (ids: readonly KeyId[]): boolean =>
    ids.length < FEW && (pagesOf(ids)?.size ?? ids.length) * KEYS_FOR_A_PAGE > ids.length;
  const listed = async (ids: readonly KeyId[]): Promise<readonly ObservedKey[]> => {
    const numbers = new Set(ids.flatMap((id) => pageOf.get(id) ?? []));
    const found = (await Promise.all([...numbers].map((number) => remember(number)))).flatMap(({ keys }) => keys);
    const known = new Set(found.map(({ id }) => id));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return found;
    return [...found, ...(missing.length < FEW ? await each(missing) : await walk())];
  };
  return {
    page: remember,
    async readAgain(ids) {
      const wanted = new Set(ids);
      const found = areFew(ids) ? await each(ids) : await listed(ids);
      return new Map(found.filter(({ id }) => wanted.has(id)).map((key) => [key.id, key]));
    },
  };
}
