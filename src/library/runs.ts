import { connectionOf } from '../client/index.ts';
import { type Machine, openFileJournal, thisMachine } from '../disk/index.ts';
import { checkOptions, type DesiredState, Fault, isolated, OPTION_RULES, type Plan } from '../domain/index.ts';
import { createEngine, type Engine, type EngineOptions, type Review, type RunRequest } from '../engine/index.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Manifest } from '../manifest/index.ts';
import {
  type ClaimStore,
  DEFAULT_SETTLE_SECONDS,
  defaultLockTimeout,
  type KeyStore,
  type LateCreates,
  type OutlookLimits,
  proveSecretsWith,
  type SinkAccess,
} from '../reconcile/index.ts';
import { checkManifest, checkStepOf } from './check.ts';
import { processEnvironment } from './environment.ts';
import type { KeyplaneEvent } from './events.ts';
import { desiredOf, isPlan, issue, verifyIssued } from './issued.ts';
import { locksOf } from './locks.ts';
import type {
  ApplyRequest,
  DriftRequest,
  FrontEnd,
  Keyplane,
  KeyplaneOptions,
  PlanRequest,
  RunOptions,
} from './options.ts';
import { ownSinks } from './own-sinks.ts';
import { ownStore } from './own-store.ts';
import { ensureValidated, refManifest } from './read-manifest.ts';
import { beforeWrites, engineRequest } from './request.ts';
import { declaredSinks } from './sinks.ts';

const DEFAULTS = { concurrency: 8, low: { percent: 10 }, expiringDays: 14 } as const;

const DAY_SECONDS = 86_400;

/** The work of a run, with the engine for the keys that it is about. */
type Work<T> = (engine: (desired: DesiredState) => Promise<Engine>, run: EngineOptions) => Promise<T>;

/** Opens the runs of one account. */
export function openRuns(given: KeyplaneOptions, front: FrontEnd): Keyplane {
  const options = connected(given, front);
  const { inspect = refuseUnmatched } = front;
  const machine = front.machine ?? thisMachine(processEnvironment(options.stateFolder));
  const checking = { options, machine, now: clockOf(options, machine) };
  const running = openWork();
  const store = options.gateway ? options.gateway.store : ownStore(options.store);
  /** Runs work with an engine whose signal and watcher are those of the object and of the run. */
  const run = <T>(request: RunOptions, work: Work<T>): Promise<T> => {
    const both = bothOf(options, request);
    const ports = { store, claims: options.gateway?.claims, ...endedWith(options.gateway, both.signal) };
    const of = engineOptions({ ...options, ...both }, { ...ports, machine, front });
    return running.watch(work(engineOpener(of, options.sinks), of));
  };
  return {
    plan: (manifest, request = {}) =>
      run(request, async (engine) => {
        const asked = await shownRequest(manifest, request, front);
        const review = await (await engine(manifest.desired)).plan(manifest.desired, asked);
        inspect(review);
        return await issued(review, manifest);
      }),
    drift: (manifest, request = {}) =>
      run(request, async (engine) => {
        const asked = { ...(await shownRequest(manifest, request, front)), limits: outlookLimits(request) };
        const review = await (await engine(manifest.desired)).drift(manifest.desired, asked);
        inspect(review);
        return review;
      }),
    apply: (subject, request = {}) =>
      run(request, async (engine, { signal }) => {
        const { manifest, desired, saved } = await subjectOf(subject, request);
        return await (await engine(desired)).apply(desired, {
          // A saved plan is compared with its manifest.
          ...(await (saved ? runRequest(manifest, request) : shownRequest(manifest, request, front))),
          ...beforeWrites(request, inspect, front.gateway ? undefined : signal),
          ...(saved ? { saved } : {}),
          pruneAnyway: request.pruneAnyway === true,
          ...checkStepOf({ ...checking, manifest, request, signal }),
          ...(options.gateway ? { proveSecrets: proveSecretsWith(options.gateway) } : {}),
        });
      }),
    destroy: (manifest, request = {}) =>
      run(request, async (engine, { signal }) =>
        (await engine(manifest.desired)).destroy(manifest.desired, {
          ...(await shownRequest(manifest, request, front)),
          ...beforeWrites(request, inspect, front.gateway ? undefined : signal),
        }),
      ),
    check(manifest, request = {}) {
      const { signal } = request;
      return run(signal ? { signal } : {}, (_, of) =>
        checkManifest({ ...checking, manifest, request, signal: of.signal, store: of.store }),
      );
    },
    /** Resolves once no run is under way. */
    [Symbol.asyncDispose]: () => running.ended(),
  };
}

