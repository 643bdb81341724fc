import { type Int64, nearestInt64 } from '../int64.ts';
import type { Paging } from '../profiles/profile.ts';
import type { SystemRequest } from './request.ts';

interface PageRequest {
  readonly page: Int64;
  readonly size: number;
}

/** The names of the parameter for the page size. Contract: System API rule 4. */
export const PAGE_SIZE_NAMES = ['page_size', 'ps', 'size'] as const;

const numberIn = (text: string): number => (/^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** The page in a text, of as many digits as it likes; 0 if it has none. */
const pageIn = (text: string): Int64 => (/^[+-]?\d+$/.test(text) ? nearestInt64(BigInt(text.replace('+', ''))) : 0);

/** Reads the requested page; undefined if the profile refuses it. */
export function tryReadPage(
  request: SystemRequest,
  paging: Paging,
  sizeNames: readonly string[],
): PageRequest | undefined {
  const texts = sizeNames.map((name) => request.query(name)).filter((text) => text !== '');
  // Gateways that take 0 for "omitted" look at the next name.
  const sizeText = texts.find((text) => paging.outOfBounds === 'refuse' || numberIn(text) !== 0) ?? texts[0] ?? '';
  const page = request.query('p') === '' ? 1 : numberIn(request.query('p'));
  const size = sizeText === '' ? paging.defaultSize : numberIn(sizeText);
  if (page >= 1 && size >= 1 && size <= paging.maximum) return { page, size };
  if (paging.outOfBounds === 'refuse') return undefined;
  // SQLite takes a negative size for no limit, and a negative offset for none, as these gateways do.
  return { page: pageIn(request.query('p')) || 1, size: Math.min(size || paging.defaultSize, paging.maximum) };
}

/** The rows before a page. Their number has 64 bits, and becomes negative for a page that is too large. */
export function offsetOf({ page, size }: PageRequest): number {
  const rows = BigInt.asIntN(64, (BigInt(page) - 1n) * BigInt(size));
  return Math.min(Number(rows), Number.MAX_SAFE_INTEGER);
}
