import { lastUseOf, renderInstant, renderWindow, type UnixSeconds } from '../../../domain/index.ts';
import { type KeySpending, type LogEvidence, type Sums, type TallyCell, unitsByDay } from '../../../reconcile/index.ts';
import { grouped, renderUnits, renderUsd } from '../layout/amount.ts';
import { renderDistance } from '../layout/moment.ts';
import { groupTitle, perDay, type UsageReport } from './page.ts';

/** One line of a report: cells as people read them, and the units of each day. */
export interface UsageRow {
  /** The name of a key or a group as it is; every format makes it harmless. */
  readonly name: string;
  readonly cells: readonly string[];
  readonly days: readonly bigint[];
  readonly units: bigint;
}

/** A report as a table. The first column has the names. */
export interface UsageTable {
  readonly columns: readonly string[];
  readonly rows: readonly UsageRow[];
}

/** Marks a figure whose completeness is not shown. */
const MARKS: Readonly<Record<LogEvidence, string>> = { complete: '', incomplete: '!', unproven: '', cut: '>' };

const tokens = ({ promptTokens, completionTokens }: Sums): string =>
  `${grouped(String(promptTokens))}+${grouped(String(completionTokens))}`;

/** The time of exhaustion as a distance. */
const endText = (at: UnixSeconds | undefined, now: UnixSeconds): string => {
  if (at === undefined) return '-';
  return at <= now ? 'exhausted' : renderDistance(at, now);
};

/** The day of the last use, from the log or the record of the key; `never` where the record shows that. */
function lastUseText({ key, lastUsed }: KeySpending): string {
  if (lastUsed !== undefined) return renderInstant(lastUsed).slice(0, 10);
  return key && lastUseOf(key) === 'never' ? 'never' : 'unknown';
}

function keyCells(spending: KeySpending, { quotaPerUnit, now }: UsageReport): readonly string[] {
  const { budget, metadata, units, evidence, burn, exhaustsAt } = spending;
  const money = (amount: bigint | undefined): string => (amount === undefined ? '-' : renderUsd(amount, quotaPerUnit));
  return [
    metadata?.owner ?? '-',
    `${MARKS[evidence]}${money(units)}`,
    money(budget?.used),
    money(budget?.granted),
    budget?.remaining === null ? 'unlimited' : money(budget?.remaining),
    budget?.window === undefined ? '-' : renderWindow(budget.window),
    money(perDay(burn)),
    budget === undefined ? 'deleted' : endText(exhaustsAt, now),
    lastUseText(spending),
  ];
}

const KEY_COLUMNS = ['OWNER', 'COST', 'USED', 'GRANTED', 'REMAINING', 'PER', 'A DAY', 'LASTS', 'LAST USED'];

/** The report as a table: a line for each key, or for each group. */
export function usageTable(page: UsageReport): UsageTable {
  const daysOf = (cells: readonly TallyCell[]): readonly bigint[] => unitsByDay(cells, page.since, page.now);
  if (page.groups === undefined) {
    const rows = page.keys.map((spending) => ({
      name: spending.name,
      cells: keyCells(spending, page),
      days: daysOf(spending.cells),
      units: spending.units,
    }));
    return { columns: ['KEY', ...KEY_COLUMNS], rows };
  }
  const rows = page.groups.map(({ name = '-', cells, ...sums }) => ({
    name,
    cells: [renderUnits(sums.requests), tokens(sums), renderUsd(sums.units, page.quotaPerUnit)],
    days: daysOf(cells),
    units: sums.units,
  }));
  return { columns: [groupTitle(page.by).toUpperCase(), 'REQUESTS', 'TOKENS', 'COST'], rows };
}

const BARS = '▁▂▃▄▅▆▇█';
const POINTS = 30;

/** Adds neighbouring days up, so that a long period has at most this many points. */
export function pointsOf(days: readonly bigint[], most = POINTS): readonly bigint[] {
  const size = Math.ceil(days.length / most);
  const points: bigint[] = [];
  for (let i = 0; i < days.length; i += size)
    points.push(days.slice(i, i + size).reduce((sum, each) => sum + each, 0n));
  return points;
}

/** `▁▂█`: the units of each day, by the largest one. */
export function sparkline(days: readonly bigint[]): string {
  const points = pointsOf(days);
  const top = points.reduce((a, b) => (a > b ? a : b), 0n);
  const last = BigInt(BARS.length - 1);
  return points.map((units) => (top <= 0n || units <= 0n ? BARS[0] : BARS[Number((units * last) / top)])).join('');
}
