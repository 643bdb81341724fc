import type { ApplyEvent } from '../../reconcile/index.ts';
import { renderUnits } from './layout/amount.ts';
import { renderSpan } from './layout/moment.ts';
import { changeTitle } from './plan.ts';
import { OUTCOME_WORDS } from './wording.ts';

type StepEvent = Exclude<ApplyEvent, { kind: 'outcome' }>;

const PHASES: Readonly<Record<StepEvent['phase'], string>> = {
  rename: 'Renaming',
  create: 'Creating',
  update: 'Updating',
  status: 'Enabling and disabling',
  deliver: 'Delivering secrets',
  check: 'Running checks',
  delete: 'Deleting',
  verify: 'Verifying',
};

const MANY = 200;
const TWENTIETHS = 20;

/**
 * Selects the events that get a line: of many changes, failures and every twentieth part of a phase; few are listed in the
 * report anyway. What was sent counts: the outcomes of many changes are known together, long after the first was sent.
 */
export function isProgressLine(event: ApplyEvent): boolean {
  if (event.kind === 'phase' || event.total <= MANY) return event.kind === 'phase';
  if (event.kind === 'outcome') return event.outcome.state !== 'applied';
  const { done, total } = event;
  return done === total || Math.floor((done * TWENTIETHS) / total) > Math.floor(((done - 1) * TWENTIETHS) / total);
}

/** The remaining time at the rate so far; empty while that is a wild guess. */
function remaining(done: number, total: number, seconds: number): string {
  if (done === 0 || done === total || seconds < 2) return '';
  return `, about ${renderSpan(Math.ceil((seconds / done) * (total - done)))} left`;
}

/** The text of the moving line. */
export function renderStep(event: StepEvent, seconds: number): string {
  const what = PHASES[event.phase];
  if (event.kind === 'phase') return `${what} (${renderUnits(event.total)})`;
  const { done, total } = event;
  return `${what} ${renderUnits(done)}/${renderUnits(total)}${remaining(done, total, seconds)}`;
}

/** `Waiting for the gateway’s rate limit: next request in 58 s` */
export function renderWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `Waiting for the gateway’s rate limit: next request in ${seconds < 120 ? `${seconds} s` : renderSpan(seconds)}`;
}

/** A plain line for a log: how far a phase is, or what went wrong, `[ 300/6000] FAILED …`. */
export function renderProgressLine(event: ApplyEvent, seconds: number): string {
  if (event.kind !== 'outcome') return renderStep(event, seconds);
  const { outcome, done, total } = event;
  return `[${String(done).padStart(String(total).length)}/${total}] ${OUTCOME_WORDS[outcome.state]} ${changeTitle(outcome.change)}`;
}
