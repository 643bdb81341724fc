import { type KeyId, type ObservedKey, type Quota, quota, type SpendCorrection } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import {
  type BracketedKey,
  isExact,
  type KeysAndLog,
  type LogMark,
  NONE,
  NOTHING_SPENT,
  narrowed,
  type QuotaRange,
  ROUNDS,
  readAround,
  readLogHead,
  type SpentSince,
  spentSince,
  UNREAD,
} from './spent-since.ts';

/**
 * Takes back what updates gave back to keys that spend, where only the log shows what a key used. What a key holds and
 * what it spent since a mark together move only by a grant: what they moved by more than the updates intended was given
 * back. Readings that leave that open are repeated; what stays open is reported and never taken for correct.
 */

/** A limited key that was updated and whose use only the log shows. */
export interface Suspect {
  readonly id: KeyId;
  readonly name: string;
  /** By how much the update was meant to move the remainder. */
  readonly step: number;
}

/** The keys before the writes. */
export interface Start {
  readonly mark: LogMark;
  readonly readings: ReadonlyMap<KeyId, BracketedKey>;
  readonly byName: ReadonlyMap<string, KeyId>;
  /** The balance of the account after the mark; undefined where it is not known. */
  readonly wallet: Quota | undefined;
}

/** Reads the keys that will be updated, and the log around them, until each is known exactly or the rounds end. */
export async function readStart(
  store: KeyStore,
  ids: readonly KeyId[],
  byName: ReadonlyMap<string, KeyId>,
): Promise<Start> {
  const mark = await readLogHead(store);
  const wallet = await tryWallet(store);
  const readings = new Map<KeyId, BracketedKey>();
  let before = NOTHING_SPENT;
  let open = ids;
  for (let round = 0; round < ROUNDS && open.length > 0; round += 1) {
    const around: KeysAndLog = await readAround(store, open, { mark, byName, before });
    for (const [id, reading] of around.readings) readings.set(id, reading);
    open = [...around.readings].flatMap(([id, reading]) => (isExact(reading) ? [] : [id]));
    before = around.after;
  }
  return { mark, readings, byName, wallet };
}

export interface TakenBack {
  readonly corrections: readonly SpendCorrection[];
  /** False: the log lacks entries, so that any suspect may have spent. */
  readonly isWhole: boolean;
  /** Nothing was spent since the start. */
  readonly quiet: boolean;
}

export interface TakeBackOptions {
  readonly start: Start;
  /** Asked before each write. What must not be written is reported as not taken back. */
  readonly mayWrite?: () => Promise<boolean>;
}

/**
 * Corrects the suspects that spent since the start. Never throws for one key, so that one unreadable key does not hide
 * the corrections of others.
 */
export async function takeBackByLog(
  store: KeyStore,
  suspects: readonly Suspect[],
  { start, mayWrite = async () => true }: TakeBackOptions,
): Promise<TakenBack> {
  const since = await logSince(store, start);
  const cases = suspects.flatMap((suspect) => (since.byKey.has(suspect.id) ? [openCase(suspect)] : []));
  if (since.whole) await settle(store, cases, { start, since, mayWrite });
  else for (const each of cases) each.left = allSpent(since, each.suspect.id);
  return {
    corrections: cases.flatMap(reportOf),
    isWhole: since.whole,
    quiet: since.whole && since.entries === 0,
  };
}

/** The balance is only evidence: what cannot be read proves nothing, and ends nothing. */
const tryWallet = (store: KeyStore): Promise<Quota | undefined> => store.wallet().catch(() => undefined);

/**
 * Reads the log since the start. A log that shows nothing is not whole when the balance fell: consumption is not logged, or
 * its entries were deleted. So is a log that was empty at the start and shows less than the balance lost: it has no earlier
 * entry that would show that the later ones were kept. The balance is read first, so that a request in between is in the log.
 */
