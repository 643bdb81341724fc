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

/** The limit that an attempt has exceeded. */
export interface Exceeded {
  readonly ms: number;
  /** It is that of the whole attempt, not of a stage. */
  readonly isTotal: boolean;
}

/** Times one attempt, starting with the connection. undici's own timers tick once a second; these are exact. */
export function startDeadlines(timeouts: Timeouts, onTimeout: (exceeded: Exceeded) => void): Deadlines {
  const start = (ms: number, isTotal = false): NodeJS.Timeout => setTimeout(() => onTimeout({ ms, isTotal }), ms);
  const total = start(timeouts.totalMs, true);
  let stage = start(timeouts.connectMs);
  let ended = false;
  return {
    next(ms) {
      if (ended) return;
      clearTimeout(stage);
      stage = start(ms);
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
