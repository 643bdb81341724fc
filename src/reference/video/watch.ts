import type { Site } from '../site.ts';
import { type Courier, courierOf } from './courier.ts';
import { settleTasks } from './settle.ts';

/** Lets time pass for the video tasks of a gateway, and tells their receivers. */
export interface TaskWatch {
  /** Ends the watch; resolves when nothing is under way. */
  close(): Promise<void>;
}

const WATCHES = new WeakMap<Site, () => void>();

/** The longest sleep: timers hold no more than 2^31 ms, and a clock may be moved by whoever gave it. */
const LONGEST_MS = 60_000;

/**
 * Lets the gateway's clock take effect on its video tasks now: after a submission, before a query, when the clock was
 * moved. Their receivers are told afterwards.
 */
export function wakeTasks(site: Site): void {
  WATCHES.get(site)?.();
}

/**
 * Watches the video tasks: sleeps until the next of them is due, moves it and tells its receiver. After a restart it
 * goes on from the ledger. A clock that stands still is looked at ever more seldom: whoever moves it calls
 * {@link wakeTasks}.
 */
export function startTasks(site: Site): TaskWatch {
  const courier: Courier = courierOf(site);
  let timer: NodeJS.Timeout | undefined;
  let standstills = 0;
  const round = (): void => {
    clearTimeout(timer);
    const next = settleTasks(site);
    courier.go();
    if (next === undefined) return;
    const now = site.clock.now();
    const sleep = (next - now) * 1000 * 2 ** Math.min(standstills, 10);
    timer = setTimeout(
      () => {
        standstills = site.clock.now() === now ? standstills + 1 : 0;
        round();
      },
      Math.min(LONGEST_MS, sleep),
    );
    timer.unref();
  };
  WATCHES.set(site, round);
  round();
  return {
    async close() {
      WATCHES.delete(site);
      clearTimeout(timer);
      await courier.close();
    },
  };
}
