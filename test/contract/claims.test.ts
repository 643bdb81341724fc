import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fault } from '../../src/domain/index.ts';
import type { ClaimNote, ClaimStore } from '../../src/reconcile/index.ts';
import { type Arena, arenaOf, inMemory, overHttpIn } from './lock-bodies.ts';
import type { RunTime } from './lock-time.ts';
import { faultOf, MemoryClaims } from './memory-claims.ts';

const AT_ONCE = { timeoutSeconds: 0 };
const PATIENT = { timeoutSeconds: 300 };

const storeOf = ({ claims }: Arena): ClaimStore => {
  if (!claims) throw new Error('this lock has no claims');
  return claims;
};

describe.each<[string, () => Promise<Arena>]>([
  ['in memory', inMemory],
  ['at a gateway, profile contract', overHttpIn('contract')],
  ['at a gateway, profile deployed', overHttpIn('deployed')],
])('claims %s', (_, open) => {
  let arena: Arena;
  beforeEach(async () => {
    arena = await open();
  });
  afterEach(() => arena.close());

  it('show who holds the lock, and change with each renewal', async () => {
    const a = arena.enter('a');
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const [before] = await storeOf(arena).list();
    expect(before?.note).toMatchObject({ process: 7, host: 'a.example.com', since: 1_800_000_000 });
    await a.time.renew();
    const [after] = await storeOf(arena).list();
    expect(after?.id).toBe(before?.id);
    expect(after?.mark).not.toBe(before?.mark);
    await held.release();
  });

  it.each([
    ['was held back for minutes', (time: RunTime) => time.pass(90_000)],
    ['slept', (time: RunTime) => time.sleepMachine(600_000)],
  ])('are placed again by a holder that %s, and writes on if nobody else came', async (_why, pass) => {
    const [a, b] = [arena.enter('a'), arena.enter('b')];
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    const [before] = await storeOf(arena).list();
    a.time.pass(89_000);
    await held.ensureHeld();
    expect(await storeOf(arena).list()).toEqual([before]);
    pass(a.time);
    await Promise.all([held.ensureHeld(), held.ensureHeld()]);
    const after = await storeOf(arena).list();
    expect(after).toMatchObject([{ note: { host: 'a.example.com', nonce: before?.note?.nonce } }]);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(await faultOf(b.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('of one team are held together, each for itself, and keep out everybody else', async () => {
    const [one, two] = [arena.enter('a', 't'), arena.enter('a', 't')];
    const outsiders = [arena.enter('b'), arena.enter('c', 'u')];
    const first = await one.lock.acquire(arena.account, AT_ONCE);
    const second = await two.lock.acquire(arena.account, AT_ONCE);
    expect(second.waitedSeconds).toBe(0);
    expect(await arena.marks()).toHaveLength(2);
    one.time.pass(90_000);
    await first.ensureHeld();
    await first.release();
    two.time.pass(90_000);
    await second.ensureHeld();
    expect(await arena.marks()).toHaveLength(1);
    for (const { lock } of outsiders) {
      expect(await faultOf(lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    }
    await second.release();
    const next = await arena.enter('b').lock.acquire(arena.account, AT_ONCE);
    expect(await faultOf(one.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked' });
    await next.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('may be removed twice, and are not renewed by another holder', async () => {
    const held = await arena.enter('a').lock.acquire(arena.account, AT_ONCE);
    const [claim] = await storeOf(arena).list();
    if (!claim?.note) throw new Error('there is no claim');
    expect(await storeOf(arena).renew(claim.id, { ...claim.note, nonce: 'b' })).toBe(false);
    await storeOf(arena).removeAllOf('b');
    expect(await arena.marks()).toHaveLength(1);
    await storeOf(arena).removeAllOf(claim.note.nonce);
    await storeOf(arena).remove(claim.id);
    expect(await storeOf(arena).renew(claim.id, claim.note)).toBe(false);
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });
});

describe('a lock of claims', () => {
  let claims: MemoryClaims;
  let arena: Arena;
  beforeEach(() => {
    claims = new MemoryClaims();
    arena = arenaOf(
      () => claims,
      async () => {},
    );
  });

  it('is taken when the answer to its placement was lost', async () => {
    claims.losesAnswers = true;
    const held = await arena.enter('a').lock.acquire(arena.account, AT_ONCE);
    await held.ensureHeld();
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it('is placed again when it did not arrive, and the fault of the third placement ends the run', async () => {
    let refused = 0;
    claims.hook = (operation) => {
      if (operation === 'place' && refused++ < 2) throw new Fault('gateway.timeout', 'no answer');
    };
    const held = await arena.enter('a').lock.acquire(arena.account, PATIENT);
    expect(held.waitedSeconds).toBeGreaterThan(0);
    await held.release();
    refused = -10;
    const again = arena.enter('a').lock.acquire(arena.account, PATIENT);
    expect(await faultOf(again)).toMatchObject({ code: 'gateway.timeout' });
  });

  it('waits while the store limits the listing', async () => {
    let limited = 3;
    claims.hook = (operation) => {
      if (operation === 'list' && limited-- > 0) throw new Fault('gateway.rate-limited', 'later');
    };
    const held = await arena.enter('a').lock.acquire(arena.account, PATIENT);
    await held.release();
    limited = 1000;
    const refused = arena.enter('a').lock.acquire(arena.account, PATIENT);
    expect(await faultOf(refused)).toMatchObject({ code: 'gateway.rate-limited' });
    limited = 0;
    expect(await arena.marks()).toEqual([]);
  });

  it('is claimed twice again in a store that takes longer than the lease', async () => {
    const a = arena.enter('a');
    const held = await a.lock.acquire(arena.account, AT_ONCE);
    let slow = 1;
    claims.hook = (operation) => {
      if (operation === 'place' && slow-- > 0) a.time.pass(170_000);
    };
    a.time.pass(90_000);
    await held.ensureHeld();
    expect(slow).toBe(-1);
    await a.time.renew();
    await held.ensureHeld();
    expect(await arena.marks()).toHaveLength(1);
    await held.release();
    expect(await arena.marks()).toEqual([]);
  });

  it.each(['place', 'list', 'placement'] as const)(
    'is lost after the lease when no %s succeeds in time',
    async (failing) => {
      const a = arena.enter('a');
      const held = await a.lock.acquire(arena.account, AT_ONCE);
      claims.hook = (operation) => {
        if (operation === failing) throw new Fault('gateway.unreachable', 'no route');
        if (failing === 'placement' && operation === 'place') a.time.pass(170_000);
      };
      a.time.pass(90_000);
      const fault = await faultOf(held.ensureHeld());
      expect(fault).toMatchObject({ code: 'apply.lock-lost', message: expect.stringContaining('for 90 s') });
      expect(await faultOf(held.ensureHeld())).toMatchObject({ code: 'apply.lock-lost' });
      expect(claims.stored.size).toBe(0);
    },
  );

  it('respects a claim that it cannot read, and removes it like any other that nobody renews', async () => {
    claims.stored.set(100, undefined);
    const a = arena.enter('a');
    expect(await faultOf(a.lock.acquire(arena.account, AT_ONCE))).toMatchObject({ code: 'apply.locked', detail: {} });
    const held = await a.lock.acquire(arena.account, PATIENT);
    expect([...claims.stored.values()]).toMatchObject([{ host: 'a.example.com' }]);
    await held.release();
  });

  it('removes its own claim when it ends by a fault', async () => {
    let lists = 0;
    claims.hook = (operation) => {
      if (operation === 'list' && ++lists === 1) throw new Fault('apply.lock-unavailable', 'no search');
    };
    const refused = arena.enter('a').lock.acquire(arena.account, AT_ONCE);
    expect(await faultOf(refused)).toMatchObject({ code: 'apply.lock-unavailable' });
    expect(await arena.marks()).toEqual([]);
  });

  it('removes a claim of its own that arrived late', async () => {
    const held = await arena.enter('a').lock.acquire(arena.account, AT_ONCE);
    let note: ClaimNote | undefined;
    claims.hook = (operation, placed) => {
      if (operation === 'place') note = placed;
    };
    let slept = 0;
    const b = arena.enter('b');
    b.time.onSleep = async () => {
      slept += 1;
      if (slept === 1 && note) claims.stored.set(50, note);
      if (slept === 3) await held.release();
    };
    const next = await b.lock.acquire(arena.account, PATIENT);
    expect([...claims.stored.values()].map((each) => each?.host)).toEqual(['b.example.com']);
    await next.release();
    expect(await arena.marks()).toEqual([]);
  });
});
