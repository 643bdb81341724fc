import type { ApiKeyBudget, ApiKeyConfig } from '../gen/cdktf/api-key/index.ts';
import { jsonText } from './json-text.ts';
import type { Amount, Budget, KeyFields } from './key-fields.ts';

/** `2027-03-31T00:00:00Z`: a Date without its milliseconds. */
export const expiryText = (expires: string | Date): string =>
  expires instanceof Date && !Number.isNaN(expires.getTime())
    ? expires.toISOString().replace('.000Z', 'Z')
    : String(expires);

/** Terraform reads a decimal text as the exact number: JavaScript would round some. */
const exact = (amount: number | string): number => amount as number;

function amountOf(amount: Amount): { usd?: number; quota?: number } {
  return amount.usd === undefined ? { quota: amount.quota } : { usd: exact(amount.usd) };
}

function budgetOf(budget: Budget): ApiKeyBudget {
  if (budget === 'unlimited') return { unlimited: true };
  return {
    ...amountOf(budget),
    ...(budget.per === undefined ? {} : { per: budget.per }),
    ...(budget.below === undefined ? {} : { below: amountOf(budget.below) }),
    ...(budget.initial === undefined ? {} : { initial: true }),
  };
}

const listOf = (words: string | readonly string[]): string[] =>
  typeof words === 'string' ? [words] : (words as string[]);

/** A key as the resource of the provider writes it. */
export function keyConfig({ name, ...key }: KeyFields & { readonly name: string }): ApiKeyConfig {
  return {
    name,
    ...(key.enabled === undefined ? {} : { enabled: key.enabled }),
    ...(key.group === undefined ? {} : { group: key.group }),
    ...(key.crossGroupRetry === undefined ? {} : { crossGroupRetry: key.crossGroupRetry }),
    ...(key.models === undefined ? {} : { models: listOf(key.models) }),
    ...(key.allowIps === undefined ? {} : { allowIps: listOf(key.allowIps) }),
    ...(key.expires === undefined ? {} : { expiresAt: expiryText(key.expires) }),
    ...(key.budget === undefined ? {} : { budget: budgetOf(key.budget) }),
    ...(key.smartRouting === undefined ? {} : { smartRoutingTiers: jsonText(key.smartRouting.tiers) }),
  };
}
