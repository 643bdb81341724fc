import type { Fault } from '../fault.ts';
import type { AccountRef, KeyId } from '../key/key.ts';
import type { Json } from '../kinds/json.ts';
import type { Decimal, Quota } from '../quantity.ts';
import type { Advice } from '../remedy.ts';
import type { CheckClass, CheckModule, CustomModule } from './check.ts';
import type { MediaFacts } from './media-facts.ts';

/** `unprovable` means that nothing can be proven from here. Neither it nor `skipped` is a statement about the key. */
export type Verdict = 'passed' | 'failed' | 'skipped' | 'unprovable';
export const VERDICTS = ['passed', 'failed', 'skipped', 'unprovable'] as const satisfies readonly Verdict[];

/** One claim about an answer, and whether it holds. */
export interface Finding {
  /** A sentence such as “the vectors have 1536 dimensions”. */
  readonly claim: string;
  readonly holds: boolean;
  /** The value that was found. Never key material. */
  readonly found?: string;
}

/** An image or a video of an answer. */
export interface Artifact {
  readonly title: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly facts?: MediaFacts;
}

/** One request and its answer, without credentials, long texts shortened. */
export interface Exchange {
  readonly title: string;
  readonly request: Json;
  readonly answer: Json;
  readonly status?: number;
  readonly requestId?: string;
}

/** The cost of one check, in quota units. Unknown figures are absent. */
export interface CheckCost {
  /** Estimated from earlier charges for the model, else from its price. */
  readonly estimated?: Quota;
  /** True if the check cannot cost more than estimated, false if this is what earlier ones cost. Absent without an estimate. */
  readonly estimateIsMaximum?: boolean;
  /** According to the usage log. */
  readonly charged?: Quota;
}

/** The result of one check of one key. */
export interface CheckResult extends Advice {
  /** The name of the key. */
  readonly key: string;
  /** The ID of the key, if it exists. */
  readonly keyId?: KeyId;
  /** The name of the check. */
  readonly check: string;
  /** The module of the check. */
  readonly module: CheckModule | CustomModule;
  /** The class of its cost. */
  readonly schedule: CheckClass;
  /** The model that it called. */
  readonly model?: string;
  /** The outcome. */
  readonly verdict: Verdict;
  /** The reason in one line. Absent if the check passed. */
  readonly reason?: string;
  /** The code of the fault that ended it, for programs. */
  readonly code?: string;
  /** The findings of the last attempt, in order. */
  readonly findings: readonly Finding[];
  /** Number of attempts. A check that passed after more than one is flaky; 0 means that it never ran. */
  readonly attempts: number;
  /** Milliseconds since 1970. Absent if it never ran. */
  readonly startedAt?: number;
  /** Milliseconds of the last attempt, in total and until the first byte of its first request. */
  readonly durationMs?: number;
  /** Milliseconds until the first byte of the first request of the last attempt. */
  readonly firstByteMs?: number;
  /** The estimated and the charged cost. */
  readonly cost: CheckCost;
  /** The requests that it sent. */
  readonly exchanges: readonly Exchange[];
  /** The files that it saved. */
  readonly artifacts: readonly Artifact[];
  /** The task of a video, which later runs can query. */
  readonly taskId?: string;
}

export const isFlaky = ({ verdict, attempts }: CheckResult): boolean => verdict === 'passed' && attempts > 1;

/** The report of a run. There is one also after a fatal error or an interruption. */
export interface CheckReport {
  /** Absent if the gateway was not reached. */
  readonly account?: AccountRef;
  /** Quota units per dollar, if the gateway reported the rate. */
  readonly quotaPerUnit?: Decimal;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The duration of the run, in milliseconds. */
  readonly durationMs: number;
  /** By key, then in the order in which they ran. */
  readonly results: readonly CheckResult[];
  /** The remaining quota of each checked key after the checks, by name; null for unlimited keys, absent where it was not read. */
  readonly remaining: Readonly<Record<string, Quota | null>>;
  /** The cost limit of the run. */
  readonly cap?: Quota;
  /** The part of the charges that exceeds the limit. Absent if they do not. */
  readonly excess?: Quota;
  /** True if checks were skipped because of the limit. */
  readonly capReached: boolean;
  /** True if the run was interrupted: checks that had not begun are skipped. */
  readonly interrupted: boolean;
  /** The fault that ended the run early. */
  readonly fatal?: Fault;
}
