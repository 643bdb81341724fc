import { type DesiredState, Fault, type Guardrails, type Plan, pendingChanges } from '../domain/index.ts';
import type { Manifest, SavedPlan } from '../manifest/index.ts';

/**
 * The plans that this copy of Keyplane has made or read, with the desired state that each was made from; undefined when a saved
 * plan does not hold it. Identity is the proof: a copy, or an object that somebody has put together, is not a plan.
 */
const ISSUED = new WeakMap<Plan, DesiredState | undefined>();

/** Freezes data of lists and objects, so that nobody edits what was judged. */
export function freeze<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  Object.freeze(data);
  for (const member of Object.values(data)) freeze(member);
  return data;
}

/** Marks a plan as one that may be applied. */
export function issue<P extends Plan>(plan: P, desired: DesiredState | undefined, encode?: () => unknown): P {
  // JSON has no big integers: the text of a plan is that of a saved one.
  if (encode) Object.defineProperty(plan, 'toJSON', { value: encode });
  for (const change of pendingChanges(plan)) freeze(change);
  for (const list of [plan.changes, plan.policies, plan.notes]) Object.freeze(list);
  Object.freeze(plan);
  ISSUED.set(plan, freeze(desired));
  return plan;
}

/**
 * Reads a saved plan.
 *
 * @param policies rules to judge it by, in addition to those that it was made with
 * @throws Fault `plan.unreadable` for a plan that a saved text does not hold as Keyplane wrote it
 */
export async function readPlan(text: string, policies: readonly Guardrails[] = []): Promise<SavedPlan> {
  const { decodePlan, withPolicies } = await import('../manifest/index.ts');
  const plan = decodePlan(text);
  return issue(plan, plan.desired && withPolicies(plan.desired, policies));
}

/** Returns true for anything that claims to be a plan. */
export const isPlan = (subject: Plan | Manifest): subject is Plan => 'changes' in subject;

/** @throws Fault `plan.unreadable` when Keyplane has not made the plan, or when its desired state is unknown */
export function desiredOf(plan: Plan): DesiredState {
  if (!ISSUED.has(plan)) {
    throw new Fault('plan.unreadable', 'This object is not a plan that Keyplane has made or read.', {
      hint: 'Apply the object that planning returned, or read a saved plan. A copy of it cannot be applied.',
    });
  }
  const desired = ISSUED.get(plan);
  if (desired) return desired;
  throw new Fault('plan.unreadable', 'The saved plan does not hold what it was made from.', { remedy: 'save-plan' });
}

/** Returns the desired state that a plan was made from, where it is known. */
export const desiredIfKnown = (plan: Plan): DesiredState | undefined => ISSUED.get(plan);

/** @throws Fault as {@link desiredOf}, for a plan that is applied together with its manifest */
export function verifyIssued(plan: Plan): void {
  if (!ISSUED.has(plan)) desiredOf(plan);
}
