import pMap from 'p-map';
import {
  asFault,
  type CheckReport,
  type DeliveryOutcome,
  type DesiredState,
  type Fault,
  type KeyId,
  type ObservedState,
  type Outcome,
  type Pending,
  type Plan,
  pendingChanges,
  pendingDeliveries,
  type Secret,
  type SpendCorrection,
  type UnixSeconds,
  type Verb,
} from '../../domain/index.ts';
import type { LateCreates } from '../create/create-journal.ts';
import type { SinkAccess } from '../deliver/port.ts';
import type { KeyStore } from '../ports.ts';
import type { UsageCache } from '../usage/memory.ts';
import type { Suspect } from '../usage/take-back-by-log.ts';

export type Phase = 'rename' | 'create' | 'update' | 'status' | 'deliver' | 'check' | 'delete' | 'verify';

/** The progress of a run, for a person who watches it. `outcome` counts over the whole run, `step` within the phase. */
export type ApplyEvent =
  | { readonly kind: 'phase'; readonly phase: Phase; readonly total: number }
  | { readonly kind: 'step'; readonly phase: Phase; readonly done: number; readonly total: number }
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly done: number; readonly total: number };

/** Proves by requests with the secrets of keys that the gateway accepts them; a key that it does not accept has a fault. */
export type ProveSecrets = (ids: readonly KeyId[]) => Promise<ReadonlyMap<KeyId, Fault | undefined>>;

export interface ApplyOptions {
  /** The account as it was seen right before: ids known, rate and groups asked. */
  readonly observed: ObservedState;
  /** The state that the plan was made from; omitted for a saved plan. With it, the plan is made again after the writes. */
  readonly desired?: DesiredState;
  /** Plans a destruction again. One list may miss a key, so it is made also when the plan had nothing to do. */
  readonly destroyAgain?: (observed: ObservedState) => Plan;
  /** Changes that are known to be necessary and are not made: see `resume`. */
  readonly leftOut?: ReadonlySet<string>;
  readonly now: () => UnixSeconds;
  /** The time of this machine; omitted: it is not known to differ from that of the gateway. */
  readonly machineNow?: () => UnixSeconds;
  readonly concurrency: number;
  /** Once aborted, no further change is begun; those that run are finished. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ApplyEvent) => void;
  /**
   * Proves keys that have just been written or delivered, by their names, with the values that were delivered; nothing is
   * deleted when one of its checks failed.
   */
  readonly prove?:
    | ((names: readonly string[], delivered: ReadonlyMap<string, Secret>) => Promise<CheckReport | undefined>)
    | undefined;
  /** The sinks of the declared keys. Omitted: nothing is delivered. */
  readonly sinks?: SinkAccess;
  /** Waits until the readers of sinks have what is in them. Omitted: generations whose sinks need time do not end. */
  readonly waitForReaders?: (seconds: number) => Promise<void>;
  /** Omitted: nothing proves a successor, so no old generation ends. */
  readonly proveSecrets?: ProveSecrets;
  /** Prunes keys although a create or a rename of the same run did not succeed. */
  readonly pruneAnyway?: boolean;
  readonly maxLogPages?: number;
  readonly usageCache?: UsageCache;
  readonly assumeLogComplete?: boolean;
  /** Protects from creates that take effect late. Absent: a create whose answer was lost is looked for once. */
  readonly late?: LateCreates;
  /**
   * Given where other runs declare keys of their own: a second new key of a name may be theirs. It stays unless this resolves to
   * true: no other run can have created it. Omitted: all runs declare the same keys, and an unused twin is deleted.
   */
  readonly isAlone?: () => Promise<boolean>;
  /** Rejects once another run may have taken the lock of the account: nothing more is written then. */
  readonly ensureHeld?: () => Promise<void>;
}

/** One run of apply while it goes on. */
export interface Run {
  readonly plan: Plan;
  readonly store: KeyStore;
  readonly options: ApplyOptions;
  /** The number of changes that write something. */
  readonly total: number;
  readonly outcomes: Outcome[];
  readonly deliveries: DeliveryOutcome[];
  /** The secrets that arrived in a sink, by the names of their keys: as a sink returns them, else as they were sent. */
  readonly delivered: Map<string, Secret>;
  readonly corrections: SpendCorrection[];
  readonly suspects: Suspect[];
  /** The names of keys whose spending during their writes could not be read. */
  readonly unverified: Set<string>;
  /** The keys that this run has disabled. */
  readonly disabled: Set<KeyId>;
  /** The keys that this run has enabled. */
  readonly enabled: Set<KeyId>;
  /** The checks of the written keys. */
  checks: CheckReport | undefined;
  /** The fault that ended the run early. */
  fatal: Fault | undefined;
  /** The gateway refused a create because the account has too many keys. */
  isFull: boolean;
  /** The number of consecutive faults that mean that the gateway is unreachable. */
  unreachable: number;
}

