import type { CheckEvent } from '../../../checks/index.ts';
import type { Decimal } from '../../../domain/index.ts';
import { renderCheckLine, renderCheckStep, renderEstimate } from '../../output/check-progress.ts';
import type { Context } from '../../program/command.ts';
import { RUN_AGAIN } from '../../session/interruption.ts';
import { isLively, startReading, startSpinner } from '../../session/progress.ts';

/** Someone who watches checks. */
export interface CheckProgress {
  readonly onEvent: (event: CheckEvent) => void;
  readonly stop: () => void;
  /** The checks under way. */
  readonly left: () => readonly string[];
}

const TICK_MS = 1000;

/** Tracks the checks under way, for the progress line and for an early end. */
function underWay() {
  const open = new Set<string>();
  return {
    open,
    see(event: CheckEvent): void {
      if (event.kind === 'start') open.add(`${event.key} ${event.check}`);
      if (event.kind === 'moot') open.delete(`${event.key} ${event.check}`);
      if (event.kind === 'result') open.delete(`${event.result.key} ${event.result.check}`);
    },
  };
}

/** Nobody reads lines faster. */
const PRINT_MS = 50;

/** Prints all lines of one moment in one write: with fast models, writes would take longer than some checks. */
function linePrinter({ print }: Pick<Context, 'print'>) {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = lines.join('\n');
    lines = [];
    print(text);
  };
  return {
    flush,
    add(line: string): void {
      lines.push(line);
      timer ??= setTimeout(flush, PRINT_MS);
    },
  };
}

/** On a terminal one moving line with time and cost; elsewhere a plain line for each result. */
function watchChecks(context: Context, quotaPerUnit: Decimal): CheckProgress {
  const { open, see } = underWay();
  const left = (): readonly string[] => [...open];
  if (!isLively(context)) {
    const { add, flush } = linePrinter(context);
    const onEvent = (event: CheckEvent): void => {
      see(event);
      if (event.kind === 'estimate') add(renderEstimate(event, quotaPerUnit));
      if (event.kind === 'result') add(renderCheckLine(event));
    };
    return { onEvent, left, stop: flush };
  }
  const spinner = startSpinner(context, 'Proving keys');
  const began = context.io.clock();
  let last: CheckEvent | undefined;
  let [estimated, isMaximum] = [0, true];
  let limited: string | undefined;
  const show = (): void => {
    const seconds = context.io.clock() - began;
    const step = { open: left(), seconds, estimated, isMaximum, quotaPerUnit, width: context.width.err };
    spinner.show(limited ?? renderCheckStep(last, step));
  };
  context.waits.show = (text) => {
    limited = text;
  };
  const ticking = setInterval(show, TICK_MS);
  const onEvent = (event: CheckEvent): void => {
    see(event);
    limited = undefined;
    if (event.kind === 'estimate' && event.estimate.known > 0) {
      estimated += event.estimate.units;
      isMaximum &&= event.estimate.isMaximum;
    }
    if (event.kind === 'result' || event.kind === 'wait') last = event;
    show();
  };
  const stop = (): void => {
    clearInterval(ticking);
    spinner.stop();
  };
  return { onEvent, left, stop };
}

/** From the begin of a run on, the first Ctrl-C lets running checks finish. */
export function deferred(context: Context, watch: (quotaPerUnit: Decimal) => CheckProgress): CheckProgress {
  let progress: CheckProgress | undefined;
  let resume = (): void => {};
  const begin = (quotaPerUnit: Decimal): void => {
    const begun = watch(quotaPerUnit);
    progress = begun;
    resume = context.interruption.defer({
      announce() {
        begun.stop();
        context.print('Interrupted: waiting for running requests. Interrupt again to exit immediately.');
      },
      open: () => ({ left: begun.left(), hint: RUN_AGAIN }),
    });
  };
  return {
    onEvent(event) {
      if (event.kind === 'begin') begin(event.quotaPerUnit);
      progress?.onEvent(event);
    },
    left: () => progress?.left() ?? [],
    stop() {
      progress?.stop();
      resume();
    },
  };
}

/** Shows that the account is being read, and then the checks. */
export function showChecks(context: Context): CheckProgress {
  const stopReading = startReading(context);
  const progress = deferred(context, (quotaPerUnit) => {
    stopReading();
    return watchChecks(context, quotaPerUnit);
  });
  return {
    ...progress,
    stop() {
      stopReading();
      progress.stop();
    },
  };
}
