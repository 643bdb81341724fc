import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault, tryParseQuarantine, type UnixSeconds } from '../../src/domain/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from '../reconcile/account.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const QUARANTINE = 5 * DAY;
const NAMES = ['app', 'n'.repeat(45)] as const;

/** The events of half a day of a simulated account, about one of its keys. */
const EVENTS = [
  'nothing',
  'declare',
  'undeclare',
  'spend',
  'enable',
  'disable',
  'write-old-mark',
  'date-back',
  'rename-back',
] as const;
type Event = (typeof EVENTS)[number];

/** The ways in which the run of a half day goes wrong. */
const RUNS = ['well', 'well', 'well', 'not', 'killed', 'gateway-ahead', 'machine-ahead', 'gateway-behind'] as const;
type RunKind = (typeof RUNS)[number];

interface Step {
  readonly event: Event;
  readonly which: number;
  readonly run: RunKind;
  readonly at: number;
}

const steps = fc.array(
  fc.record<Step>({
    event: fc.constantFrom(...EVENTS),
    which: fc.nat(NAMES.length - 1),
    run: fc.constantFrom(...RUNS),
    at: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 20, maxLength: 90 },
);

/** The real history of a key, whatever the gateway remembers of it. */
interface Truth {
  readonly name: string;
  lastUse: UnixSeconds;
  undeclaredAt: UnixSeconds;
  isDisabledByPerson: boolean;
}

interface Body {
  readonly reportsUse: boolean;
  readonly reportsTimes: boolean;
}

const OPERATIONS = ['walk', 'tryRead', 'readMany', 'update', 'setEnabled', 'delete', 'create'] as const;

/** Runs something that is killed at its nth request. */
async function killedAt(store: MemoryStore, at: number, work: () => Promise<unknown>): Promise<void> {
  let requests = 0;
  for (const operation of OPERATIONS) {
    const real = store[operation].bind(store) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(store, {
      [operation]: async (...args: unknown[]) => {
        requests += 1;
        if (requests > at) throw new Fault('gateway.unreachable', 'killed');
        const answer = await real(...args);
        if (requests === at) throw new Fault('gateway.unreachable', 'killed');
        return answer;
      },
    });
  }
  await work().catch(() => undefined);
  for (const operation of OPERATIONS) Reflect.deleteProperty(store, operation);
}

function simulate(body: Body) {
  let now: UnixSeconds = NOW;
  let [gateway, machine] = [0, 0];
  const store = new MemoryStore({ ...body, now: () => now });
  const truths = new Map<number, Truth>();
  const declared = new Set<string>(NAMES);
  store.seed(live('stays'));
  for (const name of NAMES) store.seed(live(name));
  const know = (): void => {
    const owners = new Set([...truths.values()].map(({ name }) => name));
    for (const { id, name } of store.records.values()) {
      const own = NAMES.find((each) => each === name);
      if (own === undefined || truths.has(id)) continue;
      expect(owners, 'no key is created twice').not.toContain(own);
      truths.set(id, { name: own, lastUse: 0, undeclaredAt: 0, isDisabledByPerson: false });
    }
  };
  know();
  const recordOf = (which: number) =>
    [...store.records.values()].find(({ id }) => truths.get(id)?.name === NAMES[which]);
  const desired = () =>
    state([declare('stays'), ...[...declared].map((name) => declare(name, { budget: { kind: 'unlimited' } }))], {
      scope: ['*'],
      prune: 'delete',
      quarantine: QUARANTINE,
    });

  async function applyOnce(): Promise<void> {
    const clocks = { now: () => now + gateway, machineNow: () => now + machine };
    const wanted = desired();
    const observed = await observe(store, wanted, { ...clocks, now: clocks.now(), assumeLogComplete: true });
    const made = plan(wanted, observed, clocks.now());
    await apply(made, store, { ...clocks, observed, desired: wanted, concurrency: 1, assumeLogComplete: true });
  }

  /** Compares what a run did with what really happened. */
  function judge(before: ReadonlyMap<number, number>): void {
    for (const [id, status] of before) {
      const truth = truths.get(id);
      const after = store.records.get(id);
      if (!truth) continue;
      if (!after) {
        expect(declared.has(truth.name), `“${truth.name}” is deleted although it is declared`).toBe(false);
        const waited = now - Math.max(truth.lastUse, truth.undeclaredAt);
        expect(waited, `“${truth.name}” is deleted after ${waited / DAY} days`).toBeGreaterThanOrEqual(QUARANTINE);
        expect(status, `“${truth.name}” is deleted while it works`).not.toBe(1);
        truths.delete(id);
      } else if (status !== 1 && after.status === 1) {
        expect(truth.isDisabledByPerson, 'what a person disabled stays disabled').toBe(false);
      }
    }
    know();
  }

  const act: Readonly<Record<Event, (which: number) => void>> = {
    nothing: () => {},
    declare: (which) => declared.add(NAMES[which] ?? ''),
    undeclare(which) {
      const name = NAMES[which] ?? '';
      const record = recordOf(which);
      const truth = truths.get(record?.id ?? 0);
      // A declaration that no run has carried out ends no quarantine.
      const isMarked = record !== undefined && tryParseQuarantine(record.name) !== undefined;
      if (truth && declared.has(name) && !isMarked) truth.undeclaredAt = now;
      declared.delete(name);
    },
    spend(which) {
      const record = recordOf(which);
      const truth = record && truths.get(record.id);
      if (!record || !truth || record.status !== 1) return;
      // Where records report neither use nor times, nothing shows the use of an unlimited key that a person enabled meanwhile.
      const isReported = body.reportsUse || body.reportsTimes || !record.unlimited_quota;
      if (isReported || tryParseQuarantine(record.name) === undefined) truth.lastUse = now;
      record.used_quota += 1;
      record.remain_quota -= record.unlimited_quota ? 0 : 1;
      record.usedAt = now;
    },
    enable(which) {
      const record = recordOf(which);
      const truth = record && truths.get(record.id);
      if (!record || !truth || record.status === 1) return;
      record.status = 1;
      truth.isDisabledByPerson = false;
    },
    disable(which) {
      const record = recordOf(which);
      const truth = record && truths.get(record.id);
      if (!record || !truth || record.status !== 1) return;
      record.status = 2;
      // A key that is enabled and disabled without any use leaves no trace under the mark of its quarantine.
      truth.isDisabledByPerson = tryParseQuarantine(record.name) === undefined;
    },
    'write-old-mark'(which) {
      const record = recordOf(which);
      if (record && which === 0 && !declared.has('app')) record.name = 'app~q20200101-0a1b2c3';
    },
    'date-back'(which) {
      const record = recordOf(which);
      if (record) record.name = record.name.replace('~q2026', '~q2025').replace('~d2026', '~q2026');
    },
    'rename-back'(which) {
      const record = recordOf(which);
      const name = record && truths.get(record.id)?.name;
      if (name && ![...store.records.values()].some((each) => each.name === name)) record.name = name;
    },
  };

  return {
    async halfDay({ event, which, run, at }: Step): Promise<void> {
      act[event](which);
      now += 12 * HOUR;
      if (run === 'not') return;
      gateway = run === 'gateway-ahead' ? 90 * DAY : run === 'gateway-behind' ? -90 * DAY : 0;
      machine = run === 'machine-ahead' ? 90 * DAY : 0;
      const before = new Map([...store.records.values()].map(({ id, status }) => [id, status]));
      // Two keys with one name are for a person to sort out.
      const ambiguous = (thrown: unknown): void => expect(thrown).toMatchObject({ code: 'plan.ambiguous' });
      if (run === 'killed') await killedAt(store, at, applyOnce);
      else await applyOnce().catch(ambiguous);
      [gateway, machine] = [0, 0];
      judge(before);
    },
    /** Everything that is not declared and disabled is gone after a quarantine without events. */
    async settle(): Promise<void> {
      for (const name of NAMES) act.undeclare(NAMES.indexOf(name));
      for (const record of store.records.values()) {
        if (record.name !== 'stays') record.status = 2;
      }
      // A mark that was written while a clock was ahead is in the future, and waits for its date.
      for (const record of store.records.values()) {
        const truth = truths.get(record.id);
        if (truth && (tryParseQuarantine(record.name)?.day ?? 0) > now)
          record.name = `${truth.name.slice(0, 9)}-${record.id}`;
      }
      for (let day = 0; day < 2 * (QUARANTINE / DAY) + 3; day += 1) {
        now += DAY;
        await applyOnce();
      }
      expect([...store.records.values()].map(({ name }) => name)).toEqual(['stays']);
    },
  };
}

const bodies = fc.constantFrom<Body>(
  { reportsUse: true, reportsTimes: true },
  { reportsUse: true, reportsTimes: false },
  { reportsUse: false, reportsTimes: false },
);

describe('keys in quarantine for months', () => {
  it('end only after so long without use, stay disabled if a person disabled them, and are never created twice', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, steps, async (body, events) => {
        const account = simulate(body);
        for (const event of events) await account.halfDay(event);
        await account.settle();
      }),
      { numRuns: 60, endOnFailure: true },
    );
  }, 120_000);
});
