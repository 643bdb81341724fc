import {
  type Change,
  type DesiredKey,
  FIELD_ROWS,
  initialCeiling,
  isExhausted,
  isExpired,
  isToppedUpByHand,
  type KeySettings,
  type ObservedKey,
  type ObservedState,
  type PlanNote,
  planNote,
  refusalsOf,
  type SettingName,
  type UnixSeconds,
} from '../../domain/index.ts';
import { caseTwins, type Matching } from '../observe/match.ts';
import { patchOf } from './diff.ts';
import { inDollars } from './moved.ts';

/** Notes the reasons why an enabled key does not work although it matches its declaration. */
export function statusNotes({ name, enabled, expires }: DesiredKey, after: ObservedKey, now: UnixSeconds): PlanNote[] {
  if (enabled === false) return [];
  if (isExpired(after, now)) {
    return expires === undefined
      ? [planNote('expired-undeclared', 'expired; its expiry is not declared', name)]
      : [planNote('expired-as-declared', 'expired, as declared', name)];
  }
  if (isExhausted(after)) return [planNote('exhausted-as-declared', 'its budget is used up', name)];
  return [];
}

/** Notes a manual top-up that the budget does not lower, where the record shows it. */
export function topUpNotes(
  { name, budget }: DesiredKey,
  live: ObservedKey,
  { quotaPerUnit }: ObservedState,
): PlanNote[] {
  if (!budget || live.unlimited) return [];
  if (!isToppedUpByHand(budget, live.remain, live.used, quotaPerUnit)) return [];
  return [
    planNote(
      'topped-up-by-hand',
      'the key was topped up by hand: it holds more than its budget ever granted; `below` leaves that as it is',
      name,
    ),
  ];
}

const BUSY = 'budget unverified: the key is used so often that its use could not be determined; it may hold too much';
const INCOMPLETE =
  'budget unverified: the usage log does not account for all that the key used, so what is missing is not given again';

/** Notes a budget that is not written, or not as far as the log asks for, because nothing shows what the key used. */
export function budgetNotes({ name }: DesiredKey, { id }: ObservedKey, { unverified }: ObservedState): PlanNote[] {
  const reason = unverified?.get(id);
  if (reason === 'log-incomplete') return [planNote('log-incomplete', INCOMPLETE, name)];
  return reason === 'busy' ? [planNote('budget-unverified', BUSY, name)] : [];
}

/** Notes what former keys of a name used of the allowance of a window, which nobody can use again. */
export function formerNotes(
  { name, budget }: DesiredKey,
  { formerUse, quotaPerUnit }: Pick<ObservedState, 'formerUse' | 'quotaPerUnit'>,
): PlanNote[] {
  const used = formerUse?.get(name);
  if (used === undefined || budget?.kind !== 'window') return [];
  const left = initialCeiling(budget, quotaPerUnit, used).remain;
  const text = `former keys of this name used ${inDollars(used, quotaPerUnit)} of the allowance since ${left > 0 ? `its window began: ${inDollars(left, quotaPerUnit)} of it are left` : 'its window began: nothing of it is left'}`;
  return [planNote('former-use', text, name)];
}

/** Notes the stored values of a key that Keyplane cannot work with. Only a declared field replaces one. */
export function oddNotes({ name, odd = [] }: ObservedKey): PlanNote[] {
  if (odd.length === 0) return [];
  const values = odd.map(({ field, stored }) => `${field} ${stored}`).join(', ');
  return [planNote('odd-record', `its record at the gateway has a value that no key should have: ${values}`, name)];
}

/** The most keys of one user where the administrator of a gateway has not chosen another number. */
export const USUAL_KEY_LIMIT = 1000;

/** Notes creates for which the account may have no room. */
export function limitNotes(changes: readonly Change[], { keys }: ObservedState): PlanNote[] {
  const creates = changes.filter(({ verb }) => verb === 'create').length;
  const total = keys.length + creates;
  if (creates === 0 || total <= USUAL_KEY_LIMIT) return [];
  const usual = `most gateways allow ${USUAL_KEY_LIMIT} for each user`;
  return [planNote('key-limit', `the account will have ${total} keys; ${usual}, and refuse further ones`)];
}

/** The settings that a change writes. */
const writtenBy = (change: Change): Partial<KeySettings> => {
  if (change.verb === 'create') return change.settings;
  return 'edits' in change ? patchOf(change.edits) : {};
};

const fieldOf = (setting: SettingName): readonly string[] =>
  FIELD_ROWS.some(([field]) => field === setting) ? [setting] : [];

/** Notes the changes that an apply will refuse, because the gateway cannot hold a setting of them. */
export function refusalNotes(changes: readonly Change[], { limits }: ObservedState): PlanNote[] {
  if (limits === undefined) return [];
  return changes.flatMap((change) =>
    refusalsOf(limits, writtenBy(change)).map(({ setting, problem, advice }) => ({
      ...planNote('not-held', `an apply will refuse this change: ${problem} ${advice.replace(/\.$/, '')}`, change.name),
      path: fieldOf(setting),
    })),
  );
}

/** A claim of the lock is a key, and there are two while one replaces the other. */
const PLACES_OF_CLAIMS = 2;

/** Would a claim of the lock take the place of a key that the plan creates, where the account has the usual limit? */
export function leavesNoRoom(changes: readonly Change[], { keys }: Pick<ObservedState, 'keys'>): boolean {
  const creates = changes.filter(({ verb }) => verb === 'create').length;
  const total = keys.length + creates;
  return creates > 0 && keys.length < USUAL_KEY_LIMIT && total + PLACES_OF_CLAIMS > USUAL_KEY_LIMIT;
}

/** Live keys that could be taken for a missing one. */
export function twinNotes(matching: Matching, observed: ObservedState): PlanNote[] {
  return [...caseTwins(matching.missing, observed.keys)].map(([name, twin]) =>
    planNote('case-differs', `a different live key is named “${twin}”; the names differ only by case`, name),
  );
}

/** Worth a line only when a group or models are about to be written that nobody could check. */
export function unverifiedNotes(changes: readonly Change[], { groups, models }: ObservedState): PlanNote[] {
  const notes: PlanNote[] = [];
  if (!groups && changes.some((change) => writes(change, 'group'))) {
    notes.push(
      planNote('groups-unverified', 'the groups were not verified: the gateway lists them in an unknown format'),
    );
  }
  if (!models && changes.some((change) => writes(change, 'models'))) {
    notes.push(planNote('models-unverified', 'the models were not verified: no API key was given to list them with'));
  }
  return notes;
}

/** Does the change set this field to something that could be wrong? */
function writes(change: Change, field: 'group' | 'models'): boolean {
  if (change.verb === 'create') return Boolean(change.settings[field]);
  return 'edits' in change && change.edits.some((edit) => edit.field === field && Boolean(edit.after));
}
