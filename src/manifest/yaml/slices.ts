/** Long work, which pauses now and then, so that whoever does it may let others have their turn. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** The items of a long list that are worked on between two pauses: less than a millisecond. */
const ITEMS = 256;

/** Works on each item of a list that may be long. */
export function* forEachSliced<T>(items: Iterable<T>, work: (item: T) => void): Sliced<void> {
  let count = 0;
  for (const item of items) {
    work(item);
    count += 1;
    if (count % ITEMS === 0) yield;
  }
}

/** Maps a list that may be long. */
export function* mapSliced<T, R>(items: Iterable<T>, work: (item: T) => R): Sliced<R[]> {
  const results: R[] = [];
  yield* forEachSliced(items, (item) => results.push(work(item)));
  return results;
}

/** Does work without a pause. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does work, and lets whatever waits for the event loop have a turn at each pause. */
export async function inTurns<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
