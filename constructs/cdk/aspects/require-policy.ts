import { Annotations } from 'cdktf';
import type { IConstruct } from 'constructs';
import {
  type Guardrails,
  type JudgedKey,
  judgeTotal,
  parseGuardrails,
  policyFields,
} from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import type { Amount } from '../key/amounts.ts';
import { errorText } from '../key/errors.ts';
import { isKeyResource, type KeyAttributes } from '../stack/synthesized.ts';
import { Guardrail, type GuardrailProps } from './guardrail.ts';
import { judgedKey, type KeyJudge, openKeyJudge, violationText } from './judge.ts';

/** The rules of a policy, with the names and the meaning that they have in a manifest. A rule that is omitted allows everything. */
export interface RequirePolicyProps extends GuardrailProps {
  /** Every key must have a budget: of any amount, or of at most this much for each window or top-up. */
  readonly budget?: true | Amount;
  /** The most that one key may spend within 30 days. */
  readonly exposure?: Amount;
  /** The most that all keys below the scope may spend within 30 days. */
  readonly totalExposure?: Amount;
  /** Every key must expire: at any time, or within a duration such as `365d`. */
  readonly expires?: true | string;
  /** Every key must list its models: any, or only these, by name or pattern. */
  readonly models?: true | readonly string[];
  /** Models that no key may use, by name or pattern. Every key must list its models. */
  readonly forbiddenModels?: readonly string[];
  /** Every key must list its addresses: any list that does not admit the internet, or only addresses within these ranges. */
  readonly allowIps?: true | readonly string[];
  /** The owners of keys, which constructs do not have: judged where a manifest reads the configuration. */
  readonly owner?: true | readonly string[];
}

const OWNER_IS_NOT_VERIFIED =
  'The policy requires an owner, which constructs do not have. The rule is judged where a manifest reads the configuration.';

const RULES = policyFields().filter((field) => field !== 'except');

/** Requires every key to keep the rules of a policy, such as those of a policy file in JSON. */
export class RequirePolicy extends Guardrail {
  readonly #guardrails: Guardrails;
  readonly #judge: KeyJudge;
  /** The keys of the scope, by their paths. */
  readonly #keys = new Map<string, JudgedKey>();

  /** @throws Error when a rule is unknown or has no such limit */
  public constructor(policy: RequirePolicyProps) {
    super({ ...(policy.except ? { except: policy.except } : {}) });
    const { except: _, ...rules } = policy;
    const { value, diagnostics } = parseGuardrails(rules);
    const [error] = diagnostics;
    const { path: [rule = 'policy', ...path] = [] } = error ?? {};
    if (error) throw this.refusal(errorText(String(rule), { ...error, path }));
    if (Object.keys(rules).length === 0) throw this.refusal(`Expected at least one of ${RULES.join(', ')}.`);
    this.#guardrails = value ?? {};
    this.#judge = openKeyJudge(this.#guardrails);
  }

  public override visit(node: IConstruct): void {
    super.visit(node);
    const { owner } = this.#guardrails;
    const isWarned = node.node.metadata.some(({ data }) => data === OWNER_IS_NOT_VERIFIED);
    if (owner !== undefined && isKeyResource(node) && !isWarned) Annotations.of(node).addWarning(OWNER_IS_NOT_VERIFIED);
  }

  protected override problems(key: KeyAttributes, construct: IConstruct, path: string): readonly string[] {
    this.#keys.set(path, judgedKey(key, ['budget']));
    return this.#judge(key, { now: nowOf(construct) });
  }

  /** The total does not depend on the time. */
  protected override totalProblems(): readonly string[] {
    return judgeTotal(this.#guardrails, [...this.#keys.values()], {}).map(violationText);
  }
}
