import { describe, expect, it } from 'vitest';
import { type ApplyReport, Fault, hasDrift, Secret } from '../../src/domain/index.ts';
import { createEngine, type EngineOptions } from '../../src/engine/index.ts';
import { isConverged, reportFaults } from '../../src/reconcile/index.ts';
import { MemorySink, sinksBy } from '../contract/memory-sink.ts';
import { declareNew, emptyAccount, NOW, state } from '../reconcile/account.ts';

const agree = async (): Promise<void> => {};

function openEngine(sinks: EngineOptions['sinks'], more: Partial<EngineOptions> = {}) {
  const store = emptyAccount();
  const keyplane = createEngine({ store, now: () => NOW, concurrency: 4, ...(sinks && { sinks }), ...more });
  const secretOf = async (name: string): Promise<string> => {
    const key = (await store.walk()).find((each) => each.name === name);
    if (!key) throw new Error(`there is no key ${name}`);
    return (await store.reveal([key.id])).get(key.id)?.reveal() ?? '';
  };
  return { store, keyplane, secretOf };
}

const states = ({ deliveries = [] }: ApplyReport): readonly string[] =>
  deliveries.map(({ state: outcome, delivery }) => `${outcome} ${delivery.name} ${delivery.sink}`).sort();

describe('delivery', () => {
  it('probes every sink before the create, delivers after it, and reads back', async () => {
    const sinks = [new MemorySink('one'), new MemorySink('two')];
    const { store, keyplane, secretOf } = openEngine(sinksBy({ a: sinks }));
    const order: string[] = [];
    store.hook = (operation) => void (['create', 'reveal'].includes(operation) && order.push(operation));
    for (const sink of sinks) sink.before = (operation) => void order.push(operation);
    const report = await keyplane.apply(state([declareNew('a')]), { confirm: agree });
    expect(order.slice(0, 4)).toEqual(['probe', 'probe', 'create', 'reveal']);
    expect(states(report)).toEqual(['delivered a one', 'delivered a two']);
    expect(sinks.map(({ held }) => held?.secret.reveal())).toEqual([await secretOf('a'), await secretOf('a')]);
    expect(reportFaults(report)).toEqual([]);
  });

  it('writes nothing to a sink that holds the current secret, over two further runs', async () => {
    const sink = new MemorySink('one');
    const { keyplane } = openEngine(sinksBy({ a: [sink] }));
    const desired = state([declareNew('a')]);
    await keyplane.apply(desired, { confirm: agree });
    expect(sink.writes).toBe(1);
    for (let run = 0; run < 2; run += 1) {
      const review = await keyplane.plan(desired);
      expect([review.plan.deliveries, hasDrift(review.plan)]).toEqual([undefined, false]);
      await keyplane.apply(desired, { confirm: agree });
    }
    expect(sink.writes).toBe(1);
  });

  it('reports a sink that somebody overwrote or emptied as drift, and delivers again', async () => {
    const sink = new MemorySink('one');
    const { keyplane, secretOf } = openEngine(sinksBy({ a: [sink] }));
    const desired = state([declareNew('a')]);
    await keyplane.apply(desired, { confirm: agree });
    for (const [held, reason] of [
      [{ secret: new Secret('sk-other'), isOurs: true }, 'differs'],
      [undefined, 'absent'],
    ] as const) {
      sink.held = held;
      const review = await keyplane.drift(desired, { limits: { low: { percent: 10 }, expiring: 0 } });
      expect(review.outlook.drift.deliveries).toMatchObject([{ action: 'write', reason, name: 'a', sink: 'one' }]);
      expect(hasDrift(review.outlook.drift)).toBe(true);
      await keyplane.apply(desired, { confirm: agree });
      expect(sink.held?.secret.reveal()).toBe(await secretOf('a'));
    }
  });

  it('shows that the secret of a new key replaces a value, as with the address of another gateway', async () => {
    const sink = new MemorySink('one');
    const desired = state([declareNew('a')]);
    await openEngine(sinksBy({ a: [sink] })).keyplane.apply(desired, { confirm: agree });
    const { keyplane, secretOf } = openEngine(sinksBy({ a: [sink] }));
    expect((await keyplane.plan(desired)).plan.deliveries).toMatchObject([{ action: 'write', reason: 'replaces' }]);
    await keyplane.apply(desired, { confirm: agree });
    expect(sink.held?.secret.reveal()).toBe(await secretOf('a'));
  });

  it('creates no key whose sink belongs to somebody else or cannot be reached, and creates the others', async () => {
    const foreign = new MemorySink('foreign');
    foreign.held = { secret: new Secret('sk-somebody'), isOurs: false };
    const broken = new MemorySink('broken');
    broken.failing('sink.unreadable');
    const fine = new MemorySink('fine');
    const { store, keyplane } = openEngine(sinksBy({ a: [foreign], b: [fine, broken], c: [fine] }));
    const report = await keyplane.apply(state(['a', 'b', 'c'].map((name) => declareNew(name))), { confirm: agree });
    expect((await store.walk()).map(({ name }) => name)).toEqual(['c']);
    expect(report.outcomes.map(({ state: outcome, change }) => `${outcome} ${change.name}`).sort()).toEqual([
      'applied c',
      'skipped a',
      'skipped b',
    ]);
    expect(foreign.held.secret.reveal()).toBe('sk-somebody');
    expect(reportFaults(report).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['apply.incomplete', 'sink.foreign', 'sink.undelivered']),
    );
  });

  it('takes over the entry of somebody else with `adopt`', async () => {
    const sink = new MemorySink('one', { adopt: true });
    sink.held = { secret: new Secret('sk-somebody'), isOurs: false };
    const { keyplane, secretOf } = openEngine(sinksBy({ a: [sink] }));
    await keyplane.apply(state([declareNew('a')]), { confirm: agree });
    expect(sink.held?.secret.reveal()).toBe(await secretOf('a'));
  });

  it('keeps a key whose delivery failed, and delivers it in the next run', async () => {
    const [good, bad] = [new MemorySink('good'), new MemorySink('bad')];
    bad.failing('file.unwritable', ['write']);
    const { store, keyplane, secretOf } = openEngine(sinksBy({ a: [bad, good] }));
    const desired = state([declareNew('a')]);
    const first = await keyplane.apply(desired, { confirm: agree });
    expect(states(first)).toEqual(['delivered a good', 'failed a bad']);
    expect(reportFaults(first).map(({ code }) => code)).toEqual(['sink.undelivered']);
    expect(isConverged(first)).toBe(false);
    bad.before = () => {};
    const review = await keyplane.plan(desired);
    expect(review.plan.deliveries).toMatchObject([{ action: 'write', reason: 'absent', name: 'a', sink: 'bad' }]);
    const second = await keyplane.apply(desired, { confirm: agree });
    expect([states(second), isConverged(second)]).toEqual([['delivered a bad'], true]);
    expect(bad.held?.secret.reveal()).toBe(await secretOf('a'));
    expect([good.writes, (await store.walk()).length]).toEqual([1, 1]);
  });

  it('looks a write up whose answer was lost, and calls it unknown where it cannot', async () => {
    const [arrived, lost] = [new MemorySink('arrived'), new MemorySink('lost')];
    arrived.after = () => {
      throw new Fault('gateway.timeout', 'no answer');
    };
    lost.failing('gateway.timeout', ['write']);
    const { keyplane } = openEngine(sinksBy({ a: [arrived, lost] }));
    const report = await keyplane.apply(state([declareNew('a')]), { confirm: agree });
    expect(states(report)).toEqual(['delivered a arrived', 'indeterminate a lost']);
  });

  it('reports a sink that accepted the secret and does not hold it', async () => {
    const sink = new MemorySink('one');
    sink.after = () => {
      sink.held = { secret: new Secret('sk-other'), isOurs: true };
    };
    const { keyplane } = openEngine(sinksBy({ a: [sink] }));
    const report = await keyplane.apply(state([declareNew('a')]), { confirm: agree });
    expect(report.deliveries).toMatchObject([{ state: 'failed', fault: { code: 'sink.not-kept' } }]);
  });

  it('contacts no withheld sink, and reveals nothing for it', async () => {
    const sink = new MemorySink('one');
    const desired = state([declareNew('a')]);
    const { store, keyplane } = openEngine(sinksBy({ a: [sink] }));
    await keyplane.apply(desired, { confirm: agree });
    const withheld = new MemorySink('one', { withheld: 'not in this run' });
    const reveals = store.calls.reveal;
    const blind = createEngine({ store, now: () => NOW, concurrency: 4, sinks: sinksBy({ a: [withheld] }) });
    const review = await blind.plan(desired);
    expect(review.plan.deliveries).toMatchObject([{ action: 'withheld', why: 'not in this run' }]);
    expect([hasDrift(review.plan), withheld.calls, store.calls.reveal]).toEqual([false, [], reveals]);
  });

  it('creates no key for a sink that the run may not contact', async () => {
    const { store, keyplane } = openEngine(sinksBy({ a: [new MemorySink('one', { withheld: 'not in this run' })] }));
    const report = await keyplane.apply(state([declareNew('a')]), { confirm: agree });
    expect([report.outcomes[0]?.state, (await store.walk()).length]).toEqual(['skipped', 0]);
  });

  it('delivers what a saved plan names, and nothing that became necessary since', async () => {
    const [one, two] = [new MemorySink('one'), new MemorySink('two')];
    const { keyplane } = openEngine(sinksBy({ a: [one, two] }));
    const desired = state([declareNew('a')]);
    await keyplane.apply(desired, { confirm: agree });
    one.held = undefined;
    const { plan: saved } = await keyplane.plan(desired);
    two.held = undefined;
    const report = await keyplane.apply(desired, { confirm: agree, saved });
    expect([states(report), two.held]).toEqual([['delivered a one'], undefined]);
  });

  it('delivers no secret to the place of another key when people swap names between plan and apply', async () => {
    const [one, two] = [new MemorySink('one'), new MemorySink('two')];
    const { store, keyplane, secretOf } = openEngine(sinksBy({ a: [one], b: [two] }));
    const desired = state([declareNew('a'), declareNew('b')]);
    await keyplane.apply(desired, { confirm: agree });
    [one.held, two.held] = [undefined, undefined];
    const [first, second] = (await store.walk()).map(({ id }) => id);
    if (first === undefined || second === undefined) throw new Error('there are two keys');
    const report = await keyplane.apply(desired, {
      confirm: async () => {
        await store.update(first, () => ({ name: 'swapped' }));
        await store.update(second, () => ({ name: 'a' }));
        await store.update(first, () => ({ name: 'b' }));
      },
    });
    expect([one.held, two.held]).toEqual([undefined, undefined]);
    expect(states(report)).toEqual(['failed a one', 'failed b two']);
    expect(report.deliveries).toMatchObject([{ fault: { code: 'plan.stale' } }, { fault: { code: 'plan.stale' } }]);
    await keyplane.apply(desired, { confirm: agree });
    expect([one, two].map(({ held }) => held?.secret.reveal())).toEqual([await secretOf('a'), await secretOf('b')]);
  });

  it('checks with the value that the sink returns, else with the one that was sent', async () => {
    const readable = new MemorySink('readable');
    const writeOnly = new MemorySink('write-only', { isWriteOnly: true });
    const { keyplane, secretOf } = openEngine(sinksBy({ a: [readable], b: [writeOnly] }));
    const seen: string[] = [];
    await keyplane.apply(state([declareNew('a'), declareNew('b')]), {
      confirm: agree,
      check: async (names, _plan, delivered) => {
        seen.push(...names.map((name) => `${name} ${delivered.get(name)?.reveal()}`));
        return undefined;
      },
    });
    expect(seen.sort()).toEqual([`a ${await secretOf('a')}`, `b ${await secretOf('b')}`]);
    expect([readable.calls.includes('read'), writeOnly.calls.includes('read')]).toEqual([true, true]);
  });

  it('removes the secrets of destroyed keys only from sinks that are declared to lose them', async () => {
    const [kept, lost] = [new MemorySink('kept'), new MemorySink('lost', { onDestroy: 'remove' })];
    const { keyplane } = openEngine(sinksBy({ a: [kept, lost] }));
    const desired = state([declareNew('a')]);
    await keyplane.apply(desired, { confirm: agree });
    const report = await keyplane.destroy(desired, { confirm: agree });
    expect(states(report)).toEqual(['removed a lost']);
    expect([kept.held === undefined, lost.held === undefined]).toEqual([false, true]);
  });

  it('looks only at the sinks of the requested keys', async () => {
    const [one, two] = [new MemorySink('one'), new MemorySink('two')];
    const { keyplane } = openEngine(sinksBy({ a: [one], b: [two] }));
    const review = await keyplane.plan(state([declareNew('a'), declareNew('b')]), { only: ['a'] });
    expect([review.plan.deliveries?.map(({ name }) => name), two.calls]).toEqual([['a'], []]);
  });
});
