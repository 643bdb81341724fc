import {
  type ApplyReport,
  checkFaults,
  type DeliveryOutcome,
  Fault,
  type PlanNote,
  pendingChanges,
} from '../../domain/index.ts';
import { notKept } from './not-kept.ts';

/**
 * Lists everything that is wrong with the outcome of a run, each as one fault; empty when everything is done and nothing is
 * pending. Several may hold: the front end decides which of them counts most.
 *
 * Something applied and something not is `apply.incomplete`; nothing applied is the fault that prevented it. Deletes that
 * were withheld because a check failed count as not applied, in addition to that check.
 */
export function reportFaults(report: ApplyReport): readonly Fault[] {
  const { outcomes, fatal, checks } = report;
  const applied = outcomes.filter((outcome) => outcome.state === 'applied').length;
  const wrong = outcomes.length - applied;
  const first = fatal ?? outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))[0];
  const unproven = checks ? checkFaults(checks) : [];
  const isPartial = wrong > 0 && (applied > 0 || !first);
  return [
    ...leftEnabled(report),
    ...(report.interrupted ? [interruption(applied, wrong)] : []),
    ...(isPartial && !report.interrupted ? [incomplete(applied, wrong, first ?? unproven[0])] : []),
    ...(fatal ? [fatal] : []),
    ...(first && first !== fatal && applied === 0 ? [first] : []),
    ...undelivered(report),
    ...unproven,
    ...unverifiedBudgets(report),
    ...(wrong > 0 ? [] : notConverged(report)),
  ];
}

const AGAIN = 'Run the command again: it continues with the unfinished work.';

const interruption = (applied: number, skipped: number): Fault =>
  new Fault('gateway.interrupted', `Interrupted: ${applied} applied, ${skipped} not.`, { hint: AGAIN });

const incomplete = (applied: number, wrong: number, first: Fault | undefined): Fault =>
  new Fault('apply.incomplete', `Partially applied: ${applied} applied, ${wrong} not.`, {
    hint: AGAIN,
    detail: first ? { first: first.code } : {},
  });

function leftEnabled({ outcomes }: ApplyReport): Fault[] {
  const names = outcomes.flatMap(({ state, change }) => (state === 'left-enabled' ? [change.name] : []));
  if (names.length === 0) return [];
  const keys = names.length === 1 ? 'A key that is' : `${names.length} keys that are`;
  return [
    new Fault('apply.left-enabled', `${keys} declared disabled can be used: created, and not disabled.`, {
      hint: AGAIN,
      remedy: 'disable-keys',
      detail: { names },
    }),
  ];
}

const REFUSALS: readonly Fault['code'][] = ['sink.foreign', 'sink.not-allowed'];

/** Should the secret have arrived? Not in a sink that the run may not contact, or whose key was not created. */
const isLost = (outcome: DeliveryOutcome): outcome is Extract<DeliveryOutcome, { fault: Fault }> => 'fault' in outcome;

/** The secrets that did not arrive in every sink; the refusals count by themselves. */
function undelivered({ deliveries = [] }: ApplyReport): readonly Fault[] {
  const lost = deliveries.filter(isLost);
  const [first] = lost;
  if (first === undefined) return [];
  const names = [...new Set(lost.map(({ delivery }) => delivery.name))];
  const secrets = names.length === 1 ? 'The secret of a key' : `The secrets of ${names.length} keys`;
  return [
    ...lost.flatMap(({ fault }) => (REFUSALS.includes(fault.code) ? [fault] : [])).slice(0, 1),
    new Fault('sink.undelivered', `${secrets} did not arrive in every sink: ${first.fault.message}`, {
      hint: 'The keys work. The next apply delivers what is missing.',
      detail: { names, first: first.fault.code },
    }),
  ];
}

const UNVERIFIED: readonly PlanNote['code'][] = ['budget-unverified', 'log-incomplete'];

function unverifiedBudgets({ corrections, unverified = [], after }: ApplyReport): Fault[] {
  const left = corrections.flatMap(({ name, takenBack }) => (takenBack ? [] : [name]));
  const open = (after?.notes ?? []).flatMap(({ code, data }) => (UNVERIFIED.includes(code) && data ? [data.name] : []));
  const names = [...new Set([...left, ...unverified, ...open])];
  if (names.length === 0) return [];
  const keys = names.length === 1 ? 'The budget of a key' : `The budgets of ${names.length} keys`;
  return [
    new Fault('apply.budget-unverified', `${keys} could not be verified.`, {
      hint: 'The report gives the reason for each: requests during the run, after which the command can be run again, or a usage log that does not account for the use of the key.',
      detail: { names },
    }),
  ];
}

/**
 * Is everything as declared? Held enables are left on purpose, and checks do not count. Null: unknown, because the live
 * state could not be read again, or a budget could not be verified.
 */
export function isConverged(report: ApplyReport): boolean | null {
  if (!report.after) return null;
  if (pendingChanges(report.after).length > 0 || undelivered(report).length > 0) return false;
  return unverifiedBudgets(report).length > 0 ? null : true;
}

function notConverged(report: ApplyReport): Fault[] {
  const { changes: lost, faults } = notKept(report);
  const left = pendingChanges(report.after ?? { changes: [] }).filter((change) => !lost.has(change)).length;
  if (left === 0) return faults;
  const changes = left === 1 ? 'change is' : 'changes are';
  return [
    ...faults,
    new Fault('apply.not-converged', `Applied but not converged: ${left} ${changes} still pending.`, {
      hint: 'Someone else is changing the account, or the gateway does not keep what it accepted. Plan again to see the remaining changes.',
    }),
  ];
}
