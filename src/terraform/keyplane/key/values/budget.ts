import {
  type AmountInput,
  BUDGET_FIELDS,
  type Budget,
  type BudgetAmount,
  type BudgetInput,
  LIFETIME,
  renderDecimal,
  renderWindow,
  UNKNOWN,
} from '../../../../domain/index.ts';
import {
  isUnknown,
  numberFrom,
  numberText,
  type TerraformNumber,
  type TerraformObject,
  type TerraformValue,
} from '../../../codec/value.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import type { AttributeTable } from '../../../provider/schema.ts';

/** A budget as Terraform writes it: an object of which each of the five forms uses some attributes. */

const optional = { set: 'optional' } as const;

/** No gateway has a rate at which this is a quota unit. The plan, which knows the rate, rejects what is less than one. */
const LEAST_USD = 0.000001;

const usdErrors = (value: TerraformValue): readonly DiagnosticContent[] => {
  const text = numberInput(value);
  const isPart = typeof text === 'string' && Number(text) > 0 && Number(text) < LEAST_USD;
  const detail = `Expected 0, or at least ${LEAST_USD} US dollars, got ${String(text)}.`;
  return isPart ? [{ summary: 'The amount is less than one quota unit', detail }] : [];
};

const AMOUNT_ATTRIBUTES: AttributeTable = {
  usd: { ...optional, type: 'number', description: BUDGET_FIELDS.usd, check: usdErrors },
  quota: { ...optional, type: 'number', description: BUDGET_FIELDS.quota },
};

export const BUDGET_ATTRIBUTES: AttributeTable = {
  unlimited: { ...optional, type: 'bool', description: 'No ceiling for this key.' },
  ...AMOUNT_ATTRIBUTES,
  per: { ...optional, type: 'string', description: BUDGET_FIELDS.per },
  below: { ...optional, nesting: 'single', attributes: AMOUNT_ATTRIBUTES, description: BUDGET_FIELDS.below },
  initial: { ...optional, type: 'bool', description: BUDGET_FIELDS.initial },
};

export const BUDGET_NOTE =
  'One of `{ unlimited = true }`, `{ usd = 25, per = "lifetime" }` (everything that it may ever spend), `{ usd = 25, per = "month" }`, ' +
  '`{ usd = 25, below = { usd = 5 } }`, `{ usd = 25, initial = true }`; `quota` instead of `usd` counts in units.' +
  '\n\n~> Terraform drops misspelled names within an object. Every budget states when it refills, so that one without the misspelled part is an error.';

function input<T>(
  value: TerraformValue | undefined,
  parse: (value: TerraformValue) => T,
): T | typeof UNKNOWN | undefined {
  if (value === undefined || value === null) return undefined;
  return isUnknown(value) ? UNKNOWN : parse(value);
}

const numberInput = (value: TerraformValue | undefined) =>
  input(value, (known) => numberText(known as TerraformNumber));

const amountInput = ({ usd, quota }: TerraformObject): AmountInput => ({
  usd: numberInput(usd),
  quota: numberInput(quota),
});

export const decodeBudget = (budget: TerraformObject): BudgetInput => ({
  ...amountInput(budget),
  unlimited: input(budget.unlimited, Boolean),
  per: input(budget.per, String),
  below: input(budget.below, (below) => amountInput(below as TerraformObject)),
  initial: input(budget.initial, Boolean),
});

const encodeAmount = (amount: BudgetAmount): TerraformObject => ({
  usd: 'usd' in amount ? numberFrom(renderDecimal(amount.usd)) : null,
  quota: 'quota' in amount ? amount.quota : null,
});

function encodePer(budget: Budget): TerraformValue {
  if (budget.kind === 'lifetime') return LIFETIME;
  return budget.kind === 'window' ? renderWindow(budget.per) : null;
}

export function encodeBudget(budget: Budget): TerraformObject {
  const empty = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };
  if (budget.kind === 'unlimited') return { ...empty, unlimited: true };
  return {
    ...empty,
    ...encodeAmount(budget.amount),
    per: encodePer(budget),
    below: budget.kind === 'top-up' ? encodeAmount(budget.below) : null,
    initial: budget.kind === 'initial' ? true : null,
  };
}
