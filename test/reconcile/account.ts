import {
  type DesiredKey,
  type DesiredState,
  type KeySettings,
  keyName,
  type Ownership,
  type Plan,
  quota,
} from '../../src/domain/index.ts';
import { type ApplyOptions, apply, observe, type PlanOptions, plan } from '../../src/reconcile/index.ts';
import { type MemoryOptions, MemoryStore } from '../contract/memory-store.ts';

/** Noon of 2026-11-20, UTC. */
export const NOW = Date.UTC(2026, 10, 20, 12) / 1000;

export const emptyAccount = (more: Partial<MemoryOptions> = {}): MemoryStore =>
  new MemoryStore({ reportsUse: false, now: () => NOW, ...more });

/** A plain live key: group default, any model, from anywhere, never expires, $10 left. */
export const live = (name: string, more: Partial<KeySettings> = {}): KeySettings => ({
  name,
  group: 'default',
  crossGroupRetry: false,
  models: null,
  allowIps: null,
  expires: null,
  unlimited: false,
  remain: quota(5_000_000),
  smartRouting: false,
  smartRouteTiers: '',
  ...more,
});

type Declared = Partial<Omit<DesiredKey, 'name' | 'enabled'>> & { readonly enabled?: boolean | undefined };

/** An enabled key; `enabled: undefined` leaves its status unmanaged. */
export const declare = (name: string, more: Declared = {}): DesiredKey => {
  const { enabled, ...rest } = { enabled: true, ...more };
  return { ...rest, ...(enabled === undefined ? {} : { enabled }), name: keyName(name) };
};

/** A declaration that may be created: it has a budget. */
export const declareNew = (name: string, more: Parameters<typeof declare>[1] = {}): DesiredKey =>
  declare(name, { budget: { kind: 'unlimited' }, ...more });

export const state = (keys: readonly DesiredKey[], ownership: Partial<Ownership> = {}): DesiredState => ({
  keys,
  ownership: { prune: 'never', protect: [], ...ownership },
});

/** The log of the store in memory has an entry for everything that was spent, unless a test takes entries away. */
export const TRUSTED = { assumeLogComplete: true } as const;

export async function planOf(store: MemoryStore, desired: DesiredState, permissions: PlanOptions = {}): Promise<Plan> {
  return plan(desired, await observe(store, desired, { now: NOW, ...TRUSTED }), NOW, permissions);
}

export async function applied(
  store: MemoryStore,
  desired: DesiredState,
  { basis, allowEnable, ...more }: Partial<ApplyOptions> & PlanOptions = {},
) {
  const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
  const made = plan(desired, observed, NOW, { ...(basis && { basis }), ...(allowEnable && { allowEnable }) });
  return apply(made, store, { observed, desired, now: () => NOW, concurrency: 4, ...TRUSTED, ...more });
}

/** Verb and name of each change: `create prod-a`. */
export const verbs = (plan: Pick<Plan, 'changes'>): string[] => plan.changes.map((c) => `${c.verb} ${c.name}`);
