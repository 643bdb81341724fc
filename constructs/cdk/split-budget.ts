import { renderDecimal, tryParseDecimal } from '../../src/domain/index.ts';
import type { Amount, LimitedBudget } from './key-fields.ts';

/** Dollars are shared to the cent, or finer when the total is. */
const CENTS = 2;

/** Who gets how many parts of the whole, by name. */
export type Shares = ReadonlyMap<string, number>;

/** Whole units by shares: what does not divide goes to the largest remainders, then by name. The sum is the total. */
function splitUnits(units: bigint, shares: Shares): ReadonlyMap<string, bigint> {
  const all = BigInt([...shares.values()].reduce((sum, share) => sum + share, 0));
  const parts = [...shares].map(([name, share]) => {
    const product = units * BigInt(share);
    return { name, whole: product / all, rest: product % all };
  });
  let left = units - parts.reduce((sum, { whole }) => sum + whole, 0n);
  parts.sort((a, b) => (a.rest === b.rest ? (a.name < b.name ? -1 : 1) : a.rest > b.rest ? -1 : 1));
  return new Map(
    parts.map(({ name, whole }) => {
      const extra = left > 0n ? 1n : 0n;
      left -= extra;
      return [name, whole + extra];
    }),
  );
}

function splitAmount(amount: Amount, shares: Shares): ReadonlyMap<string, Amount> {
  const written = tryParseDecimal(String(amount.usd ?? amount.quota));
  const isWhole = amount.usd !== undefined || written?.scale === 0;
  if (!written || written.digits < 0n || !isWhole) {
    throw new Error(`A total is an amount of 0 or more, known when the app is synthesized: ${JSON.stringify(amount)}`);
  }
  const scale = amount.usd === undefined ? 0 : Math.max(CENTS, written.scale);
  const units = written.digits * 10n ** BigInt(scale - written.scale);
  return new Map(
    [...splitUnits(units, shares)].map(([name, digits]): [string, Amount] => {
      const text = renderDecimal({ digits, scale });
      return [name, amount.usd === undefined ? { quota: Number(text) } : { usd: text }];
    }),
  );
}

/**
 * A budget in parts that add up to it exactly: dollars to the cent (or as fine as they are written), units whole.
 *
 * @throws Error when an amount is none, or is filled in by Terraform later
 */
export function splitBudget(total: LimitedBudget, shares: Shares): ReadonlyMap<string, LimitedBudget> {
  const { usd, quota, below, ...form } = total;
  const amounts = splitAmount((usd === undefined ? { quota } : { usd }) as Amount, shares);
  const lows = below && splitAmount(below, shares);
  return new Map(
    [...amounts].map(([name, amount]) => {
      const low = lows?.get(name);
      return [name, { ...amount, ...form, ...(low ? { below: low } : {}) } as LimitedBudget];
    }),
  );
}
