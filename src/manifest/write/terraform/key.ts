import {
  type Amount,
  type Budget,
  type DesiredKey,
  type Json,
  renderDecimal,
  renderInstant,
  renderWindow,
  TERRAFORM_NAMES,
} from '../../../domain/index.ts';
import { flag, json, type Member, number, object, text, texts, type Value } from './block.ts';

const amountMember = (amount: Amount): Member =>
  'usd' in amount ? ['usd', number(renderDecimal(amount.usd))] : ['quota', number(amount.quota)];

function budgetValue(budget: Budget): Value {
  if (budget.kind === 'unlimited') return object(['unlimited', flag(true)]);
  const amount = amountMember(budget.amount);
  if (budget.kind === 'window') return object(amount, ['per', text(renderWindow(budget.per))]);
  if (budget.kind === 'top-up') return object(amount, ['below', object(amountMember(budget.below))]);
  return budget.kind === 'initial' ? object(amount, ['initial', flag(true)]) : object(amount);
}

/** A field that is not said is not managed. */
const when = <T>(value: T | undefined, made: (value: T) => Value): Value | undefined =>
  value === undefined ? undefined : made(value);

const FIELDS: Readonly<Record<keyof typeof TERRAFORM_NAMES, (desired: DesiredKey) => Value | undefined>> = {
  enabled: ({ enabled }) => (enabled ? undefined : flag(false)),
  group: ({ group }) => when(group, text),
  crossGroupRetry: ({ crossGroupRetry }) => when(crossGroupRetry, flag),
  models: ({ models }) => when(models, (items) => texts(items ?? ['any'])),
  allowIps: ({ allowIps }) => when(allowIps, (items) => texts(items ?? ['anywhere'])),
  expires: ({ expires }) => when(expires, (at) => text(at === null ? 'never' : renderInstant(at))),
  budget: ({ budget }) => when(budget, budgetValue),
  smartRouting: ({ smartRouting }) => when(smartRouting, (tiers) => json(JSON.parse(tiers) as Json)),
};

/** What Terraform is told of a key. */
export const keyMembers = (desired: DesiredKey): readonly Member[] => [
  ['name', text(desired.name)],
  ...Object.entries(FIELDS).flatMap(([field, write]): Member[] => {
    const value = write(desired);
    return value === undefined ? [] : [[TERRAFORM_NAMES[field as keyof typeof TERRAFORM_NAMES], value]];
  }),
];

/** How Terraform calls a field of the manifest, where it has it. */
export const terraformName = (field: string): string =>
  Object.hasOwn(TERRAFORM_NAMES, field) ? TERRAFORM_NAMES[field as keyof typeof TERRAFORM_NAMES] : field;
