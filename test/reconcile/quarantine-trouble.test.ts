import { describe, expect, it } from 'vitest';
import { Fault, type Plan, pendingChanges, tryQuarantineName } from '../../src/domain/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW } from './account.ts';
import { failing, losing } from './going-wrong.ts';
import { DAY, text, world } from './quarantine-world.ts';

describe('a mark of a quarantine that is not true', () => {
  const RESTARTS = [expect.objectContaining({ code: 'quarantine-restarts' })];

  it.each([
    ['somebody wrote by hand', 'old~q20200101-abcdefg'],
    ['is as old as the form allows', 'old~q00010101-0000000'],
  ])('ends nothing when %s', async (_, name) => {
    const { apply: run, plan: look, store, keys, pass } = world();
    store.seed(live(name));
    const made = await look();
    expect(text(made)).toEqual([`disable ${name.replace(/-.{7}$/, '-*')} quarantined`]);
    expect(made.notes).toEqual(RESTARTS);
    await run();
    expect(keys()).toEqual([expect.stringMatching(/^old~q20261120-.{7} 2$/)]);
    pass(14 * DAY);
    expect(text(await look())[0]).toMatch(/^retain/);
  });

  it('ends nothing when somebody copied it from another key, or changed its date', async () => {
    const { apply: run, plan: look, store, only, pass, edit } = world();
    store.seed(live('old'));
    await run();
    const { name } = only();
    store.seed(live(name));
    pass(20 * DAY);
    expect(text(await look())).toEqual(['disable old~q20261120-* quarantined', 'delete old~q20261120-* quarantined']);
    edit({ name: name.replace('2026', '2025') });
    expect((await look()).notes).toEqual(RESTARTS);
  });

  it('ends nothing when its date is from before the key was created or used', async () => {
    for (const [more, used] of [
      [{}, 0],
      [{}, 5],
    ] as const) {
      const { plan: look, store, pass, only, edit, now } = world();
      pass(100 * DAY);
      const id = store.seed(live('old'), { status: 2, ...more });
      if (used > 0) store.spend(id, used);
      const observed = (await store.walk()).find((key) => key.id === id);
      const name = observed && tryQuarantineName('old', observed, { at: now() - 50 * DAY, isByQuarantine: true });
      edit({ name });
      expect(only().name).toMatch(/^old~q/);
      expect(text(await look())[0]).toMatch(/^disable/);
    }
  });

  it('is removed by a person: the key waits again, under a new date', async () => {
    const { apply: run, plan: look, store, pass, edit } = world();
    store.seed(live('old'));
    await run();
    pass(20 * DAY);
    edit({ name: 'old' });
    expect(text(await look())).toEqual(['disable old quarantined']);
    await run();
    expect(text(await look())).toEqual(['retain old~d20261210-* in-quarantine']);
  });

  it('ends nothing when one clock was wrong: both have to agree that it is over', async () => {
    const { apply: run, plan: look, store, pass, setMachine, now } = world();
    store.seed(live('old'));
    setMachine(NOW);
    await run();
    // The gateway's clock jumps ahead.
    pass(400 * DAY);
    setMachine(NOW + DAY);
    expect(text(await look())[0]).toMatch(/^retain .* in-quarantine$/);
    // That of this machine does.
    pass(-399 * DAY);
    setMachine(now() + 400 * DAY);
    expect(text(await look())[0]).toMatch(/^retain .* in-quarantine$/);
    pass(14 * DAY);
    expect(text(await look())[0]).toMatch(/^delete/);
  });

  it('gets the later of two times', async () => {
    const { apply: run, store, only, setMachine, pass } = world({ reportsTimes: false });
    store.seed(live('old'));
    pass(-5000 * DAY);
    setMachine(NOW);
    await run();
    expect(only().name).toMatch(/^old~q20261120-/);
  });
});

