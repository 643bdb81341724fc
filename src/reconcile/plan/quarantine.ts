import {
  type Change,
  evidenceOf,
  matchesKeyGlob,
  type ObservedKey,
  type ObservedState,
  type Ownership,
  planNote,
  type QuarantineName,
  quarantineEnd,
  quarantineEndFrom,
  renderInstant,
  tryParseQuarantine,
  tryQuarantineName,
  type UnixSeconds,
} from '../../domain/index.ts';
import { type commonOf, type Decision, only, settingsChange } from './decision.ts';

/** The earliest and the latest time that it may be: the clocks of the gateway and of this machine can differ. */
export interface QuarantineTimes {
  readonly earliest: UnixSeconds;
  readonly latest: UnixSeconds;
}

export const timesOf = ({ machineAt }: Pick<ObservedState, 'machineAt'>, now: UnixSeconds): QuarantineTimes => ({
  earliest: Math.min(now, machineAt ?? now),
  latest: Math.max(now, machineAt ?? now),
});

interface QuarantineContext {
  readonly ownership: Ownership;
  readonly at: QuarantineTimes;
}

/** The parts that all changes of an undeclared key have. */
type Common = Pick<Extract<Change, { verb: 'disable' }>, 'name' | 'id' | 'metadata' | 'before'>;

/**
 * Plans an undeclared key where deletion comes after a quarantine. It is disabled first, and deleted by a run that finds it unused
 * after that time. What somebody enabled stays; what was used, or has a name that does not fit it, waits once more. Pure.
 */
export function planQuarantine(key: ObservedKey, common: Common, { ownership, at }: QuarantineContext): Decision {
  const { before: _before, ...kept } = common;
  const { quarantine: seconds = 0 } = ownership;
  const stated = tryParseQuarantine(key.name);
  const evidence = stated && evidenceOf(stated, key);
  if (stated === undefined || evidence === 'unproven') {
    const begun = begin(key, common, { ownership, at });
    return stated ? { ...begun, notes: [restarts(key, 'its name states a quarantine that does not fit it')] } : begun;
  }
  if (key.status !== 'disabled') return only({ verb: 'retain', ...kept, reason: 'enabled-in-quarantine' });
  if (evidence === 'used') {
    return { ...begin(key, common, { ownership, at }), notes: [restarts(key, usedText(stated, key))] };
  }
  const until = quarantineEnd(stated, seconds);
  const quarantine = { since: stated.day, until };
  if (at.earliest < until) return only({ verb: 'retain', ...kept, reason: 'in-quarantine', quarantine });
  return only({ verb: 'delete', ...common, reason: 'quarantined', quarantine });
}

/** Is there a name for the quarantine of this key that this manifest still owns? */
function isMarkable(key: ObservedKey, { ownership: { scope = [] }, at }: QuarantineContext): boolean {
  const name = tryQuarantineName(key.name, key, { at: at.latest, isByQuarantine: true });
  return name !== undefined && matchesKeyGlob(scope, name);
}

function begin(key: ObservedKey, common: Common, context: QuarantineContext): Decision {
  const { before: _before, ...kept } = common;
  if (isMarkable(key, context)) {
    const quarantine = { until: quarantineEndFrom(context.at.latest, context.ownership.quarantine ?? 0) };
    return only({ verb: 'disable', ...common, reason: 'quarantined', quarantine });
  }
  if (key.status === 'disabled') return only({ verb: 'retain', ...kept, reason: 'unmarkable' });
  return only({ verb: 'disable', ...common, reason: 'pruned' });
}

const restarts = ({ name }: ObservedKey, why: string) =>
  planNote('quarantine-restarts', `${why}: its quarantine begins again`, name);

function usedText({ day }: QuarantineName, { accessedAt }: ObservedKey): string {
  const last = accessedAt === undefined ? '' : `, last at ${renderInstant(accessedAt)}`;
  return `it was used after its quarantine began on ${renderInstant(day).slice(0, 10)}${last}`;
}

/** Does a live key have the name of a key in quarantine? */
export const isInQuarantine = ({ name }: Pick<ObservedKey, 'name'>): boolean => tryParseQuarantine(name) !== undefined;

/**
 * Plans a key in quarantine that is declared again: its settings first, and its name last, after it was enabled. The name is what
 * permits that, so a run that is killed before leaves it for the next one.
 */
export function planRestored(
  common: ReturnType<typeof commonOf>,
  live: ObservedKey,
  all: Parameters<typeof settingsChange>[2],
): Change[] {
  const names = all.filter(({ field }) => field === 'name');
  const others = all.filter(({ field }) => field !== 'name');
  const written = settingsChange({ ...common, name: live.name }, live, others);
  return [...written.map((change) => ({ ...change, name: common.name })), ...settingsChange(common, live, names)];
}

/** Is this the last step of a key that leaves its quarantine? */
export const isRestore = (change: Change): boolean => change.verb === 'rename' && isInQuarantine({ name: change.from });
