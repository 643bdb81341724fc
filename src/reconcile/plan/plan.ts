import {
  byText,
  type Change,
  type DesiredKey,
  type DesiredState,
  type Edit,
  generationName,
  isProtectedKey,
  isSelected,
  type KeySelection,
  matchesAnyGlob,
  minuteOf,
  type ObservedKey,
  type ObservedState,
  type Plan,
  type PlanNote,
  planNote,
  quota,
  SETTING_NAMES,
  type SettingName,
  selectsMetadata,
  type UnixSeconds,
  type Verb,
} from '../../domain/index.ts';
import { refuseGone } from '../observe/adopt.ts';
import { isRenameSource } from '../observe/ambiguous.ts';
import { fingerprint } from '../observe/fingerprint.ts';
import { type Matching, match, type Pair } from '../observe/match.ts';
import { isOld } from '../rotate/lineage.ts';
import { byRule, commonOf, type Decision, only, originOf, settingsChange } from './decision.ts';
import { type DiffContext, diff, patchOf, rememberSets, settingsOfNew, snapshotOf } from './diff.ts';
import { planOld, planSuccessor } from './generations.ts';
import { clearingNotes, isLacked, type Lacking, lackedBy, lackingNotes } from './lacking.ts';
import {
  budgetNotes,
  formerNotes,
  limitNotes,
  oddNotes,
  refusalNotes,
  statusNotes,
  topUpNotes,
  twinNotes,
  unverifiedNotes,
} from './plan-notes.ts';
import { policiesOf } from './policies.ts';
import {
  isInQuarantine,
  isRestore,
  planQuarantine,
  planRestored,
  type QuarantineTimes,
  timesOf,
} from './quarantine.ts';
import { type PlanOptions, type StatusContext, statusChange } from './status.ts';

/**
 * The order in which verbs are applied: a declared disable waits for nothing, renames free names, deletes come last, keys
 * without change after all. Held enables come first, because a reader must not miss them.
 */
const ORDER: readonly Verb[] = ['hold', 'rename', 'create', 'update', 'enable', 'disable', 'delete', 'keep', 'retain'];

const rankOf = (change: Change): number =>
  change.verb === 'disable' && change.reason === 'declared'
    ? 0.5
    : ORDER.indexOf(isRestore(change) ? 'enable' : change.verb) + (isRestore(change) ? 0.5 : 0);

/**
 * Compares the desired with the observed keys and returns the changes that reconcile them.
 *
 * Pure: the same arguments give the same plan, byte for byte, in any order of keys. Ownership is settled before
 * comparing; what may not be pruned is retained and reported. Deletes come last.
 * Does not judge whether the plan is safe to run: see {@link guard}.
 *
 * @param now Unix seconds; budget windows and the effective status are computed from it.
 * @param options the earlier manifest, and the disabled keys that may be enabled; any other stays disabled.
 * @throws Fault `plan.ambiguous` when two live keys answer to one declared name; `plan.stale-adoption`.
 */
export function plan(
  desired: DesiredState,
  observed: ObservedState,
  now: UnixSeconds,
  options: PlanOptions = {},
): Plan {
  const { matching, made } = settle(desired, observed, now, options);
  return {
    ...made,
    policies: policiesOf(matching, made.changes, { basis: options.basis, observed, now }),
    fingerprint: fingerprint(observed, ownedOf(matching)),
  };
}

/** A plan that nobody applies or saves: without the exposure of the keys, and without the fingerprint. */
export type Preview = Omit<Plan, 'policies' | 'fingerprint'>;

/** Compares as {@link plan} does, for less: a refresh of Terraform asks about each key by itself. */
export const preview = (...sides: Parameters<typeof plan>): Preview => settle(...sides).made;

