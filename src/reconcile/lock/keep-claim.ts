import type { KeyId } from '../../domain/index.ts';
import type { ClaimNote, ClaimStore } from './claims.ts';
import { lockLostFault } from './locked-fault.ts';
import type { HeldLock, LockTime } from './port.ts';
import { isOther } from './rule.ts';

/**
 * The time without a renewal after which a holder writes nothing more before it has claimed again. Three renewals fit: a gateway
 * may be out of reach for a minute.
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

type Clocks = Pick<LockTime, 'steady' | 'wall'>;

export const readClocks = (time: Clocks): ClockReading => ({ steady: time.steady(), wall: time.wall() });

/** The time since a reading, by whichever clock shows more. */
export const sinceMs = (time: Clocks, then: ClockReading): number =>
  Math.max(time.steady() - then.steady, time.wall() - then.wall);

interface Kept {
  readonly id: KeyId;
  readonly note: ClaimNote;
  /** The moment before the request that last showed that the claim is there. */
  readonly shown: ClockReading;
  readonly waitedSeconds: number;
}

/** A claim while it is held. */
interface KeptClaim {
  readonly claims: ClaimStore;
  readonly time: LockTime;
  id: KeyId;
  note: ClaimNote;
  /** The moment before the request that last confirmed the claim. */
  confirmed: ClockReading;
  isGone: boolean;
}

/** Keeps a claim by renewing it, until it is released. */
export function keepClaim(claims: ClaimStore, time: LockTime, { id, note, shown, waitedSeconds }: Kept): HeldLock {
  const kept: KeptClaim = { claims, time, id, note, confirmed: shown, isGone: false };
  let renewal: Promise<void> | undefined;
  let claiming: Promise<void> | undefined;
  const stop = time.every(RENEWAL_MS, () => {
    renewal ??= renew(kept).finally(() => {
      renewal = undefined;
    });
    return renewal;
  });
  return {
    waitedSeconds,
    async ensureHeld() {
      if (kept.isGone) throw lockLostFault('its claim was removed');
      claiming ??= claimAgain(kept).finally(() => {
        claiming = undefined;
      });
      await claiming;
    },
    leave: stop,
    async release() {
      stop();
      await renewal;
      await claims.remove(kept.id).catch(() => undefined);
    },
  };
}

async function renew(kept: KeptClaim): Promise<void> {
  const asked = readClocks(kept.time);
  // After the lease, somebody may be about to remove the claim that is renewed.
  const confirms = sinceMs(kept.time, kept.confirmed) < LEASE_MS;
  const { id } = kept;
  kept.note = nextOf(kept.note);
  // A renewal that fails is repeated by the next.
  const isThere = await kept.claims.renew(id, kept.note).catch(() => undefined);
  // Meanwhile the claim may have been replaced by a new one.
  if (id !== kept.id) return;
  if (isThere === false) kept.isGone = true;
  else if (isThere && confirms) kept.confirmed = asked;
}

const nextOf = (note: ClaimNote): ClaimNote => ({ ...note, beat: note.beat + 1 });

/** A gateway that limits requests may hold a claim back for as long as the lease. */
const MOST_CLAIMS = 3;

/**
 * Takes the lock again after the lease: a gateway may limit requests for minutes, and a machine may sleep. To renew the claim is not
 * enough, because somebody may be about to remove it. A new claim was never seen unchanged for long, so the rule of a first look
 * decides: with nobody else there, and the former claim still there, nobody has entered since.
 *
 * @throws Fault `apply.lock-lost`
 */
async function claimAgain(kept: KeptClaim): Promise<void> {
  const silent = Math.floor(sinceMs(kept.time, kept.confirmed) / 1000);
  for (let attempt = 1; sinceMs(kept.time, kept.confirmed) >= LEASE_MS; attempt += 1) {
    const why = attempt > MOST_CLAIMS ? 'unseen' : await replaceClaim(kept);
    if (why === undefined) continue;
    kept.isGone = true;
    await kept.claims.removeAllOf(kept.note.nonce).catch(() => undefined);
    throw lockLostFault(
      why === 'taken' ? 'another run has claimed it since' : `its claim could not be renewed for ${silent} s`,
    );
  }
}

/** Places a new claim and removes the former one. Returns the reason why the lock is no longer ours. */
async function replaceClaim(kept: KeptClaim): Promise<'taken' | 'unseen' | undefined> {
  const { claims, time, id: former } = kept;
  const asked = readClocks(time);
  const note = nextOf(kept.note);
  // The look shows what became of a placement whose answer was lost.
  await claims.place(note).catch(() => undefined);
  const visible = await claims.list().catch(() => undefined);
  if (visible === undefined) return 'unseen';
  const own = visible.filter((claim) => claim.note?.nonce === note.nonce);
  const isTaken = visible.some((claim) => isOther(note, { nonce: claim.note?.nonce, team: claim.note?.team }));
  if (isTaken || !own.some(({ id }) => id === former)) return 'taken';
  const latest = own.find(({ id }) => id !== former);
  if (latest === undefined) return 'unseen';
  Object.assign(kept, { id: latest.id, note, confirmed: asked });
  const others = own.filter(({ id }) => id !== latest.id);
  await Promise.allSettled(others.map(({ id }) => claims.remove(id)));
  return undefined;
}
