import { describe, expect, it } from 'vitest';
import { type ApplyReport, Fault, type KeyId, pendingChanges, quota } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { type ForcedRotation, reportFaults } from '../../src/reconcile/index.ts';
import { MemorySink, sinksBy } from '../contract/memory-sink.ts';
import { DAY, openRotatingAccount, type RotatingAccount, SOMEBODY } from './rotating-account.ts';

const NEW = 'app~20270218-1200';

const deliveries = ({ deliveries: all = [] }: ApplyReport): readonly string[] =>
  all.map(({ state, delivery }) => `${state} ${delivery.sink}`).sort();

const converged = ({ after }: ApplyReport): boolean => after !== undefined && pendingChanges(after).length === 0;

const skipped = ({ outcomes }: ApplyReport): readonly string[] =>
  outcomes.flatMap((outcome) => (outcome.state === 'skipped' ? [outcome.reason] : []));

/** An account whose key is due for its first rotation, with its secret in every sink. */
async function due(options?: Parameters<typeof openRotatingAccount>[0]): Promise<RotatingAccount> {
  const account = openRotatingAccount(options);
  await account.run();
  account.pass(90 * DAY);
  return account;
}

/** The account after its rotation, when the overlap is over. */
async function overdue(options?: Parameters<typeof openRotatingAccount>[0]): Promise<RotatingAccount> {
  const account = await due(options);
  await account.run();
  account.pass(8 * DAY);
  return account;
}

describe('the successor of a key with sinks', () => {
  it('goes to every sink, also to those whose entry somebody else wrote with the old secret', async () => {
    const account = openRotatingAccount({ isForeign: true });
    await account.run();
    expect(account.sinks.map(({ writes }) => writes)).toEqual([0, 0, 0]);
    account.pass(90 * DAY);
    const report = await account.apply();
    expect(deliveries(report)).toEqual(['delivered one', 'delivered three', 'delivered two']);
    account.verifyDelivered();
    account.verify();
    expect([reportFaults(report), converged(report)]).toEqual([[], true]);
  });

  it('is not created while a sink has the value of somebody else, and the old secret stays', async () => {
    const account = await due();
    const { sinks, old } = account;
    const [first] = sinks;
    if (first) first.held = { secret: SOMEBODY, isOurs: false };
    const report = await account.apply();
    expect(account.keys()).toEqual(['app 1']);
    expect(reportFaults(report).map(({ code }) => code)).toContain('sink.foreign');
    expect(sinks.map(({ held }) => held?.secret.reveal())).toEqual([
      'sk-somebody',
      account.secretOf(old).reveal(),
      account.secretOf(old).reveal(),
    ]);
  });

  it('is not created while a sink cannot be reached, and is once it can', async () => {
    const account = await due();
    account.sinks[1]?.failing('sink.unreachable');
    await account.run();
    expect(account.keys()).toEqual(['app 1']);
    const [, second] = account.sinks;
    if (second) second.before = () => {};
    await account.run();
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
    account.verifyDelivered();
  });

  it('ends nothing while one of three sinks fails in the middle, however often it is applied', async () => {
    const account = await due();
    account.sinks[1]?.failing('file.unwritable', ['write']);
    expect(deliveries(await account.apply())).toEqual(['delivered one', 'delivered three', 'failed two']);
    account.verify();
    for (let day = 0; day < 20; day += 1) {
      account.pass(DAY);
      const report = await account.apply();
      expect(deliveries(report)).toEqual(['failed two']);
      expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
      account.verify();
    }
    const [, second] = account.sinks;
    if (second) second.before = () => {};
    // The run that delivers does not end: nobody can have read it yet.
    expect(skipped(await account.apply())).toEqual([
      expect.stringContaining('“two” did not have the secret of its successor when the run began'),
    ]);
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
    await account.run();
    expect(account.keys()).toEqual(['app 2', `${NEW} 1`]);
    account.verifyDelivered();
  });

  it('gets no further successor while a sink is stale for a whole interval', async () => {
    const account = await due();
    account.sinks[2]?.failing('file.unwritable', ['write']);
    for (let week = 0; week < 26; week += 1) {
      await account.run();
      account.verify();
      account.pass(7 * DAY);
    }
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
  });
});

