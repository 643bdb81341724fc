import { hostname } from 'node:os';
import type { LockTime } from '../reconcile/index.ts';
import type { StateEnvironment } from './state-folder.ts';

/** The parts of this machine that locks and journals use: its time, its name, this process, the environment. */
export interface Machine extends LockTime {
  readonly env: StateEnvironment;
  readonly pid: number;
  readonly host: string;
}

/** The machine of this process. */
export const thisMachine = (env: StateEnvironment): Machine => ({
  env,
  pid: process.pid,
  host: hostname(),
  steady: () => performance.now(),
  wall: () => Date.now(),
  async sleep(ms, signal) {
    const { setTimeout: delay } = await import('node:timers/promises');
    await delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
  },
  every(ms, work) {
    const timer = setInterval(() => void work(), ms).unref();
    return () => clearInterval(timer);
  },
  random: Math.random,
});
