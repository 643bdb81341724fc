import type { IConstruct } from 'constructs';
import { parseGuardrails } from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import { errorText } from '../key/errors.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { Guardrail, type GuardrailProps } from './guardrail.ts';
import { type KeyJudge, openKeyJudge } from './judge.ts';

/** The lists that a key must have, and the entries that they may have. */
export interface RequireAllowlistProps extends GuardrailProps {
  /** `true`: a key must list its models. A list: it may list only these, names or patterns. Default: true. */
  readonly models?: boolean | readonly string[];
  /** `true`: a key must list its addresses, and not the internet. A list: they must lie within these ranges. Default: false. */
  readonly addresses?: boolean | readonly string[];
}

/** Requires every key to list its models, its addresses, or both. */
export class RequireAllowlist extends Guardrail {
  readonly #judge: KeyJudge;

  /** @throws Error when a range is invalid */
  public constructor(props: RequireAllowlistProps = {}) {
    super(props, ['models', 'addresses']);
    const { models = true, addresses = false } = props;
    for (const [name, list] of Object.entries({ models, addresses })) {
      if (typeof list !== 'boolean' && !Array.isArray(list)) {
        throw this.refusal(`\`${name}\` must be true, false or a list.`);
      }
    }
    const { value, diagnostics } = parseGuardrails({
      ...(models === false ? {} : { models }),
      ...(addresses === false ? {} : { allowIps: addresses }),
    });
    const [error] = diagnostics;
    const { path: [rule, ...path] = [] } = error ?? {};
    if (error) throw this.refusal(errorText(rule === 'models' ? 'models' : 'addresses', { ...error, path }));
    this.#judge = openKeyJudge(value ?? {});
  }

  protected override problems(key: KeyAttributes, construct: IConstruct): readonly string[] {
    return this.#judge(key, { now: nowOf(construct) });
  }
}
