interface SchedulerOptions {
  /** Unix seconds of the gateway's clock. */
  now(): number;
  /** Makes every transition that is due. Returns the time of the next one, or undefined if there is none. */
  settle(): number | undefined;
  /** Sends the notifications that are due. */
  dispatch(): void;
}

/** Timers hold at most 2^31 ms, and whoever supplied the clock may move it. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * Advances the video tasks of a gateway as its clock passes, and notifies their receivers. Sleeps until the next
 * transition is due. While the clock does not move, it wakes less and less often.
 */
export class TaskScheduler {
  readonly #options: SchedulerOptions;
  #isRunning = false;
  #willRunSoon = false;
  #timer: NodeJS.Timeout | undefined;
  #next: number | undefined;
  #standstills = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Starts with the tasks in the ledger. Before that, no other method has an effect. */
  start(): void {
    this.#isRunning = true;
    this.run();
  }

  stop(): void {
    this.#isRunning = false;
    clearTimeout(this.#timer);
  }

  /** Lets the gateway's clock take effect now. Call it after moving the clock or changing a task. */
  run(): void {
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    this.#next = this.#options.settle();
    this.#options.dispatch();
    if (this.#next !== undefined) this.#sleepUntil(this.#next);
  }

  /** Runs only if something is due. Call it before reading a task. */
  runIfDue(): void {
    if (this.#next !== undefined && this.#next <= this.#options.now()) this.run();
  }

  /** Runs after the current event. Call it after adding a task; many calls in one event cause one run. */
  runSoon(): void {
    if (!this.#isRunning || this.#willRunSoon) return;
    this.#willRunSoon = true;
    setImmediate(() => {
      this.#willRunSoon = false;
      this.run();
    });
  }

  #sleepUntil(due: number): void {
    const before = this.#options.now();
    const sleep = (due - before) * 1000 * 2 ** Math.min(this.#standstills, 10);
    const wake = (): void => {
      this.#standstills = this.#options.now() === before ? this.#standstills + 1 : 0;
      this.run();
    };
    this.#timer = setTimeout(wake, Math.min(LONGEST_SLEEP_MS, sleep));
    this.#timer.unref();
  }
}