function settle(
  desired: DesiredState,
  observed: ObservedState,
  now: UnixSeconds,
  options: PlanOptions = {},
): { readonly matching: Matching; readonly made: Preview } {
  const matching = match(desired, observed.keys);
  refuseGone(matching.missing);
  const lacking = lackedBy(observed.keys, observed.unkept);
  const ofPair = { now, options, lacking, ownership: desired.ownership, normal: rememberSets() };
  const decisions = [
    ...matching.missing.map((key) => planNew(key, observed, { lacking, at: options.madeAt ?? now })),
    ...matching.pairs.map((pair) => planPair(pair, observed, ofPair)),
    ...matching.undeclared.map((key) => planUndeclared(key, desired, timesOf(observed, now))),
  ];
  const changes = decisions.flatMap((decision) => decision.changes);
  const notes = [
    ...twinNotes(matching, observed),
    ...unverifiedNotes(changes, observed),
    ...limitNotes(changes, observed),
    ...refusalNotes(changes, observed),
  ];
  const sorted = inOrder({ observed, matching, now }, [...decisions, { changes: [], notes }]);
  return { matching, made: { ...sorted, ...(observed.wallet === undefined ? {} : { wallet: observed.wallet }) } };
}

const namesOf = (change: Change): readonly string[] => [
  change.name,
  ...(change.of ? [change.of] : []),
  ...(change.verb === 'rename' ? [change.from] : []),
];

/** Returns the part of a plan that concerns selected keys, by their old or new names. */
export function narrow(whole: Plan, selection: KeySelection): Plan {
  const { names = [], owners = [], labels = [] } = selection;
  const changes = whole.changes.filter((change) => isSelected(selection, namesOf(change), change.metadata));
  const ids = new Set<number | undefined>(changes.flatMap((change) => ('id' in change ? [change.id] : [])));
  const chosen = new Set(changes.flatMap(namesOf));
  const about = (name: string): boolean =>
    selectsMetadata(selection) ? chosen.has(name) : matchesAnyGlob(names, name);
  return {
    ...whole,
    changes,
    notes: whole.notes.filter(({ data }) => data === undefined || about(data.name)),
    ...(whole.deliveries && { deliveries: whole.deliveries.filter(({ name }) => about(name)) }),
    policies: whole.policies.filter(
      ({ name, of, id }) => about(of ?? name) || about(name) || (id !== undefined && ids.has(id)),
    ),
    ...(names.length > 0 ? { only: names } : {}),
    ...(owners.length > 0 ? { owners } : {}),
    ...(labels.length > 0 ? { labels } : {}),
  };
}

interface Setting {
  readonly observed: ObservedState;
  readonly matching: Matching;
  readonly now: UnixSeconds;
}

const idOf = (change: Change): number => (change.verb === 'create' ? 0 : change.id);

const ownedOf = ({ pairs, undeclared }: Matching): readonly ObservedKey[] => [
  ...pairs.map(({ live }) => live),
  ...undeclared,
];

export const assemble = (setting: Setting, decisions: readonly Decision[]): Plan => ({
  ...inOrder(setting, decisions),
  policies: [],
  fingerprint: fingerprint(setting.observed, ownedOf(setting.matching)),
});

function inOrder({ observed, matching, now }: Setting, decisions: readonly Decision[]): Preview {
  const owned = ownedOf(matching);
  return {
    account: observed.account,
    at: now,
    quotaPerUnit: observed.quotaPerUnit,
    changes: decisions
      .flatMap((decision) => decision.changes)
      .sort((a, b) => rankOf(a) - rankOf(b) || byText(a.name, b.name) || idOf(a) - idOf(b)),
    notes: [...decisions.flatMap((decision) => decision.notes), ...owned.flatMap(oddNotes)].sort(
      (a, b) => byText(a.data?.name ?? '', b.data?.name ?? '') || byText(a.code, b.code),
    ),
    invisible: matching.invisible.length,
    owned: owned.length,
  };
}

interface NewContext {
  readonly lacking: Lacking;
  readonly at: UnixSeconds;
}

/** The first generation of a key that rotates states its age in its name: not every gateway reports it. */
function planNew(key: DesiredKey, observed: ObservedState, { lacking, at }: NewContext): Decision {
  const name = key.rotate ? generationName(key.name, { born: minuteOf(at) }) : key.name;
  const used = observed.formerUse?.get(key.name);
  const settings = { ...settingsOfNew(key, observed.quotaPerUnit, used), name };
  const isLost = (field: SettingName): boolean =>
    Boolean(settings[field]) && isLacked(lacking, settings.group, { field, after: settings[field] });
  const note: PlanNote[] = key.budget
    ? []
    : [planNote('no-budget', 'no budget is declared, and a new key needs one', key.name)];
  return {
    changes: [
      {
        verb: 'create',
        name,
        settings,
        enabled: key.enabled !== false,
        ...originOf(key),
        ...(name !== key.name && { of: key.name }),
      },
    ],
    notes: [...note, ...formerNotes(key, observed), ...lackingNotes(key.name, SETTING_NAMES.filter(isLost), lacking)],
  };
}

