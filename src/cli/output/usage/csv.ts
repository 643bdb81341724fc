import { labelPairs, renderInstant, renderWindow, type UnixSeconds, usdFromQuota } from '../../../domain/index.ts';
import type { KeySpending } from '../../../reconcile/index.ts';
import { type CsvCell, renderCsv } from '../csv.ts';
import { groupTitle, perDay, type UsageReport } from './page.ts';

const KEY_HEAD = [
  ...['key', 'id', 'managed', 'owner', 'labels', 'requests', 'prompt_tokens', 'completion_tokens', 'units', 'usd'],
  ...['used_units', 'granted_units', 'remaining_units', 'window', 'units_per_day', 'exhausts_at', 'last_used', 'log'],
];

const instant = (at: UnixSeconds | undefined): string | null => (at === undefined ? null : renderInstant(at));

function keyRow(spending: KeySpending, { quotaPerUnit }: UsageReport): readonly CsvCell[] {
  const { id, name, metadata = {}, budget, units, burn } = spending;
  const labels = labelPairs(metadata).map(([label, value]) => `${label}=${value}`);
  return [
    name,
    id ?? null,
    spending.isDeclared ? 'yes' : 'no',
    metadata.owner ?? null,
    labels.join(';'),
    spending.requests,
    spending.promptTokens,
    spending.completionTokens,
    units,
    { digits: usdFromQuota(units, quotaPerUnit, 6) },
    budget?.used ?? null,
    budget?.granted ?? null,
    budget === undefined ? null : (budget.remaining ?? 'unlimited'),
    budget?.window === undefined ? null : renderWindow(budget.window),
    perDay(burn),
    instant(spending.exhaustsAt),
    instant(spending.lastUsed),
    spending.evidence,
  ];
}

/** The report as comma-separated values, with exact units. */
export function renderUsageCsv(page: UsageReport): string {
  if (page.groups === undefined) return renderCsv([KEY_HEAD, ...page.keys.map((spending) => keyRow(spending, page))]);
  const head = [groupTitle(page.by), 'requests', 'prompt_tokens', 'completion_tokens', 'units', 'usd'];
  const rows = page.groups.map(({ name = '', requests, promptTokens, completionTokens, units }) => [
    ...[name, requests, promptTokens, completionTokens, units],
    { digits: usdFromQuota(units, page.quotaPerUnit, 6) },
  ]);
  return renderCsv([head, ...rows]);
}