describe('a sink that somebody changes during a rotation', () => {
  it('that has the old secret again, as after a revert, keeps the old generation and gets the new secret', async () => {
    const account = await overdue();
    const { sinks, old } = account;
    const [first] = sinks;
    if (first) first.held = { secret: account.secretOf(old), isOurs: false };
    const report = await account.apply();
    expect([deliveries(report), account.keys()]).toEqual([['delivered one'], ['app 1', `${NEW} 1`]]);
    account.verify();
    await account.run();
    expect(account.keys()).toEqual(['app 2', `${NEW} 1`]);
  });

  it.each(['compare', 'write'])('between the requests of a run, at the %s, ends no generation', async (at) => {
    const account = await due();
    const [first] = account.sinks;
    if (!first) throw new Error('there is no sink');
    let isOpen = true;
    first.after = () => {
      if (at === 'write') first.held = { secret: SOMEBODY, isOurs: true };
    };
    first.before = (operation) => {
      if (operation !== at || !isOpen) return;
      isOpen = false;
      first.held = { secret: SOMEBODY, isOurs: true };
    };
    const report = await account.apply();
    if (at === 'write') expect(report.deliveries).toContainEqual(expect.objectContaining({ state: 'failed' }));
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
    [first.before, first.after] = [() => {}, () => {}];
    account.pass(8 * DAY);
    await account.run();
    await account.run();
    account.verifyDelivered();
    expect(account.keys().at(-1)).toBe(`${NEW} 1`);
  });

  it('while a person thinks about the plan, or while the run waits for readers, ends no generation', async () => {
    for (const moment of ['confirm', 'prove']) {
      const account = await overdue();
      const [first] = account.sinks;
      const revert = (at: string): void => {
        if (first && at === moment) first.held = { secret: account.secretOf(account.old), isOurs: false };
      };
      const report = await account.engine.apply(account.desired, {
        confirm: async () => revert('confirm'),
        proveSecrets: async (ids) => {
          revert('prove');
          return new Map(ids.map((id) => [id, undefined]));
        },
      });
      expect([moment, skipped(report)]).toEqual([moment, ['“one” no longer has the secret of its successor']]);
      account.verify();
      await account.run();
      await account.run();
      expect(account.keys()).toEqual(['app 2', `${NEW} 1`]);
      account.verifyDelivered();
    }
  });
});

