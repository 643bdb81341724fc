import {
  type Amount,
  type Budget,
  type DesiredKey,
  type Json,
  type KEY_FIELDS,
  renderDecimal,
  renderInstant,
  renderWindow,
} from '../../../domain/index.ts';
import type { DocumentKey } from '../document.ts';
import { writeFlow, writeList, writeText } from './scalar.ts';

const INDENT = '      ';

const listOr = (word: string, items: readonly string[] | null): string =>
  items === null ? word : writeList(items, INDENT);

const amountText = (amount: Amount): string =>
  'usd' in amount ? `usd: ${renderDecimal(amount.usd)}` : `quota: ${amount.quota}`;

function formText(budget: Exclude<Budget, { kind: 'unlimited' }>): string {
  if (budget.kind === 'initial') return ', initial: true';
  if (budget.kind === 'window') return `, per: ${renderWindow(budget.per)}`;
  return budget.kind === 'top-up' ? `, below: { ${amountText(budget.below)} }` : '';
}

const budgetText = (budget: Budget): string =>
  budget.kind === 'unlimited' ? 'unlimited' : `{ ${amountText(budget.amount)}${formText(budget)} }`;

/** A field that is not said is not managed. */
const when = <T>(value: T | undefined, text: (value: T) => string): string | undefined =>
  value === undefined ? undefined : text(value);

const writers: Readonly<Record<keyof typeof KEY_FIELDS | 'renamedFrom', (desired: DesiredKey) => string | undefined>> =
  {
    enabled: ({ enabled }) => (enabled ? undefined : 'false'),
    group: ({ group }) => when(group, writeText),
    crossGroupRetry: ({ crossGroupRetry }) => when(crossGroupRetry, String),
    models: ({ models }) => when(models, (items) => listOr('any', items)),
    allowIps: ({ allowIps }) => when(allowIps, (items) => listOr('anywhere', items)),
    expires: ({ expires }) => when(expires, (at) => (at === null ? 'never' : renderInstant(at))),
    budget: ({ budget }) => when(budget, budgetText),
    smartRouting: ({ smartRouting }) =>
      when(smartRouting, (tiers) => `{ tiers: ${writeFlow(JSON.parse(tiers) as Json)} }`),
    renamedFrom: ({ renamedFrom }) => when(renamedFrom, writeText),
  };

/** The fields of a key as YAML, in the order in which they are written. */
export function keyFields({ desired, unimplemented, checks }: DocumentKey): ReadonlyMap<string, string> {
  const said = Object.entries(writers).map(([field, write]) => [field, write(desired)] as const);
  const later = Object.entries(unimplemented).map(([field, value]) => [field, writeFlow(value)] as const);
  const proven = checks.length > 0 ? [['checks', writeList(checks, INDENT)] as const] : [];
  return new Map(
    [...said, ...later, ...proven].flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])),
  );
}
