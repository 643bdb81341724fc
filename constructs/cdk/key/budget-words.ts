import { type AmountWords, type BudgetWords, decimalOf, OPEN, renderDecimal } from '../../../src/domain/index.ts';
import { isRecord, kindOf, unknownFields } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';

const PARTS = ['usd', 'quota', 'per', 'below', 'initial'];
const AMOUNT = ['usd', 'quota'];
/** As a manifest takes them: digits, and for dollars a point. */
const AMOUNT_TEXT: Readonly<Record<string, RegExp>> = { usd: /^\d{1,11}(\.\d{1,30})?$/, quota: /^\d{1,15}$/ };

const word = <T>(value: unknown, said: (value: unknown) => T): T | typeof OPEN | undefined => {
  if (value === undefined || value === null) return undefined;
  return isUnresolved(value) ? OPEN : said(value);
};

const numberText = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? renderDecimal(decimalOf(value)) : String(value);

function amountProblem(unit: string, value: unknown): string | undefined {
  if (value === undefined || isUnresolved(value)) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is no amount`;
  if (typeof value !== 'string') return `An amount is a number, not ${kindOf(value)}`;
  return AMOUNT_TEXT[unit]?.test(value)
    ? undefined
    : `${JSON.stringify(value)} is no amount: write digits, such as 12.50`;
}

function shapeOfAmount(amount: Readonly<Record<string, unknown>>, known: readonly string[]): readonly string[] {
  const odd = AMOUNT.flatMap((unit) => {
    const problem = amountProblem(unit, amount[unit]);
    return problem === undefined ? [] : [`${problem}.`];
  });
  return [...unknownFields(amount, known), ...odd];
}

/** What is wrong with a budget before its words can be judged. */
export function budgetShape(budget: unknown): readonly string[] {
  if (budget === undefined || budget === 'unlimited' || isUnresolved(budget)) return [];
  if (!isRecord(budget)) return [`An amount is wanted, not ${kindOf(budget)}. Or write \`'unlimited'\`.`];
  const { below, initial, per } = budget;
  const isFlag = initial === undefined || typeof initial === 'boolean' || isUnresolved(initial);
  const isText = per === undefined || typeof per === 'string';
  return [
    ...shapeOfAmount(budget, PARTS),
    ...(below === undefined || isUnresolved(below) || isRecord(below)
      ? []
      : [`\`below\` is an amount, not ${kindOf(below)}.`]),
    ...(isRecord(below) && !isUnresolved(below)
      ? shapeOfAmount(below, AMOUNT).map((text) => `\`below\`: ${text}`)
      : []),
    ...(isFlag ? [] : [`\`initial\` is true or absent, not ${kindOf(initial)}.`]),
    ...(isText ? [] : [`\`per\` is a text, not ${kindOf(per)}.`]),
  ];
}

const amountWords = ({ usd, quota }: Readonly<Record<string, unknown>>): AmountWords => ({
  usd: word(usd, numberText),
  quota: word(quota, numberText),
});

/** The budget in the words that the rules are about. @param budget of a shape that is right */
export function budgetWords(budget: unknown): BudgetWords {
  if (budget === 'unlimited') return { unlimited: true };
  const parts = budget as Readonly<Record<string, unknown>>;
  return {
    ...amountWords(parts),
    per: word(parts.per, String),
    below: word(parts.below, (value) => amountWords(value as Readonly<Record<string, unknown>>)),
    initial: word(parts.initial, Boolean),
  };
}
