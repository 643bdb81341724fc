/** What is known of a paid task from earlier. */
export type Earlier =
  /** Nothing: it may be submitted, and is written down as being submitted. */
  | { readonly state: 'free'; readonly submission: Submission }
  /** It was submitted: there is a task to look at. */
  | {
      readonly state: 'submitted';
      readonly taskId: string;
      readonly submittedAt: number;
      readonly submission: Submission;
    }
  /** Whether it was submitted is not known: nobody saw the answer. */
  | { readonly state: 'indeterminate'; readonly submittedAt: number }
  /** Another run on this machine is submitting it at this moment. */
  | { readonly state: 'busy' };

/** One paid task on its way. Each step is on the disk before it resolves. */
export interface Submission {
  submitted(taskId: string): Promise<void>;
  /** The gateway certainly did not take it: it may be submitted again. */
  refused(): Promise<void>;
  /** The answer was lost. */
  lost(): Promise<void>;
  /** It has ended and was looked at: the next run pays for a new one. */
  settled(): Promise<void>;
}

/** Which paid task this is: the same check of the same key with the same request is the same task. */
export interface TaskIdentity {
  readonly key: number;
  readonly check: string;
  readonly model: string;
  readonly request: unknown;
}

/** The paid tasks of an account, kept where a crash does not take them. */
export interface Tasks {
  /** Takes the task for this run; exactly one run gets `free`. */
  claim(task: TaskIdentity): Promise<Earlier>;
  /** Is it paid for already, so that there is only a task to look at? */
  isUnderWay(task: TaskIdentity): Promise<boolean>;
}
