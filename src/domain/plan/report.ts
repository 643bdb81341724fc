import type { CheckReport } from '../check/check-report.ts';
import type { Fault } from '../fault.ts';
import type { KeyId } from '../key/key.ts';
import type { Quota } from '../quantity.ts';
import type { Remedy } from '../remedy.ts';
import type { DeliveryOutcome } from './delivery.ts';
import type { Change, Pending, Plan } from './plan.ts';

/**
 * The outcome of one change. `indeterminate`: the change was sent, its response was lost, and a lookup did not show whether
 * it took effect. The next run finds out; nothing is repeated blindly.
 */
export type Outcome =
  | { readonly state: 'applied'; readonly change: Pending; readonly id?: KeyId; readonly remark?: string }
  | { readonly state: 'failed' | 'indeterminate'; readonly change: Pending; readonly fault: Fault }
  /** The key was created, and is or may be enabled although it is declared disabled: it works until somebody disables it. */
  | {
      readonly state: 'left-enabled';
      readonly change: Extract<Change, { verb: 'create' }>;
      /** Undefined: the new key could not be identified. */
      readonly id?: KeyId;
      readonly fault: Fault;
    }
  | {
      readonly state: 'skipped';
      readonly change: Pending;
      readonly reason: string;
      /**
       * The code of the reason: `plan.stale` when somebody else changed the key since it was planned, `gateway.interrupted` when
       * the run was interrupted before the change was sent.
       */
      readonly code?: 'plan.stale' | 'gateway.interrupted';
      /** The way to have it done all the same. */
      readonly remedy?: Remedy | undefined;
    };

export type OutcomeState = Outcome['state'];

/** 0: a key that must not work does. 1: it may. 2: everything else. */
function exposureRank({ state, change }: Outcome): number {
  if (state === 'left-enabled') return 0;
  return state === 'indeterminate' && change.verb === 'create' && !change.enabled ? 1 : 2;
}

/** The outcomes with those first that somebody must act on immediately; the others keep their order. */
export const exposedFirst = (outcomes: readonly Outcome[]): readonly Outcome[] =>
  outcomes.toSorted((a, b) => exposureRank(a) - exposureRank(b));

/** Quota that a key spent between the read and the write of an update: given back by the write, then taken back. */
export interface SpendCorrection {
  /** The ID of the key. */
  readonly id: KeyId;
  /** The name of the key. */
  readonly name: string;
  /** The quota that the write gave back by mistake. */
  readonly units: Quota;
  /** False when taking it back failed: the key may spend this much more than declared. */
  readonly takenBack: boolean;
}

/** A difference from the time when a plan was saved. */
export interface Moved {
  /** The name of the key. */
  readonly name: string;
  /** The ID of the key, if it exists. */
  readonly id?: KeyId;
  /** The difference, in words. */
  readonly what: string;
}

/** The report of a run of apply. Always made, also after a fatal error or an interruption. */
export interface ApplyReport {
  /** The plan that was applied. */
  readonly plan: Plan;
  /** In the order in which they were settled, but those that somebody must act on immediately come first. */
  readonly outcomes: readonly Outcome[];
  /** The secrets that were delivered, and those that were not; absent: none was to be. */
  readonly deliveries?: readonly DeliveryOutcome[];
  /** The quota that keys spent while they were written. */
  readonly corrections: readonly SpendCorrection[];
  /** The keys whose spending during the writes could not be read: they may hold as much more as they spent; absent: none. */
  readonly unverified?: readonly string[];
  /** The differences since a plan was saved that do no more than its reviewer has seen; for a saved plan. */
  readonly moved?: readonly Moved[];
  /** The checks of the changed keys, made before anything was deleted; absent when there was nothing to check. */
  readonly checks?: CheckReport;
  /** The plan made again after the writes; undefined when that could not be done. */
  readonly after?: Plan;
  /** The fault that ended the run early, if any. */
  readonly fatal?: Fault;
  /** True if the run was interrupted: changes that had not begun are skipped. */
  readonly interrupted: boolean;
}
