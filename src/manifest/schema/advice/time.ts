/** Hints for times and durations: each guesses what the person meant, and is silent when it cannot. */

import { renderInstant, tryParseInstant } from '../../../domain/index.ts';
import { didYouMean } from './form.ts';
import { isSlipFor } from './text.ts';

/** Advises on a duration: `90 days`, `2 weeks`, `3 months`. */
export function adviseDuration(text: string): string | undefined {
  const [, count, unit] =
    /^([1-9]\d{0,2})\s?(d|h|m|s|w|day|hour|minute|min|second|sec|week|month|year)s?$/iu.exec(text) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const days = { w: 7, week: 7, month: 30, year: 365 }[unit.toLowerCase()];
  const meant = days === undefined ? `${count}${unit[0]?.toLowerCase()}` : `${Number(count) * days}d`;
  return meant === text ? undefined : didYouMean(meant);
}

const NEVER = /^(none|no|null|infinite|infinity|forever|unlimited|-1)$/iu;

const midnight = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`;

/** Returns the days that a date could mean whose year comes last: in the order of Europe, or of America. */
function tryReadDate(text: string): readonly string[] {
  const [, a = '', mark, b = '', year = ''] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/u.exec(text) ?? [];
  const forms = mark === '.' ? [midnight(year, b, a)] : [midnight(year, b, a), midnight(year, a, b)];
  return [...new Set(forms)].filter((form) => tryParseInstant(form) !== undefined);
}

const WRITTEN =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/iu;

/** Advises on a date, or a time, that begins with the year. */
function adviseYearFirst(text: string): string | undefined {
  const [, year, month = '', day = '', hour, minute, second, zone] = WRITTEN.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = hour === undefined ? '00:00:00' : `${hour.padStart(2, '0')}:${minute}${second ? `:${second}` : ''}`;
  const offset =
    zone === undefined || /^(Z|UTC)$/iu.test(zone)
      ? 'Z'
      : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const form = `${date}T${time}${offset}`;
  if (tryParseInstant(form) === undefined) {
    const isDate = tryParseInstant(`${date}T00:00:00Z`) !== undefined;
    return isDate
      ? 'Check the time: hours are at most 23, minutes and seconds 59.'
      : 'Check that the date exists and is not before 1970.';
  }
  if (hour === undefined) return `A date without a time is ambiguous. ${didYouMean(form)}`;
  if (zone !== undefined) return didYouMean(form);
  return `${text.includes('T') ? 'Add' : 'Write `T` and'} the offset. Did you mean \`${form}\`, in UTC?`;
}

const A_LENGTH = /^(?:\+|in\s)?\d+\s?([smhdwy]|days?|weeks?|months?|years?)$/iu;

/** Advises on a time: a date, another order, a Unix time, a length of time. */
export function adviseInstant(text: string): string | undefined {
  if (NEVER.test(text) || isSlipFor('never', text)) return didYouMean('expires: never');
  if (/^\d{10}(\d{3})?$/u.test(text))
    return `This is a Unix time. ${didYouMean(renderInstant(Number(text.slice(0, 10))))}`;
  const [first, second] = tryReadDate(text);
  if (second !== undefined) return `Write the year first: \`${first}\` or \`${second}\`.`;
  if (first !== undefined) return `Write the year first. ${didYouMean(first)}`;
  if (A_LENGTH.test(text))
    return 'Write a date, like `2027-03-31T00:00:00Z`: a length of time would start again at each run.';
  return adviseYearFirst(text);
}

/** Advises on a rotation that is one duration. */
export const adviseRotation = (text: string): string | undefined =>
  /^[1-9]\d{0,6}[smhd]$/u.test(text) ? didYouMean(`rotate: { every: ${text}, overlap: 7d }`) : undefined;