describe('`overlapBudget`', () => {
  const rotate = { overlapBudget: { quota: quota(10) } };

  it('applies once every sink has the secret of the successor, and not before', async () => {
    const account = await due({ rotate });
    account.sinks[0]?.failing('file.unwritable', ['write']);
    const made = await account.apply();
    expect(converged(made)).toBe(true);
    for (let day = 0; day < 3; day += 1) {
      account.pass(DAY);
      const report = await account.apply();
      expect([account.remains(), converged(report)]).toEqual([[1000, 1000], true]);
      expect(report.plan.notes.find(({ code }) => code === 'old-generation')?.message).toContain(
        '`overlapBudget` waits until every sink has the new secret',
      );
    }
    const [first] = account.sinks;
    if (first) first.before = () => {};
    // Delivers, and cannot know yet who has read it.
    const delivering = await account.apply();
    expect([account.remains(), converged(delivering)]).toEqual([[1000, 1000], true]);
    const limiting = await account.apply();
    expect([account.remains(), converged(limiting)]).toEqual([[10, 1000], true]);
  });

  it('refills the old generation with the window while a delivery keeps failing', async () => {
    const account = await due({ rotate });
    account.sinks[0]?.failing('file.unwritable', ['write']);
    await account.run();
    account.store.spend(account.old, 900);
    account.pass(11 * DAY);
    await account.run();
    expect(account.remains()).toEqual([1000, 1000]);
  });

  it('applies in the run after the one that delivered, where nothing failed', async () => {
    const account = await due({ rotate });
    expect([converged(await account.apply()), account.remains()]).toEqual([true, [1000, 1000]]);
    expect([converged(await account.apply()), account.remains()]).toEqual([true, [10, 1000]]);
  });

  it('that leaves nothing to several old generations is not a mass change', async () => {
    const account = await due({ rotate: { overlapBudget: { quota: quota(0) } } });
    const [first] = account.sinks;
    first?.failing('file.unwritable', ['write']);
    for (let more = 0; more < 4; more += 1) {
      account.pass(60);
      await account.apply(new Map([['app', {}]]));
    }
    if (first) first.before = () => {};
    await account.apply();
    const report = await account.apply();
    expect([reportFaults(report), account.remains()]).toEqual([[], [0, 0, 0, 0, 1000]]);
  });

  it('waits for a sink that the run may not contact', async () => {
    const account = await due({ rotate });
    await account.run();
    const withheld = sinksBy({ app: [new MemorySink('one', { withheld: 'not in this run' })] });
    const { store, desired } = account;
    const blind = createEngine({ store, sinks: withheld, now: account.now, concurrency: 1 });
    const unaware = createEngine({ store, now: account.now, concurrency: 1 });
    const target = { file: 'a', format: 'raw' } as const;
    const sink = { target, adopt: false, propagateSeconds: 0, onDestroy: 'keep', folder: '/nowhere' } as const;
    const declared = { ...desired, keys: desired.keys.map((key) => ({ ...key, deliver: [sink] })) };
    for (const review of [await blind.plan(desired), await unaware.plan(declared)]) {
      expect(review.plan.changes.filter(({ verb }) => verb === 'update')).toEqual([]);
    }
    expect((await account.engine.plan(desired)).plan.changes).toContainEqual(
      expect.objectContaining({ verb: 'update', name: 'app' }),
    );
  });
});

describe('the use of a budget during a rotation', () => {
  /** An apply whose checks, after the delivery and before the end, have an effect. */
  const applyChecked = ({ engine, desired, now }: RotatingAccount, happen: () => void): Promise<ApplyReport> =>
    engine.apply(desired, {
      confirm: async () => {},
      check: async () => {
        happen();
        const none = { results: [], remaining: {}, capReached: false, interrupted: false };
        return { startedAt: now() * 1000, durationMs: 1, ...none };
      },
    });
  const successorOf = ({ store }: RotatingAccount) => [...store.records.values()].at(-1)?.id as KeyId;

  it('by the checks of the successor leaves nothing undone', async () => {
    const account = await due();
    const report = await applyChecked(account, () => account.store.spend(successorOf(account), 3));
    expect([account.remains(), reportFaults(report), converged(report)]).toEqual([[1000, 997], [], true]);
    // The next run takes from the old generation what its successor used.
    const next = await account.apply();
    expect([account.remains(), reportFaults(next), converged(next)]).toEqual([[997, 997], [], true]);
  });

  it('by the old generation leaves nothing undone', async () => {
    const account = await due();
    account.store.spend(account.old, 100);
    const report = await applyChecked(account, () => account.store.spend(account.old, 50));
    expect([reportFaults(report), converged(report)]).toEqual([[], true]);
    await account.run();
    expect(account.remains()).toEqual([850, 850]);
  });

  it('is not taken for a top-up by a person, which the next run takes back', async () => {
    const account = await due();
    const report = await applyChecked(account, () => {
      account.store.spend(successorOf(account), 3);
      const record = account.store.records.get(account.old);
      if (record) record.remain_quota += 500;
    });
    expect(converged(report)).toBe(false);
    await account.run();
    expect(account.remains()).toEqual([997, 997]);
  });
});

