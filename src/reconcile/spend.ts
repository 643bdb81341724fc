import { type KeyId, type ObservedKey, type Quota, quota, type SpendCorrection } from '../domain/index.ts';
import type { KeyStore } from './ports.ts';

/**
 * A full update writes the remainder absolutely, so it gives back what a key spent between the read and the write. This
 * file takes that back and reports it.
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

/** A limited key that was updated and whose use only the log shows. */
export interface Suspect {
  readonly id: KeyId;
  readonly name: string;
  /** The remainder if the key had spent nothing since the head of the log was read. */
  readonly untouched: Quota;
}

const MAX_PAGES = 50;

/** Reads the newest page of the log: a mark to read back to later. */
export async function readLogHead(store: KeyStore): Promise<ReadonlySet<string>> {
  for await (const page of store.usage()) return new Set(page.map((entry) => entry.identity));
  return new Set();
}

/** Returns what each key spent since the mark; undefined when the mark was not found within the page limit. */
async function spentSinceHead(
  store: KeyStore,
  head: ReadonlySet<string>,
): Promise<{ spent: ReadonlyMap<KeyId, number>; entries: number } | undefined> {
  const spent = new Map<KeyId, number>();
  let [pages, entries] = [0, 0];
  for await (const page of store.usage()) {
    for (const entry of page) {
      if (head.has(entry.identity)) return { spent, entries };
      entries += 1;
      if (entry.keyId !== undefined) spent.set(entry.keyId, (spent.get(entry.keyId) ?? 0) + entry.spent);
    }
    pages += 1;
    if (pages >= MAX_PAGES) return undefined;
  }
  return { spent, entries };
}

/**
 * The same for gateways that do not report a key's use: the log since the mark shows what was spent, the key shows what
 * it holds, and the excess was given back. Never takes more than was spent, so that a grant that someone else made
 * meanwhile remains. `quiet`: nothing was spent since the mark.
 */
export async function takeBackByLog(
  store: KeyStore,
  suspects: readonly Suspect[],
  head: ReadonlySet<string>,
): Promise<{ corrections: readonly SpendCorrection[]; quiet: boolean }> {
  const since = await spentSinceHead(store, head);
  if (!since) return { corrections: [], quiet: false };
  const corrections: SpendCorrection[] = [];
  for (const suspect of suspects) {
    const used = since.spent.get(suspect.id) ?? 0;
    const correction = used > 0 ? await takeBackOne(store, suspect, used) : undefined;
    if (correction) corrections.push(correction);
  }
  return { corrections, quiet: since.entries === 0 };
}

/** Corrects one suspect that spent. Never throws, so that one unreadable key does not hide the corrections of others. */
async function takeBackOne(
  store: KeyStore,
  { id, name, untouched }: Suspect,
  used: number,
): Promise<SpendCorrection | undefined> {
  const report = (units: number, takenBack: boolean): SpendCorrection => ({ id, name, units: quota(units), takenBack });
  const key = await store.tryRead(id).catch(() => null);
  // All that it spent may have been given back.
  if (key === null) return report(used, false);
  const excessOf = (now: ObservedKey): number =>
    now.unlimited ? 0 : Math.max(0, Math.min(used, now.remain - (untouched - used)));
  let excess = key ? excessOf(key) : 0;
  if (excess === 0) return undefined;
  const revise = (now: ObservedKey) => {
    excess = excessOf(now);
    return { remain: quota(Math.max(0, now.remain - excess)) };
  };
  const takenBack = await store.update(id, revise).then(
    () => true,
    () => false,
  );
  return excess === 0 ? undefined : report(excess, takenBack);
}