/** The options with the connection of their account. */
function connected(given: KeyplaneOptions, front: FrontEnd): KeyplaneOptions<Gateway> {
  const gateway = front.gateway ?? (given.gateway && connectionOf(given.gateway));
  if (!gateway) return given.store ? { ...given, store: given.store } : refuseWithoutAccount();
  const { store: _replaced, ...common } = given;
  return { ...common, gateway };
}

function refuseWithoutAccount(): never {
  throw new Fault('usage.invalid', 'Neither `gateway` nor `store` names an account.');
}

/** Knows the work that is under way. */
function openWork() {
  const running = new Set<Promise<unknown>>();
  return {
    watch<T>(result: Promise<T>): Promise<T> {
      const ended = result.catch(() => undefined).finally(() => running.delete(ended));
      running.add(ended);
      return result;
    },
    async ended(): Promise<void> {
      await Promise.all(running);
    },
  };
}

/** The review with a plan that can be applied, and printed as JSON. */
async function issued(review: Review, { desired }: Manifest): Promise<Review> {
  const { encodePlan } = await import('../manifest/index.ts');
  return { ...review, plan: issue(review.plan, desired, () => encodePlan(review.plan, desired)) };
}

function outlookLimits({ low = DEFAULTS.low, expiringDays = DEFAULTS.expiringDays }: DriftRequest): OutlookLimits {
  return { low, expiring: Math.round(expiringDays * DAY_SECONDS) };
}

/** Returns what opens the engine for keys, with the sinks that they declare unless others replace them. */
const engineOpener =
  (of: EngineOptions, own: SinkAccess | undefined) =>
  async (desired: DesiredState): Promise<Engine> => {
    const sinks = own ? ownSinks(own) : await declaredSinks(desired);
    return createEngine({ ...of, ...(sinks ? { sinks } : {}) });
  };

/** The subject of a run: a manifest, or a plan, alone or with its manifest. */
async function subjectOf(subject: Plan | Manifest, { manifest }: ApplyRequest) {
  if (!isPlan(subject)) return { manifest: subject, desired: subject.desired, saved: undefined };
  if (!manifest) return { manifest: undefined, desired: desiredOf(subject), saved: subject };
  verifyIssued(subject);
  return { manifest, desired: manifest.desired, saved: subject };
}

/** The signal and the watcher of one run. */
function bothOf(options: KeyplaneOptions<Gateway>, request: RunOptions) {
  checkOptions(request, { signal: OPTION_RULES.signal, onEvent: OPTION_RULES.callback });
  const { signal, onEvent } = request;
  const signals = [options.signal, signal].filter((each) => each !== undefined);
  const watchers = [isolated(options.onEvent), isolated(onEvent)];
  return {
    onEvent: (event: KeyplaneEvent): void => {
      for (const watch of watchers) watch(event);
    },
    ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
  };
}

/** The request of the engine. @throws Fault `manifest.invalid` for an object that no manifest source has made */
async function runRequest(manifest: Manifest | undefined, request: PlanRequest): Promise<RunRequest> {
  if (!manifest) return engineRequest(request);
  const { commit } = request;
  const ref = await refManifest(manifest);
  return { ...engineRequest(request), manifest: commit === undefined ? ref : { ...ref, commit } };
}

/** The request of a run whose plan is made from the manifest, which it names unless it is only shown. @throws Fault as {@link runRequest} */
async function shownRequest(
  manifest: Manifest | undefined,
  request: PlanRequest,
  { onlyShows }: FrontEnd,
): Promise<RunRequest> {
  if (!onlyShows || !manifest) return await runRequest(manifest, request);
  await ensureValidated(manifest);
  return engineRequest(request);
}

