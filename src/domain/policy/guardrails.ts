import type { DesiredKey } from '../key/key.ts';
import { haveCommonMatch, matchesAnyGlob, nameFold } from '../key/name.ts';
import type { BudgetAmount } from '../kinds/budget.ts';
import { renderInstant } from '../kinds/instant.ts';
import { admitsTheInternet } from '../kinds/ip-coverage.ts';
import { type IpRule, isRuleWithin } from '../kinds/ip-rule.ts';
import type { Decimal } from '../quantity.ts';
import { renderInterval, type UnixSeconds } from '../window.ts';
import { amountText, declaredExposure, exceeds, exceedsAmount, mixedText } from './amounts.ts';
import type { Guardrails, KeyRuleName, PolicyRuleName, RuleLimits } from './limits.ts';

/** The declared values that rules judge. */
export type JudgedKey = { readonly name: string } & Pick<
  DesiredKey,
  'enabled' | 'budget' | 'expires' | 'models' | 'allowIps' | 'rotate' | 'metadata' | 'place'
>;

/** The facts that a judgement depends on. */
export interface JudgementTerms {
  readonly now: UnixSeconds;
  /** Omitted: amounts in different units cannot be compared. */
  readonly quotaPerUnit?: Decimal;
}

/** The reason why a key breaks a rule. */
export interface Violation {
  readonly rule: PolicyRuleName;
  /** The rest of a sentence about the key, without its full stop. */
  readonly fact: string;
  readonly expected: string;
  /** Omitted: to keep the limit is all there is to do. */
  readonly hint?: string;
  /** The amounts have different units: only the rate of a gateway decides. */
  readonly isUndecided?: true;
}

type Complaint = Omit<Violation, 'rule'>;

interface RuleRow<V> {
  readonly doc: string;
  /** The field of a key that it judges. */
  readonly field: 'budget' | 'expires' | 'models' | 'allowIps' | 'owner';
  readonly judge: (limit: V, key: JudgedKey, terms: JudgementTerms) => Complaint | undefined;
}

/** An amount that is compared with the most that is allowed, in words. */
interface Compared {
  readonly what: string;
  readonly most: BudgetAmount;
  /** Undefined: the units differ. */
  readonly isMore: boolean | undefined;
  readonly hint?: string;
}

function tooMuch({ what, most, isMore, hint }: Compared): Complaint | undefined {
  if (isMore === false) return undefined;
  const expected = `at most ${amountText(most)}`;
  if (isMore) return { fact: `${what} is more than ${amountText(most)}`, expected, ...(hint && { hint }) };
  const fact = `${what} has another unit than the maximum, ${amountText(most)}`;
  return { fact, expected, hint: 'Write it in the unit of the maximum.', isUndecided: true };
}

const WITHOUT_BUDGET = { expected: 'a budget with an amount', hint: 'Set `budget`.' } as const;

function exposureProblem(
  keys: readonly JudgedKey[],
  most: BudgetAmount,
  {
    what,
    hint,
    quotaPerUnit,
  }: { readonly what: string; readonly hint: string } & { readonly quotaPerUnit: Decimal | undefined },
): Complaint | undefined {
  const sum = declaredExposure(...keys);
  if (sum === undefined) return { fact: `${what} has no bound`, expected: `at most ${amountText(most)}`, hint };
  return tooMuch({ what: `${what} of ${mixedText(sum)}`, most, isMore: exceeds(sum, most, quotaPerUnit), hint });
}

interface ListRule<T extends string> {
  readonly field: 'models' | 'allowIps';
  /** The word that lifts the restriction. */
  readonly word: string;
  readonly expected: string;
  readonly isAllowed: (item: T) => boolean;
}

function listProblem<T extends string>(
  list: readonly T[] | null | undefined,
  { field, word, expected, isAllowed }: ListRule<T>,
): Complaint | undefined {
  if (list === undefined) return { fact: `it has no \`${field}\``, expected, hint: 'List them.' };
  if (list === null) return { fact: `its \`${field}\` are "${word}"`, expected, hint: 'List them.' };
  const others = list.filter((item) => !isAllowed(item));
  if (others.length === 0) return undefined;
  const fact = `its \`${field}\` include entries that are not allowed: ${others.join(', ')}`;
  return { fact, expected, hint: 'Remove them.' };
}

const quotedList = (items: readonly string[]): string => items.map((item) => `\`${item}\``).join(', ');

/** Some gateways take an entry such as `alpha-custom-*` for every model that begins like that. */
function isForbidden(globs: readonly string[], model: string): boolean {
  const own = nameFold(model);
  const folded = globs.map(nameFold);
  return own.includes('*') ? folded.some((glob) => haveCommonMatch(glob, own)) : matchesAnyGlob(folded, own);
}

function expiryProblem(
  within: RuleLimits['expires'],
  { expires }: JudgedKey,
  { now }: JudgementTerms,
): Complaint | undefined {
  const isLimited = within !== true;
  const expected = isLimited ? `an expiry within ${renderInterval(within)}` : 'an expiry';
  if (expires === undefined || expires === null) {
    return { fact: 'it does not expire', expected, hint: 'Set `expires` to a time.' };
  }
  if (!isLimited || expires <= now + within) return undefined;
  const fact = `it expires on ${renderInstant(expires)}, which is more than ${renderInterval(within)} away`;
  return { fact, expected, hint: 'Set `expires` to an earlier time.' };
}

