/** Advances the video tasks of a gateway as its clock passes, and notifies their receivers. */
export interface TaskScheduler {
  /** Starts with the tasks that the ledger has. Until then nothing else has an effect. */
  start(): void;
  /** Lets the gateway's clock take effect now. Call it after moving the clock or changing a task. */
  run(): void;
  /** Runs only if something is due. Call it before reading a task. */
  runIfDue(): void;
  /** Runs after the current event, because there is a new task. Many calls before then cause one run. */
  runSoon(): void;
  stop(): void;
}

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

/** Sleeps until the next transition is due. While the clock does not move, it looks ever more rarely. */
export function taskScheduler({ now, settle, dispatch }: SchedulerOptions): TaskScheduler {
  let isRunning = false;
  let willRunSoon = false;
  let timer: NodeJS.Timeout | undefined;
  let next: number | undefined;
  let standstills = 0;
  const sleepUntil = (due: number): void => {
    const before = now();
    const sleep = (due - before) * 1000 * 2 ** Math.min(standstills, 10);
    timer = setTimeout(
      () => {
        standstills = now() === before ? standstills + 1 : 0;
        run();
      },
      Math.min(LONGEST_SLEEP_MS, sleep),
    );
    timer.unref();
  };
  const run = (): void => {
    if (!isRunning) return;
    clearTimeout(timer);
    next = settle();
    dispatch();
    if (next !== undefined) sleepUntil(next);
  };
  const soon = (): void => {
    willRunSoon = false;
    run();
  };
  return {
    run,
    start() {
      isRunning = true;
      run();
    },
    runIfDue() {
      if (next !== undefined && next <= now()) run();
    },
    runSoon() {
      if (!isRunning || willRunSoon) return;
      willRunSoon = true;
      setImmediate(soon);
    },
    stop() {
      isRunning = false;
      clearTimeout(timer);
    },
  };
}
