import type { UsageEntry } from '../../domain/index.ts';

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
