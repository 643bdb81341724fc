import {
  type Change,
  type DesiredState,
  declaredName,
  type Edit,
  type EnableReason,
  exceedsExposure,
  isPending,
  type KeyPolicy,
  type Moved,
  type ObservedState,
  type Pending,
  type Plan,
  pendingChanges,
  type Quota,
  SETTING_NAMES,
  samePolicy,
  sameSetting,
  selectionOf,
  selectsAll,
  type UnixSeconds,
} from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import { holds, patchOf } from './diff.ts';
import { inDollars, moved, showSetting } from './moved.ts';
import { narrow, plan } from './plan.ts';
import { policiesOf } from './policies.ts';

/** A saved plan, computed again from the keys as they are now. */
export interface Resumed {
  /** The changes that the saved plan has and that are still needed, with amounts computed now from the saved policies. */
  readonly plan: Plan;
  /** The changes that became necessary since, and that the saved plan does not have, by {@link stepOf}. */
  readonly leftOut: ReadonlySet<string>;
  /** The differences that a reviewer would want to see again. Empty: the plan may be carried out. */
  readonly stale: readonly Moved[];
  /** The differences that do no more than the reviewer has seen. */
  readonly harmless: readonly Moved[];
}

interface Sides {
  readonly saved: Plan;
  readonly fresh: Plan;
  readonly observed: ObservedState;
}

/** Identifies a change: its verb and its key. */
export const stepOf = (change: Change): string => `${change.verb} ${'id' in change ? change.id : change.name}`;

/** Reasons that a record shows, and that need nobody's permission. */
const SHOWN: readonly EnableReason[] = ['repaired', 'redeclared'];

/** The keys that a plan enables with permission. */
export const permitted = ({ changes }: Plan): readonly string[] =>
  changes.flatMap((change) =>
    change.verb === 'enable' && !SHOWN.includes(change.reason) ? [declaredName(change)] : [],
  );

const about = (change: Change, what: string): Moved => ({
  name: change.name,
  ...('id' in change ? { id: change.id } : {}),
  what,
});

const stepsOf = (made: Plan): ReadonlyMap<string, Pending> =>
  new Map(pendingChanges(made).map((change) => [stepOf(change), change]));

const isAmount = ({ field }: Edit): boolean => field === 'remain';

/** Spending, and the start of a window, cause such changes at any time: their policy was reviewed. */
const isAmountOnly = (change: Pending): boolean =>
  (change.verb === 'update' && change.edits.every(isAmount)) ||
  (change.verb === 'enable' && change.reason === 'repaired');

const isByPolicy = ({ after: { kind } }: KeyPolicy): boolean =>
  kind === 'lifetime' || kind === 'window' || kind === 'top-up';

const keyOf = ({ id, name }: KeyPolicy): string | number => id ?? name;

const byKey = (policies: readonly KeyPolicy[]): ReadonlyMap<string | number, KeyPolicy> =>
  new Map(policies.map((policy) => [keyOf(policy), policy]));

const ownedBy = ({ changes }: Plan) =>
  new Map(changes.flatMap((change) => ('id' in change ? [[change.id, change] as const] : [])));

/** Lists keys that are owned now and were not, or were and no longer are. */
function appearances({ saved, fresh, observed }: Sides, names: readonly Moved[]): readonly Moved[] {
  const [then, now] = [ownedBy(saved), ownedBy(fresh)];
  const live = new Set(observed.keys.map(({ id }) => id));
  const explained = new Set(names.map(({ id }) => id));
  return [
    ...[...then].flatMap(([id, change]) =>
      now.has(id) || explained.has(id)
        ? []
        : [about(change, live.has(id) ? 'it is no longer owned' : 'it no longer exists')],
    ),
    ...[...now].flatMap(([id, change]) => (then.has(id) ? [] : [about(change, 'it is new')])),
  ];
}

/** Lists keys that somebody gave another name: whatever else differs about them follows from that. */
function renamed({ saved, fresh, observed }: Sides): readonly Moved[] {
  const names = new Map(observed.keys.map(({ id, name }) => [id, name]));
  const now = ownedBy(fresh);
  return [...ownedBy(saved)].flatMap(([id, change]) => {
    const [name, today] = [names.get(id), now.get(id)];
    const former = 'before' in change ? change.before.name : change.name;
    const isSame = name === former || (today && declaredName(today) === declaredName(change));
    if (name === undefined || isSame) return [];
    return [about(change, `name is now ${showSetting('name', name)} (was ${showSetting('name', former)})`)];
  });
}

