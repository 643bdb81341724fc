import {
  type DesiredState,
  type Diagnostic,
  errorAt,
  inOneLine,
  isExhausted,
  isExpired,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Pending,
  type UnixSeconds,
} from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import { isOld } from '../rotate/lineage.ts';
import { patchOf } from './diff.ts';

/** The limits of one run on how many keys may end. */
export interface EndingLimits {
  /** The number of keys that may be deleted or disabled; omitted: 30 % of the owned keys, rounded up. */
  readonly maxDeletes?: number;
  /** Lets a run delete or disable all owned keys, or the last enabled one. */
  readonly allowLastKey?: boolean;
}

interface EndingRule {
  /** The number of owned keys from which the default share applies. */
  readonly shareFrom: number;
  /** Some owned key must stay enabled. */
  readonly keepsOne: boolean;
}

/** The rules for the end of a key, by its reason. A destruction is meant to leave nothing, so only its size is limited. */
const RULES = {
  declared: { shareFrom: 2, keepsOne: true },
  pruned: { shareFrom: 2, keepsOne: true },
  quarantined: { shareFrom: 2, keepsOne: true },
  expired: { shareFrom: 2, keepsOne: true },
  exhausted: { shareFrom: 2, keepsOne: true },
  destroyed: { shareFrom: 10, keepsOne: false },
} as const satisfies Readonly<Record<string, EndingRule>>;

interface EndOfKey {
  readonly id: KeyId;
  readonly name: string;
  readonly reason: keyof typeof RULES;
}

/** 30 % of the keys, rounded up, in whole numbers. */
const shareOf = (owned: number): number => Math.ceil((owned * 3) / 10);

/** The expiry that a change writes; undefined when it leaves the expiry alone. */
const newExpiry = (change: Pending) => ('edits' in change ? patchOf(change.edits).expires : undefined);

/** Returns the reason why a change ends its key. An expiry that has passed, or an empty budget, ends a key as surely as disabling it. */
function endOf(change: Pending, now: UnixSeconds): EndOfKey['reason'] | undefined {
  // The end of an old generation ends no key: its successor was proven right before.
  if (change.verb === 'delete' || change.verb === 'disable') {
    // A key that somebody disabled only gets its mark. Its deletion counts.
    if (change.verb === 'disable' && change.reason === 'quarantined' && change.before.status === 'disabled')
      return undefined;
    return change.reason === 'rotated' ? undefined : change.reason;
  }
  if (!('edits' in change) || !works(change.before, now)) return undefined;
  const after = { ...change.before, ...patchOf(change.edits) };
  if (isExpired(after, now)) return 'expired';
  return isExhausted(after) && !isExhausted(change.before) ? 'exhausted' : undefined;
}

const works = ({ status, expires }: Pick<ObservedKey, 'status' | 'expires'>, now: UnixSeconds): boolean =>
  status === 'enabled' && !isExpired({ expires }, now);

/** Lists each key that ends, once. */
function endsOf(changes: readonly Pending[], now: UnixSeconds): readonly EndOfKey[] {
  const ends = changes.flatMap((change): readonly EndOfKey[] => {
    const reason = endOf(change, now);
    return 'id' in change && reason !== undefined ? [{ id: change.id, name: change.name, reason }] : [];
  });
  return [...new Map(ends.map((end) => [end.id, end])).values()];
}

/** Does a change make an enabled key work again? */
const revives = (change: Pending, now: UnixSeconds): boolean => {
  if (change.verb === 'enable') return true;
  const expires = newExpiry(change);
  if (!('before' in change) || expires === undefined) return false;
  return !works(change.before, now) && works({ ...change.before, expires }, now);
};

interface EndingContext {
  readonly desired: DesiredState;
  readonly observed: Pick<ObservedState, 'keys'>;
  /** Keys that an earlier run created to be disabled, and that are not disabled yet. */
  readonly unfinished?: ReadonlySet<KeyId> | undefined;
}

type Disable = Extract<Pending, { verb: 'disable' }>;

