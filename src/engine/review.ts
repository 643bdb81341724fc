import {
  type Change,
  type DesiredState,
  type Diagnostic,
  declaredName,
  Fault,
  type GuardCode,
  inOneLine,
  type KeyId,
  type LabelSelector,
  type ManifestRef,
  matchesAnyGlob,
  type NameGlob,
  type ObservedState,
  type Plan,
  type PlanNote,
  planNote,
  selectsAll,
  type UnixSeconds,
} from '../domain/index.ts';
import {
  type AssumedAccount,
  assumedState,
  guard,
  type Limits,
  narrow,
  type ObservedSink,
  type PlanOptions,
  plan,
  planDeliveries,
} from '../reconcile/index.ts';

/** The desired keys, and the observed keys that they are compared with at one moment. */
export interface Reading {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly now: UnixSeconds;
  /** The sinks of the keys of the request. */
  readonly sinks?: readonly ObservedSink[];
  /** Keys that an earlier run created to be disabled, and that are not disabled yet. */
  readonly unfinished?: ReadonlySet<KeyId>;
}

/** The keys that a run is about, and the limits that it lifts. */
export interface RunRequest extends PlanOptions {
  /** Globs of key names; absent or empty: all keys. */
  readonly only?: readonly NameGlob[];
  /** Owners of keys, and labels that keys must have; absent or empty: all keys. */
  readonly owners?: readonly string[];
  readonly labels?: readonly LabelSelector[];
  readonly allow?: Limits;
  /** Somebody vouches for the usage log, so that budgets are raised as far as it asks for. */
  readonly assumeLogComplete?: boolean;
  /** The manifest that the desired state comes from; omitted: a saved plan is not compared with it. */
  readonly manifest?: ManifestRef;
}

/** A plan as it would be applied. */
export interface Review {
  /** The plan. */
  readonly plan: Plan;
  /** The reasons why an apply would refuse it; empty: it would not. */
  readonly refusals: readonly Diagnostic[];
  /** Globs of the request that match no key: misspelt, they would look like an account with nothing to do. */
  readonly unmatched: readonly NameGlob[];
  /** Does the request select no key although there are some? */
  readonly selectsNothing: boolean;
  /** The time of the judgement, in Unix seconds. */
  readonly now: UnixSeconds;
}

/** Narrows a plan to the keys of the request, and guards what is left. */
export function review(
  whole: Plan,
  reading: Reading,
  { only = [], owners = [], labels = [], allow = {}, manifest, assumeLogComplete = false }: RunRequest,
): Review {
  const selection = { names: only, owners, labels };
  const part = selectsAll(selection) ? whole : narrow(whole, selection);
  const deliveries = part.deliveries ?? planDeliveries(part, reading.sinks ?? []);
  const narrowed: Plan = {
    ...part,
    ...(deliveries.length > 0 && { deliveries }),
    ...(manifest && { manifest }),
    ...(assumeLogComplete && { assumesLogComplete: true }),
  };
  const names =
    only.length === 0
      ? []
      : whole.changes.flatMap((change) => [
          change.name,
          ...(change.of ? [change.of] : []),
          ...(change.verb === 'rename' ? [change.from] : []),
        ]);
  return {
    plan: narrowed,
    refusals: guard(narrowed, reading, allow),
    unmatched: only.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name))),
    selectsNothing: whole.changes.length > 0 && part.changes.length === 0,
    now: reading.now,
  };
}

/**
 * Plans, narrows and guards.
 *
 * @throws Fault `plan.not-held` when a permission names a key that no held enable is about: misspelt, it would look granted.
 */
export function reviewNew(reading: Reading, request: RunRequest): Review {
  const { desired, observed, now } = reading;
  const reviewed = review(plan(desired, observed, now, request), reading, request);
  const held = new Set(reviewed.plan.changes.flatMap((change) => (isAboutHeld(change) ? [declaredName(change)] : [])));
  const wrong = (request.allowEnable ?? []).filter((name) => !held.has(name));
  if (wrong.length === 0) return reviewed;
  const names = wrong.map((name) => `“${inOneLine(name)}”`).join(', ');
  throw new Fault('plan.not-held', `No enable is held for ${names}.`, {
    hint: 'Permission is for declared keys that are disabled at the gateway, by their exact names.',
    detail: { names: wrong },
  });
}

/** The notes about facts that nobody asked a gateway for. */
const OF_GATEWAY: readonly PlanNote['code'][] = ['groups-unverified', 'models-unverified'];

/**
 * Plans without a gateway: compares the desired keys with those of an earlier manifest, as if the account had exactly those.
 *
 * @throws Fault as {@link reviewNew}
 */
export function planOffline(
  { desired, basis, now }: { readonly desired: DesiredState; readonly basis: DesiredState; readonly now: UnixSeconds },
  account: AssumedAccount,
  request: RunRequest,
): Review {
  const reviewed = reviewNew({ desired, observed: assumedState(basis, account, now), now }, { ...request, basis });
  const note = planNote(
    'gateway-not-asked',
    'the gateway was not asked: the keys are taken to be as the earlier manifest declares them, and unused',
  );
  const notes = [note, ...reviewed.plan.notes.filter(({ code }) => !OF_GATEWAY.includes(code))];
  return { ...reviewed, plan: { ...reviewed.plan, notes } };
}

const isAboutHeld = (change: Change): boolean =>
  change.verb === 'hold' || (change.verb === 'enable' && change.reason === 'permitted');

/**
 * Ends a run whose plan is unsafe. Several refusals are one fault, with the code of the first.
 *
 * @throws Fault `guard.*`; `detail.refusals` has all of them.
 */
export function refuse(refusals: readonly Diagnostic[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  throw new Fault(first.code as GuardCode, refusals.map(({ message }) => message).join('\n'), {
    hint: 'Nothing was changed.',
    detail: { refusals },
  });
}
