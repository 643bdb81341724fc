import {
  type Amount,
  type AmountWords,
  BUDGET_FIELDS,
  type Budget,
  type BudgetWords,
  budgetOfWords,
  budgetProblems,
  KEY_FIELDS,
  OPEN,
  renderDecimal,
  renderWindow,
} from '../../../domain/index.ts';
import {
  isObject,
  isUnknown,
  type NumberValue,
  numberFrom,
  numberText,
  type ObjectValue,
  type Value,
} from '../../codec/value.ts';
import type { Attribute } from '../../provider/schema.ts';

/** A budget, as Terraform writes it: an object of which each of the five forms uses some attributes. */

const word = <T>(value: Value | undefined, said: (value: Value) => T): T | typeof OPEN | undefined => {
  if (value === undefined || value === null) return undefined;
  return isUnknown(value) ? OPEN : said(value);
};

const numberWord = (value: Value | undefined) => word(value, (known) => numberText(known as NumberValue));

const amountWords = ({ usd, quota: units }: ObjectValue): AmountWords => ({
  usd: numberWord(usd),
  quota: numberWord(units),
});

const budgetWords = (budget: ObjectValue): BudgetWords => ({
  ...amountWords(budget),
  unlimited: word(budget.unlimited, Boolean),
  per: word(budget.per, String),
  below: word(budget.below, (below) => amountWords(below as ObjectValue)),
  initial: word(budget.initial, Boolean),
});

const optional = { set: 'optional' } as const;

const AMOUNT_ATTRIBUTES = {
  usd: { ...optional, type: 'number', description: BUDGET_FIELDS.usd },
  quota: { ...optional, type: 'number', description: BUDGET_FIELDS.quota },
} as const;

export const BUDGET: Attribute = {
  set: 'optional or computed',
  description: `${KEY_FIELDS.budget.doc} One of \`{ unlimited = true }\`, \`{ usd = 25 }\` (all that it may ever use), \`{ usd = 25, per = "month" }\`, \`{ usd = 25, below = { usd = 5 } }\`, \`{ usd = 25, initial = true }\`; \`quota\` instead of \`usd\` counts in units. Absent: not managed.\n\n~> Terraform passes over names that are misspelled in here: look for them in the plan.`,
  nesting: 'single',
  attributes: {
    unlimited: { ...optional, type: 'bool', description: 'No ceiling for this key.' },
    ...AMOUNT_ATTRIBUTES,
    per: { ...optional, type: 'string', description: BUDGET_FIELDS.per },
    below: { ...optional, nesting: 'single', attributes: AMOUNT_ATTRIBUTES, description: BUDGET_FIELDS.below },
    initial: { ...optional, type: 'bool', description: BUDGET_FIELDS.initial },
  },
  // All of it is told of the budget itself: core shows no line for what is deeper in an object.
  check: (value) => (isObject(value) ? budgetProblems(budgetWords(value)) : []),
};

/** @param value wholly known, and without problems */
export const budgetFrom = (value: ObjectValue): Budget => budgetOfWords(budgetWords(value));

const amountValue = (amount: Amount): ObjectValue => ({
  usd: 'usd' in amount ? numberFrom(renderDecimal(amount.usd)) : null,
  quota: 'quota' in amount ? amount.quota : null,
});

export function budgetValue(budget: Budget): ObjectValue {
  const nothing = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };
  if (budget.kind === 'unlimited') return { ...nothing, unlimited: true };
  return {
    ...nothing,
    ...amountValue(budget.amount),
    per: budget.kind === 'window' ? renderWindow(budget.per) : null,
    below: budget.kind === 'top-up' ? amountValue(budget.below) : null,
    initial: budget.kind === 'initial' ? true : null,
  };
}
