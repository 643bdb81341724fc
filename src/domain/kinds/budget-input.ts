import { type Diagnostic, type DiagnosticPath, errorAt } from '../diagnostic.ts';
import { quota, tryParseDecimal } from '../quantity.ts';
import { tryParseWindow } from '../window.ts';
import { type Budget, type BudgetAmount, isMoreThan } from './budget.ts';

/** A value that only a later run knows: an unknown of Terraform, a token of a CDK. */
export const UNKNOWN = Symbol('unknown');

type Input<T> = T | typeof UNKNOWN | undefined;

/** An amount as languages with objects write it, in one unit or the other. Numbers are decimal text, so they are exact. */
export interface AmountInput {
  readonly usd?: Input<string>;
  readonly quota?: Input<string>;
}

/** A budget as languages with objects write it: each of the five forms uses some of the parts. */
export interface BudgetInput extends AmountInput {
  readonly unlimited?: Input<boolean>;
  readonly per?: Input<string>;
  readonly below?: Input<AmountInput>;
  readonly initial?: Input<boolean>;
}

/** The largest grant in dollars: gateways refuse more. At any rate that is in use its quota is still an exact integer. */
export const USD_LIMIT = 1_000_000_000;

/** Decimals that an amount of dollars may have. */
export const USD_DECIMALS = 18;

/** The same in quota units, at the usual rate. */
export const QUOTA_LIMIT = 500_000_000_000_000;

const AMOUNT = ['usd', 'quota'] as const;
const FORMS = ['per', 'below', 'initial'] as const;

/** The value of `per` of a budget that never refills. */
export const LIFETIME = 'lifetime';

/** `false` counts as omitted, because modules pass it along; an unknown may turn out to be omitted. */
const isGiven = <T>(input: Input<T>): input is T => input !== undefined && input !== false && input !== UNKNOWN;

const given = <N extends keyof BudgetInput>(budget: BudgetInput, names: readonly N[]): readonly N[] =>
  names.filter((name) => isGiven(budget[name]));

const invalid = (path: DiagnosticPath, message: string, expected: string, found?: string): Diagnostic =>
  errorAt(path, 'manifest.invalid-amount', { message, expected, ...(found === undefined ? {} : { found }) });

function usdProblems(text: Input<string>, path: DiagnosticPath): readonly Diagnostic[] {
  if (!isGiven(text)) return [];
  const usd = tryParseDecimal(text);
  const expected = `an amount of US dollars from 0 to ${USD_LIMIT}`;
  if (usd === undefined || usd.digits < 0n)
    return [invalid(path, 'The amount is not a number of 0 or more.', expected, text)];
  if (usd.scale > USD_DECIMALS) {
    return [invalid(path, 'The amount has too many decimals.', `at most ${USD_DECIMALS} decimals`, text)];
  }
  const isTooMuch = usd.digits > BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale);
  return isTooMuch ? [invalid(path, 'The amount is too large.', `at most ${USD_LIMIT} US dollars`, text)] : [];
}

function quotaProblems(text: Input<string>, path: DiagnosticPath): readonly Diagnostic[] {
  if (!isGiven(text)) return [];
  const units = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(units) || units < 0) {
    return [invalid(path, 'Quota units must be a whole number of 0 or more.', 'whole quota units', text)];
  }
  return units > QUOTA_LIMIT
    ? [invalid(path, 'The amount is too large.', `at most ${QUOTA_LIMIT} quota units`, text)]
    : [];
}

function amountProblems(input: AmountInput, path: DiagnosticPath): readonly Diagnostic[] {
  const [unit, other] = given(input, AMOUNT);
  if (unit === undefined) {
    if (AMOUNT.some((name) => input[name] === UNKNOWN)) return [];
    return [{ ...invalid(path, 'The amount is missing.', '`usd` or `quota`'), data: { isMissing: true } }];
  }
  if (other !== undefined)
    return [
      {
        ...invalid(path, 'The amount has two units.', 'either `usd` or `quota`, not both'),
        hint: 'Remove one of the two.',
      },
    ];
  return [...usdProblems(input.usd, [...path, 'usd']), ...quotaProblems(input.quota, [...path, 'quota'])];
}

