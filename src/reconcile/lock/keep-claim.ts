import { Fault, type KeyId } from '../../domain/index.ts';
import type { ClaimNote, ClaimStore } from './claims.ts';
import type { HeldLock, LockTime } from './port.ts';

/**
 * The time without a renewal after which a holder counts its claim as lost. Three renewals fit: a gateway may be out of reach, or
 * hold requests back for a minute, without ending a run.
 */
export const LEASE_MS = 90_000;

const REQUEST_MS = 30_000;

/**
 * The time without a change after which a waiter removes the claim of somebody else: the holder sends nothing after its lease,
 * and a create that it sent before has taken effect by then, or never will. So no names need to be handed over, and a runner
 * whose files die with it leaves no create behind that the next run does not see.
 *
 * @param settleSeconds the time within which a create takes effect
 */
export const abandonedAfterMs = (settleSeconds: number): number =>
  LEASE_MS + Math.max(REQUEST_MS, settleSeconds * 1000);

const RENEWAL_MS = LEASE_MS / 3;

/** The time by both clocks: one may stop while a machine sleeps, the other may be set. */
export interface ClockReading {
  readonly steady: number;
  readonly wall: number;
}

export const readClocks = (time: LockTime): ClockReading => ({ steady: time.steady(), wall: time.wall() });

/** The time since a reading, by whichever clock shows more. */
const sinceMs = (time: LockTime, then: ClockReading): number =>
  Math.max(time.steady() - then.steady, time.wall() - then.wall);

interface Kept {
  readonly id: KeyId;
  readonly note: ClaimNote;
  /** The moment before the request that last showed that the claim is there. */
  readonly shown: ClockReading;
  readonly waited: boolean;
}

/** Keeps a claim by renewing it, until it is released. */
export function keepClaim(claims: ClaimStore, time: LockTime, { id, note, shown, waited }: Kept): HeldLock {
  let latest = note;
  let confirmed = shown;
  let gone = false;
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const asked = readClocks(time);
    latest = { ...latest, beat: latest.beat + 1 };
    // A renewal that fails is repeated by the next; only time makes it a loss.
    const isThere = await claims.renew(id, latest).catch(() => undefined);
    if (isThere === true) confirmed = asked;
    else if (isThere === false) gone = true;
  };
  const stop = time.every(RENEWAL_MS, () => {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  });
  return {
    waited,
    ensureHeld() {
      if (gone) throw lost('its claim was removed');
      const ms = sinceMs(time, confirmed);
      if (ms >= LEASE_MS) throw lost(`its claim could not be renewed for ${Math.floor(ms / 1000)} s`);
    },
    leave: stop,
    async release() {
      stop();
      await renewal;
      await claims.remove(id).catch(() => undefined);
    },
  };
}

const lost = (why: string): Fault =>
  new Fault('apply.lock-lost', `This run no longer holds the lock of the account: ${why}.`, {
    hint: 'Nothing more is written. Run the command again: it continues with the unfinished work.',
  });
