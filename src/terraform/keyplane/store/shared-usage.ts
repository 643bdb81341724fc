import type { KeyId, ObservedKey, UsageEntry } from '../../../domain/index.ts';
import type { BatchDelay } from './batch.ts';

type UsagePage = readonly UsageEntry[];
type Pages = AsyncIterable<UsagePage>;

/** A page with its entries by the ID of their key and by its name: a former key may have used the budget of one with its name. */
interface IndexedPage {
  readonly entries: UsagePage;
  readonly byKey: ReadonlyMap<KeyId | string, UsagePage>;
}

/** One reading of the usage log for any number of readers. */
export interface SharedUsage {
  /** All entries, newest first. */
  all(): Pages;
  /**
   * The entries of one key and, of each page, the first and the last entry, which show how far back the page reaches. Saves
   * a thousand keys from scanning every entry a thousand times.
   */
  of(key: ObservedKey): Pages;
}

function indexed(entries: UsagePage): IndexedPage {
  const byKey = new Map<KeyId | string, UsageEntry[]>();
  const add = (key: KeyId | string, entry: UsageEntry): void => {
    const own = byKey.get(key);
    if (own) own.push(entry);
    else byKey.set(key, [entry]);
  };
  for (const entry of entries) {
    if (entry.keyId !== undefined) add(entry.keyId, entry);
    add(entry.keyName, entry);
  }
  return { entries, byKey };
}

function entriesOf({ entries, byKey }: IndexedPage, { id, name }: ObservedKey): UsagePage {
  const own = [...new Set([...(byKey.get(id) ?? []), ...(byKey.get(name) ?? [])])];
  const ends = [entries[0], entries.at(-1)].filter(
    (entry): entry is UsageEntry => entry !== undefined && !own.includes(entry),
  );
  return [...own, ...new Set(ends)];
}

/** Reads each page once, when the first reader needs it. */
function sharedPages(read: () => Pages): () => AsyncIterable<IndexedPage> {
  const begin = () => ({ pages: [] as Promise<IndexedPage | undefined>[], source: read()[Symbol.asyncIterator]() });
  type Reading = ReturnType<typeof begin>;
  let current: Reading | undefined;
  const pageAt = ({ pages, source }: Reading, index: number): Promise<IndexedPage | undefined> => {
    // A page is requested only once the page before it has arrived.
    pages[index] ??= (pages[index - 1] ?? Promise.resolve()).then(async () => {
      const { done, value } = await source.next();
      return done ? undefined : indexed(value);
    });
    return pages[index];
  };
  return async function* pages() {
    current ??= begin();
    const reading = current;
    try {
      for (let index = 0; ; index += 1) {
        const page = await pageAt(reading, index);
        if (page === undefined) return;
        yield page;
      }
    } catch (thrown) {
      // A source that failed reports its end from then on, so the next reader starts over.
      if (current === reading) current = undefined;
      throw thrown;
    }
  };
}

export function sharedUsage(read: () => Pages): SharedUsage {
  const pages = sharedPages(read);
  return {
    async *all() {
      for await (const { entries } of pages()) yield entries;
    },
    async *of(key) {
      let isFirst = true;
      for await (const page of pages()) {
        // The whole newest page: it marks where the log began when it was read.
        yield isFirst ? page.entries : entriesOf(page, key);
        isFirst = false;
      }
    },
  };
}

/** A reading that starts after it was requested, shared by all who requested it before it started. */
export function freshUsage(read: () => Pages, delay: BatchDelay): () => Pages {
  let next: Promise<SharedUsage> | undefined;
  return async function* fresh() {
    next ??= delay().then(() => {
      next = undefined;
      return sharedUsage(read);
    });
    const usage = await next;
    yield* usage.all();
  };
}