export function beginRun(plan: Plan, store: KeyStore, options: ApplyOptions): Run {
  const total = pendingChanges(plan).length;
  return {
    plan,
    store,
    options,
    total,
    outcomes: [],
    deliveries: [],
    delivered: new Map(),
    corrections: [],
    suspects: [],
    unverified: new Set(),
    disabled: new Set(),
    enabled: new Set(),
    checks: undefined,
    fatal: undefined,
    isFull: false,
    unreachable: 0,
  };
}

/** The keys of which a change did not succeed. */
export const failedIds = ({ outcomes }: Run): ReadonlySet<KeyId> =>
  new Set(outcomes.flatMap(({ state, change }) => (state !== 'applied' && 'id' in change ? [change.id] : [])));

/** Does the plan write anything, to the account or to a sink? */
export const isIdle = ({ plan }: Pick<Run, 'plan'>): boolean =>
  pendingChanges(plan).length === 0 && pendingDeliveries(plan).length === 0;

export const interrupted = (run: Run): boolean => run.options.signal?.aborted ?? false;

/** Records the outcome of a change and emits the event. */
export function settle(run: Run, outcome: Outcome): void {
  run.outcomes.push(outcome);
  if (outcome.state === 'applied' && outcome.change.verb === 'disable') run.disabled.add(outcome.change.id);
  if (outcome.state === 'applied' && outcome.change.verb === 'enable') run.enabled.add(outcome.change.id);
  if ('fault' in outcome) noteFault(run, outcome.fault);
  else run.unreachable = 0;
  run.options.onEvent?.({ kind: 'outcome', outcome, done: run.outcomes.length, total: run.total });
}

/** Records that these changes are not made. */
export function skipAll(
  run: Run,
  changes: readonly Pending[],
  why: Pick<Extract<Outcome, { state: 'skipped' }>, 'reason' | 'remedy'>,
): void {
  for (const change of changes) settle(run, { state: 'skipped', change, ...why });
}

/** The changes with these verbs. */
export function changesOf<V extends Verb>(run: Run, verb: V): readonly Extract<Pending, { verb: V }>[] {
  type Wanted = Extract<Pending, { verb: V }>;
  return pendingChanges(run.plan).filter((change): change is Wanted => change.verb === verb);
}

const MOST_UNREACHABLE = 3;

/** Some faults will meet every further request: then the run ends instead of failing thousands of times. */
export function noteFault(run: Run, fault: Fault): void {
  run.unreachable = fault.code === 'gateway.unreachable' ? run.unreachable + 1 : 0;
  if (fault.code === 'credentials.refused' || run.unreachable >= MOST_UNREACHABLE) run.fatal ??= fault;
}

/** A run without its lock writes nothing more. */
export async function hasLostLock(run: Run): Promise<boolean> {
  try {
    await run.options.ensureHeld?.();
    return false;
  } catch (thrown) {
    // An interruption also ends the requests that a lock needs.
    if (!interrupted(run)) run.fatal ??= asFault(thrown);
    return true;
  }
}

/** Returns the reason why nothing more is started; undefined while the run goes on. */
export async function halted(run: Run): Promise<string | undefined> {
  if (!interrupted(run) && run.fatal === undefined) await hasLostLock(run);
  if (interrupted(run)) return 'interrupted before it started';
  return run.fatal && `not started after ${run.fatal.code}`;
}

/** The progress of a phase whose changes come in batches. */
export interface PhaseProgress {
  readonly phase: Phase;
  done: number;
  readonly total: number;
}

/** Begins a phase, and emits the event unless it has nothing to do. */
export function beginPhase(run: Run, phase: Phase, total: number): PhaseProgress {
  if (total > 0) run.options.onEvent?.({ kind: 'phase', phase, total });
  return { phase, done: 0, total };
}

/** Does `work` for each change of a phase, a few at a time; what is not begun is skipped with the reason. */
export async function eachChange<C extends Pending>(
  run: Run,
  { changes, progress }: { readonly changes: readonly C[]; readonly progress: PhaseProgress },
  work: (change: C) => Promise<void>,
): Promise<void> {
  const { phase, total } = progress;
  await pMap(
    changes,
    async (change) => {
      const reason = await halted(run);
      if (reason) settle(run, { state: 'skipped', change, reason });
      else await work(change).catch((thrown) => settle(run, { state: 'failed', change, fault: asFault(thrown) }));
      progress.done += 1;
      run.options.onEvent?.({ kind: 'step', phase, done: progress.done, total });
    },
    { concurrency: run.options.concurrency },
  );
}
