import { Fault, type KeyId, type ObservedKey, type UsageEntry } from '../../domain/index.ts';
import type { Newest } from '../../reconcile/index.ts';
import { type LogEntry, SYSTEM_LIMITS } from '../../wire/index.ts';
import type { BeforeDecoding, KeyPage, LogPage, PageExtent } from './system-api.ts';

/** Reads one page of at most 100 keys; pages count from 1. It need not call `beforeDecoding`. */
export type ReadPage = (page: number, beforeDecoding?: BeforeDecoding) => Promise<KeyPage>;

const MAX_WALKS = 5;
/** The number of consecutive pages without a new row after which reading a listing ends. */
const MAX_IDLE_PAGES = 20;
/** The pages that are requested ahead of the one that is awaited. After each such group, a listing without a new key ends. */
const PAGES_AT_ONCE = 16;
/** A hundred times the keys that real gateways allow a user by default. */
const MOST_KEYS = 100_000;
/** Real gateways have ten keys on a page, unless asked for more. */
const MOST_PAGES = MOST_KEYS / 10;

type KeysById = Map<KeyId, ObservedKey>;

/**
 * Lists every key of the account, each once.
 *
 * Pages are offsets into a list that may change: a key created meanwhile repeats rows, a key deleted meanwhile skips
 * rows, and a skipped key would be created again. So where the gateway reports a total, it must be the same on every
 * page and equal to the number of different keys; otherwise everything is read again, a few times. Where it reports
 * none, pages are read one after the other until one is not full, and a deletion meanwhile goes undetected. Each is requested
 * when the one before it has arrived, and before that is decoded.
 *
 * Costs ⌈keys / page size⌉ requests, and at most one more where there is no total. A total is never a reason to request
 * more pages than there are new keys, and nothing is read beyond the keys that an account can have.
 *
 * @throws Fault `gateway.listing-moves` when the pages never agreed, `gateway.unexpected-shape` when every page has the
 * same keys, when the gateway lists too few of the keys that it counts, or more keys than any account has.
 */
export async function walkKeys(read: ReadPage): Promise<readonly ObservedKey[]> {
  let before: KeysById | undefined;
  for (let walk = 1; walk <= MAX_WALKS; walk++) {
    const first = await read(1);
    if (first.total === undefined) return [...(await readUntilShort(read, first)).values()];
    if (first.total > MOST_KEYS) throw tooManyFault();
    const { keys, agrees, isShort, past } = await readCounted(read, first, first.total);
    if (agrees) return [...keys.values()];
    if (before && sameIds(before, keys) && keys.size < first.total) {
      if (isShort) throw lyingTotalFault(first.total, keys.size);
      // The total counts keys that are never listed: the same keys twice, and nothing after the last page.
      if ((await read(past)).keys.length === 0) return [...keys.values()];
    }
    before = keys;
  }
  throw new Fault(
    'gateway.listing-moves',
    `The key list changed while it was being read, ${MAX_WALKS} times in a row.`,
    {
      hint: 'Someone is creating or deleting keys. Run it again when they have finished.',
      detail: { walks: MAX_WALKS },
    },
  );
}

/** One reading of a listing with a total. */
interface CountedWalk {
  readonly keys: KeysById;
  /** Every page has the same total, and there are as many keys. */
  readonly agrees: boolean;
  /** A page within the total has no keys. */
  readonly isShort: boolean;
  /** The first page beyond the total. */
  readonly past: number;
}

async function readCounted(read: ReadPage, first: KeyPage, total: number): Promise<CountedWalk> {
  // The first of several pages is full: its length is the page size, even where the gateway chose a smaller one.
  const size = Math.max(1, first.keys.length);
  const last = first.keys.length === 0 ? 1 : Math.max(1, Math.ceil(total / size));
  const keys = add(new Map(), first);
  const ahead = readAhead(read, 2);
  let [pages, isSteady, isShort] = [1, true, first.keys.length === 0 && total > 0];
  while (pages < last && !isShort) {
    const end = Math.min(pages + PAGES_AT_ONCE, last);
    const known = keys.size;
    let isEmpty = false;
    while (pages < end) {
      // Pages of the next group only while this one shows that there are more keys.
      const page = await ahead.next(isEmpty || keys.size === known ? end : last);
      pages += 1;
      if (pages === 2 && isRepetition(first, page)) throw repetitionFault();
      add(keys, page);
      isSteady &&= page.total === total;
      isEmpty ||= page.keys.length === 0;
    }
    isShort = keys.size === known || isEmpty;
    if (pages > MOST_PAGES || keys.size > MOST_KEYS) throw tooManyFault();
  }
  await ahead.end();
  return { keys, agrees: keys.size === total && isSteady, isShort, past: last + 1 };
}

