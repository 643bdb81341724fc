/** The time limits of one attempt, stage by stage, in milliseconds. */
export interface Timeouts {
  /** The time to connect. */
  readonly connectMs: number;
  /** From sending the request to receiving the head of the response. */
  readonly headersMs: number;
  /** Between two chunks of the body. */
  readonly bodyMs: number;
  /** The whole attempt. */
  readonly totalMs: number;
}

export interface Deadlines {
  /** Ends the current stage and starts the next one, which may take `ms`. */
  next(ms: number): void;
  /** Stops the timer of the current stage; only the total keeps running. */
  pause(): void;
  end(): void;
}

/**
 * Times one attempt, starting with the connection. undici's own timers tick once a second; these are exact. A stage that ends in time
 * moves the end that the one timer looks for: a timer for each stage would cost as much as the rest of an attempt.
 */
export function startDeadlines(timeouts: Timeouts, onTimeout: () => void): Deadlines {
  const totalEnd = performance.now() + timeouts.totalMs;
  let stageEnd = Number.POSITIVE_INFINITY;
  let wakeAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    wakeAt = Number.NEGATIVE_INFINITY;
  };
  const wake = (): void => {
    const left = Math.min(stageEnd, totalEnd) - performance.now();
    // The timers of Node.js count whole milliseconds.
    if (left < 1) {
      end();
      onTimeout();
    } else wakeIn(left);
  };
  const wakeIn = (ms: number): void => {
    clearTimeout(timer);
    wakeAt = performance.now() + ms;
    timer = setTimeout(wake, ms);
  };
  const next = (ms: number): void => {
    stageEnd = performance.now() + ms;
    const due = Math.min(stageEnd, totalEnd);
    if (due < wakeAt) wakeIn(due - performance.now());
  };
  next(timeouts.connectMs);
  return {
    next,
    pause() {
      stageEnd = Number.POSITIVE_INFINITY;
    },
    end,
  };
}
