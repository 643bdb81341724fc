import type { ApplyEvent } from '../../reconcile/index.ts';
import { renderUnits } from './layout/amount.ts';
import { renderSpan } from './layout/moment.ts';
import { changeTitle } from './plan.ts';
import { OUTCOME_WORDS } from './wording.ts';

type OutcomeEvent = Extract<ApplyEvent, { kind: 'outcome' }>;
type StepEvent = Exclude<ApplyEvent, { kind: 'outcome' }>;

const PHASES: Readonly<Record<StepEvent['phase'], string>> = {
  rename: 'Renaming',
  create: 'Creating',
  update: 'Updating',
  status: 'Enabling and disabling',
  check: 'Checking keys',
  delete: 'Deleting',
  verify: 'Verifying',
};

const MANY = 200;
const TWENTIETHS = 20;

/** Selects the outcomes that get a line: of many, failures and every twentieth part; few are listed in the report anyway. */
export function isProgressLine({ outcome, done, total }: OutcomeEvent): boolean {
  if (total <= MANY) return false;
  if (outcome.state !== 'applied') return true;
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

/** A plain line for a log: `[ 300/6000] 5 %, about 40 s left`, or what went wrong. */
export function renderProgressLine({ outcome, done, total }: OutcomeEvent, seconds: number): string {
  const part = `[${String(done).padStart(String(total).length)}/${total}]`;
  if (outcome.state === 'applied')
    return `${part} ${Math.floor((done * 100) / total)} %${remaining(done, total, seconds)}`;
  return `${part} ${OUTCOME_WORDS[outcome.state]} ${changeTitle(outcome.change)}`;
}
