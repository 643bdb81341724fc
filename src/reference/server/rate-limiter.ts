import type { Endpoint } from '../../wire/index.ts';
import type { LimitSettings, Rate } from '../catalog.ts';

/** Admits requests up to a rate for each address, and counts those that it admits. */
export interface RateLimiter {
  admits(address: string, pace: Endpoint['pace'], now: number): boolean;
}

/**
 * Sliding windows, one for all of `/api`, one for search, one that reveal and batch reveal share; each by address.
 * A request does not count in a window that refuses it. One that only search or reveal refuses still counts for `/api`.
 */
export function rateLimiter(limits: LimitSettings): RateLimiter {
  const windows = new Map<string, number[]>();
  const fits = (rate: Rate | null | undefined, name: string, now: number): boolean => {
    if (!rate) return true;
    const times = (windows.get(name) ?? []).filter((time) => now - time < rate.seconds);
    windows.set(name, times);
    if (times.length >= rate.requests) return false;
    times.push(now);
    return true;
  };
  return {
    admits(address, pace, now) {
      if (!fits(limits.api, `api ${address}`, now)) return false;
      return pace === 'api' || fits(limits[pace], `${pace} ${address}`, now);
    },
  };
}
