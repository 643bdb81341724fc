import type { Endpoint } from '../../wire/index.ts';
import type { LimitSettings } from '../catalog.ts';

/** Admits requests up to a rate for each address or user, and counts those that it admits. */
export interface RateLimiter {
  /** Undefined if the request is admitted, otherwise the seconds of the window that refuses it. */
  refuses(pace: Endpoint['pace'], whose: string, now: number): number | undefined;
}

/**
 * Sliding windows, one for all of `/api`, one for search, one that reveal and batch reveal share. A request does not count in
 * a window that refuses it.
 */
export function rateLimiter(limits: LimitSettings): RateLimiter {
  const windows = new Map<string, number[]>();
  return {
    refuses(pace, whose, now) {
      const rate = limits[pace];
      if (!rate) return undefined;
      const name = `${pace} ${whose}`;
      const times = (windows.get(name) ?? []).filter((time) => now - time < rate.seconds);
      windows.set(name, times);
      if (times.length >= rate.requests) return rate.seconds;
      times.push(now);
      return undefined;
    },
  };
}
