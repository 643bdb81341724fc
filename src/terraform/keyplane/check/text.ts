import type { CheckEvent } from '../../../checks/index.ts';
import { type CheckResult, type Decimal, type Quota, usdFromQuota } from '../../../domain/index.ts';
import { hintOf } from '../../provider/remedies.ts';

const MICRO = 6;

const dollars = (units: Quota, rate: Decimal): string => `$${usdFromQuota(units, rate, MICRO).replace(/\.?0+$/, '')}`;

/** Renders a verdict in one line, with advice. */
export function verdictLine(result: CheckResult): string {
  const { check, key, model, verdict, reason } = result;
  const hint = hintOf(result);
  const target = model === undefined ? '' : ` (${model})`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const help = hint === undefined ? '' : `. ${hint}`;
  return `${check}${target} with the key ${JSON.stringify(key)}: ${verdict}${why}${help}`;
}

function estimateText(
  { units, known, isMaximum, unknown }: (CheckEvent & { kind: 'estimate' })['estimate'],
  rate: Decimal,
): string {
  if (known > 0) return `Estimated cost: ${isMaximum ? 'at most' : 'about'} ${dollars(units, rate)}.`;
  return `The cost of ${Object.keys(unknown).join(', ')} is not known yet.`;
}

/** Renders an event of a running check; undefined for those that are not shown. */
export function progressLine(event: CheckEvent, rate: Decimal): string | undefined {
  switch (event.kind) {
    case 'estimate':
      return estimateText(event.estimate, rate);
    case 'start':
      return `${event.check} with the key ${JSON.stringify(event.key)}…`;
    case 'wait':
      return `Waiting for ${event.what}…`;
    default:
      return undefined;
  }
}