interface PairContext extends StatusContext {
  /** The settings that have no effect at the gateway. */
  readonly lacking: Lacking;
  readonly ownership: DesiredState['ownership'];
  readonly normal: Required<DiffContext>['normal'];
}

function planPair(pair: Pair, observed: ObservedState, context: PairContext): Decision {
  const { desired, live } = pair;
  const used = usedOf(desired, live, observed);
  const all = diff(desired, live, { quotaPerUnit: observed.quotaPerUnit, used, normal: context.normal });
  const group = desired.group ?? live.group;
  const lost = all.filter((edit) => isLacked(context.lacking, group, edit));
  // Without its use, the remainder that a key should have is unknown.
  const isLeft = (edit: Edit): boolean => lost.includes(edit) || (edit.field === 'remain' && isUnknown(observed, live));
  const edits: readonly Edit[] = all.filter((edit) => !isLeft(edit));
  if (isOld(pair)) return planOld(pair, edits, { ...context, observed });
  const after: ObservedKey = edits.length === 0 ? live : { ...live, ...patchOf(edits) };
  const common = commonOf(desired, live);
  const asked = statusChange({ desired, live, after }, context);
  const rotation = planSuccessor(pair, edits, context);
  // People know the current generation by the declared name.
  const known = desired.of === undefined ? desired : { ...desired, name: desired.of };
  // A key that is being replaced is not held: it stays disabled, and its successor works.
  const status = asked?.verb === 'hold' && rotation.changes.length > 0 ? undefined : asked;
  const own: Change[] = [
    ...(isInQuarantine(live) ? planRestored(common, live, edits) : settingsChange(common, live, edits)),
    ...(status ? [{ ...common, before: snapshotOf(live), ...status }] : []),
  ];
  return {
    changes: [...(own.length > 0 ? own : [{ verb: 'keep', ...common } as const]), ...rotation.changes],
    notes: [
      ...statusNotes(known, after, context.now),
      ...topUpNotes(known, live, observed),
      ...budgetNotes(known, live, observed),
      ...formerNotes(known, observed),
      ...lackingNotes(
        known.name,
        lost.map(({ field }) => field),
        context.lacking,
      ),
      ...clearingNotes(live, edits, context.lacking),
      ...rotation.notes,
    ],
  };
}

/** Nothing is known of the use. What is not accounted for is known: the use counts it. */
const isUnknown = ({ unverified }: ObservedState, { id }: ObservedKey): boolean =>
  unverified?.has(id) === true && unverified.get(id) !== 'log-incomplete';

/**
 * The use since the window began: from the record for a lifetime budget where the gateway reports it, else from the log. A key that was
 * created after the log was read used nothing, and former keys of its name what they had used then.
 */
function usedOf({ budget, name, of = name }: DesiredKey, live: ObservedKey, { used, formerUse }: ObservedState) {
  const fromRecord = budget?.kind === 'lifetime' ? live.used : undefined;
  const former = budget?.kind === 'window' ? formerUse?.get(of) : undefined;
  return used.get(live.id) ?? fromRecord ?? former ?? quota(0);
}

function planUndeclared(key: ObservedKey, desired: DesiredState, at: QuarantineTimes): Decision {
  const { keys, ownership } = desired;
  const { id, name } = key;
  const before = snapshotOf(key);
  const common = { name, id, ...byRule(name, desired) };
  const retain = (reason: Extract<Change, { verb: 'retain' }>['reason']): Decision =>
    only({ verb: 'retain', ...common, reason });
  if (ownership.prune === 'never') return retain('prune-never');
  if (isProtectedKey(ownership.protect, name, undefined)) return retain('protected');
  if (key.smartRouting) return retain('smart-routing');
  if (keys.some((declared) => isRenameSource(declared, key))) return retain('rename-source');
  if (ownership.quarantine !== undefined) return planQuarantine(key, { ...common, before }, { ownership, at });
  if (ownership.prune === 'delete') return only({ verb: 'delete', ...common, before, reason: 'pruned' });
  if (key.status === 'disabled') return retain('already-disabled');
  return only({ verb: 'disable', ...common, before, reason: 'pruned' });
}
