import { describe, expect, it } from 'vitest';
import { Fault, type KeyId, quota } from '../../../../src/domain/index.ts';
import { openSharedClaim } from '../../../../src/engine/index.ts';
import { RunTime } from '../../../contract/lock-time.ts';
import { MemoryClaims } from '../../../contract/memory-claims.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { budgetOf, configOf, openCore } from '../core.ts';
import {
  type Core,
  expectRecovery,
  idsIn,
  idsOf,
  keysOf,
  positions,
  recoverFromKilledChanges,
  recoverFromKills,
} from './killed.ts';

describe.each([true, false])('a provider that is killed during creates (use reported: %s)', (reportsUse) => {
  it('leaves, at every request, only keys that the next apply adopts', async () => {
    expect(await recoverFromKills(reportsUse, 6)).toBeGreaterThan(20);
  });

  it('leaves keys that the next apply adopts and changes to another configuration', async () => {
    const changed = keysOf(4, { group: 'vip', models: null, budget: budgetOf({ usd: 7 }), enabled: null });
    for (const kill of await positions(reportsUse, 4)) {
      const core = openCore(reportsUse);
      await core.run(keysOf(4), kill);
      const stored = idsIn(core).length;
      // What the state has already is an update, which is not the subject here.
      if (stored > 0) continue;
      await expectRecovery(core, changed, kill);
      expect(await core.store.walk()).toMatchObject(
        Array.from({ length: 4 }, () => ({ group: 'vip', models: null, remain: 3_500_000, status: 'enabled' })),
      );
    }
  });

  it('is recovered from when the adopting run is killed as well', async () => {
    const changed = keysOf(2, { group: 'vip' });
    const last = (await positions(reportsUse, 2)).filter(({ when }) => when === 'after');
    for (const first of last) {
      for (const second of last) {
        const core = openCore(reportsUse);
        await core.run(keysOf(2), first);
        if (idsIn(core).length > 0) continue;
        if ((await core.run(changed, second)).isKilled) await expectRecovery(core, changed, second);
      }
    }
  });
});

it.each([true, false])(
  'a provider that is killed at any request of changes of every kind leaves what the next apply finishes (use reported: %s)',
  async (reportsUse) => {
    expect(await recoverFromKilledChanges(reportsUse)).toBeGreaterThan(40);
  },
);

