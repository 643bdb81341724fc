import type { UsageEntry } from '../../domain/index.ts';

type Page = readonly UsageEntry[];

/** One reading of the usage log for many readers: each page is asked for once, by whoever comes first to need it. */
export function sharedUsage(read: () => AsyncIterable<Page>): () => AsyncIterable<Page> {
  const pages: Promise<IteratorResult<Page>>[] = [];
  let source: AsyncIterator<Page> | undefined;
  const pageAt = (index: number): Promise<IteratorResult<Page>> => {
    source ??= read()[Symbol.asyncIterator]();
    const { next } = source;
    // Pages come in order: the next is asked for when the one before is there.
    pages[index] ??= (pages[index - 1] ?? Promise.resolve()).then(() => next.call(source));
    return pages[index];
  };
  return async function* pagesAgain() {
    for (let index = 0; ; index += 1) {
      const { done, value } = await pageAt(index);
      if (done) return;
      yield value;
    }
  };
}
