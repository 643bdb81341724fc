import {
  asFault,
  FAULTS,
  Fault,
  type KeySettings,
  type ObservedKey,
  type Outcome,
  type Pending,
  type Quota,
  quota,
  type Snapshot,
  type SpendCorrection,
  sameSetting,
} from '../domain/index.ts';

import { comparable, patchOf } from './diff.ts';
import type { KeyStore } from './ports.ts';
import { takeBack } from './spend.ts';

/** A change on a key that exists; deletes go in batches, see apply. */
export type LiveChange = Exclude<Pending, { verb: 'create' | 'delete' }>;

export interface Executed {
  readonly outcome: Outcome;
  readonly correction?: SpendCorrection;
  /** For keys whose use only the log shows: the remainder if the key had spent nothing since it was planned. */
  readonly untouched?: Quota;
}

/** May a write that threw this have taken effect? */
export const mayHaveHappened = (fault: Fault): boolean => FAULTS[fault.code].retry === 'look';

/**
 * Executes one change on one live key. Never throws: the outcome reports what happened.
 *
 * An update reads the key, applies the edits to the record as read, writes every mutable field, and reads it back where
 * the record reports the use: the difference shows what the write gave back to a key that spends. A write whose response was
 * lost is looked up; it is sent again only when the lookup shows that it did not take effect.
 */
export async function execute(change: LiveChange, store: KeyStore): Promise<Executed> {
  try {
    switch (change.verb) {
      case 'rename':
      case 'update':
        return await writeSettings(change, store);
      case 'enable':
      case 'disable':
        return { outcome: await writeStatus(change, store) };
      default:
        return change satisfies never;
    }
  } catch (thrown) {
    return { outcome: { state: 'failed', change, fault: asFault(thrown) } };
  }
}

const gone = (change: LiveChange): Fault =>
  new Fault('gateway.not-found', `Key ${change.id} (“${change.name}”) no longer exists.`, {
    hint: 'Plan again: the key will be created again if it is declared.',
    detail: { id: change.id },
  });

async function mustRead(change: LiveChange, store: KeyStore): Promise<ObservedKey> {
  const key = await store.tryRead(change.id);
  if (!key) throw gone(change);
  return key;
}

type SettingsChange = Extract<LiveChange, { verb: 'rename' | 'update' }>;

async function writeSettings(change: SettingsChange, store: KeyStore): Promise<Executed> {
  const ATTEMPTS = 2;
  let base = await mustRead(change, store);
  for (let attempt = 1; ; attempt += 1) {
    const patch = patchNow(change, base);
    const write = { base, patch, written: patch.remain ?? base.remain };
    const fault = await store.update(base, patch).then(() => undefined, asFault);
    if (!fault) return readBack(change, store, write);
    if (!mayHaveHappened(fault)) return { outcome: { state: 'failed', change, fault } };
    const now = await store.tryRead(change.id).catch(() => null);
    if (now === undefined) throw gone(change);
    if (now && tookEffect(now, write)) return readBack(change, store, write);
    if (!now || attempt === ATTEMPTS) return { outcome: { state: 'indeterminate', change, fault } };
    base = now;
  }
}

interface Write {
  readonly base: ObservedKey;
  readonly patch: Partial<KeySettings>;
  readonly written: Quota;
}

const NOT_READ_BACK = 'the key could not be read back; its budget may be too high by what it spent during the write';

async function readBack(change: SettingsChange, store: KeyStore, { base, written }: Write): Promise<Executed> {
  const outcome: Outcome = { state: 'applied', change, id: change.id };
  const untouched = quota(written + spentSince(change.before, base));
  // Where the record does not report the use, reading now would show nothing that the walk at the end does not.
  if (base.used === undefined) return { outcome, untouched };
  const after = await store.tryRead(change.id).catch(() => null);
  if (after === undefined) throw gone(change);
  // The write is certain, whatever became of the look after it.
  if (after === null) return { outcome: { ...outcome, remark: NOT_READ_BACK } };
  const correction = await takeBack(store, { name: change.name, base, written, after });
  return { outcome, ...(correction && { correction }) };
}

/**
 * Does the key, read after a write whose response was lost, show that write? A write is atomic, so any other setting
 * that it changed is evidence. Where it changed only the remainder, that has to serve, although traffic moves it.
 */
function tookEffect(now: ObservedKey, { base, patch, written }: Write): boolean {
  if (!holds(now, patch)) return false;
  if (patch.remain === undefined || !holds(base, patch) || written === base.remain) return true;
  if (base.used !== undefined && now.used !== undefined) return now.remain + now.used !== base.remain + base.used;
  return written > base.remain ? now.remain > base.remain : now.remain <= written;
}

/** Does the key have these settings? The remainder is left out: traffic moves it. */
export function holds(key: ObservedKey, patch: Partial<KeySettings>): boolean {
  const now = comparable(key);
  const fields = Object.keys(patch).filter((field) => field !== 'remain') as (keyof KeySettings)[];
  return fields.every((field) => sameSetting(now[field], patch[field] ?? null));
}

/** Returns what a key used between two reads: exact where its use is reported, else the decrease of its remainder. */
function spentSince(before: Pick<Snapshot, 'remain' | 'used'>, now: ObservedKey): Quota {
  const units =
    before.used !== undefined && now.used !== undefined ? now.used - before.used : before.remain - now.remain;
  return quota(Math.max(0, units));
}

/**
 * The edits as they are right before the write: a wanted remainder is less what was spent since it was planned. A
 * limited key that overdrew can only be written with 0, because the gateway refuses less.
 */
function patchNow(change: SettingsChange, base: ObservedKey): Partial<KeySettings> {
  const patch = patchOf(change.edits);
  const limited = !(patch.unlimited ?? base.unlimited);
  if (patch.remain !== undefined) {
    return { ...patch, remain: quota(Math.max(0, patch.remain - spentSince(change.before, base))) };
  }
  return limited && base.remain < 0 ? { ...patch, remain: quota(0) } : patch;
}

async function writeStatus(
  change: Extract<LiveChange, { verb: 'enable' | 'disable' }>,
  store: KeyStore,
): Promise<Outcome> {
  const enabled = change.verb === 'enable';
  if (enabled && change.reason === 'repaired' && (await mustRead(change, store)).status === 'disabled') {
    return { state: 'skipped', change, reason: 'somebody has disabled the key since it was planned' };
  }
  try {
    await store.setEnabled(change.id, enabled);
  } catch (thrown) {
    const fault = asFault(thrown);
    if (!mayHaveHappened(fault)) return { state: 'failed', change, fault };
    const now = await store.tryRead(change.id).catch(() => undefined);
    if (now?.status !== (enabled ? 'enabled' : 'disabled')) return { state: 'indeterminate', change, fault };
  }
  return { state: 'applied', change, id: change.id };
}
