import { LONGEST_TIMER_MS } from '../../domain/index.ts';

interface Timer {
  /** Resolves after some milliseconds, or when the signal aborts. */
  readonly delay: (ms: number) => Promise<void>;
  readonly steady: () => number;
}

/** Waits for any time, or until the signal aborts. */
export async function pauseFor(ms: number, signal: AbortSignal, { delay, steady }: Timer): Promise<void> {
  const end = steady() + ms;
  do {
    await delay(Math.min(Math.max(0, end - steady()), LONGEST_TIMER_MS));
  } while (steady() < end && !signal.aborted);
}
