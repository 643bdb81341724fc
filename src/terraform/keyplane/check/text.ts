import type { CheckEvent } from '../../../checks/index.ts';
import { type CheckResult, type Decimal, type Quota, usdFromQuota } from '../../../domain/index.ts';

const MICRO = 6;

const dollars = (units: Quota, rate: Decimal): string => `$${usdFromQuota(units, rate, MICRO).replace(/\.?0+$/, '')}`;

/** What checks say of flags and definitions is meant for the command line: here there are arguments. */
const HERE: readonly (readonly [theirs: string, ours: string])[] = [
  ['--max-cost', '`max_cost_usd`'],
  ['Give another file with --ledger.', 'Name another file with `ledger`.'],
  [
    'then `--resubmit` submits it anew, for one run.',
    'then take its lines out of the ledger, and it is submitted anew.',
  ],
  [
    'Give a second address with --source-address or --vantage-proxy.',
    '`keyplane check` can ask from a second address, with --source-address or --vantage-proxy.',
  ],
  ['Name one with `model` in a definition of the check.', 'Name one with `model`.'],
];

const here = (text: string): string => HERE.reduce((rest, [theirs, ours]) => rest.replaceAll(theirs, ours), text);

/** How it ended, in one line, with what helps. */
export function messageOf({ check, key, model, verdict, reason, hint }: CheckResult): string {
  const asked = model === undefined ? '' : ` (${model})`;
  const why = reason === undefined ? '' : `: ${reason}`;
  const help = hint === undefined ? '' : `. ${hint}`;
  return here(`${check}${asked} with the key ${JSON.stringify(key)}: ${verdict}${why}${help}`);
}

function foretold({ units, known, unknown }: (CheckEvent & { kind: 'estimate' })['reckoning'], rate: Decimal): string {
  if (known > 0) return `It will cost about ${dollars(units, rate)}.`;
  return `Nobody knows yet what ${Object.keys(unknown).join(', ')} costs.`;
}

/** What is shown while it runs; undefined: nothing. */
export function progressOf(event: CheckEvent, rate: Decimal): string | undefined {
  switch (event.kind) {
    case 'estimate':
      return foretold(event.reckoning, rate);
    case 'start':
      return `${event.check} with the key ${JSON.stringify(event.key)}…`;
    case 'wait':
      return `Waiting for ${event.what}…`;
    default:
      return undefined;
  }
}
