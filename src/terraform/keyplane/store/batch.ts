import type { KeyId } from '../../../domain/index.ts';

/** Waits for further requests to join a batch: core sends each call in a message of its own, and a few concurrently. */
export type BatchDelay = () => Promise<unknown>;

/**
 * Combines concurrent requests into one. When a combined request fails, each caller retries alone, so that one invalid
 * ID does not fail the others. Use it only for requests that are safe to repeat.
 *
 * @param alone the request that a caller repeats alone.
 */
export function batched<A>(
  request: (ids: readonly KeyId[]) => Promise<A>,
  delay: BatchDelay,
  alone = request,
): (ids: readonly KeyId[]) => Promise<A> {
  let batch: { readonly requested: (readonly KeyId[])[]; readonly response: Promise<A> } | undefined;
  const begin = () => {
    const requested: (readonly KeyId[])[] = [];
    const response = delay().then(() => {
      batch = undefined;
      return request([...new Set(requested.flat())]);
    });
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
