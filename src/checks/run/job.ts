import type { Advice, CheckResult, KeyId, ObservedKey, Secret, Verdict } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { CheckedKey } from '../check-module.ts';
import type { Selected } from '../select.ts';

/** A key under check-recorder, with its credential in a client. */
export interface Subject extends CheckedKey {
  readonly inference: Inference;
  readonly secret: Secret;
}

/** One check of one key, on its way through the run. */
export interface Job {
  readonly selected: Selected;
  /** Absent: there is no key to examine, and the result is settled. */
  readonly subject?: Subject;
  model?: string;
  result?: CheckResult;
  /** A run before it paid for what it only has to look at. */
  isPaid?: boolean;
  /** What it was estimated to cost before it ran, in quota units; with all attempts. */
  estimated?: number;
  /** Of all attempts: the requests that it sent, and the ids that the gateway gave them. */
  requestIds: string[];
  requests: number;
  usages: { readonly input: number; readonly output: number }[];
  /** Milliseconds from the beginning of the first attempt to the end of the last one. */
  endedAfterMs?: number;
}

export interface Ending extends Advice {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly code?: string;
}

/** The result of a job that never ran. */
export const unrun = ({ selected, subject, model }: Job, ending: Ending): CheckResult => ({
  ...headOf(selected, subject?.observed.id, model),
  ...ending,
  findings: [],
  attempts: 0,
  cost: {},
  exchanges: [],
  artifacts: [],
});

export const headOf = ({ key, spec, schedule }: Selected, keyId?: KeyId, model?: string) => ({
  key,
  ...(keyId === undefined ? {} : { keyId }),
  check: spec.name,
  module: spec.module,
  schedule,
  ...(model ? { model } : {}),
});

/** The live key of a declared name, or why there is none. */
function tryFindKey(name: string, keys: readonly ObservedKey[]): ObservedKey | Ending {
  const [only, ...others] = keys.filter((key) => key.name === name);
  if (only === undefined) {
    return { verdict: 'failed', reason: 'the gateway has no such key', remedy: 'apply-manifest' };
  }
  if (others.length === 0) return only;
  const ids = [only, ...others].map(({ id }) => id).join(', ');
  return { verdict: 'failed', code: 'plan.ambiguous', reason: `several keys have this name: ids ${ids}` };
}

/** Every selected check as a job; what can not run has its result already. */
export function jobsFor(
  selected: readonly Selected[],
  keys: readonly ObservedKey[],
  found: { readonly subjectOf: (key: ObservedKey) => Subject | undefined },
): Job[] {
  return selected.map((each) => {
    const key = tryFindKey(each.key, keys);
    const subject = 'verdict' in key ? undefined : found.subjectOf(key);
    const job: Job = { selected: each, requestIds: [], requests: 0, usages: [], ...(subject ? { subject } : {}) };
    if (each.leftOut !== undefined)
      job.result = unrun(job, { verdict: 'skipped', reason: each.leftOut, remedy: 'ask-for-costly-checks' });
    else if ('verdict' in key) job.result = unrun(job, key);
    else if (subject === undefined) {
      job.result = unrun(job, { verdict: 'failed', reason: 'the gateway does not reveal its secret' });
    }
    return job;
  });
}
