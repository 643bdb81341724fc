import type { CapDecision } from '../cost/cost-tracker.ts';
import type { JobEnding } from './job.ts';

const REACHED: Pick<JobEnding, 'reason' | 'remedy'> = {
  reason: 'the cost limit of the run is reached',
  remedy: 'raise-cost-cap',
};

/** The refusals by a cost limit. None advises a higher limit where that would not help. */
export const REFUSED_BY_CAP: Readonly<
  Record<Exclude<CapDecision, 'go'>, Pick<JobEnding, 'reason' | 'remedy' | 'hint'>>
> = {
  over: REACHED,
  full: REACHED,
  unknown: {
    reason: 'no known price limits what it costs, and the run has a cost limit',
    hint: 'Run the check once without a cost limit: its charge then shows the price.',
  },
  unbounded: {
    reason: 'its price is known, but its request does not limit what it is charged for, and the run has a cost limit',
    hint: 'Limit the tokens of the answer (`max_tokens`, or `max_output_tokens` of `responses`) or the seconds of the video in the check.',
  },
  unsettled: { reason: 'the usage log does not show what an earlier check cost, and the run has a cost limit' },
};
