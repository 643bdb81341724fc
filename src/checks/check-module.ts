import type {
  Advice,
  Artifact,
  AssertionName,
  CheckClass,
  CheckModule,
  CheckSpec,
  Exchange,
  Json,
  ObservedKey,
  StoredStatus,
} from '../domain/index.ts';
import type { Answered, CallbackReceiver, Clock, Inference } from '../gateway/index.ts';
import type { FamilyId, InferenceEndpointName } from '../wire/index.ts';
import type { Tasks } from './tasks/ledger.ts';

export type Body = { readonly [field: string]: Json };

/** The request of a check: its family, whose limits it is held against, and the body without the model of the path. */
export interface CheckRequest {
  readonly family: FamilyId;
  readonly body: Body;
}

/** A way to the gateway from another address: what should be refused there is asked through it. */
export interface AlternateRoute {
  readonly inference: Inference;
  /** `from 192.0.2.7`, `through http://proxy.example:3128`. */
  readonly description: string;
  /** The address that the gateway sees, where it is known. */
  readonly address?: string;
}

/** The key that is examined. Its credential is in `Trial.inference` only. */
export interface CheckedKey {
  readonly observed: ObservedKey;
  /** What it really is now, whatever is stored. */
  readonly status: StoredStatus;
}

/** One attempt at one check of one key: all that a module gets. */
export interface Trial {
  readonly spec: CheckSpec;
  readonly key: CheckedKey;
  /** Empty for modules that ask none. */
  readonly model: string;
  /** What {@link CheckModuleEntry.plea} made of model and spec. */
  readonly plea: CheckRequest | undefined;
  readonly inference: Inference;
  readonly recorder: CheckRecorder;
  /** Ends when the attempt's time is over. To be given to every call. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly alternateRoute: AlternateRoute | undefined;
  /** Where providers tell of video tasks, when they can reach us. */
  readonly receiver: CallbackReceiver | undefined;
  /** Paid tasks, written down before anybody waits for them. */
  readonly tasks: Tasks;
  /** Models that other keys of the account may use: one outside of this key’s list is among them. */
  readonly otherModels: readonly string[];
}

/** What came of a check, as it is found out. */
export interface CheckRecorder {
  /** Notes whether something is as it must be. Going on after one that does not hold is fine: all are reported. */
  claim(claim: string, holds: boolean, found?: string): void;
  /** Keeps request and answer for the report, and takes the times of the first one as those of the check. */
  exchange(
    title: string,
    request: unknown,
    answered: Pick<Answered<unknown>, 'raw' | 'status' | 'timing' | 'requestId'>,
  ): void;
  artifact(artifact: Artifact): void;
  task(id: string): void;
  /** Nothing that costs is sent by this attempt. */
  sentNothing(): void;
  /** What the answer says it used: by these figures the usage log is known again. */
  used(figures: { readonly input: number; readonly output: number }): void;
  /** The name by which the answer calls the model, withCharge against the one that was asked for. */
  answeredBy(model: string | null | undefined): void;
  /** Ends the check: it has no meaning for this key. */
  skip(reason: string): never;
  /** Ends the check: it can not be found out from here. */
  unprovable(reason: string, advice?: Advice): never;
}

/** Thrown by `skip` and `unprovable`. */
export class NotProven extends Error {
  readonly verdict: 'skipped' | 'unprovable';
  readonly advice: Advice;

  constructor(verdict: 'skipped' | 'unprovable', reason: string, advice: Advice = {}) {
    super(reason);
    this.verdict = verdict;
    this.advice = advice;
  }
}

/** Everything that was record, for the engine. */
export interface CheckRecord {
  readonly findings: { readonly claim: string; readonly holds: boolean; readonly found?: string }[];
  readonly exchanges: Exchange[];
  readonly artifacts: Artifact[];
  readonly requestIds: string[];
  readonly usages: { readonly input: number; readonly output: number }[];
  taskId?: string;
  /** It came to its end before anything that costs was sent. */
  sentNothing?: true;
  /** Of the first request: its first byte, and all of it. */
  firstByteMs?: number;
  latencyMs?: number;
}

/** One module, as data: the catalog is a list of these. */
export interface CheckModuleEntry {
  readonly id: CheckModule;
  /** What it usually costs. A module that pays is never free. */
  readonly schedule: CheckClass;
  readonly pays: boolean;
  /** Requests of one attempt that cost money; 1 unless reported. */
  readonly paidRequests?: number;
  /** Submits work that goes on without us: it is never tried again. */
  readonly isAsynchronous: boolean;
  /** May it be asked with a key that is disabled, expired or used up? Only who proves just that. */
  readonly wantsUsableKey: boolean;
  readonly timeoutMs: number;
  readonly expects: readonly AssertionName[];
  /** Could this model be asked by this module? Absent: the module needs no model. */
  readonly takes?: (model: string, family?: string) => boolean;
  /** The request, defaults first, the spec’s fields laid over them. Undefined: no family of the module takes the model. */
  readonly plea?: (model: string, spec: Pick<CheckSpec, 'request' | 'family'>) => CheckRequest | undefined;
  /** Endpoints that are asked and charged beside the plea’s own. */
  readonly alsoAsks?: readonly InferenceEndpointName[];
  /** One line for the documentation. */
  readonly proves: string;
  readonly examine: (trial: Trial) => Promise<void>;
}
