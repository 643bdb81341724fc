import {
  type Advice,
  type Artifact,
  type AssertionName,
  type CheckClass,
  type CheckModule,
  type CheckSpec,
  type CustomModule,
  type Decimal,
  type Exchange,
  type Finding,
  type ObservedKey,
  oncePer,
  oncePerValue,
  type RunnableCheck,
  type StoredStatus,
  type Verdict,
} from '../domain/index.ts';
import type { Answered, Clock, Inference } from '../gateway/index.ts';
import type { FamilyId, InferenceEndpointName } from '../wire/index.ts';
import { attemptNumber, freshRequest } from './built-in-texts.ts';
import { type CheckRequest, type DraftRequest, type PreparedRequest, validRequest } from './check-request.ts';
import type { CallbackInbox } from './media/callback-inbox.ts';
import type { TaskLedger } from './tasks/ledger.ts';

/** A way to the gateway from another address, through which requests must be rejected. */
export interface AlternateRoute {
  readonly inference: Inference;
  /** `from 192.0.2.7`, `through http://proxy.example:3128`. */
  readonly description: string;
  /** The address that the gateway sees, where it is known. */
  readonly address?: string;
}

/** The key that is checked. Its credential is in `CheckContext.inference` only. */
export interface CheckedKey {
  readonly observed: ObservedKey;
  /** The current status, which may differ from the stored one. */
  readonly status: StoredStatus;
}

/** One attempt at one check of one key: everything that a module gets. */
export interface CheckContext {
  readonly spec: RunnableCheck;
  readonly key: CheckedKey;
  /** Empty for modules that need no model. */
  readonly model: string;
  /** Absent for modules without a request of their own. */
  readonly prepared: PreparedRequest | undefined;
  readonly inference: Inference;
  readonly recorder: CheckRecorder;
  /** Aborts when the time of the attempt is over. Every call gets it. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly alternateRoute: AlternateRoute | undefined;
  /** The notifications of providers about video tasks, where a receiver is open. */
  readonly callbacks: CallbackInbox | undefined;
  /** The ledger of paid tasks. */
  readonly tasks: TaskLedger;
  readonly quotaPerUnit: Decimal;
  /** Models that other keys of the account may use, among them models that this key may not. */
  readonly otherModels: readonly string[];
}

/** The context of a module that sends a request of one of these families. */
export interface RequestContext<F extends FamilyId> extends CheckContext {
  readonly request: CheckRequest<F>;
  /** The number of this attempt, which the built-in texts of the request have. */
  readonly number: string;
}

/** Token counts that an answer reports. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** Records the findings and the traffic of one attempt. */
export interface CheckRecorder {
  /** Records whether a claim holds. An attempt continues after a claim that does not: the report has all of them. */
  claim(claim: string, holds: boolean, found?: string): void;
  /** Keeps request and answer for the report. The times of the first exchange are those of the check. */
  exchange(
    title: string,
    request: unknown,
    answered: Pick<Answered<unknown>, 'raw' | 'status' | 'timing' | 'requestId'>,
  ): void;
  artifact(artifact: Artifact): void;
  task(id: string): void;
  /** Marks the attempt as one that sends nothing that costs money, whatever the gateway accepts. */
  sentNothing(): void;
  /** Records the usage that an answer reports. It identifies the entry of the usage log. */
  used(usage: TokenUsage): void;
  /**
   * Claims that the models that an answer names are the requested one. Without any, only the usage log can show which model has
   * answered.
   */
  answeredBy(...models: readonly (string | null | undefined)[]): void;
  /** Gives advice for the case that a claim does not hold. */
  advise(advice: Advice): void;
  /** Ends the check: it does not apply to this key. */
  skip(reason: string): never;
  /** Ends the check: nothing can be proven from here. */
  unprovable(reason: string, advice?: Advice): never;
}

/** Thrown by `skip` and `unprovable`, and for what a check of a program throws. */
export class NotProven extends Error {
  readonly verdict: Exclude<Verdict, 'passed'>;
  readonly advice: Advice;

