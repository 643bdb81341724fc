import { type BudgetAmount, isMoreThan, quota, renderDecimal, tryParseDecimal } from '../../../src/domain/index.ts';
import type { Amount as AmountProp } from '../key/amounts.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { hasUnresolved } from '../values/unresolved.ts';
import { Guardrail, type GuardrailProps, ignoredChanges, isIgnored, unresolvedValue } from './guardrail.ts';

/** The largest allowed budget. */
export interface RequireBudgetProps extends GuardrailProps {
  /**
   * The largest amount of one budget, whatever its form: for each window, or for each top-up. It must have the unit of the
   * budgets, because amounts in different units cannot be compared.
   */
  readonly atMost?: AmountProp;
}

const amountText = (amount: BudgetAmount): string =>
  'usd' in amount ? `$${renderDecimal(amount.usd)}` : `${amount.quota} quota units`;

function tryAmount({
  usd,
  quota: units,
}: {
  readonly usd?: unknown;
  readonly quota?: unknown;
}): BudgetAmount | undefined {
  if (usd !== undefined && usd !== null) {
    const exact = tryParseDecimal(String(usd));
    return exact && exact.digits >= 0n ? { usd: exact } : undefined;
  }
  const count = Number(units);
  return Number.isSafeInteger(count) && count >= 0 ? { quota: quota(count) } : undefined;
}

/** Requires every key to have a budget with a ceiling. */
export class RequireBudget extends Guardrail {
  readonly #most: BudgetAmount | undefined;

  /** @throws Error when `atMost` is not an amount */
  public constructor(props: RequireBudgetProps = {}) {
    super(props, ['atMost']);
    if (props.atMost === undefined) return;
    this.#most = tryAmount(props.atMost);
    if (!this.#most) throw this.refusal('`atMost` must be an amount of dollars or quota units.');
  }

  protected override problems(key: KeyAttributes): readonly string[] {
    const { budget } = key;
    if (isIgnored(key, 'budget')) return [ignoredChanges('budget')];
    if (budget === undefined || budget === null) return ['it has no budget. Set `budget`.'];
    if (hasUnresolved(budget)) return [unresolvedValue('budget')];
    const parts = budget as { readonly unlimited?: boolean; readonly usd?: unknown; readonly quota?: unknown };
    if (parts.unlimited) return ['its budget is unlimited. Set an amount.'];
    const amount = tryAmount(parts);
    if (!amount || !this.#most) return [];
    const isMore = isMoreThan(amount, this.#most);
    if (isMore === undefined)
      return [`its budget of ${amountText(amount)} has another unit than the maximum, ${amountText(this.#most)}.`];
    return isMore ? [`its budget of ${amountText(amount)} is more than ${amountText(this.#most)}.`] : [];
  }
}