function windowProblems(per: Input<string>): readonly Diagnostic[] {
  if (!isGiven(per) || per === LIFETIME || tryParseWindow(per) !== undefined) return [];
  return [
    errorAt(['per'], 'manifest.invalid-value', {
      message: 'Invalid window of time.',
      found: JSON.stringify(per),
      expected: '`hour`, `day`, `week`, `month`, a number of days such as `7d`, or `lifetime`',
    }),
  ];
}

/** Returns whether a part of a budget is known only to a later run. */
export const hasUnknown = (input: object): boolean =>
  Object.values(input).some(
    (part) => part === UNKNOWN || (typeof part === 'object' && part !== null && hasUnknown(part)),
  );

function belowProblems(budget: BudgetInput): readonly Diagnostic[] {
  const { below } = budget;
  if (!isGiven(below)) return [];
  const own = amountProblems(below, ['below']);
  if (own.length > 0 || hasUnknown(budget) || !isMoreThan(amountOf(below), amountOf(budget))) return own;
  return [
    {
      ...invalid(
        ['below'],
        '`below` is more than the budget: every run would top up the key.',
        'at most the amount that the key is topped up to',
      ),
      hint: 'Lower `below`, or raise the amount.',
    },
  ];
}

/** Returns the diagnostics of a budget. Values that are not known yet count as valid. */
export function budgetProblems(budget: BudgetInput): readonly Diagnostic[] {
  if (isGiven(budget.unlimited)) {
    return given(budget, [...AMOUNT, ...FORMS]).map((name) =>
      errorAt([name], 'manifest.invalid-value', {
        message: `An unlimited budget cannot have \`${name}\`.`,
        expected: 'either no ceiling or an amount',
        hint: `Remove \`unlimited\`, or \`${name}\`.`,
      }),
    );
  }
  const [form, second] = given(budget, FORMS);
  const several =
    second === undefined
      ? []
      : [
          errorAt([second], 'manifest.invalid-value', {
            message: `\`${form}\` and \`${second}\` exclude each other.`,
            expected: 'one of `per`, `below` and `initial`',
            hint: 'Remove one of the two.',
          }),
        ];
  const isUndecided = budget.unlimited === UNKNOWN && given(budget, AMOUNT).length === 0;
  const amount = isUndecided ? [] : amountProblems(budget, []);
  return [...amount, ...several, ...windowProblems(budget.per), ...(amount.length > 0 ? [] : belowProblems(budget))];
}

/**
 * Returns the diagnostic of a budget that does not state when it refills. Required where misspelled names are dropped before
 * anyone sees them: there the budget of `{ usd: 5, perr: month }` would be one for the whole life of the key.
 */
export function refillProblems(budget: BudgetInput): readonly Diagnostic[] {
  if ([budget.unlimited, ...FORMS.map((form) => budget[form])].some((part) => part === UNKNOWN || isGiven(part)))
    return [];
  return [
    errorAt(['per'], 'manifest.invalid-value', {
      message: 'The budget does not state when it refills.',
      expected: '`per`, `below` or `initial`',
      hint: `Set \`per\` to \`${LIFETIME}\` for a budget that never refills.`,
      data: { isMissing: true },
    }),
  ];
}

function amountOf({ usd, quota: units }: AmountInput): BudgetAmount {
  if (isGiven(units)) return { quota: quota(Number(units)) };
  const exact = isGiven(usd) ? tryParseDecimal(usd) : undefined;
  if (exact) return { usd: exact };
  throw new RangeError('not an amount');
}

/** Builds the budget. @param budget wholly known, and without diagnostics */
export function budgetOfInput(budget: BudgetInput): Budget {
  if (isGiven(budget.unlimited)) return { kind: 'unlimited' };
  const amount = amountOf(budget);
  if (isGiven(budget.below)) return { kind: 'top-up', amount, below: amountOf(budget.below) };
  const per = isGiven(budget.per) ? tryParseWindow(budget.per) : undefined;
  if (per) return { kind: 'window', amount, per };
  return { kind: isGiven(budget.initial) ? 'initial' : 'lifetime', amount };
}
