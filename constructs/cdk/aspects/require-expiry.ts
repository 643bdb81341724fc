import type { IConstruct } from 'constructs';
import { NEVER, renderInstant, tryParseDuration, tryParseInstant } from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, isIgnored, overlooked, unseen } from './guardrail.ts';

/** How far away an end may be. */
export interface RequireExpiryProps extends GuardrailProps {
  /** The longest time from the synthesis on, such as `365d` or `12h`. Absent: any end will do. */
  readonly within?: string;
}

/** Every key has an end. */
export class RequireExpiry extends Guardrail {
  readonly #within: { readonly text: string; readonly seconds: number } | undefined;

  /** @throws Error when `within` is no length of time */
  public constructor(props: RequireExpiryProps = {}) {
    super(props, ['within']);
    const { within } = props;
    if (within === undefined) return;
    const seconds = tryParseDuration(within);
    if (seconds === undefined) throw this.refusal(`\`within\` is a length of time like 365d, not ${within}.`);
    this.#within = { text: within, seconds };
  }

  protected override problems(key: KeyAttributes, construct: IConstruct): readonly string[] {
    const { expires_at: expires } = key;
    if (isIgnored(key, 'expires_at')) return [overlooked('expires')];
    if (expires === undefined || expires === null || expires === NEVER) {
      return ['it has no end. Set `expires` to a time.'];
    }
    if (typeof expires !== 'string' || isUnresolved(expires)) return [unseen('expires')];
    const at = tryParseInstant(expires);
    if (at === undefined || !this.#within) return [];
    return at > nowOf(construct) + this.#within.seconds
      ? [`it ends on ${renderInstant(at)}, which is more than ${this.#within.text} away.`]
      : [];
  }
}
