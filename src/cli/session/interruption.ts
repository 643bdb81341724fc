import { Fault } from '../../domain/index.ts';
import type { InterruptSignal, Io } from './io.ts';

/** The messages about work that the first signal lets finish. */
export interface InterruptionMessages {
  /** Called at the first signal. */
  readonly announce: () => void;
  /** The work that may be unfinished after an immediate end (`create app-2`), and what to do about it. */
  readonly open?: () => { readonly left: readonly string[]; readonly hint: string };
}

/**
 * The effect of Ctrl-C. While a command only reads, the first one ends it immediately. While it is deferred, the first one
 * aborts `signal`, so that writes under way can finish and be reported; the second ends the run immediately.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Rejects with a Fault `gateway.interrupted` when the run must end immediately. Never resolves. */
  readonly atOnce: Promise<never>;
  /** From now on the first signal lets work finish; returns the function that ends this. Deferrals may be nested. */
  readonly defer: (watch: InterruptionMessages) => () => void;
  /** Runs work that the first signal lets finish. */
  readonly finishing: <T>(work: () => Promise<T>, watch: InterruptionMessages) => Promise<T>;
  /**
   * Registers what is undone before the first signal ends a run that has not begun to write; returns the function that ends
   * this. A second signal does not wait for it.
   */
  readonly beforeEnd: (undo: () => Promise<unknown>) => () => void;
  /** Stops listening. */
  readonly release: () => void;
}

const MOST_NAMED = 20;
/** The hint where repeating does no harm. */
export const RUN_AGAIN = 'Run the command again: it continues with the unfinished work.';

/** The fault of an immediate end: sent requests may still take effect, and nobody waits for them. */
function endedAtOnce(
  name: InterruptSignal,
  open: ReturnType<NonNullable<InterruptionMessages['open']>> | undefined,
): Fault {
  if (!open || open.left.length === 0) return new Fault('gateway.interrupted', `Interrupted by ${name}.`);
  const { left, hint } = open;
  const lines = left.slice(0, MOST_NAMED).map((change) => `- ${change}`);
  if (left.length > MOST_NAMED) lines.push(`- and ${left.length - MOST_NAMED} more`);
  const what = `Interrupted by ${name}. Not finished; sent requests may still take effect:`;
  return new Fault('gateway.interrupted', [what, ...lines].join('\n'), { hint, detail: { open: left } });
}

export function listenForInterruption(io: Pick<Io, 'onSignal'>): Interruption {
  const controller = new AbortController();
  const undos = new Set<() => Promise<unknown>>();
  let watch: InterruptionMessages | undefined;
  let reject: (fault: Fault) => void = () => {};
  const atOnce = new Promise<never>((_, no) => {
    reject = no;
  });
  // Nobody may be racing against it at the moment when it rejects.
  atOnce.catch(() => {});
  const release = io.onSignal((name: InterruptSignal) => {
    const first = !controller.signal.aborted;
    controller.abort(new Fault('gateway.interrupted', `Interrupted by ${name}.`));
    if (first && watch) return watch.announce();
    const end = (): void => reject(endedAtOnce(name, watch?.open?.()));
    if (first && undos.size > 0) void Promise.allSettled([...undos].map((undo) => undo())).then(end);
    else end();
  });
  const defer: Interruption['defer'] = (watching) => {
    const outer = watch;
    watch = watching;
    return () => {
      watch = outer;
    };
  };
  return {
    signal: controller.signal,
    atOnce,
    release,
    defer,
    beforeEnd(undo) {
      undos.add(undo);
      return () => undos.delete(undo);
    },
    async finishing(work, watching) {
      const resume = defer(watching);
      try {
        return await work();
      } finally {
        resume();
      }
    },
  };
}
