import { type ApplyReport, checkVerdict, Fault, pendingChanges } from '../domain/index.ts';

/**
 * Sums up a report as one fault; undefined when everything is done and nothing is pending.
 *
 * Something applied and something not is `apply.incomplete`; nothing applied is the fault that prevented it.
 */
export function verdict(report: ApplyReport): Fault | undefined {
  const { outcomes, fatal, after } = report;
  const applied = outcomes.filter((outcome) => outcome.state === 'applied').length;
  const wrong = outcomes.length - applied;
  if (report.interrupted) return interruption(applied, wrong);
  const first = fatal ?? outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))[0];
  // Deletes that were held back because of it are not a failure of their own.
  const unproven = first || !report.checks ? undefined : checkVerdict(report.checks);
  if (unproven) return unproven;
  if (wrong > 0 && applied > 0) return incomplete(applied, wrong, first);
  if (first) return first;
  if (wrong > 0) return incomplete(applied, wrong, first);
  const left = after ? pendingChanges(after).length : 0;
  return left > 0 ? notConverged(left) : undefined;
}

const AGAIN = 'Run the command again: it continues with the unfinished work.';

const interruption = (applied: number, skipped: number): Fault =>
  new Fault('gateway.interrupted', `Interrupted: ${applied} applied, ${skipped} not.`, { hint: AGAIN });

const incomplete = (applied: number, wrong: number, first: Fault | undefined): Fault =>
  new Fault('apply.incomplete', `Partially applied: ${applied} applied, ${wrong} not.`, {
    hint: AGAIN,
    detail: first ? { first: first.code } : {},
  });

const notConverged = (left: number): Fault =>
  new Fault(
    'apply.not-converged',
    `Applied but not converged: ${left} ${left === 1 ? 'change is' : 'changes are'} still pending.`,
    {
      hint: 'Someone else is changing the account, or the gateway does not keep what it accepted. Plan again to see the remaining changes.',
    },
  );
