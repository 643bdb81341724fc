import { Fault, tryParseDuration, tryParseInstant, type UnixSeconds } from '../../domain/index.ts';
import type { Context } from '../program/command.ts';
import { text } from '../program/option.ts';

/** The time that a flag names: an instant, or how long ago it was. @throws Fault `usage.invalid` */
export function timeOf(context: Pick<Context, 'given' | 'now'>, flag: string): UnixSeconds | undefined {
  const value = text(context.given, flag);
  if (value === undefined) return undefined;
  const ago = tryParseDuration(value);
  const at = ago === undefined ? tryParseInstant(value) : context.now() - ago;
  if (at !== undefined) return at;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(value)} for --${flag}: expected a time.`, {
    hint: 'Write a time with its offset, such as 2027-03-31T00:00:00Z, or how long ago it was, such as 24h or 7d.',
  });
}

/** The length of time that a flag gives. @throws Fault `usage.invalid` */
export function lengthOf({ given }: Pick<Context, 'given'>, flag: string): number | undefined {
  const value = text(given, flag);
  const length = value === undefined ? undefined : tryParseDuration(value);
  if (value === undefined || length !== undefined) return length;
  throw new Fault('usage.invalid', `Invalid value ${JSON.stringify(value)} for --${flag}: expected a length of time.`, {
    hint: 'Write a number with its unit, such as 14d or 12h.',
  });
}