/** The rules about single keys, in the order of reports: the only definition, for every front end. */
export const KEY_RULES: { readonly [N in KeyRuleName]: RuleRow<RuleLimits[N]> } = {
  budget: {
    doc: 'Every key must have a budget; with an amount: of at most this much, whatever its form, for each window or top-up.',
    field: 'budget',
    judge(limit, { budget }, { quotaPerUnit }) {
      if (budget === undefined) return { fact: 'it has no budget', ...WITHOUT_BUDGET };
      if (budget.kind === 'unlimited')
        return { fact: 'its budget is unlimited', ...WITHOUT_BUDGET, hint: 'Set an amount.' };
      if (limit === true) return undefined;
      const what = `its budget of ${amountText(budget.amount)}`;
      return tooMuch({
        what,
        most: limit,
        isMore: exceedsAmount(budget.amount, limit, quotaPerUnit),
      });
    },
  },
  exposure: {
    doc: 'The most that one key may spend within 30 days.',
    field: 'budget',
    judge: (most, key, { quotaPerUnit }) =>
      exposureProblem([key], most, {
        what: 'its exposure within 30 days',
        hint: 'Lower the budget, or give it a longer window.',
        quotaPerUnit,
      }),
  },
  expires: {
    doc: 'Every key must expire; with a duration: within it from now.',
    field: 'expires',
    judge: expiryProblem,
  },
  models: {
    doc: 'Every key must list its models; with a list: only these models, by name or pattern.',
    field: 'models',
    judge: (limit, { models }) =>
      listProblem(models, {
        field: 'models',
        word: 'any',
        expected: limit === true ? 'a list of models' : `only ${quotedList(limit)}`,
        isAllowed: (model) => limit === true || matchesAnyGlob(limit, model),
      }),
  },
  forbiddenModels: {
    doc: 'Models that no key may use, by name or pattern, in any case. Every key must list its models.',
    field: 'models',
    judge: (globs, { models }) =>
      listProblem(models, {
        field: 'models',
        word: 'any',
        expected: `models other than ${quotedList(globs)}`,
        isAllowed: (model) => !isForbidden(globs, model),
      }),
  },
  allowIps: {
    doc: 'Every key must list its addresses, and the list must not admit the internet; with a list: only addresses within these ranges.',
    field: 'allowIps',
    judge(limit, { allowIps }) {
      const isAllowed = (rule: IpRule): boolean => limit === true || isRuleWithin(rule, limit);
      const expected = limit === true ? 'the networks that use the key' : `addresses within ${quotedList(limit)}`;
      const problem = listProblem(allowIps, { field: 'allowIps', word: 'anywhere', expected, isAllowed });
      if (problem || limit !== true || !admitsTheInternet(allowIps ?? [])) return problem;
      const fact = 'its `allowIps` together admit at least half of the internet';
      return { fact, expected, hint: 'List the networks that use the key.' };
    },
  },
  owner: {
    doc: 'Every key must have an owner; with a list: one of these.',
    field: 'owner',
    judge(limit, { metadata }) {
      const expected = limit === true ? 'an owner' : `one of ${quotedList(limit)}`;
      const owner = metadata?.owner;
      if (owner === undefined) return { fact: 'it has no owner', expected, hint: 'Set `owner`.' };
      if (limit === true || limit.includes(owner)) return undefined;
      return { fact: `its owner \`${owner}\` is not allowed`, expected, hint: 'Name another owner.' };
    },
  },
};

export const TOTAL_EXPOSURE_DOC = 'The most that all keys of the manifest together may spend within 30 days.';

/** A function, so that bundlers omit the rules where nothing asks for their names. */
export const keyRuleNames = () => Object.keys(KEY_RULES) as readonly KeyRuleName[];

function judgeRule<N extends KeyRuleName>(rule: N, limits: Partial<RuleLimits>, key: JudgedKey, terms: JudgementTerms) {
  const limit = limits[rule];
  const complaint = limit === undefined ? undefined : KEY_RULES[rule].judge(limit, key, terms);
  return complaint ? [{ rule, ...complaint }] : [];
}

/** A key that is declared disabled cannot be used, and must be possible to disable. */
const isExempt = ({ except = [] }: Guardrails, { name, enabled }: JudgedKey): boolean =>
  enabled === false || matchesAnyGlob(except, name);

/** Returns the violations of one key. Pure. */
export function judgeKey(guardrails: Guardrails, key: JudgedKey, terms: JudgementTerms): readonly Violation[] {
  if (isExempt(guardrails, key)) return [];
  return keyRuleNames().flatMap((rule) => judgeRule(rule, guardrails, key, terms));
}

/** Returns the violation of all keys together. Pure. */
export function judgeTotal(
  guardrails: Guardrails,
  keys: readonly JudgedKey[],
  { quotaPerUnit }: Pick<JudgementTerms, 'quotaPerUnit'>,
): readonly Violation[] {
  const { totalExposure: most } = guardrails;
  if (most === undefined) return [];
  const judged = keys.filter((key) => !isExempt(guardrails, key));
  const problem = exposureProblem(judged, most, {
    what: 'the exposure of all keys within 30 days',
    hint: 'Lower the budgets of some keys.',
    quotaPerUnit,
  });
  return problem ? [{ rule: 'totalExposure', ...problem }] : [];
}
