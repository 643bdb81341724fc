import type { IConstruct } from 'constructs';
import { KEY_FIELDS, renderInstant, tryParseDuration, tryParseInstant } from '../../../src/domain/index.ts';
import { nowOf } from '../clock.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, ignoredChanges, isIgnored, unresolvedValue } from './guardrail.ts';

/** The latest allowed expiry. */
export interface RequireExpiryProps extends GuardrailProps {
  /** The longest time from the synthesis, such as `365d` or `12h`. Default: no limit. */
  readonly within?: string;
}

/** Requires every key to expire. */
export class RequireExpiry extends Guardrail {
  readonly #within: { readonly text: string; readonly seconds: number } | undefined;

  /** @throws Error when `within` is not a duration */
  public constructor(props: RequireExpiryProps = {}) {
    super(props, ['within']);
    const { within } = props;
    if (within === undefined) return;
    const seconds = tryParseDuration(within);
    if (seconds === undefined) throw this.refusal(`\`within\` must be a duration such as 365d, not ${within}.`);
    this.#within = { text: within, seconds };
  }

  protected override problems(key: KeyAttributes, construct: IConstruct): readonly string[] {
    const { expires_at: expires } = key;
    if (isIgnored(key, 'expires_at')) return [ignoredChanges('expires')];
    if (expires === undefined || expires === null || expires === KEY_FIELDS.expires.unrestricted) {
      return ['it does not expire. Set `expires` to a time.'];
    }
    if (typeof expires !== 'string' || isUnresolved(expires)) return [unresolvedValue('expires')];
    const at = tryParseInstant(expires);
    if (at === undefined || !this.#within) return [];
    return at > nowOf(construct) + this.#within.seconds
      ? [`it expires on ${renderInstant(at)}, which is more than ${this.#within.text} away.`]
      : [];
  }
}