describe('a key with the name of a create that was left', () => {
  const ONE = new Map([['k', configOf({ name: 'one', budget: budgetOf({ usd: 5 }) })]]);

  /** An apply that is killed right after the first step that leaves something. */
  async function killedWhen(hasLeft: (core: Core) => boolean): Promise<Core> {
    for (let at = 1; ; at += 1) {
      const core = openCore(true);
      await core.run(ONE, { at, when: 'after' });
      if (hasLeft(core)) return core;
    }
  }

  async function killed(): Promise<{ readonly core: Core; readonly id: KeyId }> {
    const core = await killedWhen(({ store }) => store.records.size > 0);
    const [id] = await idsOf(core);
    return { core, id: id as KeyId };
  }

  const stored = ({ core, id }: Awaited<ReturnType<typeof killed>>) => core.store.records.get(id) as object;

  const TAKEN = 'A key named "one" already exists (id 1)';

  it.each<[string, (left: Awaited<ReturnType<typeof killed>>) => unknown, string]>([
    ['was used', ({ core, id }) => core.store.spend(id, 10), TAKEN],
    ['was changed', (left) => Object.assign(stored(left), { group: 'theirs' }), TAKEN],
    ['was disabled', (left) => Object.assign(stored(left), { status: 2 }), TAKEN],
    ['was made hours later', (left) => Object.assign(stored(left), { created_time: NOW + 7200 }), TAKEN],
    [
      'has a twin with other settings',
      ({ core }) => core.store.seed(live('one', { group: 'theirs' })),
      'Several keys are named "one": 1, 2',
    ],
  ])('is not adopted when it %s, and stays as it is', async (_, change, error) => {
    const left = await killed();
    change(left);
    const before = structuredClone([...left.core.store.records]);
    const { errors } = await left.core.run(ONE);
    expect(errors).toEqual([error]);
    expect([...left.core.store.records]).toEqual(before);
    expect(idsIn(left.core)).toEqual([]);
  });

  it('is not adopted when it was there before', async () => {
    const core = openCore(true);
    core.store.seed(live('one', { remain: quota(2_500_000) }));
    const { errors } = await core.run(ONE);
    expect(errors).toEqual(['A key named "one" already exists (id 1)']);
    expect(core.memory.entries).toEqual([]);
  });

  it('is not adopted when another run may have made it, and is not recognized afterwards', async () => {
    const { core, id } = await killed();
    core.store.records.set(99, { ...structuredClone(stored({ core, id })), id: 99 } as never);
    expect((await core.run(ONE)).errors).toEqual([`More than one key is named "one": ${id}, 99`]);
    expect([await idsOf(core), idsIn(core)]).toEqual([[id, 99], []]);
    // Somebody else has the one that stays.
    core.store.records.delete(id);
    expect((await core.run(ONE)).errors).toEqual(['A key named "one" already exists (id 99)']);
    expect([await idsOf(core), idsIn(core)]).toEqual([[99], []]);
  });

  it('is adopted with its twin settled when two killed runs made it', async () => {
    const { core, id } = await killed();
    // The create of the second run takes effect twice: once late.
    core.memory.entries = [...core.memory.entries, ...core.memory.entries.map((entry) => ({ ...entry, run: '0' }))];
    core.store.records.set(99, { ...structuredClone(stored({ core, id })), id: 99 } as never);
    expect(await core.run(ONE)).toMatchObject({ errors: [] });
    expect([await idsOf(core), idsIn(core)]).toEqual([[id], [id]]);
  });

  it.each([true, false])(
    'has its twin settled with the claim of the run, and not without it: free %s',
    async (isFree) => {
      const { core, id } = await killed();
      core.store.records.set(99, { ...structuredClone(stored({ core, id })), id: 99 } as never);
      core.memory.entries = [...core.memory.entries, ...core.memory.entries.map((entry) => ({ ...entry, run: '0' }))];
      const claims = new MemoryClaims();
      const host = 'mine.example.com';
      if (!isFree) claims.stored.set(1, { nonce: 'x', process: 9, host: 'x.example.com', since: NOW, beat: 0 });
      claims.nextId = 2;
      const holder = async () => ({ process: 7, host, since: NOW });
      core.locks.claim = openSharedClaim(
        claims,
        { timeoutSeconds: 0, settleSeconds: 0 },
        { time: new RunTime(), holder },
      );
      const holders: unknown[] = [];
      core.store.hook = (operation) => {
        if (operation === 'delete') holders.push(...[...claims.stored.values()].map((note) => note?.host));
      };
      const { errors } = await core.run(ONE);
      expect(errors).toEqual(isFree ? [] : [expect.stringContaining('Another Keyplane run is changing the keys')]);
      expect([holders, await idsOf(core)]).toEqual(isFree ? [[host], [id]] : [[], [id, 99]]);
    },
  );

  it('is waited for until it can no longer appear', async () => {
    // Killed when the create was recorded, and not sent.
    const core = await killedWhen(({ memory }) => memory.entries.length > 0);
    expect(await idsOf(core)).toEqual([]);
    core.clock.now += 20;
    expect(await core.run(ONE)).toMatchObject({ errors: [] });
    expect([core.waits, await idsOf(core), idsIn(core)]).toEqual([[100], [1], [1]]);
  });
});

describe.each([true, false])('a create whose answer is lost within a run (use reported: %s)', (reportsUse) => {
  /** The create takes effect, and its answer and the next lists are lost. */
  function losing(core: Core, lists: number): void {
    const create = core.store.create.bind(core.store);
    let left = lists;
    let isSent = false;
    core.store.create = async (settings) => {
      await create(settings);
      isSent = true;
      throw new Fault('gateway.timeout', 'on purpose');
    };
    core.store.hook = (operation) => {
      if (!isSent || left === 0 || (operation !== 'newest' && operation !== 'walk')) return;
      left -= 1;
      throw new Fault('gateway.unexpected-shape', 'cut off');
    };
  }

  it.each([0, 1])('is in the state, with its ID, after %i lists that were cut off', async (lists) => {
    const core = openCore(reportsUse);
    losing(core, lists);
    const { errors, warnings } = await core.run(keysOf(1));
    expect(errors).toEqual([]);
    expect(warnings).toContain('Its response was lost; the key was found by its name');
    expect(idsIn(core)).toEqual([1]);
    expect((await core.plan(keysOf(1))).changes).toEqual([]);
  });

  it('has no state without an ID when no list can be read, and is adopted by the next run', async () => {
    const core = openCore(reportsUse);
    losing(core, 99);
    const { errors, warnings } = await core.run(keysOf(1));
    expect(errors.length).toBeGreaterThan(0);
    expect(warnings).toContain('It is unknown whether the key was created');
    expect(idsIn(core)).toEqual([]);
    core.store.hook = () => {};
    expect(await core.run(keysOf(1))).toMatchObject({ errors: [] });
    expect([idsIn(core), await idsOf(core)]).toEqual([[1], [1]]);
  });
});
