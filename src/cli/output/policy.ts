import {
  type BudgetAmount,
  type Change,
  type Decimal,
  type Exposure,
  isPolicyChange,
  type KeyPolicy,
  type Plan,
  type Policy,
  renderDecimal,
  renderWindow,
  sameExposure,
  samePolicy,
  totalExposure,
} from '../../domain/index.ts';
import { counted, grouped, renderUsd } from './layout/amount.ts';
import type { Row } from './layout/rows.ts';
import type { Wording } from './wording.ts';

/** `$25`, `$12.50`, `12,500,000 units`: as declared. */
function renderAmount(amount: BudgetAmount): string {
  if ('quota' in amount) return counted(amount.quota, 'unit');
  return `$${grouped(renderDecimal(amount.usd).replace(/\.\d$/, '$&0'))}`;
}

/** `$5 once`, `$5/hour`, `$25 when below $5`, `unlimited`: a budget in the words of a reviewer. */
function renderPolicy(policy: Policy): string {
  switch (policy.kind) {
    case 'unlimited':
      return 'unlimited';
    case 'lifetime':
      return `${renderAmount(policy.amount)} once`;
    case 'initial':
      return `${renderAmount(policy.amount)} at creation`;
    case 'window':
      return `${renderAmount(policy.amount)}/${renderWindow(policy.per)}`;
    case 'top-up':
      return `${renderAmount(policy.amount)} when below ${renderAmount(policy.below)}`;
    case 'unmanaged':
      return 'not managed';
    case 'none':
      return 'none';
    case 'unknown':
      return 'unknown';
    default:
      return policy satisfies never;
  }
}

/** `$3,600.00`, or `no limit for 1 key, $10.00 for the others`. */
function renderExposure({ units, unbounded, unknown }: Exposure, rate: Decimal): string {
  if (unbounded + unknown === 0) return renderUsd(units, rate);
  const parts = [
    ...(unbounded > 0 ? [`no limit for ${counted(unbounded, 'key')}`] : []),
    ...(unknown > 0 ? [`unknown for ${counted(unknown, 'key')}`] : []),
    ...(units > 0n ? [`${renderUsd(units, rate)} for the others`] : []),
  ];
  return parts.join(', ');
}

/** The exposure of one key. */
function renderOne({ units, unbounded, unknown }: Exposure, rate: Decimal): string {
  if (unbounded > 0) return 'no limit';
  return unknown > 0 ? 'unknown' : `${renderUsd(units, rate)} a month`;
}

/** The totals of a plan in a sentence that needs no knowledge of keys; undefined where no policies are shown. */
export function exposureLine({ policies, only, quotaPerUnit, wallet }: Plan, wording: Wording): string | undefined {
  if (!wording.policies || policies.length === 0) return undefined;
  const { before, after } = totalExposure(policies);
  const about = only ? 'Maximum exposure per month of the selected keys' : 'Maximum exposure per month';
  const end =
    wallet !== undefined && after.unbounded > 0 ? `; the wallet holds ${renderUsd(wallet, quotaPerUnit)}` : '';
  const now = renderExposure(after, quotaPerUnit);
  if (sameExposure(before, after)) return `${about}: ${now}, as before${end}`;
  if (before.unknown > 0) return `${about}: ${now} (before: unknown; ${wording.guidance.earlier} shows it)${end}`;
  return `${about}: ${renderExposure(before, quotaPerUnit)} → ${now}${end}`;
}

const arrow = (label: string, before: string, after: string): Row =>
  before === after ? { label, value: after } : { label, before, after };

/** The rows of a new key: its policy, with what it holds at first, and its exposure. */
export function newPolicyRows({ after, exposure }: KeyPolicy, rate: Decimal): readonly Row[] {
  if (after.kind === 'unmanaged' || after.kind === 'none' || after.kind === 'unknown') return [];
  const now = after.kind === 'window' || after.kind === 'top-up' ? `, ${renderAmount(after.amount)} now` : '';
  return [
    { label: 'budget', value: `${renderPolicy(after)}${now}` },
    { label: 'exposure', value: renderOne(exposure.after, rate) },
  ];
}

/** The rows of a live key: its policy wherever the key changes, and its exposure. */
export function policyRows(policy: KeyPolicy, change: Change, rate: Decimal): readonly Row[] {
  const { before, after, exposure } = policy;
  const isDeclared = after.kind !== 'unmanaged' && before.kind !== 'unmanaged';
  const isUnknown = before.kind === 'unknown' && after.kind === 'none';
  const isShown = isPolicyChange(policy, rate) || (isDeclared && !isUnknown && change.verb !== 'keep');
  const isMoved = exposure.before.unknown === 0 && !sameExposure(exposure.before, exposure.after);
  const same = samePolicy(before, after, rate);
  return [
    ...(isShown ? [arrow('budget', same ? renderPolicy(after) : renderPolicy(before), renderPolicy(after))] : []),
    ...(isShown || isMoved
      ? [arrow('exposure', renderOne(exposure.before, rate), renderOne(exposure.after, rate))]
      : []),
  ];
}
