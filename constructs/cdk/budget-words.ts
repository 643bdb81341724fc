import { type AmountWords, type BudgetWords, OPEN } from '../../src/domain/index.ts';
import type { Budget } from './key-fields.ts';
import { isUnresolved } from './unresolved.ts';

type Parts = { readonly [part: string]: unknown };

const word = <T>(value: unknown, said: (value: unknown) => T): T | typeof OPEN | undefined => {
  if (value === undefined || value === null) return undefined;
  return isUnresolved(value) ? OPEN : said(value);
};

const amountWords = ({ usd, quota }: Parts): AmountWords => ({ usd: word(usd, String), quota: word(quota, String) });

/** The budget in the words that the rules are about: also one that its type would have refused. */
export function budgetWords(budget: Budget): BudgetWords {
  if (budget === 'unlimited') return { unlimited: true };
  const { per, below, initial, ...amount } = budget as object as Parts;
  return {
    ...amountWords(amount),
    per: word(per, String),
    below: word(below, (value) => amountWords(value as Parts)),
    initial: word(initial, Boolean),
  };
}
