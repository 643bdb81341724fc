/** How long one attempt may take, stage by stage, in milliseconds. */
export interface Timeouts {
  readonly connectMs: number;
  /** From the request being sent to the head of the answer. */
  readonly headersMs: number;
  /** Between two parts of the body. */
  readonly bodyMs: number;
  /** One attempt as a whole. */
  readonly totalMs: number;
}

export interface Deadlines {
  /** The stage before is over in time; the next one has so long. */
  next(ms: number): void;
  /** The other side is not waited for at the moment; only the whole goes on counting. */
  hold(): void;
  end(): void;
}

/**
 * Watches one attempt, which begins with the connection. undici's own timers tick once a second; these are exact, and
 * cover the whole of it.
 */
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
    hold() {
      clearTimeout(stage);
    },
    end() {
      ended = true;
      clearTimeout(total);
      clearTimeout(stage);
    },
  };
}
