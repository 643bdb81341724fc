import type { KeyId } from '../../../domain/index.ts';

/** Waits for further requests to join a batch: core sends each call in a message of its own, and a few concurrently. Never rejects. */
export type BatchDelay = () => Promise<unknown>;

interface BatchOptions<A> {
  readonly alone?: (ids: readonly KeyId[]) => Promise<A>;
  readonly sending?: 'one by one';
}

/**
 * Combines concurrent requests into one. When a combined request fails, each caller retries alone, so that one invalid
 * ID does not fail the others. Use it only for requests that are safe to repeat.
 *
 * @param alone the request that a caller repeats alone.
 * @param sending `one by one`: requests that come while a combined one is under way wait for it, and join the next. For requests that
 * a gateway allows only a few of.
 */
export function batched<A>(
  request: (ids: readonly KeyId[]) => Promise<A>,
  delay: BatchDelay,
  { alone = request, sending }: BatchOptions<A> = {},
): (ids: readonly KeyId[]) => Promise<A> {
  let batch: { readonly requested: (readonly KeyId[])[]; readonly response: Promise<A> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const begin = () => {
    const requested: (readonly KeyId[])[] = [];
    const earlier = sending === undefined ? undefined : running;
    const response = Promise.all([delay(), earlier]).then(() => {
      batch = undefined;
      return request([...new Set(requested.flat())]);
    });
    running = response.catch(() => undefined);
    return { requested, response };
  };
  return async (ids) => {
    batch ??= begin();
    const { requested, response } = batch;
    requested.push(ids);
    try {
      return await response;
    } catch (thrown) {
      if (requested.length === 1) throw thrown;
      return await alone(ids);
    }
  };
}
