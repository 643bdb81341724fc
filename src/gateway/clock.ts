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

/** The `Date` of an answer is as old as its body took to arrive. */
const isAsBefore = (ahead: number, apart: number, ms: number): boolean =>
  ahead > apart - WORTH_A_WARNING_SECONDS && ahead < apart + ms / 1000 + WORTH_A_WARNING_SECONDS;

/** @param clock our time in seconds. */
export function watchGatewayClock(clock: () => number): RemoteClock {
  let ahead: number | undefined;
  return {
    watch(event) {
      if (event.kind !== 'answer' || event.date === undefined) return;
      const apart = Date.parse(event.date) / 1000 - clock();
      if (ahead !== undefined && isAsBefore(ahead, apart, event.ms)) return;
      ahead = Math.abs(apart) <= AGREEING_SECONDS ? 0 : Math.round(apart);
    },
    now: () => Math.floor(clock()) + (ahead ?? 0),
    skew: () => (ahead === undefined || Math.abs(ahead) < WORTH_A_WARNING_SECONDS ? undefined : ahead),
  };
}
