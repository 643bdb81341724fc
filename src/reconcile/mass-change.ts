import {
  type DesiredState,
  type Diagnostic,
  errorAt,
  inOneLine,
  type ObservedKey,
  type ObservedState,
  type Pending,
} from '../domain/index.ts';
import { match } from './match.ts';

/** The limits of one run on how many keys may end. */
export interface EndingLimits {
  /** The number of keys that may be deleted or disabled; omitted: 30 % of the owned keys, rounded up. */
  readonly maxDeletes?: number;
  /** Lets a run delete or disable all owned keys, or the last enabled one. */
  readonly allowLastKey?: boolean;
}

type EndOfKey = Extract<Pending, { verb: 'delete' | 'disable' }>;

interface EndingRule {
  /** The number of owned keys from which the default share applies. */
  readonly shareFrom: number;
  /** Some owned key must stay enabled. */
  readonly keepsOne: boolean;
}

/** The rules for the end of a key, by its reason. A destruction is meant to leave nothing, so only its size is limited. */
const RULES: Readonly<Record<EndOfKey['reason'], EndingRule>> = {
  declared: { shareFrom: 2, keepsOne: true },
  pruned: { shareFrom: 2, keepsOne: true },
  destroyed: { shareFrom: 10, keepsOne: false },
};

/** 30 % of the keys, rounded up, in whole numbers. */
const shareOf = (owned: number): number => Math.ceil((owned * 3) / 10);

const isEnding = (change: Pending): change is EndOfKey => change.verb === 'delete' || change.verb === 'disable';

/**
 * Limits how many owned keys one run deletes or disables: their number, and that one of them stays enabled.
 *
 * Counts live keys, not declared ones: a new key does not make up for one that ends, because nobody has its secret yet.
 */
export function massChange(
  changes: readonly Pending[],
  { desired, observed }: { readonly desired: DesiredState; readonly observed: Pick<ObservedState, 'keys'> },
  limits: EndingLimits,
): Diagnostic[] {
  const ending = changes.filter(isEnding);
  if (ending.length === 0) return [];
  const { pairs, undeclared } = match(desired, observed.keys);
  const owned = [...pairs.map(({ live }) => live), ...undeclared];
  return [...tooMany(ending, owned.length, limits), ...noneLeft(changes, ending, owned, limits)];
}

const dataOf = (ending: readonly EndOfKey[]) => ({
  names: [...new Set(ending.map(({ name }) => name))],
  count: ending.length,
});

function tooMany(ending: readonly EndOfKey[], owned: number, { maxDeletes }: EndingLimits): Diagnostic[] {
  const from = Math.min(...ending.map(({ reason }) => RULES[reason].shareFrom));
  const limit = maxDeletes ?? (owned >= from ? shareOf(owned) : Number.POSITIVE_INFINITY);
  if (ending.length <= limit) return [];
  const named = maxDeletes === undefined ? `${limit}, 30 % of them` : `${limit}`;
  const message = `${ending.length} of ${owned} owned keys would be deleted or disabled; the limit is ${named}.`;
  return [errorAt([], 'guard.mass-change', { message, data: dataOf(ending) })];
}

function noneLeft(
  changes: readonly Pending[],
  ending: readonly EndOfKey[],
  owned: readonly ObservedKey[],
  { allowLastKey }: EndingLimits,
): Diagnostic[] {
  if (allowLastKey || !ending.some(({ reason }) => RULES[reason].keepsOne)) return [];
  const ends = new Set(ending.map(({ id }) => id));
  const enabled = owned.filter(({ status }) => status === 'enabled');
  const all = owned.every(({ id }) => ends.has(id));
  const isLast = enabled.length > 0 && enabled.every(({ id }) => ends.has(id));
  const enables = changes.some(({ verb }) => verb === 'enable');
  if (!all && (!isLast || enables)) return [];
  const [only] = enabled;
  const last = enabled.length === 1 && only ? `The last enabled key, “${inOneLine(only.name)}”,` : 'Every enabled key';
  const subject = all ? `All owned keys (${owned.length})` : last;
  const message = `${subject} would be deleted or disabled: no owned key would remain enabled.`;
  return [errorAt([], 'guard.last-key', { message, data: dataOf(ending) })];
}