/** Requests pages ahead of those that are awaited, so that requests leave while earlier ones are under way and processed. */
function readAhead(read: ReadPage, from: number) {
  const asked: Promise<KeyPage>[] = [];
  let following = from;
  return {
    /** Awaits the next page. @param last the last page that may be requested meanwhile */
    next(last: number): Promise<KeyPage> {
      for (; asked.length < PAGES_AT_ONCE && following <= last; following += 1) {
        const page = read(following);
        // Whoever awaits it gets the error. Nobody does after an earlier page has failed.
        page.catch(() => {});
        asked.push(page);
      }
      return asked.shift() ?? read(following++);
    },
    /** Awaits what nobody needs any more: the next reading begins when nothing of this one is under way. */
    end: (): Promise<unknown> => Promise.allSettled(asked),
  };
}

const isDescending = (keys: readonly ObservedKey[]): boolean =>
  keys.every(({ id }, index) => index === 0 || id < (keys[index - 1]?.id ?? 0));

/**
 * Finds the newest keys on the first page. The contract promises no order: a full page of descending ids shows that
 * this gateway lists the newest first, and a page with all keys needs no order. Otherwise undefined.
 */
export function newestOf({ keys, total }: KeyPage, size: number): Newest | undefined {
  if (total !== undefined && keys.length === total) return { keys, after: 0 };
  const [last] = keys.slice(-1);
  return last !== undefined && keys.length === size && isDescending(keys) ? { keys, after: last.id - 1 } : undefined;
}

/** Requests each page when the one before it has arrived, unless that one is the last, until it is closed. */
function openPageReader(read: ReadPage, isLast: (extent: PageExtent) => boolean) {
  // By number: a page may arrive before the one before it is decoded.
  const coming = new Map<number, Promise<KeyPage>>();
  let isOpen = true;
  const request = (page: number): Promise<KeyPage> =>
    read(page, (extent) => {
      // Whether the second page repeats the first decides whether there is a third.
      if (!isOpen || page === 2 || isLast(extent)) return;
      const next = request(page + 1);
      // Whoever awaits it gets the error. Nobody does after an earlier page has failed.
      next.catch(() => {});
      coming.set(page + 1, next);
    });
  return {
    page: (number: number): Promise<KeyPage> => {
      const next = coming.get(number) ?? request(number);
      coming.delete(number);
      return next;
    },
    /** Requests no further page: a gateway may have a next one for ever. */
    close: () => {
      isOpen = false;
    },
    settled: () => Promise.allSettled(coming.values()),
  };
}

/** Reads a listing without a total, page by page. */
async function readUntilShort(read: ReadPage, first: KeyPage): Promise<KeysById> {
  const keys = add(new Map(), first);
  let [previous, longest, idle] = [first, first.keys.length, 0];
  const reader = openPageReader(read, (extent) => isLastKeyPage(extent, { longest, isAlone: false }));
  try {
    for (let page = 2; !isLastKeyPage(extentOf(previous), { longest, isAlone: page === 2 }); page++) {
      if (page > MOST_PAGES || keys.size > MOST_KEYS) throw tooManyFault();
      const next = await reader.page(page);
      if (isRepetition(previous, next)) {
        if (next.keys.length === SYSTEM_LIMITS.pageSize) throw repetitionFault();
        // The gateway returns all keys for every page number.
        break;
      }
      const known = keys.size;
      add(keys, next);
      idle = keys.size > known ? 0 : idle + 1;
      if (idle > MAX_IDLE_PAGES) throw repetitionFault();
      longest = Math.max(longest, next.keys.length);
      previous = next;
    }
  } finally {
    reader.close();
  }
  await reader.settled();
  return keys;
}

const extentOf = ({ keys, ...reported }: KeyPage): PageExtent => ({ found: keys.length, ...reported });

/**
 * A page is the last one when it is not full. The full size is the gateway's, if reported, or the longest page so far.
 * A single first page below the requested size counts as complete, unless its length could be the gateway's own page
 * size.
 */
