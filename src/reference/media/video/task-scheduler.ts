import type { GatewayContext } from '../../context.ts';
import { type CallbackDispatcher, callbackDispatcher } from './callback-dispatcher.ts';
import { settleTasks } from './settle.ts';

/** Lets time pass for the video tasks of a gateway, and tells their receivers. */
export interface TaskScheduler {
  /** Ends the watch; resolves when nothing is under way. */
  close(): Promise<void>;
}

interface Watch {
  /** Lets the clock take effect, and tells whoever is to be told. */
  round(): void;
  isDue(): boolean;
  isWoken: boolean;
}

const WATCHES = new WeakMap<GatewayContext, Watch>();

/** The longest sleep: timers hold no more than 2^31 ms, and a clock may be moved by whoever gave it. */
const LONGEST_MS = 60_000;

/** Lets the gateway's clock take effect on its video tasks now: whoever moves the clock, or a task, calls this. */
export const wakeTasks = (context: GatewayContext): void => WATCHES.get(context)?.round();

/** The same, when something is due: before a task is looked at. */
export function settleIfDue(context: GatewayContext): void {
  const watch = WATCHES.get(context);
  if (watch?.isDue()) watch.round();
}

/** The same, once what is under way has ended: there is a new task. Many at once wake it once. */
export function wakeTasksSoon(context: GatewayContext): void {
  const watch = WATCHES.get(context);
  if (watch === undefined || watch.isWoken) return;
  watch.isWoken = true;
  setImmediate(() => {
    watch.isWoken = false;
    wakeTasks(context);
  });
}

/**
 * Watches the video tasks: sleeps until the next of them is due, moves it and tells its receiver. After a restart it
 * goes on from the ledger. A clock that stands still is looked at ever more seldom: whoever moves it calls
 * {@link wakeTasks}.
 */
export function startTasks(context: GatewayContext): TaskScheduler {
  const dispatcher: CallbackDispatcher = callbackDispatcher(context);
  let timer: NodeJS.Timeout | undefined;
  let next: number | undefined;
  let standstills = 0;
  const arm = (due: number): void => {
    const now = context.clock.now();
    const sleep = (due - now) * 1000 * 2 ** Math.min(standstills, 10);
    timer = setTimeout(
      () => {
        standstills = context.clock.now() === now ? standstills + 1 : 0;
        round();
      },
      Math.min(LONGEST_MS, sleep),
    );
    timer.unref();
  };
  const round = (): void => {
    clearTimeout(timer);
    next = settleTasks(context);
    dispatcher.dispatch();
    if (next !== undefined) arm(next);
  };
  WATCHES.set(context, { round, isDue: () => next !== undefined && next <= context.clock.now(), isWoken: false });
  round();
  return {
    async close() {
      WATCHES.delete(context);
      clearTimeout(timer);
      await dispatcher.close();
    },
  };
}