describe('a key in quarantine that is used or enabled', () => {
  async function quarantined(options: Parameters<typeof world>[0] = {}) {
    const made = world(options);
    const id = made.store.seed(live('old'));
    made.store.spend(id, 10);
    await made.apply();
    return { ...made, id };
  }

  it.each([
    ['the record reports use and its time', {}],
    ['the record reports only the use', { reportsTimes: false }],
    ['the record reports only what is left', { reportsTimes: false, reportsUse: false }],
  ])('waits once more when it was used in between and %s', async (_, options) => {
    const { apply: run, plan: look, store, pass, id, edit } = await quarantined(options);
    pass(3 * DAY);
    edit({ status: 1 });
    store.spend(id, 1);
    edit({ status: 2 });
    pass(17 * DAY);
    const made = await look();
    expect(text(made)).toEqual(['disable old~q20261120-* quarantined']);
    expect(made.notes.map(({ code }) => code)).toEqual(['quarantine-restarts']);
    expect(made.notes[0]?.message).toContain('it was used after its quarantine began on 2026-11-20');
    await run();
    expect(text(await look())).toEqual(['retain old~d20261210-* in-quarantine']);
    pass(14 * DAY);
    expect(text(await look())[0]).toMatch(/^retain/);
    pass(DAY);
    expect(text(await look())[0]).toMatch(/^delete/);
  });

  it('stays and is reported while it is enabled, however old its date is', async () => {
    const { apply: run, plan: look, pass, edit, keys } = await quarantined();
    edit({ status: 1 });
    pass(40 * DAY);
    expect(text(await look())).toEqual(['retain old~q20261120-* enabled-in-quarantine']);
    await run();
    expect(keys()).toEqual([expect.stringMatching(/ 1$/)]);
  });

  it.each([
    ['used', (made: Awaited<ReturnType<typeof quarantined>>) => made.store.spend(made.id, 1)],
    ['enabled', (made: Awaited<ReturnType<typeof quarantined>>) => made.edit({ status: 1 })],
    ['renamed', (made: Awaited<ReturnType<typeof quarantined>>) => made.edit({ name: 'old' })],
  ])('is not deleted when it is %s after the plan was made', async (_, act) => {
    const made = await quarantined();
    made.pass(20 * DAY);
    let isDone = false;
    made.store.hook = (operation) => {
      if (operation !== 'readMany' || isDone) return;
      isDone = true;
      act(made);
    };
    const report = await made.apply();
    expect(report.outcomes).toMatchObject([{ state: 'skipped', code: 'plan.stale', change: { verb: 'delete' } }]);
    expect(made.store.records.size).toBe(2);
  });
});

/** Ends a run at its nth request, before or after it takes effect. */
function killing(store: MemoryStore, at: number, isDone: boolean): { readonly wasKilled: () => boolean } {
  let [requests, isDead] = [0, false];
  const dead = (): never => {
    isDead = true;
    throw new Fault('gateway.unreachable', 'killed');
  };
  for (const operation of ['walk', 'tryRead', 'readMany', 'update', 'setEnabled', 'delete'] as const) {
    const real = store[operation].bind(store) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(store, {
      [operation]: async (...args: unknown[]) => {
        if (isDead) dead();
        requests += 1;
        if (requests === at && !isDone) dead();
        const answer = await real(...args);
        return requests === at ? dead() : answer;
      },
    });
  }
  return { wasKilled: () => isDead };
}

describe('a run with a quarantine that is killed at any request', () => {
  const STEPS = [
    ['begins', 0, undefined, /^old~[qd]20261120-.{7} 2$/],
    ['ends', 20, undefined, undefined],
    ['is declared again', 3, 'old', /^old 1$/],
  ] as const;

  it.each(STEPS)('is finished by the next one when it %s', async (_, days, declared, expected) => {
    const keys = declared ? [declare(declared, { group: 'vip' })] : [];
    let kills = 0;
    for (const isDone of [false, true]) {
      for (let at = 1, isKilled = true; isKilled; at += 1) {
        const made = world();
        made.store.seed(live('old'));
        if (days > 0) await made.apply();
        made.pass(days * DAY);
        const { wasKilled } = killing(made.store, at, isDone);
        await made.apply(keys).catch(() => undefined);
        isKilled = wasKilled();
        kills += Number(isKilled);
        for (const operation of ['walk', 'tryRead', 'readMany', 'update', 'setEnabled', 'delete'] as const)
          Reflect.deleteProperty(made.store, operation);
        const between = made.keys();
        if (days > 0 && !declared) expect(between.filter((key) => key.endsWith(' 1'))).toEqual([]);
        await made.apply(keys);
        expect(made.keys(), `after a kill at request ${at}, from ${between}`).toEqual(
          expected ? [expect.stringMatching(expected)] : [],
        );
        expect(pendingChanges(await made.plan(keys))).toEqual([]);
      }
    }
    expect(kills).toBeGreaterThanOrEqual(8);
  });
});

