import {
  asFault,
  type Decimal,
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
} from '../../domain/index.ts';

import { holds, patchOf } from '../plan/diff.ts';
import { type KeyChange, movedSince } from '../plan/moved.ts';
import type { KeyStore } from '../ports.ts';
import { takeBack } from '../usage/spend.ts';

/** A change on a key that exists; deletes go in batches, see apply. */
export type LiveChange = Exclude<Pending, { verb: 'create' | 'delete' }>;

export interface Executed {
  readonly outcome: Outcome;
  readonly correction?: SpendCorrection;
  /** The spending during the write could not be read. */
  readonly isUnverified?: true;
  /** For keys whose use only the log shows: by how much the write was meant to move the remainder. */
  readonly step?: number;
}

/** The facts that decide, along with the change, whether its key moved. */
export interface ChangeContext {
  /** Quota units for one dollar, for messages. */
  readonly rate: Decimal;
  /** True when the same run has disabled the key. */
  readonly isDisabled: boolean;
  /** True when the same run has enabled the key. */
  readonly isEnabled?: boolean;
}

/** The run was interrupted while the write waited for its turn or for a connection: nothing of it left this machine. */
export const wasNeverSent = ({ code, detail }: Fault): boolean =>
  code === 'gateway.interrupted' && detail.sent === 'no';

/** May a write that threw this have taken effect? */
export const mayHaveHappened = (fault: Fault): boolean => FAULTS[fault.code].retry === 'look' && !wasNeverSent(fault);

/**
 * Executes one change on one live key. Never throws: the outcome reports what happened.
 *
 * An update applies the edits to the record as read right before, writes every mutable field, and reads it back where the
 * record reports the use: the difference shows what the write gave back to a key that spends. A write whose response was lost
 * is looked up; it is sent again only when the lookup shows that it did not take effect. A key that somebody else changed
 * since it was planned stays unchanged.
 */
export async function execute(change: LiveChange, store: KeyStore, context: ChangeContext): Promise<Executed> {
  switch (change.verb) {
    case 'rename':
    case 'update': {
      const written = await writeSettings(change, store, context);
      if (written.state !== 'written') return { outcome: written };
      const after = needsReadBack(written) ? await store.tryRead(change.id).catch(() => null) : null;
      return readBack(written, after, store);
    }
    case 'enable':
    case 'disable':
      return { outcome: await writeStatus(change, store, context) };
    default:
      return change satisfies never;
  }
}

/** Was a write refused? Some gateways report an error after the commit, so the effect is looked up. */
export const isRefusal = (fault: Fault): boolean => fault.code === 'gateway.refused';

export const gone = ({ id, name }: Pick<LiveChange, 'id' | 'name'>): Fault =>
  new Fault('gateway.not-found', `Key ${id} (“${name}”) no longer exists.`, {
    hint: 'Plan again: the key will be created again if it is declared.',
    detail: { id },
  });

/** Refuses to change a key that somebody else changed. @throws Fault `plan.stale` */
export function refuseMoved(change: KeyChange, now: ObservedKey, context: ChangeContext): void {
  const moves = movedSince(change, now, context);
  if (moves.length === 0) return;
  const what = `changed by somebody else since it was planned: ${moves.join(', ')}`;
  throw new Fault('plan.stale', `${what}. Their change stays; this one was not made`);
}

/** The outcome of a change that was not made because of a fault. */
export function notMade(change: Pending, fault: Fault): Outcome {
  if (fault.code === 'plan.stale') return { state: 'skipped', change, code: fault.code, reason: fault.message };
  if (fault.code === 'gateway.interrupted')
    return { state: 'skipped', change, code: fault.code, reason: 'interrupted before it was sent' };
  return { state: 'failed', change, fault };
}

export type SettingsChange = Extract<LiveChange, { verb: 'rename' | 'update' }>;

/** Settings that were written, and that {@link readBack} compares. */
export interface SentSettings {
  readonly state: 'written';
  readonly change: SettingsChange;
  readonly write: Write;
}

