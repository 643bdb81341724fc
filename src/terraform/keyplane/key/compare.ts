import {
  type DesiredKey,
  type DesiredState,
  Fault,
  isPending,
  type ObservedKey,
  type ObservedState,
  type Plan,
} from '../../../domain/index.ts';
import { observe, plan } from '../../../reconcile/index.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { usageAbout } from '../store/shared-usage.ts';

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

export const logPages = ({ maxLogPages }: Client) => (maxLogPages === undefined ? {} : { maxLogPages });

/** The way out that the command line has is none here. */
export function explained(thrown: unknown): unknown {
  if (!(thrown instanceof Fault) || thrown.code !== 'plan.usage-too-long') return thrown;
  const detail =
    'Raise `max_log_pages` in the provider, or give these keys a budget with a shorter window, `initial` or `below`.';
  return new DiagnosticError({ summary: thrown.message, detail, path: ['budget'] });
}

const rethrown = (thrown: unknown): never => {
  throw explained(thrown);
};

/** Compares one key with what is declared of it, by the rules of every plan. @throws Fault */
export async function lookAt(key: DesiredKey, live: ObservedKey | undefined, client: Client): Promise<Look> {
  const { store, now } = client;
  const desired = only(key);
  const quotaPerUnit = await store.quotaPerUnit();
  const known = { quotaPerUnit, keys: live ? [live] : [] };
  const about = live ? { ...store, usage: usageAbout(store.usage, live) } : store;
  const observed = await observe(about, desired, { now: now(), known, ...logPages(client) }).catch(rethrown);
  return { desired, observed, plan: plan(desired, observed, now()) };
}

/** The gateway is asked for models with a key, which may have rules of its own. */
const unverifiable = (thrown: unknown): never => {
  if (!(thrown instanceof Fault) || thrown.code === 'gateway.unreachable') throw thrown;
  throw new DiagnosticError({
    summary: 'The models can not be verified with the key in KEYPLANE_MODELS_KEY',
    detail: `${thrown.message} Give one that may use every model, from here; or none.`,
    path: ['models'],
  });
};

/** With what the account has of what the plan writes: asked only when there is something to ask. */
export async function withOffer(look: Look, { store, now }: Client): Promise<Look> {
  const [groups, models] = await Promise.all([
    writesSome(look.plan, 'group') ? store.groups() : undefined,
    writesSome(look.plan, 'models') ? store.models().catch(unverifiable) : undefined,
  ]);
  const observed = { ...look.observed, ...(groups && { groups }), ...(models && { models }) };
  return { ...look, observed, plan: plan(look.desired, observed, now()) };
}

export const isAsDeclared = ({ plan: { changes } }: Look): boolean => !changes.some(isPending);
