import { type Decimal, renderDecimal, tryParseDecimal } from '../../../src/domain/index.ts';
import type { Amount, LimitedBudget } from '../key/amounts.ts';

/** Dollars are split to the cent, or finer if the total is. */
const CENTS = 2;

/** The number of parts of each member, by name. */
export type Shares = ReadonlyMap<string, number>;

interface SplitOptions {
  readonly shares: Shares;
  /** Decimals of a dollar. */
  readonly scale: number;
  /** The parts must add up to the whole. */
  readonly isWhole: boolean;
}

/** Splits whole units by shares. The rest goes to the largest remainders, then by name, or is dropped. */
function splitUnits(units: bigint, { shares, isWhole }: SplitOptions): ReadonlyMap<string, bigint> {
  const all = [...shares.values()].reduce((sum, share) => sum + BigInt(share), 0n);
  const parts = [...shares].map(([name, share]) => {
    const product = units * BigInt(share);
    return { name, whole: product / all, rest: product % all };
  });
  let left = isWhole ? units - parts.reduce((sum, { whole }) => sum + whole, 0n) : 0n;
  parts.sort((a, b) => (a.rest === b.rest ? (a.name < b.name ? -1 : 1) : a.rest > b.rest ? -1 : 1));
  return new Map(
    parts.map(({ name, whole }) => {
      const extra = left > 0n ? 1n : 0n;
      left -= extra;
      return [name, whole + extra];
    }),
  );
}

const decimalOf = ({ usd, quota }: Amount): Decimal => {
  const decimal = tryParseDecimal(String(usd ?? quota));
  if (decimal) return decimal;
  throw new RangeError('not an amount');
};

const scaleOf = (amount: Amount | undefined): number =>
  amount?.usd === undefined ? 0 : Math.max(CENTS, decimalOf(amount).scale);

function splitAmount(amount: Amount, how: SplitOptions): ReadonlyMap<string, Amount> {
  const decimal = decimalOf(amount);
  const own = amount.usd === undefined ? 0 : how.scale;
  const units = decimal.digits * 10n ** BigInt(own - decimal.scale);
  return new Map(
    [...splitUnits(units, how)].map(([name, digits]): [string, Amount] => {
      const text = renderDecimal({ digits, scale: own });
      return [name, amount.usd === undefined ? { quota: Number(text) } : { usd: text }];
    }),
  );
}

/**
 * Splits a budget into parts that add up to it exactly: dollars to the cent, or as finely as the total, and whole units. The
 * parts of a top-up threshold are rounded down, so that none exceeds its part of the budget.
 *
 * @param total a valid budget
 */
export function splitBudget(total: LimitedBudget, shares: Shares): ReadonlyMap<string, LimitedBudget> {
  const { usd, quota, below, ...form } = total;
  const amount = (usd === undefined ? { quota } : { usd }) as Amount;
  const scale = Math.max(scaleOf(amount), scaleOf(below));
  const lows = below && splitAmount(below, { shares, scale, isWhole: false });
  return new Map(
    [...splitAmount(amount, { shares, scale, isWhole: true })].map(([name, part]) => {
      const low = lows?.get(name);
      return [name, { ...part, ...form, ...(low ? { below: low } : {}) } as LimitedBudget];
    }),
  );
}
