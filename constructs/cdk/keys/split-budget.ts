import { type Decimal, renderDecimal, tryParseDecimal } from '../../../src/domain/index.ts';
import type { Amount, LimitedBudget } from '../key/key-fields.ts';

/** Dollars are shared to the cent, or finer when the total is. */
const CENTS = 2;

/** Who gets how many parts of the whole, by name. */
export type Shares = ReadonlyMap<string, number>;

interface How {
  readonly shares: Shares;
  /** Decimals of a dollar. */
  readonly scale: number;
  /** Do the parts add up to the whole? */
  readonly isWhole: boolean;
}

/** Whole units by shares: what does not divide goes to the largest remainders, then by name, or is left. */
function splitUnits(units: bigint, { shares, isWhole }: How): ReadonlyMap<string, bigint> {
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

function splitAmount(amount: Amount, how: How): ReadonlyMap<string, Amount> {
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
 * A budget in parts that add up to it exactly: dollars to the cent (or as fine as they are written), units whole. What it is
 * filled up at is a threshold: its parts are rounded down, so that none is more than the part of the whole.
 *
 * @param total without problems
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
