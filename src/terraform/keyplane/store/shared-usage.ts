import type { KeyId, ObservedKey, UsageEntry } from '../../../domain/index.ts';

type Page = readonly UsageEntry[];
type Usage = () => AsyncIterable<Page>;

/** One reading of the usage log for many readers: each page is asked for once, by whoever comes first to need it. */
export function sharedUsage(read: Usage): Usage {
  const begin = () => ({ pages: [] as Promise<IteratorResult<Page>>[], source: read()[Symbol.asyncIterator]() });
  let reading: ReturnType<typeof begin> | undefined;
  const pageAt = ({ pages, source }: ReturnType<typeof begin>, index: number): Promise<IteratorResult<Page>> => {
    // Pages come in order: the next is asked for when the one before is there.
    pages[index] ??= (pages[index - 1] ?? Promise.resolve()).then(() => source.next());
    return pages[index];
  };
  return async function* pagesAgain() {
    reading ??= begin();
    const mine = reading;
    try {
      for (let index = 0; ; index += 1) {
        const { done, value } = await pageAt(mine, index);
        if (done) return;
        yield value;
      }
    } catch (thrown) {
      // A source that broke says that it is at its end: who comes next begins anew.
      if (reading === mine) reading = undefined;
      throw thrown;
    }
  };
}

/** A reading that begins after it was asked for, shared by all who asked before it began. */
export function freshUsage(read: Usage, linger: () => Promise<unknown>): Usage {
  let next: Promise<Usage> | undefined;
  return async function* fromNow() {
    next ??= linger().then(() => {
      next = undefined;
      return sharedUsage(read);
    });
    const usage = await next;
    yield* usage();
  };
}

/** The entries of a page by the key that they are of; by its name where the gateway tells no id. */
const indexes = new WeakMap<Page, ReadonlyMap<KeyId | string, Page>>();

function indexOf(page: Page): ReadonlyMap<KeyId | string, Page> {
  const known = indexes.get(page);
  if (known) return known;
  const index = new Map<KeyId | string, UsageEntry[]>();
  for (const entry of page) {
    const entries = index.get(entry.keyId ?? entry.keyName);
    if (entries) entries.push(entry);
    else index.set(entry.keyId ?? entry.keyName, [entry]);
  }
  indexes.set(page, index);
  return index;
}

/**
 * The log as far as one key needs it: of each page its own entries, and the first and the last, which tell how far back the
 * page reaches. A thousand keys would otherwise look at every entry a thousand times.
 */
export const usageAbout = (usage: Usage, { id, name }: ObservedKey): Usage =>
  async function* entriesOf() {
    let isFirst = true;
    for await (const page of usage()) {
      const index = indexOf(page);
      const own = [...(index.get(id) ?? []), ...(index.get(name) ?? [])];
      const ends = [page[0], page.at(-1)].filter((entry) => entry !== undefined && !own.includes(entry));
      // The newest page marks where the log began when it was read.
      yield isFirst ? page : [...own, ...new Set(ends as UsageEntry[])];
      isFirst = false;
    }
  };
