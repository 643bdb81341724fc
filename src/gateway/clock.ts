import type { UnixSeconds } from '../domain/index.ts';
import type { TraceEvent } from '../http/index.ts';

/** Answers take a moment, and their `Date` has whole seconds: below this, the clocks agree. */
const AGREEING_SECONDS = 2;
const WORTH_A_WARNING_SECONDS = 60;

/** The time of the gateway, which decides whether a key is expired: our clock, corrected by the first `Date` of an answer. */
export interface RemoteClock {
  readonly watch: (event: TraceEvent) => void;
  readonly now: () => UnixSeconds;
  /** Seconds that the gateway is ahead of us, or negative: behind. Undefined below a minute, and as long as it is unknown. */
  readonly skew: () => number | undefined;
}

/** @param clock our time in seconds. */
export function watchGatewayClock(clock: () => number): RemoteClock {
  let ahead: number | undefined;
  return {
    watch(event) {
      if (ahead !== undefined || event.kind !== 'answer' || event.date === undefined) return;
      const apart = Date.parse(event.date) / 1000 - clock();
      ahead = Math.abs(apart) <= AGREEING_SECONDS ? 0 : Math.round(apart);
    },
    now: () => Math.floor(clock()) + (ahead ?? 0),
    skew: () => (ahead === undefined || Math.abs(ahead) < WORTH_A_WARNING_SECONDS ? undefined : ahead),
  };
}
