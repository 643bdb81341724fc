import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockWait } from '../../src/reconcile/index.ts';
import { type Arena, inFiles, inMemory, overHttpIn } from './lock-bodies.ts';
import { faultOf } from './memory-claims.ts';

const BODIES: readonly [string, () => Promise<Arena>][] = [
  ['of claims in memory', inMemory],
  ['of files', inFiles],
  ['of claims at a gateway, profile contract', overHttpIn('contract')],
  ['of claims at a gateway, profile deployed', overHttpIn('deployed')],
];

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
    expect(await arena.left()).toBe(1);
    await held.release();
    const next = await b.lock.acquire(arena.account, AT_ONCE);
    expect(next.waitedSeconds).toBe(0);
    await next.release();
    expect(await arena.left()).toBe(0);
    expect([a, b].every(({ time }) => time.isQuiet)).toBe(true);
  });

  it('goes to a run that waits, which learns that it has waited and for whom', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const waits: LockWait[] = [];
    b.time.onSleep = async () => {
      if (b.time.steady() > 60_000) await held.release();
      else await a.time.renew();
    };
    const next = await b.lock.acquire(arena.account, { ...PATIENT, onWait: (wait) => waits.push(wait) });
    expect(next.waitedSeconds).toBeGreaterThan(60);
    expect(waits).toMatchObject([{ holder: { host: expect.any(String) }, seconds: 300 }]);
    await next.release();
    expect(await arena.left()).toBe(0);
  });

  it('is refused when the time is over, and the run leaves no claim', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    b.time.onSleep = () => a.time.renew();
    expect(await faultOf(b.lock.acquire(arena.account, PATIENT))).toMatchObject({ code: 'apply.locked' });
    expect(b.time.steady()).toBeGreaterThanOrEqual(300_000);
    expect(await arena.left()).toBe(1);
    await held.release();
  });

  it('ends its wait at an interruption, and leaves no claim', async () => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const controller = new AbortController();
    b.time.onSleep = async () => controller.abort();
    const waiting = b.lock.acquire(arena.account, { ...PATIENT, signal: controller.signal });
    expect(await faultOf(waiting)).toMatchObject({ code: 'gateway.interrupted' });
    await held.release();
    expect(await arena.left()).toBe(0);
  });

  it('is held by one of two runs that nothing distinguishes to people', async () => {
    const [one, two] = [arena.enter('a'), arena.enter('a')];
    const held = await one.lock.acquire(arena.account, AT_ONCE);
    expect(await faultOf(two.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    expect(await faultOf(one.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    await held.ensureHeld();
    expect(await arena.left()).toBe(1);
    await held.release();
    expect(await arena.left()).toBe(0);
  });

  it('is never held by two of ten runs that begin together', async () => {
    const attempts = Array.from({ length: 10 }, (_, n) => arena.enter(`run-${n}`).lock.acquire(arena.account, AT_ONCE));
    const settled = await Promise.allSettled(attempts);
    const held = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(held.length).toBeLessThanOrEqual(1);
    for (const each of held) await each.release();
    expect(await arena.left()).toBe(0);
  });
});
