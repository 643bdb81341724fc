import {
  type ApplyReport,
  type Diagnostic,
  Fault,
  type GuardCode,
  type Plan,
  pendingChanges,
} from '../../domain/index.ts';
import { type ApplyOptions, apply, verdict } from '../../reconcile/index.ts';
import { exitCodeOf } from '../output/exit-codes.ts';
import { planData, reportData } from '../output/json/plan-data.ts';
import { changeTitle } from '../output/plan.ts';
import { flagOf, refusalData } from '../output/refusals.ts';
import { renderReport } from '../output/report.ts';
import type { Context, Result } from '../program/command.ts';
import { RUN_AGAIN } from '../session/interruption.ts';
import { type Sight, usageOptions } from '../session/planning.ts';
import { watchApply } from '../session/progress.ts';
import { proverFor } from './checking/prove-applied.ts';

/** Several refusals are one fault: that of the first, with the flags of all. */
function refusalFault(first: Diagnostic, refusals: readonly Diagnostic[]): Fault {
  return new Fault(first.code as GuardCode, refusals.map((refusal) => refusal.message).join('\n'), {
    hint: `Nothing was changed. To allow it for this one run: ${refusals.map(flagOf).join(' ')}`,
    detail: { refusals: refusalData(refusals) },
  });
}

/** @throws Fault `guard.*` when there is a refusal. */
export function refuseUnsafe(refusals: readonly Diagnostic[]): void {
  const [first] = refusals;
  if (first) throw refusalFault(first, refusals);
}

/** A plan that was not carried out, with the reason: the plan is still a result. */
export const refused = (made: Plan, refusals: readonly Diagnostic[], fault: Fault): Result => ({
  exit: exitCodeOf(fault),
  data: planData(made, refusals),
  text: '',
  fault,
});

/**
 * Carries a plan out, with progress. The first Ctrl-C lets what runs finish; the report is made in every case.
 *
 * @param desired what the plan was made from, to plan again afterwards; absent for a saved plan or a destruction.
 */
export async function carryOut(
  context: Context,
  sight: Sight,
  { plan, desired }: { plan: Plan; desired?: ApplyOptions['desired'] },
): Promise<Result> {
  const { interruption } = context;
  const { gateway, settings, observed } = sight;
  const progress = watchApply(context);
  const settled = new Set<string>();
  const open = () => ({
    left: pendingChanges(plan)
      .map((change) => changeTitle(change))
      .filter((title) => !settled.has(title)),
    hint: RUN_AGAIN,
  });
  const announce = (): void => {
    progress.stop();
    context.say('Interrupted: what is under way is being finished. Once more ends at once.');
  };
  const options: ApplyOptions = {
    observed,
    now: context.now,
    concurrency: settings.concurrency,
    signal: interruption.signal,
    onEvent(event) {
      if (event.kind === 'outcome') settled.add(changeTitle(event.outcome.change));
      progress.onEvent(event);
    },
    prove: proverFor(context, sight, progress),
    ...usageOptions(context, gateway),
    ...(desired ? { desired } : {}),
  };
  const report: ApplyReport = await interruption
    .finishing(() => apply(plan, gateway.store, options), { announce, open })
    .finally(progress.stop);
  return resultOf(report, context);
}

function resultOf(report: ApplyReport, { format, paint, width }: Context): Result {
  const fault = verdict(report);
  return {
    exit: exitCodeOf(fault),
    data: reportData(report),
    text: renderReport(report, { paint: paint.out, width: width.out }),
    // The text of a report tells it already.
    ...(fault && format === 'json' ? { fault } : {}),
  };
}
