import { Fault, matchesAnyGlob, tryParseDuration, tryParseInstant, type UnixSeconds } from '../../domain/index.ts';
import type { Gateway, LogRecord } from '../../gateway/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { logData, renderUsageLog } from '../output/usage-log.ts';
import type { Context, Result } from '../program/command.ts';
import { tableWidth } from '../program/deliver.ts';
import { count, text, texts } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { whileReading } from '../session/progress.ts';

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

/** @throws Fault `usage.invalid` */
function timeOf(context: Context, flag: 'since' | 'until'): UnixSeconds | undefined {
  const value = text(context.given, flag);
  if (value === undefined) return undefined;
  const ago = tryParseDuration(value);
  const at = ago === undefined ? tryParseInstant(value) : context.now() - ago;
  if (at !== undefined) return at;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(value)} for --${flag}: expected a time.`, {
    hint: 'Write a time with its offset, such as 2027-03-31T00:00:00Z, or how long ago it was, such as 24h or 7d.',
  });
}

function queryOf(context: Context): LogQuery {
  const { given } = context;
  const [keys, models, types] = [texts(given, 'key'), texts(given, 'model'), texts(given, 'type')];
  const [since, until] = [timeOf(context, 'since'), timeOf(context, 'until')];
  return {
    since,
    limit: count(given, 'limit', 1) ?? LIMIT,
    maxPages: count(given, 'max-log-pages', 1) ?? MAX_PAGES,
    matches: ({ at, keyName, model = '', type }) =>
      (since === undefined || at >= since) &&
      (until === undefined || at < until) &&
      (keys.length === 0 || matchesAnyGlob(keys, keyName)) &&
      (models.length === 0 || matchesAnyGlob(models, model)) &&
      (types.length === 0 || types.includes(String(type))),
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

/** Lists entries of the usage log, newest first. */
export async function accountLogAction(context: Context): Promise<Result> {
  const query = queryOf(context);
  const manifest = await tryReadManifestOf(context);
  const read = async ({ log, store }: Gateway): Promise<Result> => {
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
