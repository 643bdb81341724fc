import type { Decimal, Edit, KeySettings, Quota, UnixSeconds } from '../../domain/index.ts';
import { renderMoney } from './layout/amount.ts';
import { renderExpiry } from './layout/moment.ts';
import { printable, quoted, shortened } from './layout/printable.ts';

/** What the texts of values depend on. */
export interface Scale {
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

/** A label and its text; a list edit has what came and what went instead. */
export type Row =
  | { readonly label: string; readonly value: string }
  | { readonly label: string; readonly before: string; readonly after: string }
  | { readonly label: string; readonly added: readonly string[]; readonly removed: readonly string[] };

const LABELS = {
  name: 'name',
  group: 'group',
  crossGroupRetry: 'cross-group retry',
  models: 'models',
  allowIps: 'allowed IPs',
  expires: 'expires',
  unlimited: 'remaining',
  remain: 'remaining',
  smartRouting: 'smart routing',
  smartRouteTiers: 'routing tiers',
} as const satisfies Record<keyof KeySettings, string>;

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

interface Ceiling {
  unlimited: boolean;
  remain: Quota;
}

const ceiling = ({ unlimited, remain }: Readonly<Ceiling>, { quotaPerUnit }: Scale): string =>
  unlimited ? 'unlimited' : renderMoney(remain, quotaPerUnit);

const list = (items: readonly string[] | null, whenNull: string): string => {
  if (items === null) return whenNull;
  return items.length === 0 ? 'none (refuses everything)' : items.map(printable).join(', ');
};

const TEXTS: { readonly [F in keyof KeySettings]: (value: KeySettings[F], scale: Scale) => string } = {
  name: (name) => quoted(name),
  group: (group) => (group === '' ? "the account's own" : quoted(group)),
  crossGroupRetry: yesNo,
  models: (models) => list(models, 'any'),
  allowIps: (rules) => list(rules, 'anywhere'),
  expires: (at, { now }) => renderExpiry(at, now),
  unlimited: (unlimited) => (unlimited ? 'unlimited' : 'limited'),
  remain: (remain, { quotaPerUnit }) => renderMoney(remain, quotaPerUnit),
  smartRouting: yesNo,
  smartRouteTiers: (tiers) => (tiers === '' ? 'none' : shortened(printable(tiers), 200)),
};

/** One setting of a key as text. */
export function settingText<F extends keyof KeySettings>(field: F, value: KeySettings[F], scale: Scale): string {
  return TEXTS[field](value, scale);
}

/** The ceiling of a key as text: `unlimited`, or what remains. */
export const ceilingText = ceiling;

function listRow(label: string, before: readonly string[], after: readonly string[]): Row {
  return {
    label,
    added: after.filter((item) => !before.includes(item)).map(printable),
    removed: before.filter((item) => !after.includes(item)).map(printable),
  };
}

function rowOf(edit: Edit, scale: Scale): Row {
  const label = LABELS[edit.field];
  if ((edit.field === 'models' || edit.field === 'allowIps') && edit.before?.length && edit.after?.length) {
    const row = listRow(label, edit.before, edit.after);
    // The same items in another writing or order: then the whole lists say more than two empty differences.
    if ('added' in row && row.added.length + row.removed.length > 0) return row;
  }
  const text = TEXTS[edit.field] as (value: unknown, scale: Scale) => string;
  return { label, before: text(edit.before, scale), after: text(edit.after, scale) };
}

/**
 * The rows of an update. Whether a key is limited and what remains are one thing to a reader, so they are one row;
 * the remainder of an unlimited key means nothing and is not shown.
 */
export function editRows(edits: readonly Edit[], before: Readonly<Ceiling>, scale: Scale): readonly Row[] {
  const after = { ...before };
  for (const edit of edits) {
    if (edit.field === 'unlimited') after.unlimited = edit.after;
    if (edit.field === 'remain') after.remain = edit.after;
  }
  const rows = edits
    .filter((edit) => edit.field !== 'unlimited' && edit.field !== 'remain')
    .map((edit) => rowOf(edit, scale));
  if (rows.length === edits.length) return rows;
  return [...rows, { label: LABELS.remain, before: ceiling(before, scale), after: ceiling(after, scale) }];
}

/** The rows of a new key: what a reader would want to know, without what says nothing. */
export function settingRows(settings: KeySettings, enabled: boolean, scale: Scale): readonly Row[] {
  const row = <F extends keyof KeySettings>(field: F): Row => ({
    label: LABELS[field],
    value: settingText(field, settings[field], scale),
  });
  return [
    row('group'),
    ...(settings.crossGroupRetry ? [row('crossGroupRetry')] : []),
    row('models'),
    row('allowIps'),
    row('expires'),
    { label: LABELS.remain, value: ceiling(settings, scale) },
    ...(settings.smartRouting ? [row('smartRouting')] : []),
    ...(settings.smartRouteTiers === '' ? [] : [row('smartRouteTiers')]),
    ...(enabled ? [] : [{ label: 'enabled', value: 'no' }]),
  ];
}
