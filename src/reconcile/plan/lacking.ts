import {
  AUTO_GROUP,
  type DesiredState,
  decimalOf,
  type Edit,
  FIELD_ROWS,
  type FieldName,
  type KeyName,
  type ObservedKey,
  type PlanNote,
  planNote,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type UnkeptSettings,
} from '../../domain/index.ts';
import { patchOf, settingsOfNew } from './diff.ts';

/** The optional settings that have no effect at the account's gateway. */
export interface Lacking {
  /** No live key has a field for them. */
  readonly everywhere: ReadonlySet<SettingName>;
  /** The gateway accepts them and clears them in any other group than `auto`. */
  readonly outsideAuto: ReadonlySet<SettingName>;
  /** Those that no live key shows, and the profile that states them. */
  readonly claimed?: { readonly settings: ReadonlySet<SettingName>; readonly by: UnkeptSettings };
}

const OF_AUTO = SETTING_NAMES.filter((name) => SETTINGS[name].isOfAuto);

/**
 * Returns what the records of the live keys show about the gateway, and its profile in addition. A setting that restricts a key
 * is never among it, because a key must not be taken to be restricted when it is not.
 *
 * A key that has a setting refutes a profile. A presumed profile counts only while there is no key to show anything.
 */
export function lackedBy(keys: readonly ObservedKey[], unkept?: UnkeptSettings): Lacking {
  const first = keys[0]?.lacks ?? [];
  const everywhere = first.filter(
    (name) => SETTINGS[name].isOptional && keys.every(({ lacks }) => lacks?.includes(name)),
  );
  const hasAutoGroups = keys.some(({ autoGroups }) => autoGroups !== undefined);
  const outsideAuto = hasAutoGroups ? OF_AUTO : [];
  if (unkept === undefined || (unkept.source === 'presumed' && keys.length > 0)) {
    return { everywhere: new Set(everywhere), outsideAuto: new Set(outsideAuto) };
  }
  const nowhere = unkept.everywhere.filter((name) => !keys.some((key) => key[name]));
  const onlyInAuto = unkept.outsideAuto.filter((name) => !keys.some((key) => key.group !== AUTO_GROUP && key[name]));
  const shown = new Set([...everywhere, ...outsideAuto]);
  return {
    everywhere: new Set([...everywhere, ...nowhere]),
    outsideAuto: new Set([...outsideAuto, ...onlyInAuto]),
    claimed: { settings: new Set([...nowhere, ...onlyInAuto].filter((name) => !shown.has(name))), by: unkept },
  };
}

/** Does the gateway not keep this value for a key in this group? Removing a setting works everywhere. */
export const isLacked = (lacking: Lacking, group: string, { field, after }: Pick<Edit, 'field' | 'after'>): boolean =>
  lacking.everywhere.has(field) || (group !== AUTO_GROUP && Boolean(after) && lacking.outsideAuto.has(field));

const isOfField = ([field, row]: (typeof FIELD_ROWS)[number], setting: SettingName): boolean =>
  setting === field || ('settings' in row && setting in row.settings);

const fieldsOf = (settings: readonly SettingName[]): typeof FIELD_ROWS =>
  FIELD_ROWS.filter((row) => settings.some((setting) => isOfField(row, setting)));

const labelsOf = (settings: readonly SettingName[]): string =>
  fieldsOf(settings)
    .map(([, { label }]) => label)
    .join(' and ');

const claimText = ({ source, kind }: UnkeptSettings): string => {
  if (source === 'stated') return 'according to its profile, this gateway';
  return `a gateway like this one${kind === undefined ? '' : ` (${kind})`} usually`;
};

interface LackingText {
  readonly subject: string;
  readonly effect: string;
}

const SHOWN: LackingText = { subject: 'this gateway', effect: 'has no effect' };

/** Notes the declared settings of a key that have no effect at its gateway. */
export function lackingNotes(name: string, settings: readonly SettingName[], lacking: Lacking): PlanNote[] {
  const { everywhere, claimed } = lacking;
  const notes = (those: readonly SettingName[], { subject, effect }: LackingText): PlanNote[] => {
    const absent = those.filter((setting) => everywhere.has(setting));
    const cleared = those.filter((setting) => !everywhere.has(setting));
    const note = (problem: string, of: readonly SettingName[]): PlanNote => ({
      ...planNote('not-supported', `${subject} ${problem}; the declared value ${effect}`, name),
      path: fieldsOf(of)
        .slice(0, 1)
        .map(([field]) => field),
    });
    return [
      ...(absent.length > 0 ? [note(`does not have ${labelsOf(absent)}`, absent)] : []),
      ...(cleared.length > 0 ? [note(`keeps ${labelsOf(cleared)} only in the group “${AUTO_GROUP}”`, cleared)] : []),
    ];
  };
  const isClaimed = (setting: SettingName): boolean => claimed?.settings.has(setting) === true;
  const shown = settings.filter((setting) => !isClaimed(setting));
  if (claimed === undefined) return notes(shown, SHOWN);
  const text = { subject: claimText(claimed.by), effect: 'would have no effect' };
  return [...notes(shown, SHOWN), ...notes(settings.filter(isClaimed), text)];
}

/** A declared field that the gateway does not keep. */
export interface UnkeptField {
  readonly key: KeyName;
  readonly field: FieldName;
  /** The reason, in words. */
  readonly problem: string;
}

/** Any rate: what is not kept is never an amount. */
const ANY_RATE = decimalOf(1);

/** Lists the declared fields that a gateway does not keep by its profile, before anything is known of its keys. */
export function unkeptFields({ keys }: Pick<DesiredState, 'keys'>, unkept: UnkeptSettings): readonly UnkeptField[] {
  const lacking = lackedBy([], unkept);
  return keys.flatMap(({ budget: _, ...key }) => {
    const settings = settingsOfNew(key, ANY_RATE);
    const lost = SETTING_NAMES.filter(
      (field) => Boolean(settings[field]) && isLacked(lacking, settings.group, { field, after: settings[field] }),
    );
    return FIELD_ROWS.flatMap((row) => {
      const own = lost.filter((setting) => isOfField(row, setting));
      const notes = lackingNotes(key.name, own, lacking);
      return notes.map(({ message }): UnkeptField => ({ key: key.name, field: row[0], problem: message }));
    });
  });
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
