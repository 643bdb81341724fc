import type { CheckEvent } from '../../../checks/index.ts';
import type { ApplyRequest } from '../../../library/index.ts';
import type { Context } from '../../program/command.ts';
import { has, text } from '../../program/option.ts';
import type { RunProgress } from '../../session/run-progress.ts';
import { maxCost } from './options.ts';
import { type CheckProgress, deferred } from './progress.ts';

/** Shows the checks of an apply as one of its phases. */
function asPhase({ onEvent }: RunProgress): CheckProgress {
  const open = new Set<string>();
  return {
    stop: () => {},
    left: () => [...open],
    onEvent(event) {
      if (event.kind === 'begin') onEvent({ kind: 'phase', phase: 'check', total: event.total });
      if (event.kind === 'start') open.add(`${event.key} ${event.check}`);
      if (event.kind !== 'result') return;
      open.delete(`${event.result.key} ${event.result.check}`);
      onEvent({ kind: 'step', phase: 'check', done: event.done, total: event.total });
    },
  };
}

/** The check step of an apply, according to the flags. @throws Fault `usage.invalid` */
export function checkStep(context: Context, progress: RunProgress): NonNullable<ApplyRequest['check']> {
  if (has(context.given, 'no-check')) return false;
  const limit = maxCost(context) && text(context.given, 'max-cost');
  const phase = asPhase(progress);
  const proving = deferred(context, () => phase);
  return {
    ...(limit === undefined ? {} : { maxCost: limit }),
    onEvent(event: CheckEvent) {
      proving.onEvent(event);
      if (event.kind === 'end') proving.stop();
    },
  };
}
