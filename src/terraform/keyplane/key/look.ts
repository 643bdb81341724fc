import {
  type DesiredKey,
  type DesiredState,
  isPending,
  type ObservedKey,
  type ObservedState,
  type Plan,
} from '../../../domain/index.ts';
import { observe, plan } from '../../../reconcile/index.ts';
import type { Client } from '../client.ts';

/** One key is all that a resource owns: nothing else is ever pruned, and `lifecycle` protects. */
export const only = (key: DesiredKey): DesiredState => ({ keys: [key], ownership: { prune: 'never', protect: [] } });

export interface Look {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly plan: Plan;
}

const writesSome = ({ changes }: Plan, field: 'group' | 'models'): boolean =>
  changes.some(
    (change) =>
      (change.verb === 'create' && Boolean(change.settings[field])) ||
      ('edits' in change && change.edits.some((edit) => edit.field === field && Boolean(edit.after))),
  );

/** Compares one key with what is declared of it, by the rules of every plan. @throws Fault */
export async function lookAt(key: DesiredKey, live: ObservedKey | undefined, { store, now }: Client): Promise<Look> {
  const desired = only(key);
  const quotaPerUnit = await store.quotaPerUnit();
  const known = { quotaPerUnit, keys: live ? [live] : [] };
  const observed = await observe(store, desired, { now: now(), known });
  return { desired, observed, plan: plan(desired, observed, now()) };
}

/** With what the account has of what the plan writes: asked only when there is something to ask. */
export async function withOffer(look: Look, { store, now }: Client): Promise<Look> {
  const [groups, models] = await Promise.all([
    writesSome(look.plan, 'group') ? store.groups() : undefined,
    writesSome(look.plan, 'models') ? store.models() : undefined,
  ]);
  const observed = { ...look.observed, ...(groups && { groups }), ...(models && { models }) };
  return { ...look, observed, plan: plan(look.desired, observed, now()) };
}

export const isAsDeclared = ({ plan: { changes } }: Look): boolean => !changes.some(isPending);
