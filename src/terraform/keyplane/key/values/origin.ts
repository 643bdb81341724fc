import {
  type DesiredKey,
  LIFETIME,
  type NameOrigin,
  tryParseGeneration,
  type UnixSeconds,
} from '../../../../domain/index.ts';
import { isObject, type TerraformObject } from '../../../codec/value.ts';
import type { ResourceInstance } from '../../../provider/definition.ts';
import { privateOf } from '../private-data.ts';

/**
 * Remembers the name that a key was created with. An allowance belongs to a name, and a resource is compared alone: without this, a key
 * that is renamed would lose what former keys of its first name used, and a key that takes over the name of another one would pay for it.
 */

const hasWindow = ({ budget = null }: TerraformObject): boolean =>
  isObject(budget) && typeof budget.per === 'string' && budget.per !== LIFETIME;

/** Adds the origin of a key to its declaration. */
export function withOrigin(desired: DesiredKey, instance: ResourceInstance): DesiredKey {
  const { origin } = privateOf(instance);
  return origin ? { ...desired, origin } : desired;
}

interface KeyWrite {
  readonly prior?: ResourceInstance;
  readonly state: TerraformObject;
  readonly now: UnixSeconds;
}

function originOf({ prior, state, now }: KeyWrite): NameOrigin | undefined {
  const { name } = state;
  // Generations have a common name, which finds their former use.
  if (typeof name !== 'string' || tryParseGeneration(name)) return undefined;
  const { origin } = prior ? privateOf(prior) : {};
  if (origin) return origin.name === name || origin.until !== undefined ? origin : { ...origin, until: now };
  return hasWindow(state) && (prior === undefined || prior.state.name === name) ? { name } : undefined;
}

/** Returns the origin of a key that was written, for its private data. */
export function originAfter(write: KeyWrite): { readonly origin?: NameOrigin } {
  const origin = originOf(write);
  return origin ? { origin } : {};
}