/** A misspelt selection would look like an account with nothing to do. @throws Fault `plan.no-such-key` */
function refuseUnmatched({ unmatched, selectsNothing }: Review): void {
  if (unmatched.length === 0 && !selectsNothing) return;
  const globs = unmatched.map((glob) => JSON.stringify(glob)).join(', ');
  const message = unmatched.length > 0 ? `No key matches ${globs}.` : 'The run selects no key.';
  throw new Fault('plan.no-such-key', message, {
    hint: 'Nothing was changed. `*` matches any run of characters, `?` matches one; names are case-sensitive.',
    detail: { unmatched },
  });
}

/** The ports of one run: its signal ends reads at once, and a write only before it is sent. After it, reads show what became of it. */
function endedWith(gateway: Gateway | undefined, signal: AbortSignal | undefined) {
  if (!gateway || !signal) return {};
  const { store, claims } = gateway.within({ signal });
  return { store, claims };
}

interface RunPorts {
  readonly store: KeyStore;
  /** Undefined: the store keeps none. */
  readonly claims: ClaimStore | undefined;
  readonly machine: Machine;
  readonly front: FrontEnd;
}

function engineOptions(options: KeyplaneOptions<Gateway>, { store, claims, machine, front }: RunPorts): EngineOptions {
  const { lock = 'gateway', lockTimeoutMs, signal } = options;
  const settleSeconds = options.settleMs === undefined ? DEFAULT_SETTLE_SECONDS : options.settleMs / 1000;
  const notify = isolated(options.onEvent);
  return {
    store,
    ...locksOf({
      place: lock,
      claims,
      machine,
      settleSeconds,
      timeoutSeconds: lockTimeoutMs === undefined ? defaultLockTimeout(settleSeconds) : lockTimeoutMs / 1000,
      signal,
      notify,
      releaseAtEnd: front.releaseAtEnd,
    }),
    async waitForReaders(seconds) {
      notify({ kind: 'readers-wait', seconds });
      await machine.sleep(seconds * 1000, signal);
    },
    late: lateCreates({ store, machine, settleSeconds, signal, notify }),
    now: clockOf(options, machine),
    ...(options.clock ? {} : { machineNow: () => Math.floor(machine.wall() / 1000) }),
    concurrency: options.concurrency ?? DEFAULTS.concurrency,
    onEvent: notify,
    ...(signal ? { signal } : {}),
    ...(options.maxLogPages === undefined ? {} : { maxLogPages: options.maxLogPages }),
    ...(options.usageCache ? { usageCache: options.usageCache } : {}),
  };
}

/** Whole Unix seconds, by the clock of the options, of the gateway or of this machine. */
function clockOf({ clock, gateway }: KeyplaneOptions<Gateway>, machine: Machine): EngineOptions['now'] {
  const time = clock ?? gateway?.time;
  if (!time) return () => Math.floor(machine.wall() / 1000);
  return () => {
    const now: unknown = time.now();
    const ms = now instanceof Date ? now.getTime() : Number.NaN;
    if (Number.isFinite(ms)) return Math.floor(ms / 1000);
    throw new Fault('usage.invalid', 'The clock did not return a valid Date.', {
      hint: 'A number could mean seconds or milliseconds. Return `new Date(…)`.',
    });
  };
}

interface LateContext {
  readonly store: KeyStore;
  readonly machine: Machine;
  readonly settleSeconds: number;
  readonly signal: AbortSignal | undefined;
  readonly notify: (event: KeyplaneEvent) => void;
}

/** Protects from creates that take effect late, by a journal in a file. */
function lateCreates({ store, machine, settleSeconds, signal, notify }: LateContext): LateCreates {
  const { env, pid, random } = machine;
  return {
    journal: openFileJournal({
      env,
      account: store.account,
      pid,
      random,
      now: () => Math.floor(machine.wall() / 1000),
    }),
    settle: settleSeconds,
    async wait(waiting) {
      notify({ kind: 'create-wait', waiting });
      await machine.sleep(waiting.seconds * 1000, signal);
    },
    onResolved: (resolved) => notify({ kind: 'creates-resolved', resolved }),
    onTwinsDeleted: (twins) => notify({ kind: 'twins-deleted', twins }),
  };
}