describe('two processes that rotate one key without a lock', () => {
  it.each<[string, ReadonlyMap<string, ForcedRotation> | undefined]>([
    ['by schedule', undefined],
    ['because it leaked', new Map([['app', { end: 'leaked' }]])],
  ])('%s, at any distance, keep one successor and a valid secret in every sink', async (_, forced) => {
    for (let distance = 0; distance < 120; distance += 3) {
      const account = await due();
      const second = async (): Promise<unknown> => {
        for (let tick = 0; tick < distance; tick += 1) await undefined;
        return account.apply(forced).catch(() => undefined);
      };
      await Promise.all([account.apply(forced).catch(() => undefined), second()]);
      account.verify(3);
      await account.settle();
      if (forced === undefined) expect([distance, account.keys()]).toEqual([distance, ['app 1', `${NEW} 1`]]);
      // A process that sees the successor of the other one replaces it, as somebody asked it to.
      else expect([distance, account.enabledSecrets().length]).toEqual([distance, 1]);
      account.verifyDelivered();
    }
  });

  it('because it leaked, in two minutes, end everything but the last successor', async () => {
    const account = await due();
    const leaked = new Map([['app', { end: 'leaked' as const }]]);
    const { plan } = await account.engine.plan(account.desired, { rotate: leaked });
    account.pass(60);
    await account.apply(leaked);
    // The other process has planned a minute earlier, and has not seen the first successor.
    await account.engine.apply(account.desired, { confirm: async () => {}, saved: plan }).catch(() => undefined);
    account.verify(3);
    await account.settle();
    await account.settle();
    expect(account.enabledSecrets()).toHaveLength(1);
    account.verifyDelivered();
  });
});

describe('a rotation of an account', () => {
  it('that has as many keys as the gateway allows keeps the old secret, and goes on once there is room', async () => {
    const account = await due();
    account.store.hook = (operation) => {
      if (operation === 'create') throw new Fault('gateway.key-limit', 'too many keys');
    };
    const report = await account.apply();
    expect(reportFaults(report).map(({ code }) => code)).toContain('gateway.key-limit');
    expect([account.keys(), deliveries(report)]).toEqual([['app 1'], ['skipped one', 'skipped three', 'skipped two']]);
    account.verify();
    account.store.hook = () => {};
    await account.run();
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
    account.verifyDelivered();
  });

  it.each([1, 400, 5 * 365])('whose clock jumps %i days ahead and back always has a valid secret', async (days) => {
    const account = await due();
    account.pass(days * DAY);
    await account.settle();
    account.verify();
    account.pass(-days * DAY);
    for (let week = 0; week < 30; week += 1) {
      await account.run();
      account.verify();
      account.pass(7 * DAY);
    }
    account.verifyDelivered();
  });

  it('whose clock jumps back before the birth of the key makes no successor and ends nothing', async () => {
    const account = await due();
    await account.run();
    account.pass(-10 * 365 * DAY);
    for (let run = 0; run < 3; run += 1) await account.run();
    expect(account.keys()).toEqual(['app 1', `${NEW} 1`]);
    account.verifyDelivered();
  });
});

describe('the destruction of a key that rotates', () => {
  it('removes its secret from the sinks that are declared to lose it', async () => {
    // The key that came first has ended: only a generation is left.
    const account = await overdue({ onDestroy: 'remove' });
    await account.run();
    account.pass(40 * DAY);
    await account.run();
    expect(account.keys()).toEqual([`${NEW} 1`]);
    const report = await account.engine.destroy(account.desired, { confirm: async () => {} });
    expect([account.keys(), deliveries(report)]).toEqual([[], ['removed one', 'removed three', 'removed two']]);
    expect(account.sinks.map(({ held }) => held)).toEqual([undefined, undefined, undefined]);
  });

  it('keeps the secret in its sinks while one of its generations was not deleted', async () => {
    const account = await due({ onDestroy: 'remove' });
    await account.run();
    const { store, sinks } = account;
    const isCurrent = (id: KeyId): boolean => store.records.get(id)?.name === NEW;
    const remove = store.delete.bind(store);
    store.delete = async (ids) => await remove(ids.filter((id) => !isCurrent(id)));
    const report = await account.engine.destroy(account.desired, { confirm: async () => {} });
    expect([account.keys(), deliveries(report)]).toEqual([
      [`${NEW} 1`],
      ['skipped one', 'skipped three', 'skipped two'],
    ]);
    expect(sinks.every(({ held }) => held !== undefined)).toBe(true);
  });
});
