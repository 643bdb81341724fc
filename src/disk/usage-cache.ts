import { type AccountRef, type KeyId, keyId, parseShallowJson, quota } from '../domain/index.ts';
import type { RememberedKey, UsageCache, UsageMemory } from '../reconcile/index.ts';
import { MOST_BYTES, readRegularFile } from '../source/index.ts';
import { writePrivately } from './write-file.ts';

interface Stored {
  readonly version: 2;
  readonly account: AccountRef;
  readonly through: number;
  readonly used: Readonly<Record<string, number>>;
  readonly keys: Readonly<Record<string, RememberedKey>>;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isReading = (value: unknown, counters: readonly string[]): boolean =>
  isRecord(value) &&
  counters.every((counter) => Number.isSafeInteger(value[counter])) &&
  (value.used === undefined || Number.isSafeInteger(value.used));

const isRemembered = (value: unknown): boolean =>
  isRecord(value) &&
  isReading(value.latest, ['at', 'remain', 'since', 'least', 'most', 'granted', 'ceiling']) &&
  (value.earlier === undefined || isReading(value.earlier, ['at', 'remain']));

function memoryOf(stored: Stored, account: AccountRef): UsageMemory | undefined {
  const same = stored.version === 2 && stored.account.url === account.url && stored.account.userId === account.userId;
  if (!same || !Number.isSafeInteger(stored.through)) return undefined;
  if (!Object.values(stored.keys).every(isRemembered)) return undefined;
  const byId = <V>(values: Readonly<Record<string, V>>): Map<KeyId, V> =>
    new Map(Object.entries(values).map(([id, value]) => [keyId(Number(id)), value]));
  const used = Object.entries(stored.used).map(([id, units]) => [keyId(Number(id)), quota(units)] as const);
  return { through: stored.through, used: new Map(used), keys: byId(stored.keys) };
}

/**
 * Keeps sums of the usage log in a file. It holds no secret and may be deleted at any time; a file of
 * another account, of another version, or that is not a cache counts as empty and is replaced.
 */
export function usageCacheAt(file: string, account: AccountRef): UsageCache {
  return {
    async load() {
      try {
        // A pipe that nobody writes to would hold up the run.
        const stored: unknown = parseShallowJson(readRegularFile(file, MOST_BYTES.record).toString('utf8'));
        return memoryOf(stored as Stored, account);
      } catch {
        return undefined;
      }
    },
    async save({ through, used, keys }) {
      const sums = { through, used: Object.fromEntries(used) };
      const stored: Stored = { version: 2, account, ...sums, keys: Object.fromEntries(keys) };
      await writePrivately(file, `${JSON.stringify(stored)}\n`);
    },
  };
}
