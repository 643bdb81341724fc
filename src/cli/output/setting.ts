import {
  type Decimal,
  type Edit,
  type KeySettings,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
  type SettingName,
  type SettingRow,
  type SettingValues,
  type UnixSeconds,
} from '../../domain/index.ts';
import { renderMoney } from './layout/amount.ts';
import { renderExpiry } from './layout/moment.ts';
import { printable, quoted } from './layout/printable.ts';
import type { Row } from './layout/rows.ts';

/** The rate and the moment that texts of values depend on. */
export interface Scale {
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

/** The empty value of a text, in words. */
const EMPTY_TEXTS: Partial<Readonly<Record<SettingName, string>>> = { group: "the account's own" };

/** An entry that has the spelling of the word for “no restriction” is quoted: it is an entry, and restricts. */
const entryText = (item: string, { unrestricted = 'any' }: SettingRow): string =>
  item === unrestricted ? `"${item}"` : printable(item);

function setText(items: readonly string[] | null, row: SettingRow): string {
  if (items === null) return row.unrestricted ?? 'any';
  return items.length === 0 ? 'none (rejects everything)' : items.map((item) => entryText(item, row)).join(', ');
}

type Texts = {
  readonly [K in SettingKind]: (value: SettingValues[K], row: SettingRow, scale: Scale) => string;
};

const TEXTS: Texts = {
  flag: (value) => (value ? 'yes' : 'no'),
  text: (value) => quoted(value),
  textSet: setText,
  ipSet: setText,
  instant: (at, _, { now }) => renderExpiry(at, now),
  quota: (units, _, { quotaPerUnit }) => renderMoney(units, quotaPerUnit),
  json: (json) => (json === '' ? 'none' : printable(json)),
};

function textOf(name: SettingName, value: KeySettings[SettingName], scale: Scale): string {
  if (value === '' && EMPTY_TEXTS[name]) return EMPTY_TEXTS[name];
  const row = SETTINGS[name];
  const render = TEXTS[row.kind] as (value: unknown, row: SettingRow, scale: Scale) => string;
  return render(value, row, scale);
}

type ShownCeiling = Pick<KeySettings, 'unlimited' | 'remain'>;

/** `unlimited` and `remain` are one thing to a reader; what remains of an unlimited key has no meaning. */
const isCeiling = (name: SettingName): name is keyof ShownCeiling => name === 'unlimited' || name === 'remain';

const ceilingText = ({ unlimited, remain }: ShownCeiling, { quotaPerUnit }: Scale): string =>
  unlimited ? 'unlimited' : renderMoney(remain, quotaPerUnit);

function setRow(row: SettingRow, before: readonly string[], after: readonly string[]): Row | undefined {
  const missingIn = (items: readonly string[], from: readonly string[]): readonly string[] =>
    from.filter((item) => !items.includes(item)).map((item) => entryText(item, row));
  const [added, removed] = [missingIn(before, after), missingIn(after, before)];
  // The same items in another spelling or order: whole lists are clearer than two empty differences.
  return added.length + removed.length > 0 ? { label: row.label, added, removed } : undefined;
}

/** The length of an equal beginning or end that is shown, on both sides of a difference. */
const AROUND = 40;

/** Two long texts without what is equal at their ends: their difference is shown whole, however far into them it is. */
function differing(before: string, after: string): readonly [string, string] {
  const [a, b] = [[...before], [...after]];
  const most = Math.min(a.length, b.length);
  let [start, end] = [0, 0];
  while (start < most && a[start] === b[start]) start += 1;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [from, to] = [Math.max(0, start - AROUND), Math.max(0, end - AROUND)];
  const cut = (text: readonly string[]): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, text.length - to).join('')}${to > 0 ? '…' : ''}`;
  return [cut(a), cut(b)];
}

function editRow({ field, before, after }: Edit, scale: Scale): Row {
  const { label } = SETTINGS[field];
  const lists = Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0;
  const row = lists ? setRow(SETTINGS[field], before, after) : undefined;
  if (row) return row;
  const sides = [textOf(field, before, scale), textOf(field, after, scale)] as const;
  const [shownBefore, shownAfter] = SETTINGS[field].kind === 'json' ? differing(...sides) : sides;
  return { label, before: shownBefore, after: shownAfter };
}

/** The rows of an update, with one row for the ceiling. */
export function editRows(edits: readonly Edit[], before: ShownCeiling, scale: Scale): readonly Row[] {
  const rows = edits.filter(({ field }) => !isCeiling(field)).map((edit) => editRow(edit, scale));
  if (rows.length === edits.length) return rows;
  const changed = Object.fromEntries(edits.map(({ field, after }) => [field, after]));
  const after = { unlimited: before.unlimited, remain: before.remain, ...changed };
  const { label } = SETTINGS.remain;
  return [...rows, { label, before: ceilingText(before, scale), after: ceilingText(after, scale) }];
}

const SHOWN = SETTING_NAMES.filter((name) => name !== 'name' && name !== 'unlimited');

/** A row for each of these settings, in the order of the field table; all but the name by default. */
export const settingRows = (settings: KeySettings, scale: Scale, names = SHOWN): readonly Row[] =>
  names.map((name) => ({
    label: SETTINGS[name].label,
    value: isCeiling(name) ? ceilingText(settings, scale) : textOf(name, settings[name], scale),
  }));

/** Flags and JSON that nobody set are not worth a row; any other setting is. */
const isWorthARow = (name: SettingName, settings: KeySettings): boolean => {
  const { kind, initial } = SETTINGS[name];
  return (kind !== 'flag' && kind !== 'json') || settings[name] !== initial;
};

/** The rows of a new key. */
export const newKeyRows = (settings: KeySettings, enabled: boolean, scale: Scale): readonly Row[] => [
  ...settingRows(
    settings,
    scale,
    SHOWN.filter((name) => isWorthARow(name, settings)),
  ),
  ...(enabled ? [] : [{ label: 'enabled', value: 'no' }]),
];
