import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockWait } from '../../src/reconcile/index.ts';
import { type Arena, inFiles, inMemory, overHttpIn } from './lock-bodies.ts';
import type { RunTime } from './lock-time.ts';
import { faultOf } from './memory-claims.ts';

type Entered = ReturnType<Arena['enter']>;

const BODIES: readonly [string, () => Promise<Arena>][] = [
  ['of claims in memory', inMemory],
  ['of files', inFiles],
  ['of claims at a gateway, profile contract', overHttpIn('contract')],
  ['of claims at a gateway, profile deployed', overHttpIn('deployed')],
];

/** The first run renews its claim while the second waits. */
function renewAlongside(a: Entered, b: Entered): void {
  b.time.onSleep = async (ms) => {
    a.time.pass(ms);
    await a.time.renew();
  };
}

const AT_ONCE = { timeoutSeconds: 0 };
const PATIENT = { timeoutSeconds: 300 };

describe.each(BODIES)('a lock %s', (_, open) => {
  let arena: Arena;
  beforeEach(async () => {
    arena = await open();
  });
  afterEach(() => arena.close());

  it('is held by one run at a time, and leaves nothing', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    await held.ensureHeld();
    expect(held.waitedSeconds).toBe(0);
    const refused = await faultOf(b.lock.acquire(arena.account, AT_ONCE));
    expect(refused).toMatchObject({ code: 'apply.locked', detail: { holder: { process: expect.any(Number) } } });
    expect(await arena.marks()).toHaveLength(1);
    await held.release();
    const next = await b.lock.acquire(arena.account, AT_ONCE);
    expect(next.waitedSeconds).toBe(0);
    await next.release();
    expect(await arena.marks()).toEqual([]);
    expect([a, b].every(({ time }) => time.isQuiet)).toBe(true);
  });

  it('goes to a run that waits, which learns that it has waited and for whom', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const waits: LockWait[] = [];
    b.time.onSleep = async () => {
      if (b.time.steady() > 60_000) await held.release();
    };
    const next = await b.lock.acquire(arena.account, { ...PATIENT, onWait: (wait) => waits.push(wait) });
    expect(next.waitedSeconds).toBeGreaterThan(60);
    expect(waits).toMatchObject([{ holder: { host: expect.any(String) }, seconds: 300 }]);
    await next.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('is refused when the time is over, and the run leaves no claim', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    renewAlongside(a, b);
    expect(await faultOf(b.lock.acquire(arena.account, PATIENT))).toMatchObject({ code: 'apply.locked' });
    expect(b.time.steady()).toBeGreaterThanOrEqual(300_000);
    expect(await arena.marks()).toHaveLength(1);
    await held.release();
  });

  it('is kept for as long as it is renewed', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const [before] = await arena.marks();
    renewAlongside(a, b);
    const long = { timeoutSeconds: 3600 };
    expect(await faultOf(b.lock.acquire(arena.account, long))).toMatchObject({ code: 'apply.locked' });
    const [after] = await arena.marks();
    expect(after).not.toBe(before);
    await held.ensureHeld();
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('of a run that is silent for minutes goes to one that waits, and the former holder loses it', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    b.time.onSleep = async (ms) => a.time.pass(ms);
    const next = await b.lock.acquire(arena.account, PATIENT);
    expect(b.time.steady()).toBeGreaterThanOrEqual(arena.abandonedSeconds * 1000);
    expect(b.time.steady()).toBeLessThan((arena.abandonedSeconds + 5) * 1000);
    await a.time.renew();
    const lost = { code: 'apply.lock-lost' };
    expect(await faultOf(held.ensureHeld())).toMatchObject(lost);
    await held.release();
    expect(await faultOf(held.ensureHeld())).toMatchObject(lost);
    await next.ensureHeld();
    expect(await arena.marks()).toHaveLength(1);
    await next.release();
    expect(await arena.marks()).toEqual([]);
  });

  it.each([
    ['was held back for minutes', (time: RunTime) => time.pass(150_000)],
    ['slept', (time: RunTime) => time.sleepMachine(600_000)],
  ])('is still that of a run that %s if nobody else came', async (_why, pass) => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    pass(a.time);
    await held.ensureHeld();
    expect(await faultOf(b.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('is lost at the next renewal when somebody has removed it, and is not made again', async () => {
    const a = arena.enter('a');
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    await arena.clear();
    await a.time.renew();
    expect(await faultOf(held.ensureHeld())).toMatchObject({ code: 'apply.lock-lost' });
    expect(await arena.marks()).toEqual([]);
    const next = await arena.enter('b').lock.acquire(arena.account, AT_ONCE);
    await held.release();
    await next.ensureHeld();
    expect(await arena.marks()).toHaveLength(1);
    await next.release();
  });

  it('is lost when that of another run is in its place, which is neither renewed nor removed', async () => {
    const a = arena.enter('a');
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    await arena.replace();
    const [other] = await arena.marks();
    a.time.pass(30_000);
    await a.time.renew();
    expect(await faultOf(held.ensureHeld())).toMatchObject({ code: 'apply.lock-lost' });
    await held.release();
    expect(await arena.marks()).toEqual([other]);
  });

  it('ends its wait at an interruption, and leaves no claim', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const controller = new AbortController();
    b.time.onSleep = async () => controller.abort('the reason');
    const waiting = b.lock.acquire(arena.account, { ...PATIENT, signal: controller.signal });
    expect(await faultOf(waiting)).toMatchObject({ code: 'gateway.interrupted', cause: 'the reason' });
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('is held by one of two runs that nothing distinguishes to people', async () => {
    const [one, two] = [arena.enter('a'), arena.enter('a')];
    const held = await one.lock.acquire(arena.account, AT_ONCE);
    expect(await faultOf(two.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    expect(await faultOf(one.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    await held.ensureHeld();
    expect(await arena.marks()).toHaveLength(1);
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('is never held by two of ten runs that begin together', async () => {
    const attempts = Array.from({ length: 10 }, (_, n) => arena.enter(`run-${n}`).lock.acquire(arena.account, AT_ONCE));
    const settled = await Promise.allSettled(attempts);
    const held = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(held.length).toBeLessThanOrEqual(1);
    for (const each of held) await each.release();
    expect(await arena.marks()).toEqual([]);
  });
});
