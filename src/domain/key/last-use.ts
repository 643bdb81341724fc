import type { UnixSeconds } from '../window.ts';
import type { ObservedKey } from './key.ts';

/** The time of the last request with a key; `never` where the record shows that there was none. */
export type RecordedUse = UnixSeconds | 'never' | 'unknown';

/**
 * Returns the last use of a key as its record shows it. A gateway sets the time of access to that of creation, so equal times
 * prove nothing unless the record also reports that nothing was used.
 */
export function lastUseOf({
  accessedAt,
  createdAt,
  used,
}: Pick<ObservedKey, 'accessedAt' | 'createdAt' | 'used'>): RecordedUse {
  if (accessedAt !== undefined && createdAt !== undefined && accessedAt > createdAt) return accessedAt;
  if (used === 0 && accessedAt !== undefined) return 'never';
  return 'unknown';
}
