import { asFault, FAULTS, Fault, type KeyId } from '../../domain/index.ts';
import { DEFAULT_SETTLE_SECONDS } from '../create/create-journal.ts';
import type { Claim, ClaimNote, ClaimStore } from './claims.ts';
import { abandonedAfterMs, type ClockReading, keepClaim, LEASE_MS, readClocks } from './keep-claim.ts';
import { lockedFault } from './locked-fault.ts';
import { nonceOf } from './nonce.ts';
import type { HeldLock, Lock, LockHolder, LockRequest, LockTime } from './port.ts';
import { decide, isOther, type VisibleClaim } from './rule.ts';

/** The gateway answers ten searches a minute and user. */
const SHORTEST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 30_000;
const MOST_UNSEEN = 3;

/** One attempt to take the lock. */
interface ClaimAttempt {
  readonly claims: ClaimStore;
  readonly time: LockTime;
  readonly request: LockRequest;
  /** By the steady clock. */
  readonly began: number;
  readonly abandonedMs: number;
  note: ClaimNote;
  /** Our claim was sent, and not withdrawn since. */
  placed: boolean;
  /** Nobody else was seen since our claim was withdrawn, so it may be placed. */
  clear: boolean;
  /** Our claims in the latest look. */
  mine: readonly Claim[];
  /** The fault of a placement whose answer was lost. */
  lost: Fault | undefined;
  /** Placements that no look has shown. */
  unseen: number;
  renewedAt: number;
  waited: boolean;
  /** The claim that was reported as the one in the way. */
  reported: KeyId | undefined;
  /** Since when each visible claim of others has had its mark. */
  marks: ReadonlyMap<KeyId, { readonly mark: string; readonly since: number }>;
  /** The claims of others that were removed. One that is still listed is waited for. */
  readonly removed: Set<KeyId>;
}

/**
 * A lock that machines share: each attempt places a claim of its own, also within one process, and {@link decide} settles who enters. A claim is valid while it changes:
 * whoever waits measures that by a clock of its own, so no two clocks need to agree.
 *
 * Costs a placement, a listing and a removal where nobody else wants it, and two requests for each renewal.
 */
export const claimLock = (
  claims: ClaimStore,
  holder: LockHolder,
  time: LockTime,
  settleSeconds: number = DEFAULT_SETTLE_SECONDS,
): Lock => ({
  async acquire(_account, request) {
    await claims.verifyAccount();
    const attempt: ClaimAttempt = {
      claims,
      time,
      request,
      began: time.steady(),
      abandonedMs: abandonedAfterMs(settleSeconds),
      note: { ...holder, nonce: nonceOf(() => time.random()), beat: 0 },
      placed: false,
      clear: true,
      mine: [],
      lost: undefined,
      unseen: 0,
      renewedAt: 0,
      waited: false,
      reported: undefined,
      marks: new Map(),
      removed: new Set(),
    };
    try {
      return await acquireClaim(attempt);
    } catch (thrown) {
      await withdraw(attempt);
      throw thrown;
    }
  },
});

async function acquireClaim(attempt: ClaimAttempt): Promise<HeldLock> {
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (!attempt.placed && attempt.clear) await place(attempt);
    const asked = readClocks(attempt.time);
    const visible = await list(attempt);
    const held = visible instanceof Fault ? undefined : await consider(attempt, visible, asked);
    if (held) return held;
    // A way that has become clear is taken immediately, unless it only seems so because our claim is missing.
    if (attempt.placed || !attempt.clear || attempt.unseen > 0) await waitFor(attempt, pause, visible);
  }
}

/** Places our claim. The next look shows what became of one whose answer was lost. */
async function place(attempt: ClaimAttempt): Promise<void> {
  const { claims, time, note } = attempt;
  attempt.renewedAt = time.steady();
  attempt.lost = undefined;
  attempt.mine = [];
  try {
    await claims.place(note);
  } catch (thrown) {
    const fault = asFault(thrown);
    if (FAULTS[fault.code].retry !== 'look') throw fault;
    attempt.lost = fault;
  }
  attempt.placed = true;
}

/** A store that answers later makes a wait and not a failure. */
const list = ({ claims }: ClaimAttempt): Promise<readonly Claim[] | Fault> =>
  claims.list().catch((thrown: unknown) => {
    const fault = asFault(thrown);
    if (fault.code !== 'gateway.rate-limited') throw fault;
    return fault;
  });

const visibleClaim = ({ id, note }: Claim): VisibleClaim => ({ id, nonce: note?.nonce, team: note?.team });

