import { type Diagnostic, errorAt } from '../diagnostic.ts';
import { inOneLine } from '../key/name.ts';
import { type JudgedKey, type JudgementTerms, judgeKey, judgeTotal, KEY_RULES, type Violation } from './guardrails.ts';
import type { Guardrails, PolicyRuleName } from './limits.ts';

/** The field that a rule is about. */
const fieldOfRule = (rule: PolicyRuleName): (typeof KEY_RULES)[keyof typeof KEY_RULES]['field'] =>
  rule === 'totalExposure' ? 'budget' : KEY_RULES[rule].field;

function diagnosticOf({ rule, fact, expected, hint }: Violation, guardrails: Guardrails, key?: JudgedKey): Diagnostic {
  const rulePlace = guardrails.places?.[rule];
  const subject = key ? `“${inOneLine(key.name)}”: ${fact}` : fact;
  return errorAt([fieldOfRule(rule)], 'guard.policy', {
    message: `The policy does not allow ${key ? subject : `this manifest: ${subject}`}.`,
    expected,
    hint: hint ?? 'Change the declaration, or ask whoever sets the policy.',
    data: { rule, ...(key ? { names: [key.name] } : {}) },
    ...(key?.place ? { place: key.place } : rulePlace ? { place: rulePlace } : {}),
    ...(rulePlace && key?.place ? { related: [{ place: rulePlace, message: 'the rule of the policy' }] } : {}),
  });
}

/** The keys to judge, and all keys that the total counts. */
interface Judged {
  readonly keys: readonly JudgedKey[];
  readonly all: readonly JudgedKey[];
}

/**
 * Judges declared keys by every policy: each holds on its own, so that no policy can weaken another. Pure.
 *
 * What only the rate of a gateway decides is a warning where the rate is omitted.
 */
export function judgePolicies(
  policies: readonly Guardrails[],
  { keys, all }: Judged,
  terms: JudgementTerms,
): readonly Diagnostic[] {
  const worded = (guardrails: Guardrails, violations: readonly Violation[], key?: JudgedKey): readonly Diagnostic[] =>
    violations.map((violation) => {
      const diagnostic = diagnosticOf(violation, guardrails, key);
      return violation.isUndecided ? { ...diagnostic, severity: 'warning' } : diagnostic;
    });
  return policies.flatMap((guardrails) => [
    ...keys.flatMap((key) => worded(guardrails, judgeKey(guardrails, key, terms), key)),
    ...worded(guardrails, judgeTotal(guardrails, all, terms)),
  ]);
}
