import type { Advice, CheckResult, KeyId, ObservedKey, Secret, Verdict } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { CheckedKey, TokenUsage } from '../check-module.ts';
import { groupedBy } from '../grouped-by.ts';
import type { Selected } from '../select.ts';

/** A key under check, with a client that has its credential. */
export interface KeyUnderCheck extends CheckedKey {
  readonly inference: Inference;
  readonly secret: Secret;
  /** The models that the gateway lists for the key; asked once for all checks of the key. */
  readonly listedModels: () => Promise<readonly string[]>;
}

/** One check of one key on its way through the run. */
export interface Job {
  readonly selected: Selected;
  /** Absent when there is no key to check; the job then has its result. */
  readonly subject?: KeyUnderCheck;
  model?: string;
  result?: CheckResult;
  /** An earlier run has paid: this one only looks at the task. */
  isPaid?: boolean;
  /** The estimated cost of all attempts, in quota units. */
  estimated?: number;
  /** True if no attempt can cost more than was estimated for it. */
  estimateIsMaximum?: boolean;
  /** Sums over all attempts. */
  requestIds: string[];
  requests: number;
  usages: TokenUsage[];
  /** The answer of the last attempt names no model. */
  isUnnamed?: boolean;
  /** Milliseconds from the start of the first attempt to the end of the last. */
  endedAfterMs?: number;
}

/** The number of attempts that the definition allows. A task is submitted once. */
export const maxAttemptsOf = ({ entry, spec }: Selected): number => 1 + (entry.isAsynchronous ? 0 : spec.retries);

/** The requests that a job sends one after another; a task is waited for much longer. */
const lengthOf = ({ selected: { entry } }: Job): number =>
  entry.isAsynchronous ? Number.MAX_VALUE : (entry.paidRequests ?? 1);

/** Tasks first, then checks of several requests: at the end, no long one begins while nothing else is left. */
export const longestFirst = (jobs: readonly Job[]): readonly Job[] =>
  jobs.toSorted((a, b) => lengthOf(b) - lengthOf(a));

export interface JobEnding extends Advice {
  readonly verdict: Verdict;
  readonly reason?: string;
  readonly code?: string;
}

/** The result of a job that never ran. */
export const resultWithoutRun = ({ selected, subject, model }: Job, ending: JobEnding): CheckResult => ({
  ...commonFields(selected, subject?.observed.id, model),
  ...ending,
  findings: [],
  attempts: 0,
  cost: {},
  exchanges: [],
  artifacts: [],
});

/** The fields that every result of a selected check has. */
export const commonFields = ({ key, spec, schedule }: Selected, keyId?: KeyId, model?: string) => ({
  key,
  ...(keyId === undefined ? {} : { keyId }),
  check: spec.name,
  module: spec.module,
  schedule,
  ...(model ? { model } : {}),
});

/** Returns the selected live key, or the reason why there is not exactly one. */
function tryFindKey(selected: Selected, keys: ReadonlyMap<string, readonly ObservedKey[]>): ObservedKey | JobEnding {
  const named = keys.get(selected.key) ?? [];
  const [only, ...others] = named.filter(({ id }) => (selected.id ?? id) === id);
  if (only === undefined) {
    return { verdict: 'failed', reason: 'the key does not exist in the account', remedy: 'apply-manifest' };
  }
  if (others.length === 0) return only;
  const ids = [only, ...others].map(({ id }) => id).join(', ');
  return { verdict: 'failed', code: 'plan.ambiguous', reason: `several keys have this name: ids ${ids}` };
}

/** Creates a job for every selected check. A job that cannot run has its result. */
export function jobsFor(
  selected: readonly Selected[],
  keys: readonly ObservedKey[],
  { subjectOf }: { readonly subjectOf: (key: ObservedKey) => KeyUnderCheck | undefined },
): Job[] {
  const named = groupedBy(keys, ({ name }) => name);
  return selected.map((each) => {
    const key = tryFindKey(each, named);
    const subject = 'verdict' in key ? undefined : subjectOf(key);
    const job: Job = { selected: each, requestIds: [], requests: 0, usages: [], ...(subject ? { subject } : {}) };
    if (each.omittedBecause !== undefined) {
      const ending: JobEnding = { verdict: 'skipped', reason: each.omittedBecause, remedy: 'ask-for-costly-checks' };
      job.result = resultWithoutRun(job, ending);
    } else if ('verdict' in key) job.result = resultWithoutRun(job, key);
    else if (subject === undefined) {
      job.result = resultWithoutRun(job, { verdict: 'failed', reason: 'the gateway does not reveal its secret' });
    }
    return job;
  });
}
