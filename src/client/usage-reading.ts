import { Fault, type KeyId, type Quota, quota, usdFromQuota } from '../domain/index.ts';
import type { CallLimits, LogRecord } from '../gateway/index.ts';
import { DEFAULT_LOG_PAGES } from '../reconcile/index.ts';
import { type ClientContext, openCall } from './call.ts';

/** Selects entries of the usage log; all conditions must hold. */
export interface UsageFilter {
  /** The ID of a key, or its name at the time of the request. */
  readonly key?: number | string;
  /** Only requests to this model. */
  readonly model?: string;
  /** Entries from this time on; the log is read back to it. */
  readonly since?: Date;
  /** Entries before this time. */
  readonly until?: Date;
  /** The most pages of a hundred entries to read. Defaults to 2,000. */
  readonly maxPages?: number;
}

/** An entry of the usage log. Members that the gateway does not report are absent. */
export interface UsageRecord extends Omit<LogRecord, 'at' | 'identity'> {
  /** The time of the request. */
  readonly at: Date;
}

/** Sums over entries of the usage log. */
export interface UsageSum {
  /** Consumption less refunds, in quota units of the gateway. */
  readonly quota: Quota;
  /** The same in US dollars at the gateway’s rate, with six decimals. */
  readonly usd: string;
  /** The number of requests. */
  readonly requests: number;
  /** The tokens of the prompts. */
  readonly promptTokens: number;
  /** The tokens of the responses. */
  readonly completionTokens: number;
}

/** The usage of the account’s keys. */
export interface GatewayUsage {
  /**
   * Iterates over the usage log, newest first, and reads a page when it is needed: leaving the loop ends the reading. Entries that
   * are written meanwhile push others to later pages; none is repeated.
   *
   * @throws Fault `plan.usage-too-long` when `maxPages` pages do not reach back to `since`
   */
  log(filter?: UsageFilter, limits?: CallLimits): AsyncIterable<UsageRecord>;
  /** Sums up the log. @throws Fault as `log` */
  sum(filter?: UsageFilter, limits?: CallLimits): Promise<UsageSum>;
}

const secondsOf = (date: Date | undefined, otherwise: number): number =>
  date === undefined ? otherwise : date.getTime() / 1000;

function matches({ key, model, since, until }: UsageFilter, record: LogRecord): boolean {
  const isOfKey = (id: KeyId | undefined, name: string): boolean =>
    key === undefined || (typeof key === 'number' ? key === id : key === name);
  return (
    isOfKey(record.keyId, record.keyName) &&
    (model === undefined || record.model === model) &&
    record.at >= secondsOf(since, 0) &&
    record.at < secondsOf(until, Number.POSITIVE_INFINITY)
  );
}

const tooLong = (pages: number): Fault =>
  new Fault('plan.usage-too-long', `The usage log does not end within ${pages} pages.`, {
    hint: 'Name a later time, or allow more pages.',
    detail: { pages },
  });

async function* readLog(context: ClientContext, filter: UsageFilter, limits: CallLimits | undefined) {
  const { maxPages = DEFAULT_LOG_PAGES } = filter;
  const oldest = secondsOf(filter.since, 0);
  let pages = 0;
  for await (const page of openCall(context, limits).gateway.log()) {
    pages += 1;
    yield* page.filter((record) => matches(filter, record));
    // Entries are written when a request ends: within a page their times are not quite in order.
    if (page.length > 0 && page.every(({ at }) => at < oldest)) return;
    if (pages >= maxPages) throw tooLong(pages);
  }
}

function publicForm({ identity: _identity, at, ...record }: LogRecord): UsageRecord {
  return { ...record, at: new Date(at * 1000) };
}

async function sumUp(context: ClientContext, filter: UsageFilter, limits: CallLimits | undefined): Promise<UsageSum> {
  let [spent, requests, promptTokens, completionTokens] = [0, 0, 0, 0];
  for await (const record of readLog(context, filter, limits)) {
    if (record.isOther) continue;
    spent += record.spent;
    requests += record.type === 'consumption' ? 1 : 0;
    promptTokens += record.promptTokens ?? 0;
    completionTokens += record.completionTokens ?? 0;
  }
  const quotaPerUnit = await openCall(context, limits).gateway.store.quotaPerUnit();
  const usd = usdFromQuota(quota(spent), quotaPerUnit, 6);
  return { quota: quota(spent), usd, requests, promptTokens, completionTokens };
}

export const createUsage = (context: ClientContext): GatewayUsage => ({
  async *log(filter = {}, limits) {
    for await (const record of readLog(context, filter, limits)) yield publicForm(record);
  },
  sum: (filter = {}, limits) => sumUp(context, filter, limits),
});
