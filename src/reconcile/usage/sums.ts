import type { KeyId } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import { counterOf, type Use } from './evidence.ts';
import type { Need } from './log-reading.ts';
import type { UsageMemory } from './memory.ts';

const END = 4_000_000_000;

/**
 * Finds the use of keys by sums of the log, which cost a request or two for each key, however long the log is.
 *
 * A sum is by the name that a key had, and does not contain refunds: so it proves a use only where it accounts for the use on
 * the record to the unit, or where the key holds exactly what it leaves. Any other key is left to the entries themselves.
 */
export async function sumsOf(
  store: KeyStore,
  needs: readonly Need[],
  memory: UsageMemory | undefined,
): Promise<Map<KeyId, Use>> {
  const uses = new Map<KeyId, Use>();
  const raises = new Map<KeyId, { readonly used: number; readonly sum: number }>();
  for (const need of needs) {
    const { key, since, granted } = need;
    const counter = counterOf(need, key, memory?.keys.get(key.id));
    if (since === 0 || key.unlimited || counter === undefined) continue;
    const used = await store.sumUsage({ name: key.name, from: since, until: END });
    // A store that cannot sum up for one key cannot for any.
    if (used === undefined) return uses;
    if (key.remain === granted - used) uses.set(key.id, { least: used, most: used });
    else if (key.remain < granted - used) {
      const sum = await store.sumUsage({ name: key.name, from: counter.from, until: END });
      if (sum !== undefined) raises.set(key.id, { used, sum });
    }
  }
  // Read after the sums, the counters contain everything that they do.
  const again = raises.size > 0 ? await store.readMany([...raises.keys()]) : new Map();
  for (const need of needs) {
    const { id } = need.key;
    const [found, key] = [raises.get(id), again.get(id)];
    if (!found || !key || counterOf(need, key, memory?.keys.get(id))?.moved !== found.sum) continue;
    uses.set(id, { least: found.used, most: found.used });
  }
  return uses;
}
