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
  end(): void;
}

/**
 * Watches one attempt, which begins with the connection. undici's own timers tick once a second; these are exact, and
 * cover the whole of it.
 */
export function startDeadlines(timeouts: Timeouts, onTimeout: () => void): Deadlines {
  const total = setTimeout(onTimeout, timeouts.totalMs);
  let stage: NodeJS.Timeout | undefined = setTimeout(onTimeout, timeouts.connectMs);
  return {
    next(ms) {
      if (stage === undefined) return;
      clearTimeout(stage);
      stage = setTimeout(onTimeout, ms);
    },
    end() {
      clearTimeout(total);
      clearTimeout(stage);
      stage = undefined;
    },
  };
}
