import {
  AUTO_GROUP,
  type Edit,
  FIELD_ROWS,
  type ObservedKey,
  type PlanNote,
  planNote,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../domain/index.ts';
import { patchOf } from './diff.ts';

/** The optional settings that have no effect at the account's gateway. */
export interface Lacking {
  /** No live key has a field for them. */
  readonly everywhere: ReadonlySet<SettingName>;
  /** The gateway accepts them and clears them in any other group than `auto`. */
  readonly outsideAuto: ReadonlySet<SettingName>;
}

const OF_AUTO = SETTING_NAMES.filter((name) => SETTINGS[name].isOfAuto);

/**
 * Returns what the records of the live keys show about the gateway. A setting that restricts a key is never among it, because
 * a key must not be taken to be restricted when it is not.
 */
export function lackedBy(keys: readonly ObservedKey[]): Lacking {
  const first = keys[0]?.lacks ?? [];
  const everywhere = first.filter(
    (name) => SETTINGS[name].isOptional && keys.every(({ lacks }) => lacks?.includes(name)),
  );
  const hasAutoGroups = keys.some(({ autoGroups }) => autoGroups !== undefined);
  return { everywhere: new Set(everywhere), outsideAuto: new Set(hasAutoGroups ? OF_AUTO : []) };
}

/** Does the gateway not keep this value for a key in this group? Removing a setting works everywhere. */
export const isLacked = (lacking: Lacking, group: string, { field, after }: Pick<Edit, 'field' | 'after'>): boolean =>
  lacking.everywhere.has(field) || (group !== AUTO_GROUP && Boolean(after) && lacking.outsideAuto.has(field));

const labelsOf = (settings: readonly SettingName[]): string =>
  FIELD_ROWS.filter(([field, row]) =>
    settings.some((setting) => setting === field || ('settings' in row && setting in row.settings)),
  )
    .map(([, { label }]) => label)
    .join(' and ');

/** Notes the declared settings of a key that have no effect at its gateway. */
export function lackingNotes(name: string, settings: readonly SettingName[], { everywhere }: Lacking): PlanNote[] {
  const absent = settings.filter((setting) => everywhere.has(setting));
  const cleared = settings.filter((setting) => !everywhere.has(setting));
  const note = (problem: string) =>
    planNote('not-supported', `this gateway ${problem}; the declared value has no effect`, name);
  return [
    ...(absent.length > 0 ? [note(`does not have ${labelsOf(absent)}`)] : []),
    ...(cleared.length > 0 ? [note(`keeps ${labelsOf(cleared)} only in the group “${AUTO_GROUP}”`)] : []),
  ];
}

/** Notes what the gateway clears, in addition to the edits, when they move a key out of the group `auto`. */
export function clearingNotes(live: ObservedKey, edits: readonly Edit[], { outsideAuto }: Lacking): PlanNote[] {
  const patch = patchOf(edits);
  const { group = live.group } = patch;
  if (live.group !== AUTO_GROUP || group === AUTO_GROUP) return [];
  const { autoGroups = [] } = live;
  const lost = [...outsideAuto].filter((setting) => live[setting] && patch[setting] === undefined);
  const parts = [
    ...(autoGroups.length > 0 ? [`its groups for “${AUTO_GROUP}” (${autoGroups.join(', ')})`] : []),
    ...(lost.length > 0 ? [labelsOf(lost)] : []),
  ];
  if (parts.length === 0) return [];
  const text = `with the group, the gateway also clears ${parts.join(' and ')}`;
  return [planNote('auto-groups-cleared', text, patch.name ?? live.name)];
}
