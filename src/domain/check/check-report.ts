import type { Fault } from '../fault.ts';
import type { AccountRef, KeyId } from '../key/key.ts';
import type { Json } from '../kinds/json.ts';
import type { Decimal, Quota } from '../quantity.ts';
import type { Advice } from '../remedy.ts';
import type { CheckClass, CheckModule } from './check.ts';
import type { MediaFacts } from './media-facts.ts';

/** `unprovable`: it could not be found out from here. Neither that nor `skipped` says anything of the key. */
export type Verdict = 'passed' | 'failed' | 'skipped' | 'unprovable';
export const VERDICTS = ['passed', 'failed', 'skipped', 'unprovable'] as const satisfies readonly Verdict[];

/** One thing that was looked at in an answer. */
export interface Finding {
  /** What should be so, as a sentence: “the vector has 1536 dimensions”. */
  readonly claim: string;
  readonly holds: boolean;
  /** What was there instead, or as well. Never key material. */
  readonly found?: string;
}

/** A picture or a video that an answer brought. */
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

/** What one check cost, in quota units. Each is absent where nobody knows. */
export interface CheckCost {
  /** From what the account paid for the model before. */
  readonly estimated?: Quota;
  /** From the usage log, after. */
  readonly charged?: Quota;
}

/** How one check of one key ended. */
export interface CheckResult extends Advice {
  readonly key: string;
  readonly keyId?: KeyId;
  readonly check: string;
  readonly module: CheckModule;
  readonly schedule: CheckClass;
  readonly model?: string;
  readonly verdict: Verdict;
  /** Why it failed, was skipped or is unprovable: one line. Absent: passed. */
  readonly reason?: string;
  /** Of a fault that ended it: for machines. */
  readonly code?: string;
  /** Those of the last attempt, in the order in which they were found. */
  readonly findings: readonly Finding[];
  /** How often it was tried. More than 1 and passed: flaky. 0: it never ran. */
  readonly attempts: number;
  /** Milliseconds since 1970. Absent: it never ran. */
  readonly startedAt?: number;
  /** Milliseconds of the last attempt: all of it, and the first request’s first byte. */
  readonly durationMs?: number;
  readonly firstByteMs?: number;
  readonly cost: CheckCost;
  readonly exchanges: readonly Exchange[];
  readonly artifacts: readonly Artifact[];
  /** Of a video: the task, under which it can be looked at again. */
  readonly taskId?: string;
}

export const isFlaky = ({ verdict, attempts }: CheckResult): boolean => verdict === 'passed' && attempts > 1;

/** What a run of checks found out. Always made, also after a fatal error or an interruption. */
export interface CheckReport {
  /** Absent: the gateway was not reached. */
  readonly account?: AccountRef;
  /** Units for one dollar, where the gateway said so. */
  readonly quotaPerUnit?: Decimal;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** By key, then in the order in which they ran. */
  readonly results: readonly CheckResult[];
  /** What remains of each key that was looked at, by its name; null: unlimited. */
  readonly remaining: Readonly<Record<string, Quota | null>>;
  /** The most that the run might cost. */
  readonly cap?: Quota;
  /** Checks were skipped because of it. */
  readonly capReached: boolean;
  readonly interrupted: boolean;
  /** What ended the run early, if something did. */
  readonly fatal?: Fault;
}
