import type { CheckReport } from '../check/check-report.ts';
import type { Fault } from '../fault.ts';
import type { KeyId } from '../key/key.ts';
import type { Quota } from '../quantity.ts';
import type { Pending, Plan } from './plan.ts';

/**
 * How one change ended. `indeterminate`: it was sent, its answer was lost, and looking it up did not settle whether it
 * took effect. The next run finds out; nothing is repeated blindly.
 */
export type Outcome =
  | { readonly state: 'applied'; readonly change: Pending; readonly id?: KeyId; readonly remark?: string }
  | { readonly state: 'failed' | 'indeterminate'; readonly change: Pending; readonly fault: Fault }
  | { readonly state: 'skipped'; readonly change: Pending; readonly reason: string };

export type OutcomeState = Outcome['state'];

/** Quota that a key spent between the read and the write of an update: given back by the write, then taken back. */
export interface SpendCorrection {
  readonly id: KeyId;
  readonly name: string;
  readonly units: Quota;
  /** False when taking it back failed: the key may spend this much more than declared. */
  readonly takenBack: boolean;
}

/** What a run of apply did. Always made, also after a fatal error or an interruption. */
export interface ApplyReport {
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  readonly corrections: readonly SpendCorrection[];
  /** How the keys that changed were proven, before anything was deleted; absent: nothing was to be proven. */
  readonly checks?: CheckReport;
  /** The plan made again after the writes; undefined when that could not be done. */
  readonly after?: Plan;
  /** What ended the run early, if something did. */
  readonly fatal?: Fault;
  readonly interrupted: boolean;
}