async function logSince(store: KeyStore, { mark, byName, wallet }: Start): Promise<SpentSince> {
  const left = await tryWallet(store);
  const since = await spentSince(store, mark, byName);
  if (mark.size > 0 && since.entries > 0) return since;
  const lost = wallet === undefined || left === undefined ? 0 : wallet - left;
  return { ...since, whole: since.whole && lost <= since.units };
}

/** Any part of what a key spent may have been given back. */
const allSpent = ({ byKey }: SpentSince, id: KeyId): QuotaRange => {
  const units = byKey.get(id) ?? [];
  return {
    least: 0,
    most: Math.max(
      0,
      units.reduce((sum, each) => sum + each, 0),
    ),
  };
};

/** The state of one correction. */
interface Case {
  readonly suspect: Suspect;
  taken: number;
  /** The units that are still to be taken back. */
  left: QuotaRange;
  /** The key could not be read or written: nothing more is tried. */
  ended: boolean;
}

const openCase = (suspect: Suspect): Case => ({ suspect, taken: 0, left: UNREAD, ended: false });

function reportOf({ suspect: { id, name }, taken, left }: Case): SpendCorrection[] {
  if (left.most > 0) return [{ id, name, units: quota(left.most), takenBack: false }];
  return taken > 0 ? [{ id, name, units: quota(taken), takenBack: true }] : [];
}

interface Facts {
  readonly start: Start;
  readonly since: SpentSince;
}

type Settling = Facts & Required<TakeBackOptions>;

async function settle(store: KeyStore, cases: readonly Case[], { start, since, mayWrite }: Settling): Promise<void> {
  const { mark, byName } = start;
  let before = since;
  // The last reading proves the last write.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const open = cases.filter(({ left, ended }) => !ended && left.most > 0);
    if (open.length === 0) return;
    const ids = open.map(({ suspect }) => suspect.id);
    const around = await readAround(store, ids, { mark, byName, before }).catch(() => undefined);
    if (!around) return giveUp(open, before);
    for (const each of open) measure(each, { around, start, since: before });
    before = around.after;
    for (const each of open) {
      if (round === ROUNDS || each.left.least <= 0) continue;
      // The log may have taken minutes.
      if (await mayWrite()) await takeBackOne(store, each);
      else each.ended = true;
    }
  }
}

interface Measured extends Facts {
  readonly around: KeysAndLog;
}

/** Ends cases that nothing shows any more. */
function giveUp(cases: readonly Case[], since: SpentSince): void {
  for (const each of cases) {
    each.left = narrowed(each.left, allSpent(since, each.suspect.id));
    each.ended = true;
  }
}

/** Compares what a key holds and spent with what it held at the start. Never more than it spent: the rest is a grant. */
function measure(each: Case, { around, start, since }: Measured): void {
  const { id, step } = each.suspect;
  const [then, now] = [start.readings.get(id), around.readings.get(id)];
  // A key that is gone, or has no limit any more, holds nothing that was given back.
  if (!now || now.key.unlimited) {
    each.left = NONE;
    return;
  }
  if (!then || !around.after.whole) {
    giveUp([each], since);
    return;
  }
  const moved = now.key.remain - then.key.remain - step;
  const spent = { least: now.least - then.most, most: now.most - then.least };
  const excess = (units: number): number => Math.max(0, Math.min(units - each.taken, moved + units));
  each.left = narrowed(each.left, { least: excess(spent.least), most: excess(spent.most) });
}

/** Takes back the part that is certain. */
async function takeBackOne(store: KeyStore, each: Case): Promise<void> {
  const units = each.left.least;
  let taken = 0;
  const revise = (now: ObservedKey) => {
    const remain = quota(Math.max(0, now.remain - units));
    taken = now.remain - remain;
    return { remain };
  };
  try {
    await store.update(each.suspect.id, revise);
    each.taken += taken;
    each.left = UNREAD;
  } catch {
    each.ended = true;
  }
}
