import type { Json, Plan, UnixSeconds } from '../../../domain/index.ts';
import type { Outlook } from '../../../reconcile/index.ts';
import type { Guidance } from '../guidance.ts';
import { plain } from '../json/envelope.ts';
import { counted, exactUsd, renderMoney } from '../layout/amount.ts';
import { hang, padEnd } from '../layout/columns.ts';
import { renderExpiry } from '../layout/moment.ts';
import { quoted } from '../layout/printable.ts';

/**
 * The kinds of findings that a nightly job can fail on. `drift` is what the plan of the account would change, without
 * refills that are due; `withheld` is what an apply would not change without a permission.
 */
export const FAILURE_KINDS = ['drift', 'due', 'unverified', 'withheld', 'low', 'expiring'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];
/** The kinds that drift fails on unless others are asked for. */
export const FAILS_BY_DEFAULT: readonly FailureKind[] = ['drift', 'unverified'];

/** A fact about a key that is not drift, as every format shows it. */
export interface OutlookLine {
  readonly kind: Exclude<FailureKind, 'drift' | 'withheld'>;
  readonly name: string;
  /** `app-1 (id 3): remaining: declared $5.00, live $1.00` */
  readonly text: string;
}

/** The refills that are due, and the keys that need attention soon, in this order. */
export function outlookLines(
  { due, unverified, low, expiring, drift }: Outlook,
  now: UnixSeconds,
  guidance: Guidance,
): readonly OutlookLine[] {
  const money = (units: Parameters<typeof renderMoney>[0]): string => renderMoney(units, drift.quotaPerUnit);
  const title = (key: { name: string; id: number }): string => `${quoted(key.name)} (id ${key.id})`;
  return [
    ...due.map((key) => ({
      kind: 'due' as const,
      name: key.name,
      text: `${title(key)}: remaining: declared ${money(key.declared)}, live ${money(key.live)}`,
    })),
    ...unverified.map((key) => ({
      kind: 'unverified' as const,
      name: key.name,
      text: `${title(key)}: its use is unknown: ${guidance.unverified[key.reason]}`,
    })),
    ...low.map((key) => ({
      kind: 'low' as const,
      name: key.name,
      text: `${title(key)}: remaining ${money(key.remain)}, below ${money(key.threshold)}`,
    })),
    ...expiring.map((key) => ({
      kind: 'expiring' as const,
      name: key.name,
      text: `${title(key)}: expires ${renderExpiry(key.expires, now)}`,
    })),
  ];
}

/** `1 refill due, 2 keys low.`; empty when there is nothing of the kind. */
export function renderOutlookCounts(lines: readonly OutlookLine[]): string {
  const count = (kind: OutlookLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  const parts = [
    ...(count('due') > 0 ? [`${counted(count('due'), 'refill')} due`] : []),
    ...(count('unverified') > 0 ? [`${counted(count('unverified'), 'budget')} unverified`] : []),
    ...(count('low') > 0 ? [`${counted(count('low'), 'key')} low`] : []),
    ...(count('expiring') > 0 ? [`${counted(count('expiring'), 'key')} expiring`] : []),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

const KIND_WIDTH = 12;

/** The lines for a terminal, under their counts. */
export function renderOutlook(lines: readonly OutlookLine[], width: number): string {
  if (lines.length === 0) return '';
  const shown = lines.flatMap(({ kind, text }) => hang(`  ${padEnd(kind, KIND_WIDTH)}`, text, width));
  return [`Not drift: ${renderOutlookCounts(lines)}`, ...shown].join('\n');
}

/** The same for machines, with amounts in dollars and in units. */
export function outlookData({
  due,
  unverified,
  low,
  expiring,
  drift,
}: Pick<Outlook, 'due' | 'unverified' | 'low' | 'expiring'> & { drift: Plan }): Json {
  const money = (units: Parameters<typeof exactUsd>[0]) => ({
    usd: exactUsd(units, drift.quotaPerUnit),
    units,
  });
  return plain({
    due: due.map(({ name, id, declared, live }) => ({ name, id, declared: money(declared), live: money(live) })),
    unverified,
    low: low.map(({ name, id, remain, threshold }) => ({
      name,
      id,
      remain: money(remain),
      threshold: money(threshold),
    })),
    expiring: expiring.map(({ name, id, expires }) => ({ name, id, expires })),
  });
}
