import type { CheckEvent } from '../../../checks/index.ts';
import { type CheckResult, type Decimal, type Quota, usdFromQuota } from '../../../domain/index.ts';
import { hintOf } from '../../provider/remedies.ts';

const MICRO = 6;

const dollars = (units: Quota, rate: Decimal): string => `$${usdFromQuota(units, rate, MICRO).replace(/\.?0+$/, '')}`;

/** How it ended, in one line, with what helps. */
export function messageOf(result: CheckResult): string {
  const { check, key, model, verdict, reason } = result;
  const hint = hintOf(result);
  const asked = model === undefined ? '' : ` (${model})`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const help = hint === undefined ? '' : `. ${hint}`;
  return `${check}${asked} with the key ${JSON.stringify(key)}: ${verdict}${why}${help}`;
}

function foretold({ units, known, unknown }: (CheckEvent & { kind: 'estimate' })['estimate'], rate: Decimal): string {
  if (known > 0) return `It will cost about ${dollars(units, rate)}.`;
  return `Nobody knows yet what ${Object.keys(unknown).join(', ')} costs.`;
}

/** What is shown while it runs; undefined: nothing. */
export function progressOf(event: CheckEvent, rate: Decimal): string | undefined {
  switch (event.kind) {
    case 'estimate':
      return foretold(event.estimate, rate);
    case 'start':
      return `${event.check} with the key ${JSON.stringify(event.key)}…`;
    case 'wait':
      return `Waiting for ${event.what}…`;
    default:
      return undefined;
  }
}
