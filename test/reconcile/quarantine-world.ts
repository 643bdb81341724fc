import { expect } from 'vitest';
import type { DesiredKey, Ownership, Plan, UnixSeconds } from '../../src/domain/index.ts';
import {
  type ApplyOptions,
  apply,
  guard,
  observe,
  type PlanOptions,
  plan,
  planDestroy,
} from '../../src/reconcile/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import { declare, live, NOW, state } from './account.ts';

export const DAY = 86_400;
export const OWNED: Ownership = { scope: ['*'], prune: 'delete', quarantine: 14 * DAY, protect: [] };

/** An account with a clock, in which a manifest is applied again and again. */
export function world({ reportsUse = true, reportsTimes = true } = {}) {
  let now: UnixSeconds = NOW;
  let machine: UnixSeconds | undefined;
  const store = new MemoryStore({ reportsUse, reportsTimes, now: () => now });
  store.seed(live('stays'));
  const look = async (keys: readonly DesiredKey[], ownership: Partial<Ownership> = {}) => {
    const desired = state([declare('stays'), ...keys], { ...OWNED, ...ownership });
    const clocks = machine === undefined ? {} : { machineNow: () => machine ?? 0 };
    return { desired, clocks, observed: await observe(store, desired, { now, assumeLogComplete: true, ...clocks }) };
  };
  return {
    store,
    pass: (seconds: number) => {
      now += seconds;
    },
    setMachine: (at: UnixSeconds | undefined) => {
      machine = at;
    },
    now: () => now,
    async plan(
      keys: readonly DesiredKey[] = [],
      more: Partial<Ownership> = {},
      options: PlanOptions = {},
    ): Promise<Plan> {
      const { desired, observed } = await look(keys, more);
      return plan(desired, observed, now, options);
    },
    async destroy(more: Partial<Ownership> = {}): Promise<Plan> {
      const { desired, observed } = await look([], more);
      return planDestroy(desired, observed, now);
    },
    async refusals(keys: readonly DesiredKey[], more: Partial<Ownership> = {}) {
      const { desired, observed } = await look(keys, more);
      return guard(plan(desired, observed, now), { desired, observed }, {}).map(({ code }) => code);
    },
    async apply(keys: readonly DesiredKey[] = [], more: Partial<ApplyOptions & Ownership> = {}) {
      const { scope, protect, quarantine, prune, ...options } = more;
      const ownership = {
        ...(scope && { scope }),
        ...(protect && { protect }),
        ...(prune && { prune }),
        ...(quarantine && { quarantine }),
      };
      const { desired, observed, clocks } = await look(keys, ownership);
      const made = plan(desired, observed, now);
      return apply(made, store, {
        observed,
        desired,
        now: () => now,
        concurrency: 1,
        assumeLogComplete: true,
        ...clocks,
        ...options,
      });
    },
    keys: () => [...store.records.values()].slice(1).map(({ name, status }) => `${name} ${status}`),
    only: () => [...store.records.values()].at(-1) ?? expect.unreachable('there is no key'),
    /** A person changes something at the gateway. */
    edit: (more: object) => Object.assign([...store.records.values()].at(-1) ?? {}, more),
  };
}

export const text = ({ changes }: Pick<Plan, 'changes'>): string[] =>
  changes
    .filter(({ name }) => name !== 'stays')
    .map(
      (change) =>
        `${change.verb} ${change.name.replace(/-.{7}$/, '-*')}${'reason' in change ? ` ${change.reason}` : ''}`,
    );
