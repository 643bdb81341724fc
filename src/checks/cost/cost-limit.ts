import { type Decimal, Fault, tryParseDecimal } from '../../domain/index.ts';

/** Reads the most that a run may cost, in US dollars. @throws Fault `request.invalid` */
export function costLimit(maxCost: string | number | undefined): Decimal | undefined {
  if (maxCost === undefined) return undefined;
  const usd = tryParseDecimal(String(maxCost));
  if (usd !== undefined && usd.digits >= 0n) return usd;
  throw new Fault('request.invalid', '`maxCost` is not an amount in US dollars, such as `0.50`.', {
    detail: { maxCost },
  });
}
