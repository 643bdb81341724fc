import {
  type Change,
  type DesiredKey,
  isExhausted,
  isExpired,
  type Note,
  type ObservedKey,
  type ObservedState,
  type UnixSeconds,
} from '../domain/index.ts';
import { caseTwins, type Matching } from './match.ts';

/** Notes the reasons why an enabled key does not work although it matches its declaration. */
export function statusNotes({ name, enabled }: DesiredKey, after: ObservedKey, now: UnixSeconds): Note[] {
  if (!enabled) return [];
  if (isExpired(after, now)) return [{ code: 'expired-as-declared', name, message: 'expired, as declared' }];
  if (isExhausted(after)) return [{ code: 'exhausted-as-declared', name, message: 'its budget is used up' }];
  return [];
}

/** Parts of a declaration that wait for a later stage. */
export function pendingNotes({ name, unimplemented = [] }: DesiredKey): Note[] {
  return unimplemented.map((part) => ({
    code: 'not-acted-on',
    name,
    message: `\`${part}\` is declared and valid, but this version does not act on it yet`,
  }));
}

/** Live keys that could be taken for a missing one. */
export function twinNotes(matching: Matching, observed: ObservedState): Note[] {
  return [...caseTwins(matching.missing, observed.keys)].map(([name, twin]) => ({
    code: 'case-differs',
    name,
    message: `a live key is named “${twin}”, which differs only by case; it is another key`,
  }));
}

/** Worth a line only when a group or models are about to be written that nobody could check. */
export function unverifiedNotes(changes: readonly Change[], { groups, models }: ObservedState): Note[] {
  const notes: Note[] = [];
  if (!groups && changes.some((change) => writes(change, 'group'))) {
    notes.push({
      code: 'groups-unverified',
      message: 'the groups were not verified: the gateway lists them in an unknown shape',
    });
  }
  if (!models && changes.some((change) => writes(change, 'models'))) {
    notes.push({
      code: 'models-unverified',
      message: 'the models were not verified: no API key was given to ask with',
    });
  }
  return notes;
}

/** Does the change set this field to something that could be wrong? */
function writes(change: Change, field: 'group' | 'models'): boolean {
  if (change.verb === 'create') return Boolean(change.settings[field]);
  return 'edits' in change && change.edits.some((edit) => edit.field === field && Boolean(edit.after));
}
