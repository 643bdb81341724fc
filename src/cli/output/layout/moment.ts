import { renderInstant, type UnixSeconds } from '../../../domain/index.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `89 days`, `1 hour`: the largest unit of which there is at least one, rounded down. */
export function renderSpan(seconds: number): string {
  const length = Math.abs(Math.trunc(seconds));
  const [unit, size] = UNITS.find(([, s]) => length >= s) ?? (['second', 1] as const);
  return countOf(Math.floor(length / size), unit);
}

const countOf = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;

/** `1 hour 59 minutes`: {@link renderSpan} with what is left in the next unit. */
export function renderLongSpan(seconds: number): string {
  const length = Math.abs(Math.trunc(seconds));
  const at = UNITS.findIndex(([, size]) => length >= size);
  const [first, next] = at < 0 ? [] : UNITS.slice(at, at + 2);
  const rest = first && next ? Math.floor((length % first[1]) / next[1]) : 0;
  return next && rest > 0 ? `${renderSpan(seconds)} ${countOf(rest, next[0])}` : renderSpan(seconds);
}

/** `in 89 days`, `3 hours ago`, `now` */
export function renderDistance(at: UnixSeconds, now: UnixSeconds): string {
  if (at === now) return 'now';
  return at > now ? `in ${renderSpan(at - now)}` : `${renderSpan(now - at)} ago`;
}

/** `never`, or when and how far away. */
export const renderExpiry = (at: UnixSeconds | null, now: UnixSeconds): string =>
  at === null ? 'never' : `${renderInstant(at)} (${renderDistance(at, now)})`;