  constructor(verdict: NotProven['verdict'], reason: string, advice: Advice = {}) {
    super(reason);
    this.verdict = verdict;
    this.advice = advice;
  }
}

/** Everything that a recorder has recorded. */
export interface CheckRecord {
  readonly findings: Finding[];
  readonly exchanges: Exchange[];
  readonly artifacts: Artifact[];
  readonly requestIds: string[];
  readonly usages: TokenUsage[];
  taskId?: string;
  advice?: Advice;
  /** The attempt ended before it sent anything that costs money. */
  sentNothing?: true;
  /** An answer names no model. */
  isUnnamed?: true;
  /** Times of the first request: until its first byte, and until its end. */
  firstByteMs?: number;
  latencyMs?: number;
}

/** The properties of a module that are data. */
export interface ModuleFacts<M extends CheckModule | CustomModule = CheckModule> {
  /** The name of the module in manifests. */
  readonly id: M;
  /** The usual cost. A module that pays is never free. */
  readonly schedule: CheckClass;
  /** True if the gateway charges for its requests. */
  readonly pays: boolean;
  /** Requests of one attempt that cost money. Default: 1. */
  readonly paidRequests?: number;
  /** The module that asks for the same answers as a stream. */
  readonly streamedBy?: CheckModule;
  /** The module asks for a stream. */
  readonly isStream?: true;
  /** The media of its answer include images that must be decoded. Absent: never. */
  readonly decodesImages?: (spec: Pick<CheckSpec, 'request'>) => boolean;
  /** The module submits work that continues without us: it is never retried. */
  readonly isAsynchronous: boolean;
  /** False for modules that prove that a disabled, expired or exhausted key is rejected. */
  readonly needsUsableKey: boolean;
  /** The default time limit of a check. */
  readonly timeoutMs: number;
  /** The assertions that it can check. */
  readonly assertions: readonly AssertionName[];
  /** The purpose, in one line of the documentation. */
  readonly proves: string;
}

type BuildRequest = (model: string, spec: Pick<CheckSpec, 'request' | 'family'>) => DraftRequest | undefined;

/** The definition of a module that sends requests of some families. */
interface RequestModule<F extends FamilyId> extends ModuleFacts {
  readonly families: readonly F[];
  /** Returns whether the module can ask this model. */
  readonly accepts: (model: string, family?: string) => boolean;
  /** Merges the declared fields into the defaults; undefined when no family of the module takes the model. */
  readonly buildRequest: BuildRequest;
  /** Endpoints that it calls, and that are charged, in addition to that of its request. */
  readonly alsoCalls?: readonly InferenceEndpointName[];
  readonly run: (context: RequestContext<F>) => Promise<void>;
}

/** A module of the catalog. */
export interface CheckModuleEntry<M extends CheckModule | CustomModule = CheckModule>
  extends ModuleFacts<M>,
    Partial<Pick<RequestModule<FamilyId>, 'alsoCalls'>> {
  /** Absent for a module that needs no model. */
  readonly accepts?: (model: string, family?: string) => boolean;
  /** Absent for a module without a request of its own. */
  readonly buildRequest?: BuildRequest;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** A module that a run can contain: one of the catalog, or a check that a program defines. */
export type RunnableEntry = CheckModuleEntry<CheckModule | CustomModule>;

/** Defines a module that gets its request validated and typed. All keys of a check and a model share one request. */
export function requestModule<F extends FamilyId>({ families, run, ...facts }: RequestModule<F>): CheckModuleEntry {
  const draftsOf = oncePer((spec: Parameters<BuildRequest>[1]) =>
    oncePerValue((model: string) => facts.buildRequest(model, spec)),
  );
  const valid = oncePer((prepared: PreparedRequest) => validRequest(prepared, families));
  return {
    ...facts,
    buildRequest: (model, spec) => draftsOf(spec)(model),
    async run(context) {
      if (context.prepared === undefined) throw new Error(`${facts.id} has no request`);
      const number = attemptNumber(context);
      await run({ ...context, number, request: freshRequest(valid(context.prepared), number) });
    },
  };
}
