import { Fault, LABEL_NAME, type ObservedKey, visibleJson, windowStart } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import {
  exhaustionOf,
  type Grouping,
  type KeySpending,
  type LogTally,
  spendingByGroup,
  spendingByKey,
  sumOf,
  tallyUsage,
} from '../../reconcile/index.ts';
import { EXIT, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { counted, renderFirst } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import { usageData } from '../output/usage/data.ts';
import type { UsageReport, WalletState } from '../output/usage/page.ts';
import { renderUsageText } from '../output/usage/text.ts';
import { type Context, type Format, kindOf, type Result } from '../program/command.ts';
import { tableWidth } from '../program/deliver.ts';
import { count, text } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { currentIds, type DeclarationLookup, declarationsOf } from '../session/declarations.ts';
import { reportFiles, writeReports } from '../session/files/report-files.ts';
import { selectedKeys, selectionOf, selectsKey } from '../session/key-filter.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { lengthOf, timeOf } from '../session/point-in-time.ts';
import { whileReading } from '../session/progress.ts';
import { type Alarm, alarmsOf, findingsOf } from './usage-findings.ts';

const DEFAULTS = { since: 7 * 86_400, within: 30 * 86_400, pages: 200 };

interface UsageQuery {
  readonly by: Grouping;
  readonly since: number;
  readonly within: number;
  readonly alarms: readonly Alarm[];
  readonly maxPages: number;
}

/** @throws Fault `usage.invalid` */
function groupingOf({ given }: Context): Grouping {
  const word = text(given, 'by') ?? 'key';
  if (word === 'key' || word === 'owner' || word === 'model' || word === 'day') return word;
  const [, label = ''] = /^label:(.*)$/.exec(word) ?? [];
  if (LABEL_NAME.test(label)) return { label };
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(word)} for --by.`, {
    hint: 'Write key, owner, model, day, or label: and the name of a label, such as label:team.',
  });
}

const queryOf = (context: Context): UsageQuery => ({
  by: groupingOf(context),
  since: timeOf(context, 'since') ?? context.now() - DEFAULTS.since,
  within: lengthOf(context, 'within') ?? DEFAULTS.within,
  alarms: alarmsOf(context),
  maxPages: count(context.given, 'max-log-pages', 1) ?? DEFAULTS.pages,
});

/** The earliest time that a figure needs: the period, and the windows of the declared budgets. */
function reachOf({ since }: UsageQuery, manifest: Manifest | undefined, now: number): number {
  const windows = (manifest?.desired.keys ?? []).flatMap(({ budget }) =>
    budget?.kind === 'window' ? [windowStart(budget.per, now)] : [],
  );
  return Math.min(since, ...windows);
}

function remarksOf(keys: readonly KeySpending[], tally: LogTally, { maxPages }: UsageQuery): readonly string[] {
  const named = (evidence: KeySpending['evidence']): readonly string[] =>
    keys.filter((each) => each.evidence === evidence && each.key !== undefined).map(({ name }) => quoted(name));
  const some = (names: readonly string[]): string => renderFirst(names, 5);
  const [incomplete, unproven] = [named('incomplete'), named('unproven')];
  return [
    ...(tally.isCut
      ? [
          `Reading stopped after ${counted(maxPages, 'page')} of the usage log, at ${new Date(tally.since * 1000).toISOString().slice(0, 19)}Z: figures marked with > lack what was spent before. --max-log-pages raises the number.`,
        ]
      : []),
    ...(incomplete.length > 0
      ? [
          `The usage log does not account for all that ${some(incomplete)} used: the cost marked with ! may be too low. USED is from the record of the key.`,
        ]
      : []),
    ...(unproven.length > 0
      ? [`Nothing shows whether the usage log is complete for ${counted(unproven.length, 'key')}: ${some(unproven)}.`]
      : []),
  ];
}

function walletOf(
  balance: WalletState['balance'],
  all: readonly KeySpending[],
  now: number,
  since: number,
): WalletState {
  const burn = { units: sumOf(all).units, seconds: Math.max(3600, now - since) };
  const end = balance === undefined ? undefined : exhaustionOf(BigInt(balance), burn, now);
  return { ...(balance === undefined ? {} : { balance }), burn, ...(end === undefined ? {} : { exhaustsAt: end }) };
}

/** The budget of a key that rotated is that of its current generation; an older one has the rest of its overlap. */
function budgetedBy(
  declarationOf: DeclarationLookup['of'],
  keys: readonly ObservedKey[],
  manifest: Manifest | undefined,
): DeclarationLookup['of'] {
  const current = currentIds(manifest?.desired, keys);
  return (key) => {
    const declared = declarationOf(key);
    if (declared === undefined || current.has(key.id)) return declared;
    const { budget: _, ...rest } = declared;
    return rest;
  };
}

/** Reads the account and the log, and computes the report. */
async function readPage(
  context: Context,
  query: UsageQuery,
  { store }: Gateway,
  manifest: Manifest | undefined,
): Promise<UsageReport> {
  await store.verifyAccount();
  const quotaPerUnit = await store.quotaPerUnit();
  const now = context.now();
  const since = reachOf(query, manifest, now);
  // Cells are whole days: without the boundary, entries of the same day before the period would count.
  const boundaries = [query.since, windowStart('hour', now)];
  const tally = await tallyUsage(store.usage(), { since, maxPages: query.maxPages, boundaries });
  // After the log: each request in it is in the records too.
  const [keys, balance] = await Promise.all([store.walk(), store.wallet()]);
  const declarations = declarationsOf(manifest?.desired);
  const all = spendingByKey({
    observed: { keys, quotaPerUnit },
    tally,
    now,
    since: query.since,
    declarationOf: budgetedBy(declarations.of, keys, manifest),
    metadataOf: declarations.metadataOf,
  });
  selectedKeys(context, all, manifest?.desired);
  const selection = selectionOf(context.given);
  const chosen = all
    .filter(({ name, metadata }) => selectsKey(selection, name, metadata))
    .sort((a, b) => Number(b.units - a.units > 0n) - Number(b.units - a.units < 0n) || (a.name < b.name ? -1 : 1));
  const wallet = walletOf(balance, all, now, Math.max(query.since, tally.since));
  return {
    quotaPerUnit,
    since: query.since,
    now,
    by: query.by,
    keys: chosen,
    ...(query.by === 'key' ? {} : { groups: spendingByGroup(chosen, query.by) }),
    wallet,
    tally,
    findings: findingsOf(chosen, wallet, { ...query, now, quotaPerUnit }),
    remarks: remarksOf(chosen, tally, query),
  };
}

async function renderIn(format: Format, context: Context, page: UsageReport): Promise<string> {
  switch (format) {
    case 'csv':
      return (await import('../output/usage/csv.ts')).renderUsageCsv(page);
    case 'markdown':
      return (await import('../output/usage/markdown.ts')).renderUsageMarkdown(page);
    case 'html':
      return (await import('../output/html/usage.ts')).renderUsageHtml(page);
    case 'json':
      return `${visibleJson(envelopeOf(kindOf(context.command), { data: usageData(page) }, []))}\n`;
    default:
      return `${renderUsageText(page, 100)}\n`;
  }
}

/** Shows what keys, owners, models or days cost, what is left, and how long it lasts. */
export async function usageAction(context: Context): Promise<Result> {
  const query = queryOf(context);
  reportFiles(context);
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async (gateway) => {
    const page = await whileReading(context, () => readPage(context, query, gateway, manifest));
    const faults = await writeReports(context, (format) => renderIn(format, context, page));
    const { format } = context;
    const found = page.findings.length > 0 ? EXIT.pending : EXIT.done;
    return {
      exit: strongestExit([found, ...faults.map(exitCodeOf)]),
      data: usageData(page),
      text:
        format === 'text'
          ? renderUsageText(page, tableWidth(context))
          : format === 'json'
            ? ''
            : await renderIn(format, context, page),
      ...(faults[0] ? { fault: faults[0] } : {}),
    };
  });
}
