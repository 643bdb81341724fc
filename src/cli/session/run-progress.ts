import { type Change, pendingChanges } from '../../domain/index.ts';
import type { KeyplaneEvent, Notice } from '../../library/index.ts';
import { changeTitle, renderPlan } from '../output/plan.ts';
import type { Context } from '../program/command.ts';
import { RUN_AGAIN } from './interruption.ts';
import { showLateCreates } from './late-creates.ts';
import { showLock } from './lock/locks.ts';
import { startReading, watchApply } from './progress.ts';

export interface RunProgress {
  readonly onEvent: (event: KeyplaneEvent) => void;
  readonly stop: () => void;
}

type Planned = Extract<KeyplaneEvent, { kind: 'planned' }>;
type Applying = Extract<KeyplaneEvent, { kind: 'applying' }>;

/** Shows a plan before it is refused, confirmed or applied. */
function showPlanned(context: Context, planned: Planned): void {
  if (context.format === 'json' && context.io.stderr.isTTY !== true) return;
  const style = { paint: context.paint.err, width: context.width.err };
  context.print(`${renderPlan(planned.plan, planned.now, style)}\n`);
}

/** Shows the progress of an apply; from here on the first Ctrl-C lets the requests under way finish. */
function startApply(context: Context, { plan }: Applying): RunProgress {
  const progress = watchApply(context);
  const settled: Change[] = [];
  /** The titles of the changes that are not made yet. Nobody reads them unless the run is interrupted. */
  const left = (): readonly string[] => {
    const titles = new Set(settled.map((change) => changeTitle(change)));
    return pendingChanges(plan)
      .map((change) => changeTitle(change))
      .filter((title) => !titles.has(title));
  };
  const resume = context.interruption.defer({
    announce() {
      progress.stop();
      context.print('Interrupted: waiting for running requests. Interrupt again to exit immediately.');
    },
    open: () => ({ left: left(), hint: RUN_AGAIN }),
  });
  return {
    onEvent(event) {
      if (event.kind === 'outcome') settled.push(event.outcome.change);
      if (isProgress(event)) progress.onEvent(event);
    },
    stop() {
      progress.stop();
      resume();
    },
  };
}

const isProgress = (event: KeyplaneEvent): event is Extract<KeyplaneEvent, { kind: 'phase' | 'step' | 'outcome' }> =>
  event.kind === 'phase' || event.kind === 'step' || event.kind === 'outcome';

/** Shows a notice, which may come at any time. */
function showNotice(context: Context, notice: Notice): void {
  showLock(context, notice);
  showLateCreates(context, notice);
}

/** Shows a run of Keyplane on standard error. */
export function showRun(context: Context): RunProgress {
  let stopReading = (): void => {};
  let apply: RunProgress | undefined;
  return {
    onEvent(event) {
      if (event.kind === 'reading') stopReading = startReading(context);
      else if (event.kind === 'read') stopReading();
      else if (event.kind === 'planned') showPlanned(context, event);
      else if (event.kind === 'applying') apply = startApply(context, event);
      else if (isProgress(event)) apply?.onEvent(event);
      else showNotice(context, event);
    },
    stop: () => apply?.stop(),
  };
}
