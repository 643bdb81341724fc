import {
  ASSERTION_NAMES,
  ASSERTIONS,
  CHECK_MODULES,
  nameProblem,
  tryParseDecimal,
  tryParseDuration,
} from '../../../src/domain/index.ts';
import { flagErrors } from '../key/validate-key.ts';
import { pastedCredentials } from '../values/credentials.ts';
import { isRecord, kindOf, unknownFields, within } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { assertionProblem, jsonObjectProblem } from './assertions.ts';
import type { SmokeCheckProps } from './smoke-check-props.ts';

const MAX_TIMEOUT_S = 24 * 3600;
const MAX_RETRIES = 5;
const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();
const PAID: readonly string[] = CHECK_MODULES.media;

const FIELDS = [
  ...['key', 'module', 'name', 'model', 'family', 'request', 'expect', 'costly', 'maxCostUsd', 'timeout', 'retries'],
  ...['onFailure', 'provider', 'dependsOn'],
];

/** Returns the error of a known value; the provider validates values that Terraform fills in. */
type PropRule = (value: unknown) => string | undefined;

const isWhole = (least: number, most: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

const unless =
  (holds: (value: unknown) => boolean, problem: string): PropRule =>
  (value) =>
    holds(value) ? undefined : problem;

const isText = unless((value) => typeof value === 'string', 'Expected a string.');
const isDollars = unless(
  (value) => (tryParseDecimal(String(value))?.digits ?? -1n) >= 0n,
  'Expected an amount of dollars of 0 or more.',
);

const OWN: Readonly<Record<string, PropRule>> = {
  name: (value) => (typeof value === 'string' ? nameProblem(value) && `${nameProblem(value)}.` : 'Expected a string.'),
  module: (value) =>
    MODULES.includes(String(value))
      ? undefined
      : `Unknown module ${JSON.stringify(value)}. Expected one of ${MODULES.join(', ')}.`,
  model: isText,
  family: isText,
  request: jsonObjectProblem,
  timeout: unless(
    (value) => (tryParseDuration(String(value)) ?? MAX_TIMEOUT_S + 1) <= MAX_TIMEOUT_S,
    'Expected a duration such as 30s or 10m, at most a day.',
  ),
  retries: unless(isWhole(0, MAX_RETRIES), `Expected a whole number from 0 to ${MAX_RETRIES}.`),
  maxCostUsd: isDollars,
  onFailure: unless((value) => value === 'fail' || value === 'warn', 'Expected `fail` or `warn`.'),
};

function ruleErrors(
  fields: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, PropRule>>,
  before = '',
): readonly string[] {
  return Object.entries(rules).flatMap(([field, rule]) => {
    const value = fields[field];
    if (value === undefined || (isUnresolved(value) && field !== 'name')) return [];
    const problem = isUnresolved(value) ? 'The value is not resolved yet.' : rule(value);
    return problem === undefined ? [] : [`\`${before}${field}\`: ${problem}`];
  });
}

function expectErrors(expect: unknown): readonly string[] {
  if (expect === undefined) return [];
  if (!isRecord(expect)) return [`\`expect\`: Expected an object, got ${kindOf(expect)}.`];
  const rules = Object.fromEntries(
    ASSERTION_NAMES.map((name): [string, PropRule] => [
      name,
      (value) => assertionProblem(ASSERTIONS[name].kind, value),
    ]),
  );
  return [
    ...unknownFields(expect, ASSERTION_NAMES).map((text) => within('expect', text)),
    ...ruleErrors(expect, rules, 'expect.'),
  ];
}

/** Validates the props of a check. A plan validates its request against the gateway’s limits. */
export function validateCheck(check: SmokeCheckProps & { readonly name: string }): readonly string[] {
  const { module, costly } = check;
  const isConfirmed = !PAID.includes(module) || costly === true || isUnresolved(costly);
  const costs = `\`costly\`: ${module} costs money at every run. To allow that, write \`costly: true\`.`;
  return [
    ...unknownFields(check, FIELDS),
    ...(module === undefined ? [`\`module\`: Expected one of ${MODULES.join(', ')}.`] : []),
    ...ruleErrors(check as unknown as Readonly<Record<string, unknown>>, OWN),
    ...flagErrors('costly', costly),
    ...(isConfirmed ? [] : [costs]),
    ...expectErrors(check.expect),
    ...pastedCredentials('name', check.name),
  ];
}
