import {
  asFault,
  type Change,
  type DesiredState,
  Fault,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Outcome,
  type Plan,
  pendingChanges,
  type Quota,
} from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import { observe } from '../observe/observe.ts';
import { holds, patchOf } from '../plan/diff.ts';
import { raiseOf, usedByOthers, withoutDue } from '../plan/outlook.ts';
import { plan } from '../plan/plan.ts';
import { permitted, stepOf } from '../plan/resume.ts';
import { interrupted, type Run } from './run.ts';

/**
 * The plan made again after the writes, for the keys that the plan was about or should have been about: what it still has to
 * do did not converge. Refills that became due meanwhile are not part of it, nor what other generations used of a budget: keys
 * spend, and budget windows begin, while a run lasts. Without anything to plan from, it holds the applied changes that the gateway does not show.
 */
export async function planAgain(run: Run, { keys, quiet }: Walked): Promise<Plan | undefined> {
  const { desired, destroyAgain, leftOut, now, observed } = run.options;
  if (interrupted(run)) return undefined;
  const names = new Set(run.plan.changes.map((change) => change.name));
  try {
    if (destroyAgain) return destroyAgain({ ...observed, keys });
    if (!desired) {
      const { deliveries: _done, ...planned } = run.plan;
      return { ...planned, at: now(), notes: [], changes: unheld(run.outcomes, keys) };
    }
    const assumed = await compare(run, desired, { keys, quiet });
    // What a key spent after the log was read looks like a missing refill: then the log is read once more.
    const isSure = !quiet || pendingChanges(assumed.whole).length === 0;
    const { whole, seen } = isSure ? assumed : await compare(run, desired, { keys, quiet: false });
    const { pairs } = match(desired, keys);
    const spent = usedByOthers(whole, pairs, (id) => ownUseIn(seen, id) - ownUseIn(observed, id));
    const settled = withoutDue(whole, new Set([...dueSince(run, whole, keys), ...spent]));
    return {
      ...settled,
      changes: settled.changes.filter(
        (change) =>
          (names.has(change.name) || isMissed(run, change)) &&
          !leftOut?.has(stepOf(change)) &&
          !isOfLaterRun(run, change),
      ),
    };
  } catch (thrown) {
    run.fatal ??= asFault(thrown);
    return undefined;
  }
}

/**
 * The end of an old generation, or of a quarantine, that was not planned: a run deletes what an earlier one disabled, and ends what an
 * earlier one replaced.
 */
function isOfLaterRun({ plan: { changes } }: Run, change: Change): boolean {
  const isEnd = 'reason' in change && (change.reason === 'rotated' || isEndOfQuarantine(change));
  if (!isEnd) return false;
  return !changes.some((planned) => stepOf(planned) === stepOf(change));
}

const isEndOfQuarantine = (change: Change): boolean => change.verb === 'delete' && change.reason === 'quarantined';

/** Was the key there when the plan was made, and not in the list? Keys get ascending ids, so this one is not new. */
function isMissed({ options: { observed } }: Run, change: Change): boolean {
  if (!('id' in change)) return false;
  const ids = observed.keys.map(({ id }) => id);
  return !ids.includes(change.id) && ids.some((id) => id > change.id);
}

/**
 * Doubts outcomes by the last list: a key that two reads did not find, and that is listed, was reported as missing by mistake.
 * Its write may have taken effect before.
 */
export function doubtMissing({ outcomes }: Run, walked: readonly ObservedKey[]): void {
  const listed = new Set(walked.map(({ id }) => id));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.state !== 'failed' || outcome.fault.code !== 'gateway.not-found') continue;
    const { change } = outcome;
    if (!('id' in change) || !listed.has(change.id)) continue;
    const fault = new Fault(
      'gateway.indeterminate',
      `The gateway responded that key ${change.id} (“${change.name}”) does not exist, and listed it afterwards. It is unknown whether the change was made.`,
      { hint: 'Run the command again: it reads the key first.', cause: outcome.fault },
    );
    outcomes[index] = { state: 'indeterminate', change, fault };
  }
}

interface Walked {
  readonly keys: readonly ObservedKey[];
  /** Nothing was spent during the writes, as far as the usage log shows it. */
  readonly quiet: boolean;
}

