import { asFault, type ObservedKey, type Outcome, type Plan, pendingChanges } from '../domain/index.ts';
import { patchOf } from './diff.ts';
import { holds } from './execute.ts';
import { observe } from './observe.ts';
import { plan } from './plan.ts';
import { permitted, stepOf } from './resume.ts';
import { interrupted, type Run } from './run.ts';

/**
 * The plan made again after the writes, for the keys that the plan was about: what it still has to do did not converge.
 * Without a manifest (a saved plan) it holds the applied changes that the gateway does not show.
 */
export async function planAgain(
  run: Run,
  { keys, quiet }: { keys: readonly ObservedKey[]; quiet: boolean },
): Promise<Plan | undefined> {
  const { desired, observed, leftOut, now, maxLogPages, usageCache } = run.options;
  if (interrupted(run)) return undefined;
  if (!desired) return { ...run.plan, at: now(), notes: [], changes: unheld(run.outcomes, keys) };
  const names = new Set(run.plan.changes.map((change) => change.name));
  try {
    const { quotaPerUnit, groups, models } = observed;
    const seen = await observe(run.store, desired, {
      now: now(),
      known: {
        quotaPerUnit,
        keys,
        ...(groups && { groups }),
        ...(models && { models }),
        ...(quiet && { used: observed.used }),
      },
      ...(maxLogPages !== undefined && { maxLogPages }),
      ...(usageCache && { usageCache }),
    });
    const whole = plan(desired, seen, now(), { allowEnable: permitted(run.plan) });
    return {
      ...whole,
      changes: whole.changes.filter((change) => names.has(change.name) && !leftOut?.has(stepOf(change))),
    };
  } catch (thrown) {
    run.fatal ??= asFault(thrown);
    return undefined;
  }
}

function unheld(outcomes: readonly Outcome[], keys: readonly ObservedKey[]): Plan['changes'] {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return outcomes.flatMap((outcome) => {
    if (outcome.state !== 'applied') return [];
    const key = outcome.id === undefined ? undefined : byId.get(outcome.id);
    return isHeld(outcome.change, key) ? [] : [outcome.change];
  });
}

function isHeld(change: Outcome['change'], key: ObservedKey | undefined): boolean {
  switch (change.verb) {
    case 'create':
      return key !== undefined && holds(key, change.settings) && (change.enabled || key.status === 'disabled');
    case 'rename':
    case 'update':
      return key !== undefined && holds(key, patchOf(change.edits));
    case 'enable':
      return key?.status === 'enabled';
    case 'disable':
      return key?.status === 'disabled';
    case 'delete':
      return key === undefined;
    default:
      return change satisfies never;
  }
}

/** Is anything left to do by the plan that was made again? Held enables are left on purpose. */
export const isConverged = (after: Plan): boolean => pendingChanges(after).length === 0;
