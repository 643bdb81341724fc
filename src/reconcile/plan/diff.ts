import {
  type Decimal,
  type DeclaredKind,
  type DesiredKey,
  type Edit,
  FIELD_ROWS,
  INITIAL_SETTINGS,
  initialCeiling,
  type KeySettings,
  normalSetting,
  type ObservedKey,
  type Quota,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
  type SettingValues,
  type Snapshot,
  sameSetting,
  wantedCeiling,
} from '../../domain/index.ts';

/** Returns the settings in the form in which both sides are compared: sets are sorted, JSON is canonical. */
export function comparable(key: KeySettings, normal: Normalize = normalSetting): KeySettings {
  const settings = SETTING_NAMES.map((name) => [name, normal(SETTINGS[name].kind, key[name])]);
  return Object.fromEntries(settings) as KeySettings;
}

/** Returns what a plan remembers of a live key: its comparable settings, id and status, and no secret. */
export function snapshotOf(key: ObservedKey): Snapshot {
  return {
    id: key.id,
    status: key.status,
    ...comparable(key),
    ...(key.used === undefined ? {} : { used: key.used }),
  };
}

/** The facts that a comparison of one key needs in addition to the two sides. */
export interface DiffContext {
  readonly quotaPerUnit: Decimal;
  /** Used since the budget's window began, quota units. */
  readonly used: Quota;
  /** {@link normalSetting}, which may remember the sets that it has seen. */
  readonly normal?: Normalize;
}

/** Returns the normal form of a setting, as {@link normalSetting} does. */
export type Normalize = (kind: SettingKind, value: SettingValues[SettingKind]) => SettingValues[SettingKind];

/** Returns {@link normalSetting} with a memory of sets: most keys of an account have the same few. */
export function rememberSets(): Normalize {
  const known = new Map<SettingKind, Map<unknown, SettingValues[SettingKind]>>([
    ['textSet', new Map()],
    ['ipSet', new Map()],
  ]);
  return (kind, value) => {
    const forms = known.get(kind);
    if (value === null || forms === undefined) return normalSetting(kind, value);
    const form = forms.get(value) ?? normalSetting(kind, value);
    forms.set(value, form);
    return form;
  };
}

/** Adds the settings that one declared field asks for, by kind. A plain field is the setting of its own name. */
type AddSettings = (settings: Record<string, unknown>, field: string, value: unknown) => void;
const addPlain: AddSettings = (settings, field, value) => {
  settings[field] = value;
};
const ADD_SETTINGS: { readonly [K in Exclude<DeclaredKind, 'budget'>]: AddSettings } = {
  flag: addPlain,
  text: addPlain,
  textSet: addPlain,
  ipSet: addPlain,
  instant: addPlain,
  json(settings, _field, tiers) {
    settings.smartRouting = true;
    settings.smartRouteTiers = tiers;
  },
};

/** A declaration, also one with the name of a live key, which may be one that cannot be given to a new key. */
type Declared = Omit<DesiredKey, 'name'> & { readonly name: string };

/** Returns the managed settings that do not depend on a live key: all but those of the budget. */
function managed(desired: Declared): Partial<KeySettings> {
  const settings: Record<string, unknown> = {};
  for (const [field, row] of FIELD_ROWS) {
    const value = desired[field];
    if (value === undefined || row.kind === 'budget' || 'isStatus' in row) continue;
    ADD_SETTINGS[row.kind](settings, field, value);
  }
  // Each field has just added its own settings.
  return settings as Partial<KeySettings>;
}

/** Returns the settings that a declaration asks of a live key. What it does not manage is absent. */
function wanted(desired: Declared, live: ObservedKey, context: DiffContext): Partial<KeySettings> {
  const ceiling = desired.budget && wantedCeiling(desired.budget, live, context.used, context.quotaPerUnit);
  return {
    name: desired.name,
    ...managed(desired),
    ...(ceiling && { unlimited: ceiling.unlimited, remain: ceiling.remain }),
  };
}

/**
 * Returns the edits that make a live key match its declaration; none when it already does.
 *
 * Pure. Consumption is never an edit: what a budget asks for is computed from what was used.
 */
export function diff(desired: Declared, live: ObservedKey, context: DiffContext): readonly Edit[] {
  const { normal = normalSetting } = context;
  const after = wanted(desired, live, context);
  const edits: Edit[] = [];
  for (const field of SETTING_NAMES) {
    const value = after[field];
    if (value === undefined) continue;
    const before = normal(SETTINGS[field].kind, live[field]);
    // Field and values belong together by construction, which TypeScript cannot follow through an index.
    if (!sameSetting(value, before)) edits.push({ field, before, after: value } as Edit);
  }
  return edits;
}

/**
 * Returns every setting of a key that does not exist yet: the declared value, else the gateway's default, explicitly.
 *
 * @param used what former keys of its name used since the window of its budget began
 */
export function settingsOfNew(desired: DesiredKey, quotaPerUnit: Decimal, used = 0): KeySettings {
  return {
    ...INITIAL_SETTINGS,
    ...managed(desired),
    ...(desired.budget && initialCeiling(desired.budget, quotaPerUnit, used)),
    name: desired.name,
  };
}

/** Turns edits into a patch. */
export function patchOf(edits: readonly Edit[]): Partial<KeySettings> {
  return Object.fromEntries(edits.map((edit) => [edit.field, edit.after]));
}

/** Does the key have these settings? The remainder is left out: traffic moves it. */
export function holds(key: ObservedKey, patch: Partial<KeySettings>): boolean {
  const fields = Object.keys(patch).filter((field) => field !== 'remain') as (keyof KeySettings)[];
  return fields.every((field) => sameSetting(normalSetting(SETTINGS[field].kind, key[field]), patch[field] ?? null));
}
