import type { KeyId } from '../../../domain/index.ts';

/** A little time for others to come: core sends each call in a message of its own, and a few of them at once. */
export type Linger = () => Promise<unknown>;

/**
 * Gathers what is asked in the same moment into one request. When that fails and several had asked, each asks again alone:
 * what one of them asked wrongly is not the others’ trouble. So only for what does no harm when it is repeated.
 */
export function gathered<A>(
  ask: (ids: readonly KeyId[]) => Promise<A>,
  linger: Linger,
): (ids: readonly KeyId[]) => Promise<A> {
  let round: { readonly asked: (readonly KeyId[])[]; readonly answer: Promise<A> } | undefined;
  const begin = () => {
    const asked: (readonly KeyId[])[] = [];
    const answer = linger().then(() => {
      round = undefined;
      return ask([...new Set(asked.flat())]);
    });
    return { asked, answer };
  };
  return async (ids) => {
    round ??= begin();
    const { asked, answer } = round;
    asked.push(ids);
    try {
      return await answer;
    } catch (thrown) {
      if (asked.length === 1) throw thrown;
      return await ask(ids);
    }
  };
}