const STATUS = 'status';

/** Lists the settings that somebody changed on keys that the saved plan changes. */
function touched({ saved, fresh, observed }: Sides): readonly Moved[] {
  const needed = stepsOf(fresh);
  const policies = byKey(fresh.policies);
  return moved(saved, observed, (change) => {
    const policy = policies.get(change.id);
    // A policy computes the remainder again, whatever it is now.
    const amount = policy && isByPolicy(policy) ? (['remain'] as const) : [];
    if (needed.has(stepOf(change))) return new Set(amount);
    const edited = 'edits' in change ? change.edits.map(({ field }) => field) : [];
    return new Set([...amount, ...edited, ...('edits' in change ? [] : ([STATUS] as const))]);
  });
}

const VERBS: Readonly<Record<Pending['verb'], string>> = {
  create: 'created',
  rename: 'renamed',
  update: 'updated',
  enable: 'enabled',
  disable: 'disabled',
  delete: 'deleted',
};

/** Lists changes that are necessary now, and that nobody has reviewed. */
function unseen({ saved, fresh }: Sides): readonly Moved[] {
  const seen = stepsOf(saved);
  return pendingChanges(fresh)
    .filter((change) => !seen.has(stepOf(change)) && !isAmountOnly(change))
    .map((change) => about(change, `it would be ${VERBS[change.verb]} now; the saved plan does not do that`));
}

/** Lists settings that the desired state no longer asks for as the saved plan has them. */
function redeclared({ saved, fresh, observed }: Sides): readonly Moved[] {
  const needed = stepsOf(fresh);
  const byId = new Map(observed.keys.map((key) => [key.id, key]));
  return pendingChanges(saved).flatMap((change): readonly Moved[] => {
    const now = needed.get(stepOf(change));
    if (now === undefined) {
      const live = 'id' in change ? byId.get(change.id) : undefined;
      const isDone = !('edits' in change) || !live || holds(live, patchOf(change.edits));
      return isDone ? [] : [about(change, 'its update is no longer declared')];
    }
    const [then, today] = [wantedOf(change), wantedOf(now)];
    // A field that the saved plan leaves alone was not reviewed either.
    const fields = SETTING_NAMES.filter((field) => field !== 'remain' && field in today);
    const others = fields.filter((field) => !(field in then && sameSetting(then[field] ?? null, today[field] ?? null)));
    const status = statusOfNew(change) === statusOfNew(now) ? [] : [STATUS];
    return [...others.filter((field) => field in then), ...status]
      .map((field) => about(change, `another ${termOf(field)} is declared now`))
      .concat(
        others
          .filter((field) => !(field in then))
          .map((field) => about(change, `its ${termOf(field)} would change now; the saved plan does not do that`)),
      );
  });
}

/** Two settings hold a budget. */
const termOf = (field: string): string => (field === 'unlimited' ? 'budget' : field);

const statusOfNew = (change: Pending) => (change.verb === 'create' ? change.enabled : undefined);

const wantedOf = (change: Pending) => {
  if (change.verb === 'create') return change.settings;
  return 'edits' in change ? patchOf(change.edits) : {};
};

/** Lists keys whose policy is another, or that can spend more than the saved plan shows. */
function exposed({ saved, fresh }: Sides, leftOut: ReadonlySet<string | number>): readonly Moved[] {
  const now = byKey(fresh.policies);
  return saved.policies.flatMap((policy): readonly Moved[] => {
    const today = now.get(keyOf(policy));
    if (!today) return [];
    const { name, id, after, exposure } = policy;
    const of = { name, ...(id === undefined ? {} : { id }) };
    if (!samePolicy(after, today.after, fresh.quotaPerUnit)) return [{ ...of, what: 'another budget is declared now' }];
    const isBound = exposure.after.units > 0n && isByPolicy(today) && !leftOut.has(keyOf(policy));
    if (isBound || !exceedsExposure(today.exposure.after, exposure.after)) return [];
    const [more, less] = [today, policy].map((each) => {
      const { units, unbounded } = each.exposure.after;
      return unbounded > 0 ? 'without a limit' : inDollars(units, fresh.quotaPerUnit);
    });
    return [{ ...of, what: `its exposure is ${more} now (was ${less})` }];
  });
}