function isLastKeyPage(
  { found, size }: PageExtent,
  pages: { readonly longest: number; readonly isAlone: boolean },
): boolean {
  if (found === 0 || found < (size ?? pages.longest)) return true;
  const alone = size === undefined && pages.isAlone && found < SYSTEM_LIMITS.pageSize;
  return alone && !couldBePageSize(found);
}

/** Round in one of the two ways in which page sizes are: 10, 15, 20, 25 …, or 16, 32, 64. */
const couldBePageSize = (length: number): boolean =>
  length >= 10 && (length % 5 === 0 || Number.isInteger(Math.log2(length)));

function add(keys: KeysById, page: KeyPage): KeysById {
  for (const key of page.keys) keys.set(key.id, key);
  return keys;
}

const sameIds = (a: KeysById, b: KeysById): boolean => a.size === b.size && [...a.keys()].every((id) => b.has(id));

const isRepetition = (a: KeyPage, b: KeyPage): boolean =>
  a.keys.length === b.keys.length && a.keys.every(({ id }, index) => id === b.keys[index]?.id);

const repetitionFault = (): Fault =>
  new Fault('gateway.unexpected-shape', 'The gateway returns the same keys for different pages of the key list.', {
    hint: 'It seems to ignore the page number, so Keyplane cannot list all keys. Nothing was changed.',
  });

/** Without this fault, the keys that are counted but not listed would be created again. */
const lyingTotalFault = (total: number, listed: number): Fault =>
  new Fault(
    'gateway.unexpected-shape',
    `The gateway counts ${total} ${total === 1 ? 'key' : 'keys'} but lists ${listed === 0 ? 'none' : `only ${listed}`} of them.`,
    {
      hint: 'It seems to number its pages differently, so Keyplane cannot list all keys. Nothing was changed.',
      detail: { total, listed },
    },
  );

const tooManyFault = (): Fault =>
  new Fault(
    'gateway.unexpected-shape',
    `The gateway counts or lists more than the ${MOST_KEYS.toLocaleString('en')} keys that Keyplane reads of one account.`,
    {
      hint: 'The key list may never end. Check the gateway, and the proxy in front of it. Nothing was changed.',
      detail: { most: MOST_KEYS },
    },
  );

/**
 * Reads the usage log, newest first, one request for each page; stop iterating to stop reading.
 *
 * New entries push older ones to later pages while it is read, so an entry of an earlier page is skipped when it comes
 * again. Entries of one page are never taken for each other. A page may be empty after that. Budgets would be granted again
 * for what is not read, so the end is found by the number of entries: a gateway may have smaller pages than it reports.
 *
 * @throws Fault `gateway.unexpected-shape` when the same entries come again and again.
 */
export async function* walkUsage<E extends UsageEntry>(
  read: (page: number, size: number) => Promise<LogPage>,
  decode: (entry: LogEntry) => E,
): AsyncGenerator<readonly E[]> {
  const seen = new Set<string>();
  let [listed, idle] = [0, 0];
  let previous: { readonly total: number | undefined; readonly mark: string } | undefined;
  for (let page = 1; ; page++) {
    const current = await read(page, SYSTEM_LIMITS.pageSize);
    const all = current.entries.map(decode);
    const entries = all.filter(({ identity }) => !seen.has(identity));
    for (const { identity } of entries) seen.add(identity);
    if (all.length > 0) yield entries;
    listed += all.length;
    const mark = all.map(({ identity }) => identity).join('\n');
    idle = entries.length > 0 ? 0 : idle + 1;
    // Only as many new entries as a page has can repeat it, and then the total has grown.
    const repeats = all.length > 1 && mark === previous?.mark && current.total === previous.total;
    if (idle > MAX_IDLE_PAGES || (repeats && current.total !== undefined)) throw repeatedLogFault();
    if (isLastLogPage(current, listed)) return;
    previous = { total: current.total, mark };
  }
}

const repeatedLogFault = (): Fault =>
  new Fault('gateway.unexpected-shape', 'The gateway returns the same entries for different pages of the usage log.', {
    hint: 'It seems to ignore the page number, so Keyplane cannot read the whole usage log. Nothing was changed.',
  });

/** Is it the last page? Only an empty one is where the gateway reports neither a total nor the size of its pages. */
function isLastLogPage({ entries, total, size = 1 }: LogPage, listed: number): boolean {
  return entries.length === 0 || (total === undefined ? entries.length < size : listed >= total);
}
