import {
  type DesiredState,
  isProtectedKey,
  type ObservedKey,
  type ObservedState,
  type Plan,
  type UnixSeconds,
} from '../../domain/index.ts';
import { match, type Pair } from '../observe/match.ts';
import { byRule, type Decision, only, originOf } from './decision.ts';
import { snapshotOf } from './diff.ts';
import { assemble } from './plan.ts';

/**
 * Plans the deletion of every key that the manifest owns. Protected keys, and undeclared Smart Routing keys, are retained.
 *
 * @throws Fault `plan.ambiguous` as {@link plan} does.
 */
export function planDestroy(desired: DesiredState, observed: ObservedState, now: UnixSeconds): Plan {
  const matching = match(desired, observed.keys);
  const { protect } = desired.ownership;
  const remove = (key: ObservedKey, pair?: Pair): Decision => {
    const { id, name } = key;
    const of = pair?.desired.of;
    const about = pair ? { ...originOf(pair.desired), ...(of && { of }) } : byRule(name, desired);
    const declared = (pair?.lineage?.of ?? pair?.desired)?.name;
    if (isProtectedKey(protect, name, declared))
      return only({ verb: 'retain', name, id, ...about, reason: 'protected' });
    if (key.smartRouting && !pair) return only({ verb: 'retain', name, id, ...about, reason: 'smart-routing' });
    return only({ verb: 'delete', name, id, ...about, before: snapshotOf(key), reason: 'destroyed' });
  };
  return assemble({ observed, matching, now }, [
    ...matching.pairs.map((pair) => remove(pair.live, pair)),
    ...matching.undeclared.map((key) => remove(key)),
  ]);
}

/** Makes one change of each observed key, whatever is declared: for a person who named these keys. */
export function planNamed(verb: 'enable' | 'disable' | 'delete', observed: ObservedState, now: UnixSeconds): Plan {
  const decisions = observed.keys.map((key) => {
    const common = { name: key.name, id: key.id, before: snapshotOf(key) };
    if (verb === 'enable') return only({ verb, ...common, reason: 'permitted' });
    if (verb === 'disable') return only({ verb, ...common, reason: 'declared' });
    return only({ verb, ...common, reason: 'destroyed' });
  });
  const matching = { pairs: [], missing: [], undeclared: observed.keys, invisible: [] };
  return assemble({ observed, matching, now }, decisions);
}
