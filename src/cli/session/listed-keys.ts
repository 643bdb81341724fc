import { byText, effectiveStatus, Fault, lastUseOf, type ObservedKey } from '../../domain/index.ts';
import type { Context } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import type { DeclarationLookup } from './declarations.ts';
import { lengthOf } from './point-in-time.ts';

type Order = (a: ObservedKey, b: ObservedKey) => number;

const NEVER = Number.POSITIVE_INFINITY;

const ORDERS: Readonly<Record<string, Order>> = {
  name: () => 0,
  spent: (a, b) => (b.used ?? -1) - (a.used ?? -1),
  remaining: (a, b) => remainOf(a) - remainOf(b),
  expires: (a, b) => compare(a.expires ?? NEVER, b.expires ?? NEVER),
  'last-used': (a, b) => compare(usedAt(a), usedAt(b)),
};

const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

const remainOf = ({ unlimited, remain }: ObservedKey): number => (unlimited ? Number.MAX_SAFE_INTEGER : remain);

/** For sorting: never used first, then the oldest use; unknown last. */
function usedAt(key: ObservedKey): number {
  const last = lastUseOf(key);
  return last === 'never' ? 0 : last === 'unknown' ? NEVER : last;
}

/** Was the key not used since a time, as far as the gateway shows it? An unknown use may be of yesterday. */
function isUnused(key: ObservedKey, since: number): boolean {
  const last = lastUseOf(key);
  if (last === 'unknown') return false;
  return last === 'never' ? (key.createdAt ?? 0) < since : last < since;
}

/** The keys that the flags of a listing choose, in the order that they name. @throws Fault `usage.invalid` */
export function listedKeys(
  context: Context,
  keys: readonly ObservedKey[],
  declarations: DeclarationLookup,
): readonly ObservedKey[] {
  const { given } = context;
  const now = context.now();
  const [unused, expiring] = [lengthOf(context, 'unused'), lengthOf(context, 'expiring')];
  const order = ORDERS[text(given, 'sort') ?? 'name'];
  if (order === undefined) throw new Fault('usage.invalid', 'Invalid value for --sort.');
  const isListed = (key: ObservedKey): boolean =>
    (unused === undefined || isUnused(key, now - unused)) &&
    (!has(given, 'no-expiry') || key.expires === null) &&
    (!has(given, 'unlimited') || key.unlimited) &&
    (!has(given, 'unmanaged') || declarations.of(key) === undefined) &&
    (expiring === undefined ||
      (key.expires !== null && key.expires <= now + expiring && effectiveStatus(key, now) !== 'expired'));
  return keys.filter(isListed).sort((a, b) => order(a, b) || byText(a.name, b.name) || a.id - b.id);
}
