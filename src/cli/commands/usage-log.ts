import { Fault, matchesAnyGlob, type UnixSeconds, visibleJson } from '../../domain/index.ts';
import type { Gateway, LogRecord } from '../../gateway/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { logData, logLine, renderUsageLog } from '../output/usage/log.ts';
import type { Context, Result } from '../program/command.ts';
import { tableWidth } from '../program/deliver.ts';
import { count, has, text, texts } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { type DeclarationLookup, declarationsOf } from '../session/declarations.ts';
import { selectionOf, selectsKey } from '../session/key-filter.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { lengthOf, timeOf } from '../session/point-in-time.ts';
import { whileReading } from '../session/progress.ts';
import { openFollow } from './follow-log.ts';

/** The entries that a person asked for, and how far to read for them. */
interface LogQuery {
  readonly matches: (entry: LogRecord) => boolean;
  /** No entry before this time is asked for. */
  readonly since: UnixSeconds | undefined;
  readonly limit: number;
  readonly maxPages: number;
}

/** The entries found, and why reading ended before the end of what was asked for. */
interface FoundEntries {
  readonly entries: readonly LogRecord[];
  readonly cut?: 'limit' | 'pages';
}

const LIMIT = 100;
const MAX_PAGES = 20;
const FOLLOW_SECONDS = 5;

function queryOf(context: Context, { metadataOf }: DeclarationLookup): LogQuery {
  const { given } = context;
  const [models, types, requests] = [texts(given, 'model'), texts(given, 'type'), texts(given, 'request')];
  const [since, until] = [timeOf(context, 'since'), timeOf(context, 'until')];
  const selection = selectionOf(given);
  return {
    since,
    limit: count(given, 'limit', 1) ?? LIMIT,
    maxPages: count(given, 'max-log-pages', 1) ?? MAX_PAGES,
    matches: ({ at, keyName, model = '', type, requestId = '' }) =>
      (since === undefined || at >= since) &&
      (until === undefined || at < until) &&
      selectsKey(selection, keyName, metadataOf(keyName)) &&
      (models.length === 0 || matchesAnyGlob(models, model)) &&
      (types.length === 0 || types.includes(String(type))) &&
      (requests.length === 0 || requests.includes(requestId)),
  };
}

/** Filters here: the contract has no filters, and gateways differ in theirs. The log is newest first. */
async function readEntries(
  pages: AsyncIterable<readonly LogRecord[]>,
  { matches, since, limit, maxPages }: LogQuery,
): Promise<FoundEntries> {
  const entries: LogRecord[] = [];
  let read = 0;
  for await (const page of pages) {
    entries.push(...page.filter(matches));
    if (entries.length > limit) return { entries: entries.slice(0, limit), cut: 'limit' };
    if (since !== undefined && page.length > 0 && page.every(({ at }) => at < since)) break;
    read += 1;
    if (read === maxPages) return { entries, cut: 'pages' };
  }
  return { entries };
}

const remarkOf = (cut: 'limit' | 'pages', { limit, maxPages }: LogQuery): string =>
  cut === 'limit'
    ? `These are the newest ${limit}: more entries match. --limit raises the number.`
    : `Reading stopped after ${counted(maxPages, 'page')}: older entries may match. --max-log-pages raises the number.`;

/** Shows entries as they appear, until it is interrupted. */
async function follow(context: Context, query: LogQuery, { log, store }: Gateway): Promise<Result> {
  const { io, interruption, format } = context;
  if (text(context.given, 'out') !== undefined) {
    throw new Fault('usage.invalid', '--follow and --out exclude each other.', { hint: 'Use a pipe instead.' });
  }
  const pause = lengthOf(context, 'every') ?? FOLLOW_SECONDS;
  const quotaPerUnit = await store.quotaPerUnit();
  const following = openFollow({ ...query, now: context.now });
  const write = (entry: LogRecord): void => {
    const line = format === 'json' ? visibleJson(logData(entry, quotaPerUnit)) : logLine(entry, quotaPerUnit);
    io.stdout.write(context.mask(`${line}\n`));
  };
  const work = async (): Promise<void> => {
    let isFirst = true;
    while (!interruption.signal.aborted) {
      const entries = await following.next(log());
      for (const entry of isFirst ? entries.slice(-query.limit) : entries) write(entry);
      isFirst = false;
      await io.pause(pause, interruption.signal);
    }
  };
  await interruption.finishing(work, { announce: () => context.print('Stopping.') });
  return { exit: EXIT.done, data: null, text: '', delivered: true };
}

/** Lists entries of the usage log, newest first. */
export async function usageLogAction(context: Context): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  const query = queryOf(context, declarationsOf(manifest?.desired));
  const read = async (gateway: Gateway): Promise<Result> => {
    if (has(context.given, 'follow')) return await follow(context, query, gateway);
    const { log, store } = gateway;
    const [{ entries, cut }, quotaPerUnit] = await whileReading(context, () =>
      Promise.all([readEntries(log(), query), store.quotaPerUnit()]),
    );
    const remark = cut === undefined ? [] : [remarkOf(cut, query)];
    return {
      exit: EXIT.done,
      data: plain({ entries: entries.map((entry) => logData(entry, quotaPerUnit)), isComplete: cut === undefined }),
      text: [renderUsageLog(entries, quotaPerUnit, tableWidth(context)), ...remark].join('\n'),
    };
  };
  return await withGateway(context, manifest?.gateway, read);
}
