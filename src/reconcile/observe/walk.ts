import { asFault, Fault, type ObservedKey } from '../../domain/index.ts';
import type { Run } from '../apply/run.ts';

const MOST_WALKS = 5;

/** A walk; when it fails the run ends, because nothing may be made or settled without it. */
export async function tryWalk(run: Run): Promise<readonly ObservedKey[] | undefined> {
  try {
    return await run.store.walk();
  } catch (thrown) {
    run.fatal ??= asFault(thrown);
    return undefined;
  }
}

/**
 * Walks until two consecutive walks agree, the one that the plan was made from included, and returns the later one.
 *
 * Where the gateway reports no total, a key that is deleted during a walk hides another one: rows move to a page that was
 * already read. The deleted key was read before, and is absent from the next walk. So walks agree when every key of the
 * earlier one is in the later one; keys that are new in the later one hide nothing. Fails as {@link tryWalk} does.
 */
export async function trySteadyWalk(run: Run): Promise<readonly ObservedKey[] | undefined> {
  let before = run.options.observed.keys;
  for (let walk = 1; walk <= MOST_WALKS; walk += 1) {
    const now = await tryWalk(run);
    if (now === undefined) return undefined;
    const ids = new Set(now.map(({ id }) => id));
    if (before.every(({ id }) => ids.has(id))) return now;
    before = now;
  }
  run.fatal ??= new Fault('gateway.listing-moves', `Keys vanished from the key list in ${MOST_WALKS} walks in a row.`, {
    hint: 'Someone is deleting keys. Run it again when they have finished.',
    detail: { walks: MOST_WALKS },
  });
  return undefined;
}
