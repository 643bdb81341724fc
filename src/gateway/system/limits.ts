import { Fault, type KeyId, type KeySettings } from '../../domain/index.ts';
import { SYSTEM_LIMITS } from '../../wire/index.ts';

const refused = (message: string, field: string): Fault => new Fault('request.invalid', message, { detail: { field } });

/** The query of a page. @throws Fault `request.invalid` */
export function paging(page: number, size: number): { readonly p: string; readonly page_size: string } {
  const { pageSize } = SYSTEM_LIMITS;
  if (!Number.isSafeInteger(page) || page < 1) throw refused(`Pages count from 1, got ${page}.`, 'page');
  if (!Number.isSafeInteger(size) || size < 1 || size > pageSize) {
    throw refused(`A page has 1 to ${pageSize} entries, got ${size}.`, 'size');
  }
  return { p: String(page), page_size: String(size) };
}

/** The body of a batch. @throws Fault `request.invalid` */
export function batchBody(ids: readonly KeyId[], limit: 'revealBatch' | 'deleteBatch'): { ids: readonly KeyId[] } {
  const most = SYSTEM_LIMITS[limit];
  if (ids.length > most) throw refused(`A batch has at most ${most} ids, got ${ids.length}.`, 'ids');
  return { ids };
}

/** Divides a list into parts of at most `size` items. */
export function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * Checks a name that is about to be written. The contract counts characters, and deployed gateways count bytes. The rules
 * for declared names are stricter: a claim of the lock has a name that no manifest may have.
 *
 * @throws Fault `request.invalid`
 */
export function checkName({ name }: Pick<Partial<KeySettings>, 'name'>): void {
  if (name === undefined) return;
  const most = SYSTEM_LIMITS.nameLength;
  const [characters, bytes] = [[...name].length, new TextEncoder().encode(name).length];
  if (characters === 0) throw refused('The name of a key must not be empty.', 'name');
  if (characters > most) throw refused(`A name has at most ${most} characters, got ${characters}.`, 'name');
  if (bytes > most) throw refused(`A name has at most ${most} UTF-8 bytes, got ${bytes}.`, 'name');
}