/** Acts on a look. Returns the lock once it is ours. */
async function consider(
  attempt: ClaimAttempt,
  visible: readonly Claim[],
  asked: ClockReading,
): Promise<HeldLock | undefined> {
  const { claims, time, note } = attempt;
  const others = visible.filter((claim) => isOther(note, visibleClaim(claim)));
  attempt.mine = visible.filter((claim) => claim.note?.nonce === note.nonce).sort((a, b) => a.id - b.id);
  attempt.clear = others.length === 0;
  attempt.waited ||= !attempt.clear;
  if (await removeAbandoned(attempt, others)) attempt.clear = true;
  if (!attempt.placed) {
    // The removal was lost, or the claim came late.
    for (const { id } of attempt.mine) await claims.remove(id);
    return undefined;
  }
  const decision = decide(note, visible.map(visibleClaim));
  const [own, ...twins] = attempt.mine;
  if (own === undefined) return missing(attempt);
  attempt.unseen = 0;
  if (decision === 'enter') {
    for (const { id } of twins) await claims.remove(id);
    const waitedSeconds = attempt.waited ? (time.steady() - attempt.began) / 1000 : 0;
    return keepClaim(claims, time, { id: own.id, note: attempt.note, shown: asked, waitedSeconds });
  }
  if (decision === 'withdraw') await withdraw(attempt);
  else await renewWhileWaiting(attempt, own);
  return undefined;
}

/** Our claim is not there: its placement failed, or somebody removed it. It is placed again after a pause. */
function missing(attempt: ClaimAttempt): undefined {
  attempt.placed = false;
  attempt.waited = true;
  attempt.unseen += 1;
  if (attempt.unseen < MOST_UNSEEN) return undefined;
  throw (
    attempt.lost ??
    new Fault('apply.lock-unavailable', 'The gateway does not list the claim of the lock that it accepted.')
  );
}

/** Whoever waits with a claim keeps it alive too. */
async function renewWhileWaiting(attempt: ClaimAttempt, { id }: Claim): Promise<void> {
  const { claims, time } = attempt;
  if (time.steady() - attempt.renewedAt < LEASE_MS / 3) return;
  attempt.note = { ...attempt.note, beat: attempt.note.beat + 1 };
  attempt.renewedAt = time.steady();
  await claims.renew(id, attempt.note);
}

/** Removes the claims that did not change for long enough, by our clock. Returns true when that clears the way. */
async function removeAbandoned(attempt: ClaimAttempt, others: readonly Claim[]): Promise<boolean> {
  const { claims, time, marks, abandonedMs, removed } = attempt;
  const now = time.steady();
  const sinceOf = ({ id, mark }: Claim): number => {
    const known = marks.get(id);
    return known?.mark === mark ? known.since : now;
  };
  attempt.marks = new Map(others.map((claim) => [claim.id, { mark: claim.mark, since: sinceOf(claim) }]));
  const abandoned = others.filter((claim) => now - sinceOf(claim) >= abandonedMs);
  const isNew = abandoned.some(({ id }) => !removed.has(id));
  for (const { id } of abandoned) {
    await claims.remove(id);
    removed.add(id);
  }
  return isNew && abandoned.length === others.length;
}

/** Later than the moment itself, so that no look comes just before it. */
const MARGIN_MS = 1000;

/** The time until the next claim of others counts as abandoned, if it does not change. */
function untilAbandoned({ time, marks, abandonedMs }: ClaimAttempt): number {
  const left = [...marks.values()].map(({ since }) => since + abandonedMs - time.steady());
  return Math.min(...left.filter((ms) => ms > 0)) + MARGIN_MS;
}

/** Takes our claims back, so that nobody waits for them. Never throws: time removes what remains. */
async function withdraw(attempt: ClaimAttempt): Promise<void> {
  if (!attempt.placed) return;
  const { claims, note, mine } = attempt;
  attempt.placed = false;
  const removal = mine.length === 0 ? [claims.removeAllOf(note.nonce)] : mine.map(({ id }) => claims.remove(id));
  await Promise.allSettled(removal);
}

/** Waits for the next look. @throws Fault `apply.locked` when the time is over, `gateway.interrupted` */
async function waitFor(attempt: ClaimAttempt, pause: number, visible: readonly Claim[] | Fault): Promise<void> {
  const { claims, time, request, began, note } = attempt;
  const left = began + request.timeoutSeconds * 1000 - time.steady();
  if (visible instanceof Fault) {
    if (left <= 0) throw visible;
  } else {
    const other = visible.find((claim) => isOther(note, visibleClaim(claim)));
    if (left <= 0) throw attempt.lost ?? lockedFault(claims.account, other?.note);
    if (other && attempt.reported !== other.id) {
      attempt.reported = other.id;
      request.onWait?.({ holder: other.note, seconds: left / 1000, abandonedAfter: attempt.abandonedMs / 1000 });
    }
  }
  // Waiters that began together do not go on looking together.
  const usual = pause * (1 + time.random() / 4);
  await time.sleep(Math.min(left, usual, untilAbandoned(attempt)), request.signal);
  if (request.signal?.aborted) {
    throw new Fault('gateway.interrupted', 'Interrupted while waiting for the lock.', { cause: request.signal.reason });
  }
}
