import {
  FIELD_ROWS,
  type ObservedKey,
  type PlanNote,
  planNote,
  SETTINGS,
  type SettingName,
} from '../../domain/index.ts';

/**
 * Returns the optional settings that the account's gateway does not have: no live key has a field for them. A setting that
 * restricts a key is never among them, because a key must not be taken to be restricted when it is not.
 */
export function lackedBy(keys: readonly ObservedKey[]): ReadonlySet<SettingName> {
  const first = keys[0]?.lacks ?? [];
  return new Set(first.filter((name) => SETTINGS[name].isOptional && keys.every(({ lacks }) => lacks?.includes(name))));
}

/** Notes the declared settings of a key that its gateway does not have. */
export function lackingNotes(name: string, settings: readonly SettingName[]): PlanNote[] {
  if (settings.length === 0) return [];
  const declared = FIELD_ROWS.filter(([field, row]) =>
    settings.some((setting) => setting === field || ('settings' in row && setting in row.settings)),
  );
  const labels = declared.map(([, { label }]) => label).join(' and ');
  return [planNote('not-supported', `this gateway does not have ${labels}; the declared value has no effect`, name)];
}
