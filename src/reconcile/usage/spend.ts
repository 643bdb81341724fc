import { type ObservedKey, type Quota, quota, type SpendCorrection } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';

/**
 * A full update writes the remainder absolutely, so it gives back what a key spent between the read and the write. This
 * file takes that back and reports it, where the record shows what a key used; see `take-back-by-log` for other records.
 */

const ROUNDS = 3;

interface AfterWrite {
  readonly name: string;
  /** The key as read right before the write. */
  readonly base: ObservedKey;
  readonly written: Quota;
  readonly after: ObservedKey;
}

/**
 * Remainder and use together move only when someone grants or takes: more than was written is what was given back. Never
 * more than was spent, less what was `taken` back already: the rest is a grant that someone else made meanwhile.
 */
function givenBack({ base, written }: Pick<AfterWrite, 'base' | 'written'>, after: ObservedKey, taken = 0): number {
  if (after.unlimited || base.used === undefined || after.used === undefined) return 0;
  return Math.min(after.remain + after.used - (written + base.used), after.used - base.used - taken);
}

/**
 * Takes back what an update gave back, where the record reports the use. Each correction is a write of its own
 * and may race again, so there are up to three.
 */
export async function takeBack(store: KeyStore, write: AfterWrite): Promise<SpendCorrection | undefined> {
  let key = write.after;
  let taken = 0;
  const units = givenBack(write, key);
  if (units <= 0) return undefined;
  const report = (takenBack: boolean): SpendCorrection => {
    return { id: key.id, name: write.name, units: quota(units), takenBack };
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      let excess = givenBack(write, key, taken);
      if (excess <= 0) break;
      await store.update(key.id, (now) => {
        excess = Math.max(0, givenBack(write, now, taken));
        return { remain: quota(Math.max(0, now.remain - excess)) };
      });
      taken += excess;
      const read = await store.tryRead(key.id);
      if (!read) return report(false);
      key = read;
    }
  } catch {
    // The update itself succeeded: what could not be taken back is reported, not thrown.
    return report(false);
  }
  return report(givenBack(write, key, taken) <= 0);
}
