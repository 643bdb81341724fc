import {
  type DesiredState,
  type Diagnostic,
  Fault,
  type GuardCode,
  matchesAnyGlob,
  type NameGlob,
  type ObservedState,
  type Plan,
  type UnixSeconds,
} from '../domain/index.ts';
import { guard, type Limits, narrow } from '../reconcile/index.ts';

/** The desired keys, and the observed keys that they are compared with at one moment. */
export interface Reading {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly now: UnixSeconds;
}

/** The keys that a run is about, and the limits that it lifts. */
export interface RunRequest {
  /** Globs of key names; absent or empty: all keys. */
  readonly only?: readonly NameGlob[];
  readonly allow?: Limits;
  /** The desired state before the change that is planned: the only record of what was declared earlier. */
  readonly basis?: DesiredState;
}

/** A plan as it would be applied. */
export interface Review {
  readonly plan: Plan;
  /** The reasons why an apply would refuse it; empty: it would not. */
  readonly refusals: readonly Diagnostic[];
  /** Globs of the request that match no key: misspelt, they would look like an account with nothing to do. */
  readonly unmatched: readonly NameGlob[];
  readonly now: UnixSeconds;
}

/** Narrows a plan to the keys of the request, and guards what is left. */
export function review(whole: Plan, reading: Reading, { only = [], allow = {} }: RunRequest): Review {
  const plan = only.length === 0 ? whole : narrow(whole, only);
  const names = whole.changes.flatMap((change) =>
    change.verb === 'rename' ? [change.name, change.from] : [change.name],
  );
  return {
    plan,
    refusals: guard(plan, reading, allow),
    unmatched: only.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name))),
    now: reading.now,
  };
}

/**
 * Ends a run whose plan is unsafe. Several refusals are one fault, with the code of the first.
 *
 * @throws Fault `guard.*`; `detail.refusals` has all of them.
 */
export function refuse(refusals: readonly Diagnostic[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  throw new Fault(first.code as GuardCode, refusals.map(({ message }) => message).join('\n'), {
    hint: 'Nothing was changed.',
    detail: { refusals },
  });
}
