import {
  type AmountInput,
  type BudgetInput,
  budgetProblems,
  decimalOf,
  renderDecimal,
  UNKNOWN,
} from '../../../src/domain/index.ts';
import { isRecord, kindOf, unknownFields, within } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { errorText } from './errors.ts';

type Parts = Readonly<Record<string, unknown>>;

const PARTS = ['usd', 'quota', 'per', 'below', 'initial'];
const AMOUNT = ['usd', 'quota'];
/** The syntax of a manifest: digits, and for dollars a point. */
const AMOUNT_TEXT: Readonly<Record<string, RegExp>> = { usd: /^\d{1,11}(\.\d{1,30})?$/, quota: /^\d{1,15}$/ };

function amountError(unit: string, value: unknown): string | undefined {
  if (value === undefined || isUnresolved(value)) return undefined;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : `\`${unit}\`: Expected a finite number, got ${value}.`;
  }
  if (typeof value !== 'string') return `\`${unit}\`: Expected a number, got ${kindOf(value)}.`;
  return AMOUNT_TEXT[unit]?.test(value)
    ? undefined
    : `\`${unit}\`: Expected digits such as 12.50, got ${JSON.stringify(value)}.`;
}

const amountShape = (amount: Parts, known: readonly string[]): readonly string[] => [
  ...unknownFields(amount, known),
  ...AMOUNT.flatMap((unit) => amountError(unit, amount[unit]) ?? []),
];

function belowShape(below: unknown): readonly string[] {
  if (below === undefined || isUnresolved(below)) return [];
  if (!isRecord(below)) return [`\`below\`: Expected an amount, got ${kindOf(below)}.`];
  return amountShape(below, AMOUNT).map((text) => within('below', text));
}

/** The errors in the shape of a budget, which the types of a program rule out. */
function shapeErrors(budget: Parts): readonly string[] {
  const { below, initial, per } = budget;
  const isFlag = initial === undefined || typeof initial === 'boolean' || isUnresolved(initial);
  const isText = per === undefined || typeof per === 'string';
  return [
    ...amountShape(budget, PARTS),
    ...belowShape(below),
    ...(isFlag ? [] : [`\`initial\`: Expected true, got ${kindOf(initial)}.`]),
    ...(isText ? [] : [`\`per\`: Expected a string, got ${kindOf(per)}.`]),
  ];
}

function input<T>(value: unknown, parse: (value: unknown) => T): T | typeof UNKNOWN | undefined {
  if (value === undefined || value === null) return undefined;
  return isUnresolved(value) ? UNKNOWN : parse(value);
}

const numberText = (value: unknown): string =>
  typeof value === 'number' ? renderDecimal(decimalOf(value)) : String(value);

const amountInput = ({ usd, quota }: Parts): AmountInput => ({
  usd: input(usd, numberText),
  quota: input(quota, numberText),
});

/** Reads a budget that is resolved at least in part. @returns its errors, when its shape is wrong */
export function readBudget(budget: unknown): BudgetInput | readonly string[] {
  if (budget === 'unlimited') return { unlimited: true };
  if (!isRecord(budget)) return [`Expected a budget, got ${kindOf(budget)}. For no ceiling write \`'unlimited'\`.`];
  const errors = shapeErrors(budget);
  if (errors.length > 0) return errors;
  return {
    ...amountInput(budget),
    per: input(budget.per, String),
    below: input(budget.below, (below) => amountInput(below as Parts)),
    initial: input(budget.initial, Boolean),
  };
}

/** The errors of a budget that a construct splits. */
export function budgetErrors(budget: unknown): readonly string[] {
  const parsed = readBudget(budget);
  if (Array.isArray(parsed)) return parsed.map((text: string) => within('budget', text));
  return budgetProblems(parsed as BudgetInput).map((diagnostic) => errorText('budget', diagnostic));
}
