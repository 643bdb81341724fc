import type { Quota } from '../../domain/index.ts';

/** The known state of a paid task. */
export type ClaimedTask =
  /** Unknown until now: this run may submit it, and it is recorded as being submitted. */
  | { readonly state: 'free'; readonly submission: Submission }
  /** An earlier run has submitted it. */
  | {
      readonly state: 'submitted';
      readonly taskId: string;
      readonly submittedAt: number;
      readonly submission: Submission;
    }
  /**
   * The answer to its submission was lost. `charges`: the amounts in the usage log that may be for it; absent if it is
   * unreadable.
   */
  | { readonly state: 'indeterminate'; readonly submittedAt: number; readonly charges?: readonly Quota[] }
  /** Another run on this machine is submitting it. */
  | { readonly state: 'busy' };

/** Records the progress of one paid task. Each step is on disk before it resolves. */
export interface Submission {
  submitted(taskId: string): Promise<void>;
  /** The gateway has certainly not accepted it: it may be submitted again. */
  refused(): Promise<void>;
  /** The answer was lost. */
  lost(): Promise<void>;
  /** The task has ended, and its result could not be read. A later run tries again, and pays for a new task only on request. */
  unread(): Promise<void>;
  /** The task has ended and was checked: the next run pays for a new one. */
  settled(): Promise<void>;
}

/** Identifies a paid task: the same check of the same key with the same request is the same task. */
export interface TaskIdentity {
  readonly key: number;
  readonly check: string;
  readonly model: string;
  readonly request: unknown;
}

/** The paid tasks of an account, in storage that survives a crash. */
export interface TaskLedger {
  /** Claims the task for this run. Exactly one run gets `free`. */
  claim(task: TaskIdentity): Promise<ClaimedTask>;
  /** Returns whether the task is submitted and not settled. */
  isUnderWay(task: TaskIdentity): Promise<boolean>;
}
