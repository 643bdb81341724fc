import type { IConstruct } from 'constructs';
import { parseGuardrails } from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import type { Amount as AmountProp } from '../key/amounts.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { Guardrail, type GuardrailProps } from './guardrail.ts';
import { type KeyJudge, openKeyJudge } from './judge.ts';

/** The largest allowed budget. */
export interface RequireBudgetProps extends GuardrailProps {
  /**
   * The largest amount of one budget, whatever its form: for each window, or for each top-up. It must have the unit of the
   * budgets, because amounts in different units cannot be compared.
   */
  readonly atMost?: AmountProp;
}

/** Requires every key to have a budget with a ceiling. */
export class RequireBudget extends Guardrail {
  readonly #judge: KeyJudge;

  /** @throws Error when `atMost` is not an amount */
  public constructor(props: RequireBudgetProps = {}) {
    super(props, ['atMost']);
    const { value } = parseGuardrails({ budget: props.atMost ?? true });
    if (!value) throw this.refusal('`atMost` must be an amount of dollars or quota units.');
    this.#judge = openKeyJudge(value);
  }

  protected override problems(key: KeyAttributes, construct: IConstruct): readonly string[] {
    return this.#judge(key, { now: nowOf(construct) });
  }
}
