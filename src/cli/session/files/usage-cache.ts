import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writePrivately } from '../../../disk/index.ts';
import { type AccountRef, keyId, quota } from '../../../domain/index.ts';
import type { UsageCache, UsageMemory } from '../../../reconcile/index.ts';

interface Stored {
  readonly version: 1;
  readonly account: AccountRef;
  readonly through: number;
  readonly used: Readonly<Record<string, number>>;
}

function memoryOf(stored: Stored, account: AccountRef): UsageMemory | undefined {
  const same = stored.version === 1 && stored.account.url === account.url && stored.account.userId === account.userId;
  if (!same || !Number.isSafeInteger(stored.through)) return undefined;
  const used = Object.entries(stored.used).map(([id, units]) => [keyId(Number(id)), quota(units)] as const);
  return { through: stored.through, used: new Map(used) };
}

/**
 * Sums of the usage log in a file (`--usage-cache`). It holds no secret and may be deleted at any time; a file of
 * another account, of another version, or that is not a cache counts as empty and is replaced.
 */
export function usageCacheAt(path: string, { cwd, account }: { cwd: string; account: AccountRef }): UsageCache {
  const file = resolve(cwd, path);
  return {
    async load() {
      try {
        return memoryOf(JSON.parse(await readFile(file, 'utf8')) as Stored, account);
      } catch {
        return undefined;
      }
    },
    async save({ through, used }) {
      const stored: Stored = { version: 1, account, through, used: Object.fromEntries(used) };
      await writePrivately(file, `${JSON.stringify(stored)}\n`);
    },
  };
}
