import { BUDGET_FIELDS } from '../key/fields.ts';
import type { FieldProblem } from '../key/rules.ts';
import { quota, tryParseDecimal } from '../quantity.ts';
import { tryParseWindow } from '../window.ts';
import { type Amount, isMoreThan } from './budget.ts';
import { QUOTA_LIMIT, USD_DECIMALS, USD_LIMIT } from './budget-input.ts';

/** A value that only a later run will know. */
export const OPEN = Symbol('open');

type Word<T> = T | typeof OPEN | undefined;

/** An amount as languages with objects write it, in one unit or the other. Numbers are decimal text: they are exact. */
export interface AmountWords {
  readonly usd?: Word<string>;
  readonly quota?: Word<string>;
}

/** A budget as languages with objects write it: each of the five forms uses some of the words. */
export interface BudgetWords extends AmountWords {
  readonly unlimited?: Word<boolean>;
  readonly per?: Word<string>;
  readonly below?: Word<AmountWords>;
  readonly initial?: Word<boolean>;
}

const AMOUNT = ['usd', 'quota'] as const;
const FORMS = ['per', 'below', 'initial'] as const;

/** `false` says as little as nothing: modules pass it along. What is not known yet may turn out to be nothing too. */
const isGiven = <T>(word: Word<T>): word is T => word !== undefined && word !== false && word !== OPEN;

const given = <N extends keyof BudgetWords>(budget: BudgetWords, names: readonly N[]): readonly N[] =>
  names.filter((name) => isGiven(budget[name]));

function usdProblem(text: Word<string>): string | undefined {
  if (!isGiven(text)) return undefined;
  const usd = tryParseDecimal(text);
  if (usd === undefined || usd.digits < 0n) return 'An amount is 0 or more';
  if (usd.scale > USD_DECIMALS) return `An amount of dollars has at most ${USD_DECIMALS} decimals`;
  return usd.digits > BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale)
    ? `An amount is at most ${USD_LIMIT} dollars`
    : undefined;
}

function quotaProblem(text: Word<string>): string | undefined {
  if (!isGiven(text)) return undefined;
  const units = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(units) || units < 0) return 'Quota units are whole, and 0 or more';
  return units > QUOTA_LIMIT ? `An amount is at most ${QUOTA_LIMIT} quota units` : undefined;
}

const problem = (summary: string | undefined): readonly FieldProblem[] => (summary === undefined ? [] : [{ summary }]);

function amountProblems(words: AmountWords): readonly FieldProblem[] {
  const [unit, other] = given(words, AMOUNT);
  if (unit === undefined) {
    return AMOUNT.some((name) => words[name] === OPEN) ? [] : problem('Either `usd` or `quota` says how much');
  }
  if (other !== undefined) return problem('An amount is in `usd` or in `quota`, not in both');
  return [...problem(usdProblem(words.usd)), ...problem(quotaProblem(words.quota))];
}

function windowProblems(per: Word<string>): readonly FieldProblem[] {
  if (!isGiven(per) || tryParseWindow(per) !== undefined) return [];
  return [{ summary: `${JSON.stringify(per)} is no window of time`, detail: BUDGET_FIELDS.per }];
}

const isOpen = (words: object): boolean =>
  Object.values(words).some((word) => word === OPEN || (typeof word === 'object' && word !== null && isOpen(word)));

function belowProblems(budget: BudgetWords): readonly FieldProblem[] {
  const { below } = budget;
  if (!isGiven(below)) return [];
  const own = amountProblems(below).map(({ summary }) => ({ summary: `\`below\`: ${summary}` }));
  if (own.length > 0 || isOpen(budget)) return own;
  return isMoreThan(amountOf(below), amountOf(budget))
    ? problem('`below` is more than the budget: the key would be filled up at every run')
    : [];
}

/** What is wrong with a budget; what is not known yet is taken to be right. */
export function budgetProblems(budget: BudgetWords): readonly FieldProblem[] {
  const rest = given(budget, [...AMOUNT, ...FORMS]);
  if (isGiven(budget.unlimited)) return rest.map((name) => ({ summary: `What is unlimited has no \`${name}\`` }));
  const [form, second] = given(budget, FORMS);
  const several = second === undefined ? [] : problem(`\`${form}\` and \`${second}\` exclude each other`);
  const isUnsaid = budget.unlimited === OPEN && given(budget, AMOUNT).length === 0;
  const amount = isUnsaid ? [] : amountProblems(budget);
  return [...amount, ...several, ...windowProblems(budget.per), ...(amount.length > 0 ? [] : belowProblems(budget))];
}

function amountOf({ usd, quota: units }: AmountWords): Amount {
  if (isGiven(units)) return { quota: quota(Number(units)) };
  const exact = isGiven(usd) ? tryParseDecimal(usd) : undefined;
  if (exact) return { usd: exact };
  throw new RangeError('not an amount');
}