/** Writes settings, and looks up a write whose response was lost. Never throws. */
export async function writeSettings(
  change: SettingsChange,
  store: KeyStore,
  context: ChangeContext,
): Promise<SentSettings | Outcome> {
  const ATTEMPTS = 2;
  let write: Write | undefined;
  // The first failure after which a write may take effect, even later: no further failure changes that.
  let lost: Fault | undefined;
  const revise = (base: ObservedKey): Partial<KeySettings> => {
    refuseMoved(change, base, context);
    const patch = patchNow(change, base);
    write = { base, patch, written: patch.remain ?? base.remain };
    return patch;
  };
  for (let attempt = 1; ; attempt += 1) {
    const fault = await store.update(change.id, revise).then(() => undefined, asFault);
    if (fault?.code === 'gateway.not-found') return { state: 'failed', change, fault: gone(change) };
    // Without a write nothing was sent: the read before it failed, or the key had moved.
    if (!write) return notMade(change, fault ?? gone(change));
    if (!fault) return { state: 'written', change, write };
    if (mayHaveHappened(fault)) lost ??= fault;
    const undecided: Outcome | undefined = lost && { state: 'indeterminate', change, fault: lost };
    if (!mayHaveHappened(fault) && !isRefusal(fault)) return undecided ?? notMade(change, fault);
    const now = await store.tryRead(change.id).catch(() => null);
    if (now === undefined) return { state: 'failed', change, fault: gone(change) };
    if (now && tookEffect(now, write)) return { state: 'written', change, write };
    if (now && isRefusal(fault)) return undecided ?? { state: 'failed', change, fault };
    if (!now || attempt === ATTEMPTS) return undecided ?? { state: 'indeterminate', change, fault };
  }
}

interface Write {
  readonly base: ObservedKey;
  readonly patch: Partial<KeySettings>;
  readonly written: Quota;
}

const NOT_READ_BACK = 'the key could not be read back; its budget may be too high by what it spent during the write';

/** True where the record reports the use: elsewhere, reading now would show nothing that the walk at the end does not. */
export const needsReadBack = ({ write }: SentSettings): boolean => write.base.used !== undefined;

/** Compares a key with what was written. @param after undefined when it is gone, null when it could not be read. */
export async function readBack(
  { change, write }: SentSettings,
  after: ObservedKey | undefined | null,
  store: KeyStore,
): Promise<Executed> {
  const { base, written } = write;
  const outcome: Outcome = { state: 'applied', change, id: change.id };
  if (base.used === undefined) return { outcome, step: written - base.remain };
  if (after === undefined) return { outcome: { state: 'failed', change, fault: gone(change) } };
  // The write is certain, whatever became of the look after it.
  if (after === null) return { outcome: { ...outcome, remark: NOT_READ_BACK }, isUnverified: true };
  const correction = await takeBack(store, { name: change.name, base, written, after });
  return { outcome, ...(correction && { correction }) };
}

/**
 * Does the key, read after a write whose response was lost, show that write? A write is atomic, so any other setting
 * that it changed is evidence. Where it changed only the remainder, that has to serve, although traffic moves it.
 */
function tookEffect(now: ObservedKey, { base, patch, written }: Write): boolean {
  if (!holds(now, patch)) return false;
  if (!holds(base, patch) || written === base.remain) return true;
  if (base.used !== undefined && now.used !== undefined) return now.remain + now.used !== base.remain + base.used;
  return written > base.remain ? now.remain > base.remain : now.remain <= written;
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

export type KeySwitch = Extract<LiveChange, { verb: 'enable' | 'disable' }>;

async function writeStatus(change: KeySwitch, store: KeyStore, context: ChangeContext): Promise<Outcome> {
  const enabled = change.verb === 'enable';
  try {
    await store.setEnabled(change.id, enabled, (now) => refuseMoved(change, now, context));
  } catch (thrown) {
    const fault = asFault(thrown);
    if (!mayHaveHappened(fault) && !isRefusal(fault)) return notMade(change, fault);
    const now = await store.tryRead(change.id).catch(() => null);
    if (now?.status !== (enabled ? 'enabled' : 'disabled')) {
      return { state: now !== null && isRefusal(fault) ? 'failed' : 'indeterminate', change, fault };
    }
  }
  return { state: 'applied', change, id: change.id };
}
