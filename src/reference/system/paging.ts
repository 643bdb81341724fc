import type { Paging } from '../profiles/profile.ts';
import type { SystemRequest } from './request.ts';

interface PageRequest {
  readonly page: number;
  readonly size: number;
}

/** The names of the parameter for the page size. Contract: System API rule 4. */
export const PAGE_SIZE_NAMES = ['page_size', 'ps', 'size'] as const;

const numberIn = (text: string): number => (/^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

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
  return { page: page || 1, size: Math.min(size || paging.defaultSize, paging.maximum) };
}

export const offsetOf = ({ page, size }: PageRequest): number => (page - 1) * size;
