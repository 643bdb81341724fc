import { beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import { type ClaimNote, type ClaimStore, claimLock, type LockWait } from '../../../src/reconcile/index.ts';
import { nonceOf } from '../../../src/reconcile/lock/nonce.ts';
import { RunTime } from '../../contract/lock-time.ts';
import { faultOf, MemoryClaims } from '../../contract/memory-claims.ts';

const AT_ONCE = { timeoutSeconds: 0 };
const PATIENT = { timeoutSeconds: 300 };
const OTHER: ClaimNote = { nonce: 'x', process: 9, host: 'x.example.com', since: 1_800_000_000, beat: 0 };

const HOLDER = { process: 7, host: 'a.example.com', since: 1_800_000_000 };

let claims: MemoryClaims;
let calls: (keyof ClaimStore)[];
beforeEach(() => {
  calls = [];
  claims = new MemoryClaims();
  claims.hook = (operation) => void calls.push(operation);
  const removeAllOf = claims.removeAllOf.bind(claims);
  claims.removeAllOf = async (holder) => {
    calls.push('removeAllOf');
    await removeAllOf(holder);
  };
});

const count = (operation: keyof ClaimStore): number => calls.filter((each) => each === operation).length;
const holders = (): (string | undefined)[] => [...claims.stored.values()].map((note) => note?.host);

/** A run whose waits are recorded; `during` happens within each. */
function enter(during: (wait: number) => void | Promise<void> = () => {}, settleSeconds?: number) {
  const time = new RunTime();
  const lock = claimLock(claims, HOLDER, time, settleSeconds);
  const sleeps: number[] = [];
  const sleep = time.sleep.bind(time);
  time.sleep = async (ms) => {
    sleeps.push(ms);
    await sleep(ms);
  };
  time.onSleep = async () => during(sleeps.length);
  const waits: LockWait[] = [];
  const acquire = (request = PATIENT) =>
    lock.acquire(claims.account, { ...request, onWait: (wait) => waits.push(wait) });
  return { time, sleeps, waits, acquire };
}

describe('a run that takes the lock', () => {
  it('places a claim and looks once where nobody else wants it', async () => {
    const { acquire, sleeps } = enter();
    await acquire(AT_ONCE);
    expect([calls, sleeps]).toEqual([['place', 'list'], []]);
  });

  it('withdraws for an older claim, by its ID, and enters without a further wait when that is gone', async () => {
    claims.stored.set(1, OTHER);
    claims.nextId = 2;
    const { acquire, sleeps, waits } = enter(() => {
      expect(holders()).toEqual(['x.example.com']);
      claims.stored.delete(1);
    });
    expect(await acquire()).toMatchObject({ waitedSeconds: expect.closeTo(10, -1) });
    expect(calls).toEqual(['place', 'list', 'remove', 'list', 'place', 'list']);
    expect(sleeps).toHaveLength(1);
    expect(waits).toMatchObject([{ holder: { host: 'x.example.com' } }]);
  });

  it('keeps and renews its claim while it waits for a younger one, which it reports once', async () => {
    claims.stored.set(100, OTHER);
    const renewed: number[] = [];
    const beats = new Set<number | undefined>();
    const { acquire, sleeps, time, waits } = enter((wait) => {
      claims.stored.set(100, { ...OTHER, beat: wait });
      beats.add(claims.stored.get(1)?.beat);
    });
    claims.hook = (operation) => {
      calls.push(operation);
      if (operation === 'renew') renewed.push(time.steady());
    };
    expect(await faultOf(acquire())).toMatchObject({ code: 'apply.locked' });
    expect([count('place'), count('removeAllOf'), holders()]).toEqual([1, 0, ['x.example.com']]);
    expect(waits).toMatchObject([{ holder: { host: 'x.example.com' } }]);
    const pauses = renewed.map((at, n) => at - (renewed[n - 1] ?? 0));
    expect(pauses.length).toBeGreaterThan(4);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...pauses)).toBeLessThan(60_000);
    expect([...beats]).toEqual(Array.from(beats, (_, n) => n));
    // Waiters that began together do not look together: each adds up to a quarter.
    expect(sleeps[0]).toBeGreaterThan(10_000);
    expect(sleeps[0]).toBeLessThan(12_500);
  });

  it('keeps the oldest of its claims where one was placed twice', async () => {
    claims.hook = (operation, note) => {
      if (operation === 'place') claims.stored.set(50, note);
    };
    await enter().acquire();
    expect([...claims.stored.keys()]).toEqual([1]);
  });

  it('removes a claim after it was unchanged for long enough since it was first seen', async () => {
    claims.stored.set(1, OTHER);
    claims.nextId = 3;
    let seen = 0;
    const { acquire, time } = enter();
    time.onSleep = async () => {
      if (seen > 0) return;
      if (time.steady() < 100_000) {
        claims.stored.set(1, { ...OTHER, beat: time.steady() });
        return;
      }
      claims.stored.clear();
      claims.stored.set(2, { ...OTHER, nonce: 'y' });
      seen = time.steady();
    };
    await acquire({ timeoutSeconds: 900 });
    expect(holders()).toEqual(['a.example.com']);
    expect(time.steady() - seen).toBeGreaterThanOrEqual(210_000);
  });

  it('pauses before it looks again where a claim that it removed is still listed', async () => {
    claims.stored.set(1, OTHER);
    claims.nextId = 3;
    const { acquire, sleeps } = enter();
    const remove = claims.remove.bind(claims);
    claims.remove = async (id) => {
      if (id !== 1) await remove(id);
    };
    expect(await faultOf(acquire())).toMatchObject({ code: 'apply.locked' });
    expect(count('list') - sleeps.length).toBeLessThanOrEqual(2);
  });

  it('renews its claim, and removes another, as soon as the time for it is over', async () => {
    claims.stored.set(100, OTHER);
    // Looks after 10, 25, 47.5, 77.5, 107.5 and 137.5 s.
    const { acquire, time } = enter(undefined, 47.5);
    time.random = () => 0;
    const renewed: number[] = [];
    claims.hook = (operation) => void (operation === 'renew' && renewed.push(time.steady()));
    time.pass(7000);
    expect(await acquire()).toMatchObject({ waitedSeconds: 167.5 });
    expect(renewed.map((at) => at - 7000)).toEqual([47_500, 77_500, 107_500, 137_500]);
  });

  it('has not waited where only its requests took long', async () => {
    const { acquire, time } = enter();
    claims.hook = () => time.pass(5000);
    expect(await acquire()).toMatchObject({ waitedSeconds: 0 });
  });

  it('has an identity of one length', () => {
    expect(nonceOf(() => 0)).toBe('0'.repeat(16));
  });

  it('ends by a refusal of its claim without a look', async () => {
    claims.hook = (operation) => {
      calls.push(operation);
      throw new Fault('apply.lock-unavailable', 'no room');
    };
    expect(await faultOf(enter().acquire())).toMatchObject({ code: 'apply.lock-unavailable', message: 'no room' });
    expect(calls).toEqual(['place']);
  });

  it('ends by a look that fails permanently, and takes back a claim that it has not seen', async () => {
    claims.hook = (operation) => {
      calls.push(operation);
      if (operation === 'list') throw new Fault('gateway.unreachable', 'no route');
    };
    const { acquire, sleeps } = enter();
    expect(await faultOf(acquire())).toMatchObject({ code: 'gateway.unreachable' });
    expect([calls, sleeps, holders()]).toEqual([['place', 'list', 'removeAllOf'], [], []]);
  });

  it('ends after three claims that the gateway accepts and does not list', async () => {
    claims.list = async () => [];
    const { acquire, sleeps } = enter();
    expect(await faultOf(acquire())).toMatchObject({
      code: 'apply.lock-unavailable',
      message: 'The gateway does not list the claim of the lock that it accepted.',
    });
    expect([count('place'), sleeps.length]).toEqual([3, 2]);
    expect(await faultOf(enter().acquire(AT_ONCE))).toMatchObject({ code: 'apply.locked', detail: {} });
  });

  it('ends after three claims that did not arrive, by the fault of the last', async () => {
    claims.hook = (operation) => {
      calls.push(operation);
      if (operation === 'place') throw new Fault('gateway.timeout', `no answer ${count('place')}`);
    };
    expect(await faultOf(enter().acquire())).toMatchObject({ code: 'gateway.timeout', message: 'no answer 3' });
  });

  it('ends by an interruption of its wait', async () => {
    claims.stored.set(1, OTHER);
    claims.nextId = 2;
    const refused = claimLock(claims, HOLDER, new RunTime()).acquire(claims.account, {
      ...PATIENT,
      signal: AbortSignal.abort(),
    });
    const message = 'Interrupted while waiting for the lock.';
    expect(await faultOf(refused)).toMatchObject({ code: 'gateway.interrupted', message });
    expect(count('removeAllOf')).toBe(0);
  });
});