async function compare(run: Run, desired: DesiredState, { keys, quiet }: Walked) {
  const { observed, now, machineNow, maxLogPages, usageCache, assumeLogComplete } = run.options;
  const { quotaPerUnit, groups, models } = observed;
  const seen = await observe(run.store, desired, {
    now: now(),
    ...(machineNow && { machineNow }),
    known: {
      quotaPerUnit,
      keys,
      ...(groups && { groups }),
      ...(models && { models }),
      ...(quiet && usageSeen(observed)),
      ...(observed.lastUse && { lastUse: observed.lastUse }),
    },
    ...(maxLogPages !== undefined && { maxLogPages }),
    ...(usageCache && { usageCache }),
    ...(assumeLogComplete && { assumeLogComplete }),
  });
  const whole = plan(desired, { ...seen, undelivered: awaiting(run) }, now(), { allowEnable: permitted(run.plan) });
  return { whole, seen };
}

/** The use of one key: of a generation among several, or of a key that was alone. */
const ownUseIn = ({ ownUse, used }: ObservedState, id: KeyId): number => ownUse?.get(id) ?? used.get(id) ?? 0;

/** Names the keys whose sinks lacked a secret when the run began: what waits for them waits for the next run. */
const awaiting = ({ plan: { deliveries = [] }, options: { observed } }: Run): ReadonlySet<string> =>
  new Set([...(observed.undelivered ?? []), ...deliveries.map(({ name }) => name)]);

const usageSeen = ({ used, unverified, ownUse, formerUse }: ObservedState) => ({
  used,
  ...(formerUse && { formerUse }),
  ...(unverified && { unverified }),
  ...(ownUse && { ownUse }),
});

/** Returns the keys that need a refill although they hold everything that the run left them with and they did not spend. */
function dueSince(run: Run, again: Plan, keys: readonly ObservedKey[]): ReadonlySet<KeyId> {
  const byId = new Map(keys.map((key) => [key.id, key]));
  const ids = again.changes.flatMap((change) => {
    if (raiseOf(change) === undefined || !('id' in change)) return [];
    const key = byId.get(change.id);
    const left = leftWith(run, change.id);
    return key && left && explains(left, key) ? [change.id] : [];
  });
  return new Set(ids);
}

/** The remainder that the run left a key with. */
interface Left {
  readonly before: ObservedKey;
  /** The written remainder, else the one that was observed before. */
  readonly remain: Quota;
}

function leftWith({ outcomes, options: { observed } }: Run, id: KeyId): Left | undefined {
  const before = observed.keys.find((key) => key.id === id);
  if (!before || before.unlimited) return undefined;
  const remain = outcomes
    .flatMap((outcome) => (outcome.state === 'applied' && outcome.id === id ? [outcome.change] : []))
    .flatMap((change) => ('edits' in change ? change.edits : []))
    .flatMap((edit) => (edit.field === 'remain' ? [edit.after] : []))[0];
  return { before, remain: remain ?? before.remain };
}

/** Does use alone lead from what a key was left with to what it holds now? */
function explains({ before, remain }: Left, now: ObservedKey): boolean {
  if (before.used !== undefined && now.used !== undefined) return now.remain + now.used >= remain + before.used;
  // Where the record does not report the use, a key that holds no more than before its refill may never have got it.
  return now.remain <= remain && (remain <= before.remain || now.remain > before.remain);
}

function unheld(outcomes: readonly Outcome[], keys: readonly ObservedKey[]): Plan['changes'] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return outcomes.flatMap((outcome) => {
    if (outcome.state !== 'applied') return [];
    const key = outcome.id === undefined ? undefined : byId.get(outcome.id);
    return isHeld(outcome.change, key) ? [] : [outcome.change];
  });
}

function isHeld(change: Outcome['change'], key: ObservedKey | undefined): boolean {
  switch (change.verb) {
    case 'create':
      return key !== undefined && holds(key, change.settings) && (change.enabled || key.status === 'disabled');
    case 'rename':
    case 'update':
      return key !== undefined && holds(key, patchOf(change.edits));
    case 'enable':
      return key?.status === 'enabled';
    case 'disable':
      return key?.status === 'disabled';
    case 'delete':
      return key === undefined;
    default:
      return change satisfies never;
  }
}
