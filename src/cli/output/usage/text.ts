import { renderInstant } from '../../../domain/index.ts';
import { counted, renderUsd } from '../layout/amount.ts';
import { hang, wrap } from '../layout/columns.ts';
import { renderDistance } from '../layout/moment.ts';
import { printable, quoted } from '../layout/printable.ts';
import { renderTable } from '../layout/table.ts';
import { perDay, type UsageReport } from './page.ts';
import { sparkline, usageTable } from './table.ts';

/** `Wallet: $98.00, $2.00 a day, lasts until 2027-05-01T00:00:00Z (in 49 days).` */
export function walletLine({ wallet, quotaPerUnit, now }: UsageReport): string {
  const { balance, burn, exhaustsAt } = wallet;
  if (balance === undefined) return 'Wallet: the gateway does not report its balance.';
  const rate = `${renderUsd(perDay(burn), quotaPerUnit)} a day`;
  const until =
    exhaustsAt === undefined
      ? 'at this rate it does not run out'
      : exhaustsAt <= now
        ? 'it is empty: no key works'
        : `it lasts until ${renderInstant(exhaustsAt)} (${renderDistance(exhaustsAt, now)})`;
  return `Wallet: ${renderUsd(balance, quotaPerUnit)}, ${rate}; ${until}.`;
}

/** `Usage since 2027-01-01T00:00:00Z: 12 requests, $4.00.` */
export function usageHead({ keys, since, quotaPerUnit }: UsageReport): string {
  const units = keys.reduce((sum, each) => sum + each.units, 0n);
  const requests = keys.reduce((sum, each) => sum + each.requests, 0);
  return `Usage since ${renderInstant(since)}: ${counted(requests, 'request')}, ${renderUsd(units, quotaPerUnit)}.`;
}

/** The report for a terminal, with the course of each line. */
export function renderUsageText(page: UsageReport, width: number): string {
  const { columns, rows } = usageTable(page);
  const shown = [
    ...columns.map((title, i) => ({ title, ...(i === 0 ? { shrinks: true as const } : {}) })),
    { title: 'TREND' },
  ];
  const lines = rows.map(({ name, cells, days }) => [quoted(name), ...cells.map(printable), sparkline(days)]);
  const wide = Number.isFinite(width) ? width : 100;
  const list = (title: string, texts: readonly string[]): string =>
    texts.length === 0 ? '' : [title, ...texts.flatMap((text) => hang('  - ', printable(text), wide))].join('\n');
  const blocks = [
    wrap(usageHead(page), wide).join('\n'),
    rows.length === 0 ? '' : renderTable(shown, lines, width),
    wrap(walletLine(page), wide).join('\n'),
    list(
      'Findings',
      page.findings.map(({ text }) => text),
    ),
    list('Notes', page.remarks),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
