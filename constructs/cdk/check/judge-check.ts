import {
  ASSERTION_NAMES,
  ASSERTIONS,
  CHECK_MODULES,
  nameProblem,
  tryParseDecimal,
  tryParseDuration,
} from '../../../src/domain/index.ts';
import { flagProblems, pastedCredentials } from '../key/judge-key.ts';
import { isRecord, kindOf, unknownFields } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { assertionProblem, jsonObjectProblem } from './assertions.ts';
import type { SmokeCheckProps } from './smoke-check-props.ts';

const LONGEST_S = 24 * 3600;
const MOST_RETRIES = 5;
const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();
const PAID: readonly string[] = CHECK_MODULES.media;

const FIELDS = [
  ...['key', 'module', 'name', 'model', 'family', 'request', 'expect', 'costly', 'maxCostUsd', 'timeout', 'retries'],
  ...['onFailure', 'provider', 'dependsOn'],
];

/** What is wrong with a value that is known; one that Terraform fills in is judged by the provider. */
type Rule = (value: unknown) => string | undefined;

const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

const unless =
  (holds: (value: unknown) => boolean, problem: string): Rule =>
  (value) =>
    holds(value) ? undefined : problem;

const isText = unless((value) => typeof value === 'string', 'A text is wanted.');
const isDollars = unless(
  (value) => (tryParseDecimal(String(value))?.digits ?? -1n) >= 0n,
  'An amount of dollars is not below 0.',
);

const OWN: Readonly<Record<string, Rule>> = {
  name: (value) => (typeof value === 'string' ? nameProblem(value) && `${nameProblem(value)}.` : 'A text is wanted.'),
  module: (value) =>
    MODULES.includes(String(value))
      ? undefined
      : `There is no ${JSON.stringify(value)}. Modules: ${MODULES.join(', ')}.`,
  model: isText,
  family: isText,
  request: jsonObjectProblem,
  timeout: unless(
    (value) => (tryParseDuration(String(value)) ?? LONGEST_S + 1) <= LONGEST_S,
    'A length of time like 30s or 10m is wanted, a day at most.',
  ),
  retries: unless(isWhole(0, MOST_RETRIES), `A whole number from 0 to ${MOST_RETRIES} is wanted.`),
  maxCostUsd: isDollars,
  onFailure: unless((value) => value === 'fail' || value === 'warn', '`fail` or `warn` is wanted.'),
};

function held(
  fields: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
  before = '',
): readonly string[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    const value = fields[field];
    if (value === undefined || (isUnresolved(value) && field !== 'name')) return [];
    const problem = isUnresolved(value) ? 'It is not resolved yet.' : rule(value);
    return problem === undefined ? [] : [`\`${before}${field}\`: ${problem}`];
  });
}

function expectProblems(expect: unknown): readonly string[] {
  if (expect === undefined) return [];
  if (!isRecord(expect)) return [`\`expect\`: An object is wanted, not ${kindOf(expect)}.`];
  const rules = Object.fromEntries(
    ASSERTION_NAMES.map((name): [string, Rule] => [name, (value) => assertionProblem(ASSERTIONS[name].kind, value)]),
  );
  return [
    ...unknownFields(expect, ASSERTION_NAMES).map((text) => `\`expect\`: ${text}`),
    ...held(expect, rules, 'expect.'),
  ];
}

/** What is wrong with a check as it was written; its request is held against the gateway’s limits when it is planned. */
export function judgeCheck(check: SmokeCheckProps & { readonly name: string }): readonly string[] {
  const { module, costly } = check;
  const isMeant = !PAID.includes(module) || costly === true || isUnresolved(costly);
  const costs = `\`costly\`: ${module} is paid for each time that it runs. Where that is meant, write \`costly: true\`.`;
  return [
    ...unknownFields(check, FIELDS),
    ...held(check as unknown as Readonly<Record<string, unknown>>, OWN),
    ...flagProblems('costly', costly),
    ...(isMeant ? [] : [costs]),
    ...expectProblems(check.expect),
    ...pastedCredentials('name', check.name),
  ];
}
