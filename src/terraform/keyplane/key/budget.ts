import {
  type Amount,
  BUDGET_FIELDS,
  type Budget,
  isMoreThan,
  KEY_FIELDS,
  QUOTA_LIMIT,
  quota,
  renderDecimal,
  tryParseDecimal,
  tryParseWindow,
  USD_DECIMALS,
  USD_LIMIT,
  type Window,
} from '../../../domain/index.ts';
import {
  isObject,
  isUnknown,
  isWhollyKnown,
  type NumberValue,
  numberFrom,
  numberText,
  type ObjectValue,
  type Value,
} from '../../codec/value.ts';
import type { Attribute, Problem } from '../../provider/schema.ts';

/** A budget, as Terraform writes it: an object of which each of the five forms uses some attributes. */

const AMOUNT = ['usd', 'quota'] as const;
const FORMS = ['per', 'below', 'initial'] as const;

/** `false` says as little as nothing: modules pass it along. What is not known yet may turn out to be nothing too. */
const isGiven = (value: Value | undefined): boolean =>
  value !== undefined && value !== null && value !== false && !isUnknown(value);

const given = (budget: ObjectValue, names: readonly string[]): readonly string[] =>
  names.filter((name) => isGiven(budget[name]));

function usdProblem(value: Value | undefined): string | undefined {
  if (!isGiven(value)) return undefined;
  const usd = tryParseDecimal(numberText(value as NumberValue));
  if (usd === undefined || usd.digits < 0n) return 'An amount is 0 or more';
  if (usd.scale > USD_DECIMALS) return `An amount of dollars has at most ${USD_DECIMALS} decimals`;
  return usd.digits > BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale)
    ? `An amount is at most ${USD_LIMIT} dollars`
    : undefined;
}

function quotaProblem(value: Value | undefined): string | undefined {
  if (!isGiven(value)) return undefined;
  const units = Number(numberText(value as NumberValue));
  if (!Number.isSafeInteger(units) || units < 0) return 'Quota units are whole, and 0 or more';
  return units > QUOTA_LIMIT ? `An amount is at most ${QUOTA_LIMIT} quota units` : undefined;
}

const problem = (summary: string | undefined): readonly Problem[] => (summary === undefined ? [] : [{ summary }]);

function amountProblems(value: ObjectValue): readonly Problem[] {
  const [unit, other] = given(value, AMOUNT);
  if (unit === undefined) {
    const isOpen = AMOUNT.some((name) => isUnknown(value[name] ?? null));
    return isOpen ? [] : problem('Either `usd` or `quota` says how much');
  }
  if (other !== undefined) return problem('An amount is in `usd` or in `quota`, not in both');
  return [...problem(usdProblem(value.usd)), ...problem(quotaProblem(value.quota))];
}

function windowProblems(per: Value | undefined): readonly Problem[] {
  if (typeof per !== 'string' || tryParseWindow(per) !== undefined) return [];
  return [{ summary: `${JSON.stringify(per)} is no window of time`, detail: BUDGET_FIELDS.per }];
}

function belowProblems(budget: ObjectValue): readonly Problem[] {
  const { below = null } = budget;
  if (!isObject(below)) return [];
  const own = amountProblems(below).map(({ summary }) => ({ summary: `\`below\`: ${summary}` }));
  if (own.length > 0 || !isWhollyKnown(budget)) return own;
  return isMoreThan(amountOf(below), amountOf(budget))
    ? problem('`below` is more than the budget: the key would be filled up at every run')
    : [];
}

/** All of it is told of the budget itself: core shows no line for what is deeper in an object. */
function budgetProblems(value: Value): readonly Problem[] {
  if (!isObject(value)) return [];
  const rest = given(value, [...AMOUNT, ...FORMS]);
  if (isGiven(value.unlimited)) {
    return rest.map((name) => ({ summary: `What is unlimited has no \`${name}\`` }));
  }
  const [form, second] = given(value, FORMS);
  const several = second === undefined ? [] : problem(`\`${form}\` and \`${second}\` exclude each other`);
  const amount = isUnknown(value.unlimited ?? null) && given(value, AMOUNT).length === 0 ? [] : amountProblems(value);
  return [...amount, ...several, ...windowProblems(value.per), ...(amount.length > 0 ? [] : belowProblems(value))];
}

const optional = { set: 'optional' } as const;

const AMOUNT_ATTRIBUTES = {
  usd: { ...optional, type: 'number', description: BUDGET_FIELDS.usd },
  quota: { ...optional, type: 'number', description: BUDGET_FIELDS.quota },
} as const;

export const BUDGET: Attribute = {
  set: 'optional or computed',
  description: `${KEY_FIELDS.budget} One of \`{ unlimited = true }\`, \`{ usd = 25 }\` (all that it may ever use), \`{ usd = 25, per = "month" }\`, \`{ usd = 25, below = { usd = 5 } }\`, \`{ usd = 25, initial = true }\`; \`quota\` instead of \`usd\` counts in units. Absent: not managed.\n\n~> Terraform passes over names that are misspelled in here: look for them in the plan.`,
  nesting: 'single',
  attributes: {
    unlimited: { ...optional, type: 'bool', description: 'No ceiling for this key.' },
    ...AMOUNT_ATTRIBUTES,
    per: { ...optional, type: 'string', description: BUDGET_FIELDS.per },
    below: { ...optional, nesting: 'single', attributes: AMOUNT_ATTRIBUTES, description: BUDGET_FIELDS.below },
    initial: { ...optional, type: 'bool', description: BUDGET_FIELDS.initial },
  },
  check: budgetProblems,
};

function amountOf({ usd = null, quota: units = null }: ObjectValue): Amount {
  if (units !== null) return { quota: quota(Number(numberText(units as NumberValue))) };
  const exact = tryParseDecimal(numberText(usd as NumberValue));
  if (exact) return { usd: exact };
  throw new RangeError('not an amount');
}

/** @param value wholly known, and without problems */
export function budgetFrom(value: ObjectValue): Budget {
  if (isGiven(value.unlimited)) return { kind: 'unlimited' };
  const amount = amountOf(value);
  if (isObject(value.below ?? null)) return { kind: 'top-up', amount, below: amountOf(value.below as ObjectValue) };
  const per = typeof value.per === 'string' ? tryParseWindow(value.per) : undefined;
  if (per) return { kind: 'window', amount, per };
  return { kind: isGiven(value.initial) ? 'initial' : 'lifetime', amount };
}

const amountValue = (amount: Amount): ObjectValue => ({
  usd: 'usd' in amount ? numberFrom(renderDecimal(amount.usd)) : null,
  quota: 'quota' in amount ? amount.quota : null,
});

const windowText = (per: Window): string => (typeof per === 'object' ? `${per.days}d` : per);

export function budgetValue(budget: Budget): ObjectValue {
  const nothing = { unlimited: null, usd: null, quota: null, per: null, below: null, initial: null };
  if (budget.kind === 'unlimited') return { ...nothing, unlimited: true };
  return {
    ...nothing,
    ...amountValue(budget.amount),
    per: budget.kind === 'window' ? windowText(budget.per) : null,
    below: budget.kind === 'top-up' ? amountValue(budget.below) : null,
    initial: budget.kind === 'initial' ? true : null,
  };
}
