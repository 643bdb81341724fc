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

/** Times one attempt, starting with the connection. undici's own timers tick once a second; these are exact. */
export function startDeadlines(timeouts: Timeouts, onTimeout: () => void): Deadlines {
  const total = setTimeout(onTimeout, timeouts.totalMs);
  let stage = setTimeout(onTimeout, timeouts.connectMs);
  let ended = false;
  return {
    next(ms) {
      if (ended) return;
      clearTimeout(stage);
      stage = setTimeout(onTimeout, ms);
    },
    pause() {
      clearTimeout(stage);
    },
    end() {
      ended = true;
      clearTimeout(total);
      clearTimeout(stage);
    },
  };
}
