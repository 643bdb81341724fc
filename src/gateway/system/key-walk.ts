import { Fault, type KeyId, type ObservedKey } from '../../domain/index.ts';
import type { Newest } from '../../reconcile/index.ts';
import { SYSTEM_LIMITS } from '../../wire/index.ts';
import type { KeyPage } from './system-api.ts';

/** Reads one page of at most 100 keys, pages counting from 1. */
export type ReadPage = (page: number) => Promise<KeyPage>;

const MAX_WALKS = 5;
/** Pages in a row without a new key after which a listing without a total is given up. */
const MAX_IDLE_PAGES = 20;

type Keys = Map<KeyId, ObservedKey>;

/**
 * Every key of the account, each once.
 *
 * Pages are offsets into a list that may move: a key that is made meanwhile repeats rows, one that is deleted skips
 * rows, and a skipped key would be made again. So where the gateway tells a total, it must be the same on every page
 * and equal to the number of different keys; else all is read again, a few times. Where it tells none, pages are read
 * one after the other until one is not full, and a deletion meanwhile can not be noticed.
 *
 * Costs ⌈keys / page size⌉ requests, and at most one more where there is no total.
 *
 * @throws Fault `gateway.listing-moves` when it never agreed with itself, `gateway.unexpected-shape` when the gateway
 * answers every page with the same keys, or lists none of those that it counts.
 */
export async function walkKeys(read: ReadPage): Promise<readonly ObservedKey[]> {
  let before: Keys | undefined;
  for (let walk = 1; walk <= MAX_WALKS; walk++) {
    const first = await read(1);
    if (first.total === undefined) return [...(await readOn(read, first)).values()];
    const { keys, agrees, past } = await readAll(read, first, first.total);
    if (agrees) return [...keys.values()];
    if (keys.size === 0 && before?.size === 0) throw emptyFault(first.total);
    // A total that counts what is never listed: twice the same keys, and nothing after the last page.
    if (before && sameIds(before, keys) && keys.size < first.total && (await isEmpty(read, past))) {
      return [...keys.values()];
    }
    before = keys;
  }
  throw new Fault('gateway.listing-moves', `The list of keys changed during each of ${MAX_WALKS} readings.`, {
    hint: 'Somebody makes or deletes keys at this moment. Run it again when that has ended.',
    detail: { walks: MAX_WALKS },
  });
}

async function readAll(read: ReadPage, first: KeyPage, total: number) {
  // The first of several pages is full: its length is the page size, also where the gateway takes a smaller one.
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
 * What the first page tells of the newest keys. The contract promises no order: a full page whose ids only fall shows
 * that this gateway lists the newest first, and one that holds all keys needs no order.
 */
export function newestOf({ keys, total }: KeyPage, size: number): Newest | undefined {
  if (total !== undefined && keys.length === total) return { keys, after: 0 };
  const [last] = keys.slice(-1);
  return last !== undefined && keys.length === size && isDescending(keys) ? { keys, after: last.id - 1 } : undefined;
}

const isEmpty = async (read: ReadPage, page: number): Promise<boolean> => (await read(page)).keys.length === 0;

async function readOn(read: ReadPage, first: KeyPage): Promise<Keys> {
  const pages = [first];
  let [previous, known, idle] = [first, collect(pages).size, 0];
  while (!isLast(previous, pages)) {
    const next = await read(pages.length + 1);
    if (isRepetition(previous, next)) {
      if (next.keys.length === SYSTEM_LIMITS.pageSize) throw repetitionFault();
      // All at once, whatever page was asked for.
      break;
    }
    pages.push(next);
    previous = next;
    const now = collect(pages).size;
    idle = now > known ? 0 : idle + 1;
    known = now;
    if (idle > MAX_IDLE_PAGES) throw repetitionFault();
  }
  return collect(pages);
}

/**
 * Is there nothing after this page? It says so when it is not full, and what full is can be known: the gateway tells,
 * or an earlier page had more. A first page alone below the size asked for is taken for all there is, unless its length
 * is one that a gateway may have as its own page size.
 */
function isLast(page: KeyPage, pages: readonly KeyPage[]): boolean {
  const found = page.keys.length;
  const full = page.size ?? Math.max(...pages.map(({ keys }) => keys.length));
  if (found === 0 || found < full) return true;
  const alone = page.size === undefined && pages.length === 1 && found < SYSTEM_LIMITS.pageSize;
  return alone && !couldBePageSize(found);
}

/** Round in one of the two ways in which page sizes are: 10, 15, 20, 25 …, or 16, 32, 64. */
const couldBePageSize = (length: number): boolean =>
  length >= 10 && (length % 5 === 0 || Number.isInteger(Math.log2(length)));

function collect(pages: readonly KeyPage[]): Keys {
  const keys: Keys = new Map();
  for (const page of pages) for (const key of page.keys) keys.set(key.id, key);
  return keys;
}

const sameIds = (a: Keys, b: Keys): boolean => a.size === b.size && [...a.keys()].every((id) => b.has(id));

const isRepetition = (a: KeyPage, b: KeyPage): boolean =>
  a.keys.length === b.keys.length && a.keys.every(({ id }, index) => id === b.keys[index]?.id);

const repetitionFault = (): Fault =>
  new Fault('gateway.unexpected-shape', 'The gateway answers different pages of the key list with the same keys.', {
    hint: 'It seems to ignore the page number, so it can not be told which keys there are. Nothing was changed.',
  });

/** Taken for an account without keys, every key would be made anew. */
const emptyFault = (total: number): Fault =>
  new Fault('gateway.unexpected-shape', `The gateway counts ${total} keys and lists none of them.`, {
    hint: 'It seems to count its pages in another way, so it can not be told which keys there are. Nothing was changed.',
  });
