import type { KeyId } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import type { Use } from './evidence.ts';
import type { Need } from './log-reading.ts';
import { type RecordLag, recordedUse } from './record-lag.ts';

/**
 * Finds the use of the keys that hold exactly what a sum of the log leaves: a request for each, however long the log is.
 *
 * A sum is by the name that a key had, and does not contain refunds. Another key may have had the name, and this key another
 * one. So a sum never proves that a key is to be raised, or lowered: any other key is left to the entries themselves.
 */
export async function sumsOf(
  store: KeyStore,
  needs: readonly Need[],
  lags: ReadonlyMap<KeyId, RecordLag>,
): Promise<Map<KeyId, Use>> {
  const uses = new Map<KeyId, Use>();
  for (const need of needs) {
    const { key, since, granted } = need;
    if (since === 0 || key.unlimited) continue;
    const sum = await store.sumUsage({ name: key.name, from: since });
    // A store that cannot sum up for one key cannot for any.
    if (sum === undefined) return uses;
    const used = recordedUse(need, sum, lags.get(key.id));
    if (key.remain === granted - used) uses.set(key.id, { least: used, most: Number.POSITIVE_INFINITY });
  }
  return uses;
}
