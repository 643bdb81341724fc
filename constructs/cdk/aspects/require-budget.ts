import { type Amount, isMoreThan, quota, renderDecimal, tryParseDecimal } from '../../../src/domain/index.ts';
import type { Amount as WrittenAmount } from '../key/key-fields.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { hasUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, isIgnored, overlooked, unseen } from './guardrail.ts';

/** How much a budget may be. */
export interface RequireBudgetProps extends GuardrailProps {
  /**
   * The most that one budget may be, for whatever time it is: for each window, or at each filling. In the unit of the
   * budgets: one in the other unit can not be compared with it.
   */
  readonly atMost?: WrittenAmount;
}

const told = (amount: Amount): string =>
  'usd' in amount ? `$${renderDecimal(amount.usd)}` : `${amount.quota} quota units`;

function tryAmount({ usd, quota: units }: { readonly usd?: unknown; readonly quota?: unknown }): Amount | undefined {
  if (usd !== undefined && usd !== null) {
    const exact = tryParseDecimal(String(usd));
    return exact && exact.digits >= 0n ? { usd: exact } : undefined;
  }
  const count = Number(units);
  return Number.isSafeInteger(count) && count >= 0 ? { quota: quota(count) } : undefined;
}

/** Every key has a ceiling: a budget, and not an unlimited one. */
export class RequireBudget extends Guardrail {
  readonly #most: Amount | undefined;

  /** @throws Error when `atMost` is no amount */
  public constructor(props: RequireBudgetProps = {}) {
    super(props, ['atMost']);
    if (props.atMost === undefined) return;
    this.#most = tryAmount(props.atMost);
    if (!this.#most) throw this.refusal('`atMost` is no amount of dollars or quota units.');
  }

  protected override problems(key: KeyAttributes): readonly string[] {
    const { budget } = key;
    if (isIgnored(key, 'budget')) return [overlooked('budget')];
    if (budget === undefined || budget === null) return ['it has no budget. Set `budget`.'];
    if (hasUnresolved(budget)) return [unseen('budget')];
    const written = budget as { readonly unlimited?: boolean; readonly usd?: unknown; readonly quota?: unknown };
    if (written.unlimited) return ['its budget is unlimited. Set an amount.'];
    const amount = tryAmount(written);
    if (!amount || !this.#most) return [];
    const isMore = isMoreThan(amount, this.#most);
    if (isMore === undefined)
      return [`its budget of ${told(amount)} is in another unit than the most, ${told(this.#most)}.`];
    return isMore ? [`its budget of ${told(amount)} is more than ${told(this.#most)}.`] : [];
  }
}