function remainOf(change: Pending | undefined): Quota | undefined {
  if (!change || !('edits' in change)) return undefined;
  return change.edits.flatMap((edit) => (edit.field === 'remain' ? [edit.after] : []))[0];
}

/** Lists what changed without anybody's doing, or without effect. */
function harmlessOf({ saved, fresh }: Sides): readonly Moved[] {
  const [then, now] = [stepsOf(saved), stepsOf(fresh)];
  const lost = [...then].flatMap(([step, change]) =>
    now.has(step) ? [] : [about(change, `it no longer needs to be ${VERBS[change.verb]}`)],
  );
  const amounts = [...now].flatMap(([step, change]) => {
    const [planned, today] = [remainOf(then.get(step)), remainOf(change)];
    if (!then.has(step) || today === undefined || planned === today) return [];
    const before = planned === undefined ? 'did not set it' : `has ${inDollars(planned, fresh.quotaPerUnit)}`;
    return [
      about(change, `its remaining budget is set to ${inDollars(today, fresh.quotaPerUnit)}; the saved plan ${before}`),
    ];
  });
  const due = [...now].flatMap(([step, change]) =>
    !then.has(step) && isAmountOnly(change)
      ? [about(change, 'a change of its remaining budget is due; it is not part of the saved plan')]
      : [],
  );
  return [...lost, ...amounts, ...due];
}

function once(moves: readonly Moved[]): readonly Moved[] {
  const seen = new Map(moves.map((move) => [`${move.id} ${move.name} ${move.what}`, move]));
  return [...seen.values()];
}

/**
 * Computes a saved plan again and compares both: what a reviewer would want to see again makes it stale, what moved
 * harmlessly is listed. Pure.
 *
 * Harmless are spending, the start of a budget window, and changes that are no longer needed. Settings that somebody
 * changed, keys that appeared or vanished, changes that nobody has seen and more exposure make the plan stale. So the
 * changes of the result are those that were reviewed, or fewer.
 *
 * @throws Fault `plan.ambiguous` as {@link plan} does.
 */
export function resume(
  saved: Plan,
  { desired, observed, now }: { desired: DesiredState; observed: ObservedState; now: UnixSeconds },
): Resumed {
  const whole = plan(desired, observed, now, { allowEnable: permitted(saved), madeAt: saved.at });
  const selection = selectionOf(saved);
  const fresh = selectsAll(selection) ? whole : narrow(whole, selection);
  const seen = stepsOf(saved);
  const isLeftOut = (change: Change): boolean => isPending(change) && !seen.has(stepOf(change));
  const changes = fresh.changes.filter((change) => !isLeftOut(change));
  const left = fresh.changes.filter(isLeftOut);
  const policies = policiesOf(match(desired, observed.keys), changes, { observed, now });
  const earlier = byKey(saved.policies);
  const kept = new Set(fresh.policies.map(keyOf));
  const resumed: Plan = {
    ...fresh,
    changes,
    policies: policies
      .filter((policy) => kept.has(keyOf(policy)))
      .map((policy) => ({ ...policy, before: earlier.get(keyOf(policy))?.before ?? policy.before })),
    ...(saved.manifest ? { manifest: saved.manifest } : {}),
    ...(saved.assumesLogComplete ? { assumesLogComplete: true } : {}),
  };
  const sides = { saved, fresh, observed };
  const ids = new Set(left.map((change) => ('id' in change ? change.id : change.name)));
  const names = renamed(sides);
  const owned = [...names, ...appearances(sides, names)];
  const others = redeclared(sides).filter(({ id }) => !owned.some((move) => move.id === id));
  const facts = [...touched(sides), ...owned, ...others];
  const explained = new Set(facts.map(({ name }) => name));
  const consequences = [...unseen(sides), ...exposed({ ...sides, fresh: resumed }, ids)];
  return {
    plan: resumed,
    leftOut: new Set(left.map(stepOf)),
    stale: once([...facts, ...consequences.filter(({ name }) => !explained.has(name))]),
    harmless: harmlessOf(sides),
  };
}
