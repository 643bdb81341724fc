import { effectiveStatus, type Json, type KeyId, renderInstant } from '../../domain/index.ts';
import type { DuplicateKeys, Twin } from '../../reconcile/index.ts';
import { keyData } from './json/key-data.ts';
import { renderUsd } from './layout/amount.ts';
import { renderSpan } from './layout/moment.ts';
import { quoted } from './layout/printable.ts';
import { renderTable, type TableColumn } from './layout/table.ts';
import type { Scale } from './setting.ts';

const COLUMNS: readonly TableColumn[] = [
  { title: 'NAME', shrinks: true },
  { title: 'ID', align: 'right' },
  { title: 'STATUS' },
  { title: 'USED', align: 'right' },
  { title: 'LAST USED' },
  { title: 'REMAINING', align: 'right' },
  { title: 'AGE' },
  { title: 'VERDICT' },
];

/** The words for what becomes of one key. */
function verdictOf({ key, isUsed }: Twin, { remove, undecided }: DuplicateKeys): string {
  if (remove.includes(key.id)) return 'remove';
  if (undecided !== undefined && isUsed !== true) return 'undecided';
  return isUsed === true ? 'keep: in use' : 'keep';
}

function useOf({ used, isUsed }: Twin, { quotaPerUnit }: Scale): string {
  if (used !== undefined) return renderUsd(used, quotaPerUnit);
  return isUsed === undefined ? 'unknown' : isUsed ? 'yes' : 'no';
}

function rowOf(twin: Twin, group: DuplicateKeys, scale: Scale): readonly string[] {
  const { key, lastUsed, isUsed } = twin;
  const { now, quotaPerUnit } = scale;
  return [
    quoted(key.name),
    String(key.id),
    effectiveStatus(key, now),
    useOf(twin, scale),
    lastUsed === undefined ? (isUsed === false ? 'never' : '-') : `${renderSpan(now - lastUsed)} ago`,
    key.unlimited ? 'unlimited' : renderUsd(key.remain, quotaPerUnit),
    key.createdAt === undefined ? '-' : renderSpan(now - key.createdAt),
    verdictOf(twin, group),
  ];
}

/** Keys with one name as a table, with their use, budget and age. */
export const renderDuplicates = (groups: readonly DuplicateKeys[], scale: Scale, width: number): string =>
  renderTable(
    COLUMNS,
    groups.flatMap((group) => group.twins.map((twin) => rowOf(twin, group, scale))),
    width,
  );

const ADVICE: Readonly<Record<NonNullable<DuplicateKeys['undecided']>, (name: string) => string>> = {
  'none-used': (name) => `No key named ${name} was used yet. Choose the one to keep, with --keep ID.`,
  'several-used': (name) =>
    `Keys named ${name} are in use, apart from the one to keep. Move their consumers first: used keys are never removed.`,
  'used-disabled': (name) =>
    `The key named ${name} that was used is disabled. Keep it with --keep ID, or delete it by its ID to keep the other one.`,
  'unknown-use': (name) =>
    `The use of the keys named ${name} is unknown. Raise --max-log-pages, or delete one by its ID when nobody uses it.`,
};

/** The advice for each name that remains undecided. */
export const adviceOf = (groups: readonly DuplicateKeys[]): readonly string[] =>
  groups.flatMap(({ name, undecided }) => (undecided === undefined ? [] : [ADVICE[undecided](quoted(name))]));

/** Duplicates as machines read them. */
export const duplicatesData = (groups: readonly DuplicateKeys[], removed: ReadonlySet<KeyId>, scale: Scale): Json =>
  groups.map((group) => ({
    name: group.name,
    undecided: group.undecided ?? null,
    keys: group.twins.map((twin) => ({
      key: keyData(twin.key, scale),
      isUsed: twin.isUsed ?? null,
      lastUsed: twin.lastUsed === undefined ? null : renderInstant(twin.lastUsed),
      isRemoved: removed.has(twin.key.id),
    })),
  }));
