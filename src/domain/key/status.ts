import type { UnixSeconds } from '../window.ts';
import type { ObservedKey, StoredStatus } from './key.ts';

/** Does expiry, as set, forbid the key at this time? */
export const isExpired = (key: Pick<ObservedKey, 'expires'>, now: UnixSeconds): boolean =>
  key.expires !== null && key.expires <= now;

/** Does quota, as set, forbid the key? */
export const isExhausted = (key: Pick<ObservedKey, 'unlimited' | 'remain'>): boolean =>
  !key.unlimited && key.remain <= 0;

/**
 * Returns the real status of a key, whatever the gateway has stored: it moves to 3 and 4 lazily, on some deployments never.
 * A stored 3 or 4 whose cause was corrected still refuses requests until it is enabled again.
 */
export function effectiveStatus(key: ObservedKey, now: UnixSeconds): StoredStatus {
  if (key.status === 'disabled') return 'disabled';
  if (isExpired(key, now)) return 'expired';
  if (isExhausted(key)) return 'exhausted';
  return key.status;
}
