import { type Json, type KeyMetadata, renderInstant, renderWindow, type UnixSeconds } from '../../../domain/index.ts';
import { type Sums, type TallyCell, unitsByDay } from '../../../reconcile/index.ts';
import { masked } from '../json/envelope.ts';
import { exactUsd } from '../layout/amount.ts';
import { groupTitle, perDay, type UsageReport } from './page.ts';

/** `data` of `usage`. Units are text: a number could not hold them exactly. */
export function usageData(page: UsageReport): Json {
  const { quotaPerUnit, since, now, tally, wallet } = page;
  const money = (units: bigint | undefined) =>
    units === undefined ? null : { units: String(units), usd: exactUsd(units, quotaPerUnit) };
  const instant = (at: UnixSeconds | undefined): string | null => (at === undefined ? null : renderInstant(at));
  const sums = ({ requests, promptTokens, completionTokens, units }: Sums, cells: readonly TallyCell[]) => ({
    requests,
    promptTokens: String(promptTokens),
    completionTokens: String(completionTokens),
    cost: money(units),
    days: unitsByDay(cells, since, now).map(String),
  });
  const metadataOf = ({ owner, labels = {} }: KeyMetadata = {}) => ({ owner: owner ?? null, labels });
  return masked({
    since: instant(since),
    by: groupTitle(page.by),
    keys: page.keys.map((spending) => ({
      name: spending.name,
      id: spending.id ?? null,
      exists: spending.key !== undefined,
      managed: spending.isDeclared,
      ...metadataOf(spending.metadata),
      ...sums(spending, spending.cells),
      used: money(spending.budget?.used),
      granted: money(spending.budget?.granted),
      remaining: spending.budget?.remaining === null ? 'unlimited' : money(spending.budget?.remaining),
      window: spending.budget?.window === undefined ? null : renderWindow(spending.budget.window),
      refillsAt: instant(spending.budget?.refillsAt),
      perDay: money(perDay(spending.burn)),
      exhaustsAt: instant(spending.exhaustsAt),
      lastUsed: instant(spending.lastUsed),
      log: spending.evidence,
    })),
    groups: page.groups?.map(({ name = null, cells, ...own }) => ({ name, ...sums(own, cells) })) ?? null,
    wallet: {
      balance: wallet.balance === undefined ? null : money(BigInt(wallet.balance)),
      perDay: money(perDay(wallet.burn)),
      exhaustsAt: instant(wallet.exhaustsAt),
    },
    log: { entries: tally.entries, readSince: instant(tally.since), isCut: tally.isCut },
    findings: page.findings,
    remarks: page.remarks,
  });
}
