import { Fault, type KeyId, type ObservedKey, type UsageEntry } from '../../domain/index.ts';
import type { Newest } from '../../reconcile/index.ts';
import { SYSTEM_LIMITS, usageFromWire } from '../../wire/index.ts';
import type { KeyPage, LogPage } from './system-api.ts';

/** Reads one page of at most 100 keys; pages count from 1. */
export type ReadPage = (page: number) => Promise<KeyPage>;

const MAX_WALKS = 5;
/** The number of consecutive pages without a new key after which reading a listing without a total ends. */
const MAX_IDLE_PAGES = 20;

type KeysById = Map<KeyId, ObservedKey>;

/**
 * Lists every key of the account, each once.
 *
 * Pages are offsets into a list that may change: a key created meanwhile repeats rows, a key deleted meanwhile skips
 * rows, and a skipped key would be created again. So where the gateway reports a total, it must be the same on every
 * page and equal to the number of different keys; otherwise everything is read again, a few times. Where it reports
 * none, pages are read one after the other until one is not full, and a deletion meanwhile goes undetected.
 *
 * Costs ⌈keys / page size⌉ requests, and at most one more where there is no total.
 *
 * @throws Fault `gateway.listing-moves` when the pages never agreed, `gateway.unexpected-shape` when every page has the
 * same keys, or when the gateway lists none of the keys that it counts.
 */
export async function walkKeys(read: ReadPage): Promise<readonly ObservedKey[]> {
  let before: KeysById | undefined;
  for (let walk = 1; walk <= MAX_WALKS; walk++) {
    const first = await read(1);
    if (first.total === undefined) return [...(await readUntilShort(read, first)).values()];
    const { keys, agrees, past } = await readAll(read, first, first.total);
    if (agrees) return [...keys.values()];
    if (keys.size === 0 && before?.size === 0) throw emptyFault(first.total);
    // The total counts keys that are never listed: the same keys twice, and nothing after the last page.
    if (before && sameIds(before, keys) && keys.size < first.total && (await isEmpty(read, past))) {
      return [...keys.values()];
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

async function readAll(read: ReadPage, first: KeyPage, total: number) {
  // The first of several pages is full: its length is the page size, even where the gateway chose a smaller one.
  const size = Math.max(1, first.keys.length);
  const last = first.keys.length === 0 ? 1 : Math.max(1, Math.ceil(total / size));
  const rest = await Promise.all(Array.from({ length: last - 1 }, (_, index) => read(index + 2)));
  const pages = [first, ...rest];
  if (rest[0] && isRepetition(first, rest[0])) throw repetitionFault();
  const keys = collect(pages);
  const agrees = keys.size === total && pages.every((page) => page.total === total);
  return { keys, agrees, past: last + 1 };
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

const isEmpty = async (read: ReadPage, page: number): Promise<boolean> => (await read(page)).keys.length === 0;

/** Reads a listing without a total, page by page. */
async function readUntilShort(read: ReadPage, first: KeyPage): Promise<KeysById> {
  const pages = [first];
  let [previous, count, idle] = [first, collect(pages).size, 0];
  while (!isLastKeyPage(previous, pages)) {
    const next = await read(pages.length + 1);
    if (isRepetition(previous, next)) {
      if (next.keys.length === SYSTEM_LIMITS.pageSize) throw repetitionFault();
      // The gateway returns all keys for every page number.
      break;
    }
    pages.push(next);
    previous = next;
    const now = collect(pages).size;
    idle = now > count ? 0 : idle + 1;
    count = now;
    if (idle > MAX_IDLE_PAGES) throw repetitionFault();
  }
  return collect(pages);
}

/**
 * A page is the last one when it is not full. The full size is the gateway's, if reported, or the longest page so far.
 * A single first page below the requested size counts as complete, unless its length could be the gateway's own page
 * size.
 */
function isLastKeyPage(page: KeyPage, pages: readonly KeyPage[]): boolean {
  const found = page.keys.length;
  const full = page.size ?? Math.max(...pages.map(({ keys }) => keys.length));
  if (found === 0 || found < full) return true;
  const alone = page.size === undefined && pages.length === 1 && found < SYSTEM_LIMITS.pageSize;
  return alone && !couldBePageSize(found);
}

/** Round in one of the two ways in which page sizes are: 10, 15, 20, 25 …, or 16, 32, 64. */
const couldBePageSize = (length: number): boolean =>
  length >= 10 && (length % 5 === 0 || Number.isInteger(Math.log2(length)));

function collect(pages: readonly KeyPage[]): KeysById {
  const keys: KeysById = new Map();
  for (const page of pages) for (const key of page.keys) keys.set(key.id, key);
  return keys;
}

const sameIds = (a: KeysById, b: KeysById): boolean => a.size === b.size && [...a.keys()].every((id) => b.has(id));

const isRepetition = (a: KeyPage, b: KeyPage): boolean =>
  a.keys.length === b.keys.length && a.keys.every(({ id }, index) => id === b.keys[index]?.id);

const repetitionFault = (): Fault =>
  new Fault('gateway.unexpected-shape', 'The gateway returns the same keys for different pages of the key list.', {
    hint: 'It seems to ignore the page number, so Keyplane cannot list all keys. Nothing was changed.',
  });

/** Without this fault, the account would seem to have no keys, and every key would be created again. */
const emptyFault = (total: number): Fault =>
  new Fault('gateway.unexpected-shape', `The gateway counts ${total} keys but lists none of them.`, {
    hint: 'It seems to number its pages differently, so Keyplane cannot list all keys. Nothing was changed.',
  });

/**
 * Reads the usage log, newest first, one request for each page; stop iterating to stop reading.
 *
 * New entries push older ones to later pages while it is read, so an entry of an earlier page is skipped when it comes
 * again. Entries of one page are never taken for each other. A page may be empty after that.
 */
export async function* walkUsage(
  read: (page: number, size: number) => Promise<LogPage>,
): AsyncGenerator<readonly UsageEntry[]> {
  const seen = new Set<string>();
  for (let page = 1; ; page++) {
    const current = await read(page, SYSTEM_LIMITS.pageSize);
    const entries = current.entries.map(usageFromWire).filter(({ identity }) => !seen.has(identity));
    for (const { identity } of entries) seen.add(identity);
    if (current.entries.length > 0) yield entries;
    if (isLastLogPage(current, page)) return;
  }
}

function isLastLogPage({ entries, total, size }: LogPage, page: number): boolean {
  if (entries.length === 0) return true;
  const full = size ?? SYSTEM_LIMITS.pageSize;
  return total === undefined ? entries.length < full : page * full >= total;
}