describe('a run that holds the lock', () => {
  const lost = (why: string) => ({
    code: 'apply.lock-lost',
    message: `This run no longer holds the lock of the account: ${why}.`,
    hint: 'Nothing more is written. Run the command again: it continues with the unfinished work.',
  });

  it('counts its renewals, and claims again a lease after the last that succeeded', async () => {
    const { acquire, time } = enter();
    const held = await acquire();
    for (const beat of [1, 2]) {
      time.pass(60_000);
      await time.renew();
      expect(claims.stored.get(1)?.beat).toBe(beat);
    }
    time.pass(60_000);
    claims.hook = (operation) => {
      calls.push(operation);
      if (operation === 'renew') throw new Fault('gateway.timeout', 'no answer');
    };
    await time.renew();
    await held.ensureHeld();
    expect(count('place')).toBe(1);
    time.pass(30_000);
    await held.ensureHeld();
    expect([count('place'), [...claims.stored.keys()]]).toEqual([2, [2]]);
    expect(claims.stored.get(2)?.beat).toBeGreaterThan(2);
    await held.ensureHeld();
    expect(count('place')).toBe(2);
    time.pass(90_000);
    await held.ensureHeld();
    expect(count('place')).toBe(3);
  });

  it.each<[string, () => void, string]>([
    ['another run claimed', () => claims.stored.set(7, OTHER), 'another run has claimed it since'],
    ['somebody claimed in another form', () => claims.stored.set(7, undefined), 'another run has claimed it since'],
    ['its claim was removed', () => claims.stored.clear(), 'another run has claimed it since'],
  ])('loses it permanently after a lease in which %s', async (_, happen, why) => {
    const { acquire, time } = enter();
    const held = await acquire();
    time.pass(90_000);
    happen();
    expect(await faultOf(held.ensureHeld())).toMatchObject(lost(why));
    expect(holders()).not.toContain('a.example.com');
    claims.stored.clear();
    expect(await faultOf(held.ensureHeld())).toMatchObject(lost('its claim was removed'));
  });

  it('claims again although a renewal after the lease has succeeded, because a waiter may be about to remove the claim', async () => {
    const { acquire, time } = enter();
    const held = await acquire();
    time.pass(210_000);
    await time.renew();
    claims.stored.clear();
    expect(await faultOf(held.ensureHeld())).toMatchObject(lost('another run has claimed it since'));
  });

  it('claims again where its renewal came a whole lease after the last', async () => {
    const { acquire, time } = enter();
    const held = await acquire();
    time.pass(90_000);
    await time.renew();
    await held.ensureHeld();
    expect(count('place')).toBe(2);
  });

  it('does not lose it by a renewal of its former claim that ends late', async () => {
    const { acquire, time } = enter();
    const held = await acquire();
    let answer = (): void => {};
    const renew = claims.renew.bind(claims);
    claims.renew = async (id, note) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return renew(id, note);
    };
    const renewal = time.renew();
    time.pass(90_000);
    await held.ensureHeld();
    answer();
    await renewal;
    await held.ensureHeld();
    expect(holders()).toEqual(['a.example.com']);
  });

  it.each([
    [2, 3, undefined],
    [3, 3, lost('its claim could not be renewed for 90 s')],
  ])('claims again up to three times where %i answers take longer than the lease', async (slow, places, fault) => {
    const { acquire, time } = enter();
    const held = await acquire();
    time.pass(90_000);
    calls = [];
    claims.hook = (operation) => {
      calls.push(operation);
      if (operation === 'place' && count('place') <= slow) time.pass(100_000);
    };
    const ended = await held.ensureHeld().catch((thrown: unknown) => thrown);
    if (fault === undefined) expect(ended).toBeUndefined();
    else expect(ended).toMatchObject(fault);
    expect(count('place')).toBe(places);
  });
});
