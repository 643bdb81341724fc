import type { UnixSeconds } from '../domain/index.ts';
import type { TraceEvent } from '../http/index.ts';

/** Answers take a moment, and their `Date` has whole seconds: below this, the clocks agree. */
const AGREEING_SECONDS = 2;
const WORTH_A_WARNING_SECONDS = 60;

/**
 * The time of the gateway, which decides whether a key is expired or a generation may end: our clock, corrected by the `Date` of
 * the first answer, and of a later one where somebody has set our clock since, as machines do that wake up.
 */
export interface RemoteClock {
  readonly watch: (event: TraceEvent) => void;
  readonly now: () => UnixSeconds;
  /** Seconds that the gateway is ahead of us, or negative: behind. Undefined below a minute, and as long as it is unknown. */
  readonly skew: () => number | undefined;
}

/**
 * @param clock our time in seconds.
 * @param steady seconds of a clock that nobody sets.
 */
export function watchGatewayClock(
  clock: () => number,
  steady: () => number = () => performance.now() / 1000,
): RemoteClock {
  let ahead: number | undefined;
  /** The seconds by which our clock was ahead of the steady one at the answer that counts. */
  let lead = 0;
  return {
    watch(event) {
      if (event.kind !== 'answer' || event.date === undefined) return;
      const now = clock();
      const apart = Date.parse(event.date) / 1000 - now;
      // Nothing else makes a later answer count: a cache repeats old dates, and the nodes of a gateway have clocks of their own.
      const wasSet = Math.abs(now - steady() - lead) >= WORTH_A_WARNING_SECONDS;
      if (ahead !== undefined && !wasSet) return;
      ahead = Math.abs(apart) <= AGREEING_SECONDS ? 0 : Math.round(apart);
      lead = now - steady();
    },
    now: () => Math.floor(clock()) + (ahead ?? 0),
    skew: () => (ahead === undefined || Math.abs(ahead) < WORTH_A_WARNING_SECONDS ? undefined : ahead),
  };
}