/** Does a change only finish the create of a key that is declared disabled? The key never was anybody's. */
const finishes = (change: Pending, unfinished: ReadonlySet<KeyId> = new Set()): change is Disable =>
  change.verb === 'disable' && change.reason === 'declared' && unfinished.has(change.id);

/**
 * Limits how many owned keys one run deletes, disables, lets expire or leaves without a budget at once: their number, and that one of them stays
 * enabled.
 *
 * Counts live keys, not declared ones: a new key does not make up for one that ends, because nobody has its secret yet.
 */
export function massChange(
  { at, changes }: { readonly at: UnixSeconds; readonly changes: readonly Pending[] },
  { desired, observed, unfinished }: EndingContext,
  limits: EndingLimits,
): Diagnostic[] {
  const ends = endsOf(changes, at);
  if (ends.length === 0) return [];
  const finished = new Set(changes.flatMap((change) => (finishes(change, unfinished) ? [change.id] : [])));
  const { pairs, undeclared } = match(desired, observed.keys);
  const old = new Set(pairs.flatMap((pair) => (isOld(pair) ? [pair.live.id] : [])));
  // A limit on the overlap that takes the rest of an old generation ends no key either: its successor has the budget.
  const ending = ends.filter(({ id, reason }) => !finished.has(id) && !(reason === 'exhausted' && old.has(id)));
  const owned = [...pairs.map(({ live }) => live), ...undeclared].filter(({ id }) => !finished.has(id));
  const isRevived = changes.some((change) => revives(change, at));
  return [...tooMany(ending, owned.length, limits), ...(isRevived ? [] : noneLeft(ending, owned, limits, at))];
}

const dataOf = (ending: readonly EndOfKey[]) => ({
  names: [...new Set(ending.map(({ name }) => name))],
  count: ending.length,
});

const FATES: Readonly<Partial<Record<EndOfKey['reason'], string>>> = {
  expired: 'expired',
  exhausted: 'left without a budget',
};

function fateOf(ending: readonly EndOfKey[]): string {
  const others = new Set(ending.flatMap(({ reason }) => FATES[reason] ?? []));
  const fates = ['deleted', 'disabled', ...others];
  return `${fates.slice(0, -1).join(', ')} or ${fates.at(-1)}`;
}

function tooMany(ending: readonly EndOfKey[], owned: number, { maxDeletes }: EndingLimits): Diagnostic[] {
  const from = Math.min(...ending.map(({ reason }) => RULES[reason].shareFrom));
  const limit = maxDeletes ?? (owned >= from ? shareOf(owned) : Number.POSITIVE_INFINITY);
  if (ending.length <= limit) return [];
  const named = maxDeletes === undefined ? `${limit}, 30 % of them` : `${limit}`;
  const message = `${ending.length} of ${owned} owned keys would be ${fateOf(ending)}; the limit is ${named}.`;
  return [errorAt([], 'guard.mass-change', { message, data: dataOf(ending) })];
}

function noneLeft(
  ending: readonly EndOfKey[],
  owned: readonly ObservedKey[],
  { allowLastKey }: EndingLimits,
  now: UnixSeconds,
): Diagnostic[] {
  if (allowLastKey || !ending.some(({ reason }) => RULES[reason].keepsOne)) return [];
  const ends = new Set(ending.map(({ id }) => id));
  const enabled = owned.filter((key) => works(key, now));
  const all = owned.every(({ id }) => ends.has(id));
  const isLast = enabled.length > 0 && enabled.every(({ id }) => ends.has(id));
  if (!all && !isLast) return [];
  const [only] = enabled;
  const last = enabled.length === 1 && only ? `The last enabled key, “${inOneLine(only.name)}”,` : 'Every enabled key';
  const subject = all ? `All owned keys (${owned.length})` : last;
  const message = `${subject} would be ${fateOf(ending)}: no owned key would remain enabled.`;
  return [errorAt([], 'guard.last-key', { message, data: dataOf(ending) })];
}
