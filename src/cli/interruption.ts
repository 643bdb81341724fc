import { Fault } from '../domain/index.ts';
import type { InterruptSignal, Io } from './io.ts';

/**
 * What Ctrl-C does. While a command only reads, the first one ends it at once. Inside {@link Interruption.finishing}
 * the first one aborts `signal`, so that writes under way can end and be reported; the second ends at once.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Rejects with a Fault `gateway.interrupted` when the run shall end at once. Never resolves. */
  readonly atOnce: Promise<never>;
  /** Runs work that shall be brought to an end in order. `announce` is called at the first signal. */
  readonly finishing: <T>(work: () => Promise<T>, announce: () => void) => Promise<T>;
  /** Stops listening. */
  readonly release: () => void;
}

export function listenForInterruption(io: Pick<Io, 'onSignal'>): Interruption {
  const controller = new AbortController();
  let orderly: (() => void) | undefined;
  let reject: (fault: Fault) => void = () => {};
  const atOnce = new Promise<never>((_, no) => {
    reject = no;
  });
  // Nobody may be racing against it at the moment when it rejects.
  atOnce.catch(() => {});
  const release = io.onSignal((name: InterruptSignal) => {
    const first = !controller.signal.aborted;
    controller.abort(new Fault('gateway.interrupted', `Interrupted by ${name}.`));
    if (first && orderly) orderly();
    else reject(new Fault('gateway.interrupted', `Interrupted by ${name}.`));
  });
  return {
    signal: controller.signal,
    atOnce,
    release,
    async finishing(work, announce) {
      orderly = announce;
      try {
        return await work();
      } finally {
        orderly = undefined;
      }
    },
  };
}
