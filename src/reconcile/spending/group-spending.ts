import { byText, type UnixSeconds } from '../../domain/index.ts';
import type { KeySpending } from './key-spending.ts';
import { DAY, type Sums, sumOf, type TallyCell } from './tally.ts';

/** The ways to add up spending: a label is `{ label: 'team' }`. */
export type Grouping = 'key' | 'owner' | 'model' | 'day' | { readonly label: string };

/** The spending of one group. `name` is undefined for what belongs to no group, such as keys without an owner. */
export interface GroupSpending extends Sums {
  readonly name: string | undefined;
  readonly cells: readonly TallyCell[];
}

const groupOf = (by: Exclude<Grouping, 'key'>, spending: KeySpending, cell: TallyCell): string | undefined => {
  if (by === 'owner') return spending.metadata?.owner;
  if (by === 'model') return cell.model === '' ? undefined : cell.model;
  if (by === 'day') return new Date(cell.day * 1000).toISOString().slice(0, 10);
  const { labels = {} } = spending.metadata ?? {};
  return Object.hasOwn(labels, by.label) ? labels[by.label] : undefined;
};

/** Adds spending up by owner, model, day or the value of a label; days are in order, other groups by cost. Pure. */
export function spendingByGroup(
  spendings: readonly KeySpending[],
  by: Exclude<Grouping, 'key'>,
): readonly GroupSpending[] {
  const groups = new Map<string | undefined, TallyCell[]>();
  for (const spending of spendings) {
    for (const cell of spending.cells) {
      const name = groupOf(by, spending, cell);
      const known = groups.get(name);
      if (known) known.push(cell);
      else groups.set(name, [cell]);
    }
  }
  const rows = [...groups].map(([name, cells]) => ({ name, cells, ...sumOf(cells) }));
  const ordered = (a: GroupSpending, b: GroupSpending): number =>
    (by === 'day' ? 0 : Number(b.units - a.units > 0n) - Number(b.units - a.units < 0n)) ||
    byText(a.name ?? '', b.name ?? '');
  return rows.sort(ordered);
}

/** Returns the units of each day of a period, oldest first; the last one is today. */
export function unitsByDay(cells: readonly TallyCell[], since: UnixSeconds, now: UnixSeconds): readonly bigint[] {
  const first = Math.floor(since / DAY);
  const days = Array.from({ length: Math.max(1, Math.floor(now / DAY) - first + 1) }, () => 0n);
  for (const { day, units } of cells) {
    // The clock of whoever wrote an entry may be ahead.
    const at = Math.min(days.length - 1, day / DAY - first);
    if (at >= 0) days[at] = (days[at] ?? 0n) + units;
  }
  return days;
}
