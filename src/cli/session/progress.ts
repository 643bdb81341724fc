import type { Spinner } from 'yocto-spinner';
import type { ApplyEvent } from '../../reconcile/index.ts';
import { isProgressLine, renderProgressLine, renderStep } from '../output/progress.ts';
import type { Context } from '../program/command.ts';
import { variable } from './variables.ts';

/** A terminal that nobody records: there a line may move. */
export const isLively = ({ io }: Context): boolean =>
  io.stderr.isTTY === true && variable(io.env, 'CI') === undefined && io.env.TERM !== 'dumb';

/** A moving line, without the access tokens. It appears once its code is loaded, which only a terminal needs. */
export function startSpinner({ io, mask, waits }: Context, text: string) {
  let [shown, hasStopped] = [text, false];
  let spinner: Spinner | undefined;
  import('yocto-spinner').then(
    ({ default: make }) => {
      if (!hasStopped) spinner = make({ text: shown, stream: io.stderr, handleSignals: false }).start();
    },
    // Without the line, the work goes on.
    () => {},
  );
  const show = (next: string): void => {
    shown = mask(next);
    if (spinner) spinner.text = shown;
  };
  waits.show = show;
  return {
    show,
    stop(): void {
      waits.show = undefined;
      hasStopped = true;
      spinner?.stop();
    },
  };
}

/** Shows on a terminal that the account is being read; returns the function that ends it. */
export function startReading(context: Context): () => void {
  if (!isLively(context)) return () => {};
  const spinner = startSpinner(context, 'Reading the account');
  const { stop } = spinner;
  // The spinner hides the cursor; a run that is interrupted must not leave it hidden.
  const { signal } = context.interruption;
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    signal.removeEventListener('abort', stop);
    stop();
  };
}

export async function whileReading<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const stop = startReading(context);
  try {
    return await work();
  } finally {
    stop();
  }
}

/** Someone who watches an apply. */
export interface Progress {
  readonly onEvent: (event: ApplyEvent) => void;
  readonly stop: () => void;
}

/** On a terminal one moving line with an ETA; elsewhere a plain line for each phase, and more when there is much to do. */
export function watchApply(context: Context): Progress {
  return isLively(context) ? spin(context) : log(context);
}

function spin(context: Context): Progress {
  const spinner = startSpinner(context, 'Applying');
  const { clock } = context.io;
  let began = clock();
  return {
    onEvent(event) {
      if (event.kind === 'phase') began = clock();
      if (event.kind !== 'outcome') spinner.show(renderStep(event, clock() - began));
    },
    stop: spinner.stop,
  };
}

function log(context: Context): Progress {
  const { clock } = context.io;
  let began = clock();
  return {
    onEvent(event) {
      if (event.kind === 'phase') began = clock();
      if (isProgressLine(event)) context.print(renderProgressLine(event, clock() - began));
    },
    stop: () => {},
  };
}