describe('two runs that begin the same quarantine at once', () => {
  it('leave one mark that holds, wherever the second one comes in between', async () => {
    for (let at = 1; at <= 8; at += 1) {
      const made = world();
      made.store.seed(live('old'));
      let entered = 0;
      let other: Promise<unknown> | undefined;
      const real = made.store.tryRead.bind(made.store);
      const many = made.store.readMany.bind(made.store);
      const interrupt = async (): Promise<void> => {
        entered += 1;
        if (entered !== at || other) return;
        other = made.apply();
        await other;
      };
      made.store.tryRead = async (id) => {
        await interrupt();
        return real(id);
      };
      made.store.readMany = async (ids) => {
        await interrupt();
        return many(ids);
      };
      const report = await made.apply();
      expect(report.outcomes.map(({ state: each }) => each)).not.toContain('failed');
      expect(made.keys()).toEqual([expect.stringMatching(/^old~[qd]20261120-.{7} 2$/)]);
      expect(text(await made.plan())[0]).toMatch(/in-quarantine$/);
    }
  });
});

describe('a key that is disabled and cannot be marked', () => {
  it.each([
    ['the gateway refuses its name', 'gateway.refused', 'failed', {}],
    ['the answers are lost before they take effect', 'gateway.timeout', 'indeterminate', {}],
    ['an interruption keeps its name from being sent', 'gateway.interrupted', 'failed', { sent: 'no' }],
  ] as const)('is reported as disabled and not in quarantine when %s', async (_, code, expected, detail) => {
    const { apply: run, plan: look, store, keys } = world();
    store.seed(live('old'));
    store.hook = failing('update', code, () => true, detail);
    const report = await run();
    expect(report.outcomes).toMatchObject([{ state: expected, change: { verb: 'disable', name: 'old' } }]);
    expect(report.outcomes[0]).toMatchObject({
      fault: { code, message: expect.stringContaining('“old” (ID 2) is disabled, and its quarantine has not begun') },
    });
    expect(keys()).toEqual(['old 2']);
    expect(text(report.after as Plan)).toEqual(['disable old quarantined']);
    store.hook = () => {};
    await run();
    expect(text(await look())).toEqual(['retain old~d20261120-* in-quarantine']);
  });

  it('is skipped when it was disabled before, and an interruption keeps its name from being sent', async () => {
    const { apply: run, store, keys } = world();
    store.seed(live('old'), { status: 2 });
    store.hook = failing('update', 'gateway.interrupted', () => true, { sent: 'no' });
    expect((await run()).outcomes).toMatchObject([{ state: 'skipped', code: 'gateway.interrupted' }]);
    expect(keys()).toEqual(['old 2']);
  });

  it('is not marked when its create or a check failed first', async () => {
    const { apply: run, store, keys } = world();
    store.seed(live('old'));
    store.hook = failing('create', 'gateway.refused');
    const report = await run([declare('new', { budget: { kind: 'unlimited' } })]);
    expect(report.outcomes).toMatchObject([{ state: 'failed' }, { state: 'skipped', remedy: 'prune-anyway' }]);
    expect(keys()).toEqual(['old 1']);
  });

  it('is marked once when the answer to its mark was lost', async () => {
    const { apply: run, plan: look, store } = world();
    store.seed(live('old'));
    losing(store, 'update');
    expect((await run()).outcomes).toMatchObject([{ state: 'applied' }]);
    expect(text(await look())).toEqual(['retain old~q20261120-* in-quarantine']);
  });
});
