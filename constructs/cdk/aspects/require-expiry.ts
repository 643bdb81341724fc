import type { IConstruct } from 'constructs';
import { parseGuardrails } from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { Guardrail, type GuardrailProps } from './guardrail.ts';
import { type KeyJudge, openKeyJudge } from './judge.ts';

/** The latest allowed expiry. */
export interface RequireExpiryProps extends GuardrailProps {
  /** The longest time from the synthesis, such as `365d` or `12h`. Default: no limit. */
  readonly within?: string;
}

/** Requires every key to expire. */
export class RequireExpiry extends Guardrail {
  readonly #judge: KeyJudge;

  /** @throws Error when `within` is not a duration */
  public constructor(props: RequireExpiryProps = {}) {
    super(props, ['within']);
    const { value } = parseGuardrails({ expires: props.within ?? true });
    if (!value) throw this.refusal(`\`within\` must be a duration such as 365d, not ${props.within}.`);
    this.#judge = openKeyJudge(value);
  }

  protected override problems(key: KeyAttributes, construct: IConstruct): readonly string[] {
    return this.#judge(key, { now: nowOf(construct) });
  }
}
