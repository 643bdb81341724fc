import { type Diagnostic, type DiagnosticPath, errorAt } from '../diagnostic.ts';
import { KEY_FIELDS } from '../key/fields.ts';
import type { NameGlob } from '../key/name.ts';
import type { BudgetAmount } from '../kinds/budget.ts';
import { type AmountInput, budgetOfInput, budgetProblems } from '../kinds/budget-input.ts';
import { type Parsed, parseValue } from '../kinds/parse.ts';
import { tryParseDuration } from '../window.ts';
import type { Guardrails, PolicyRuleName } from './limits.ts';

const REQUIRED = '`true`';
const AMOUNT = 'an amount, such as `{ usd: 100 }`';
const DURATION = 'a duration such as `90d` or `12h`';
const LIST = 'a list of names or patterns';

const failed = (...diagnostics: readonly Diagnostic[]): Parsed<never> => ({ diagnostics });

const wrong = (expected: string, hint = 'Omit the rule to allow everything.'): Parsed<never> =>
  failed(errorAt([], 'manifest.invalid-value', { message: 'This is not a limit of the rule.', expected, hint }));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The notation of an amount, with numbers as decimal text; undefined for anything else. */
function tryAmountInput(value: unknown): AmountInput | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  const isPart = ([name, part]: [string, unknown]): boolean =>
    (name === 'usd' || name === 'quota') && (typeof part === 'string' || typeof part === 'number');
  return entries.every(isPart) ? Object.fromEntries(entries.map(([name, part]) => [name, String(part)])) : undefined;
}

function parseAmount(value: unknown): Parsed<BudgetAmount> {
  const input = tryAmountInput(value);
  if (!input) return wrong(AMOUNT);
  const problems = budgetProblems(input);
  if (problems.length > 0) return failed(...problems);
  const budget = budgetOfInput(input);
  return budget.kind === 'unlimited' ? wrong(AMOUNT) : { value: budget.amount, diagnostics: [] };
}

function parseDuration(value: unknown): Parsed<number> {
  const seconds = typeof value === 'string' ? tryParseDuration(value) : undefined;
  return seconds === undefined ? wrong(DURATION) : { value: seconds, diagnostics: [] };
}

/** One visible line: an entry that matches nothing by mistake would forbid nothing. */
const GLOB = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]+(?<!\s)$/u;

function parseGlobs(value: unknown): Parsed<readonly NameGlob[]> {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length === 0) return wrong(`${LIST}, with at least one entry`);
  const invalid = items.findIndex((item) => typeof item !== 'string' || !GLOB.test(item));
  if (invalid < 0) return { value: items.map(String), diagnostics: [] };
  const at = Array.isArray(value) ? [invalid] : [];
  return failed(errorAt(at, 'manifest.invalid-value', { message: 'This is not a name or a pattern.', expected: LIST }));
}

function parseRanges(value: unknown): Parsed<readonly string[]> {
  if (!Array.isArray(value)) return wrong('a list of addresses or CIDR ranges');
  const texts = [...value].map(String);
  const { diagnostics } = parseValue(KEY_FIELDS.allowIps, texts);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? failed(...errors) : { value: texts, diagnostics: [] };
}

/** `true`, or a limit. */
function orTrue<T>(value: unknown, parse: (value: unknown) => Parsed<T>): Parsed<true | T> {
  if (value === true) return { value: true, diagnostics: [] };
  if (value !== false && value !== null) return parse(value);
  return wrong(REQUIRED, 'Omit the rule where it should not apply.');
}

const PARSERS: {
  readonly [N in PolicyRuleName | 'except']: (value: unknown) => Parsed<Exclude<Guardrails[N], undefined>>;
} = {
  budget: (value) => orTrue(value, parseAmount),
  exposure: parseAmount,
  totalExposure: parseAmount,
  expires: (value) => orTrue(value, parseDuration),
  models: (value) => orTrue(value, parseGlobs),
  forbiddenModels: parseGlobs,
  allowIps: (value) => orTrue(value, parseRanges),
  owner: (value) => orTrue(value, parseGlobs),
  except: parseGlobs,
};

const isRule = (name: string): name is keyof typeof PARSERS => Object.hasOwn(PARSERS, name);

/** A function, so that bundlers omit the rules where nothing asks for their names. */
export const policyFields = (): readonly string[] => Object.keys(PARSERS);

const under = (name: string, { path = [], ...rest }: Diagnostic): Diagnostic => ({
  ...rest,
  path: [name, ...path] satisfies DiagnosticPath,
});

/**
 * Parses the rules of a policy, as objects in any language hold them. An unknown rule is an error: misspelled, it would
 * forbid nothing. The value is there only without errors.
 */
export function parseGuardrails(input: object): Parsed<Guardrails> {
  const given: readonly (readonly [string, unknown])[] = Object.entries(input).filter(
    ([, value]) => value !== undefined,
  );
  const diagnostics: Diagnostic[] = [];
  const parsed = given.flatMap(([name, value]) => {
    if (!isRule(name)) {
      const expected = `one of ${policyFields()
        .map((field) => `\`${field}\``)
        .join(', ')}`;
      diagnostics.push(errorAt([name], 'manifest.unknown-field', { message: 'A policy has no such rule.', expected }));
      return [];
    }
    const { value: limit, diagnostics: problems } = PARSERS[name](value);
    diagnostics.push(...problems.map((problem) => under(name, problem)));
    return limit === undefined ? [] : [[name, limit] as const];
  });
  if (diagnostics.length > 0) return failed(...diagnostics);
  return { value: Object.fromEntries(parsed), diagnostics: [] };
}
