import { type IResolvable, Token } from 'cdktf';
import type { ApiKeyBudget, ApiKeyBudgetBelow, ApiKeyConfig } from '../../gen/cdktf/api-key/index.ts';
import { given } from '../values/given.ts';
import { jsonText } from '../values/json-text.ts';
import { isDate, isRecord, jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import type { KeyFields } from './key-fields.ts';

/** `2027-03-31T00:00:00Z`: a Date without its milliseconds. */
export const expiryText = (expires: unknown): string =>
  isDate(expires) && !Number.isNaN(expires.getTime()) ? expires.toISOString().replace('.000Z', 'Z') : String(expires);

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** The generated classes drop a whole object of which they see only a text: this one they know for what it is. */
const filledIn = (value: unknown): IResolvable => Token.asAny(value);

/**
 * A budget as the provider writes it. Terraform reads a decimal text as the exact number, so amounts stay as they are. What
 * only Terraform knows is passed on, and judged by the provider; what is no budget says nothing, and was refused.
 */
function budgetOf(budget: unknown): ApiKeyBudget | undefined {
  if (budget === 'unlimited') return { unlimited: true };
  if (isUnresolved(budget)) return filledIn(budget) as ApiKeyBudget;
  if (!isRecord(budget)) return undefined;
  const { below, ...parts } = Object.fromEntries(Object.entries(budget).filter(([, value]) => isSaid(value)));
  if (isUnresolved(below)) return { ...parts, below: filledIn(below) as ApiKeyBudgetBelow };
  return isRecord(below) ? { ...parts, below } : parts;
}

const listOf = (words: unknown): string[] =>
  typeof words === 'string' && !isUnresolved(words) ? [words] : (words as string[]);

const tiersOf = (tiers: unknown): string | undefined =>
  jsonProblem(tiers, isUnresolved) === undefined ? jsonText(tiers) : undefined;

/** A field that is absent stays absent. */
const where = <T, U>(value: T | undefined, said: (value: T) => U): U | undefined =>
  value === undefined ? undefined : said(value);

/** A key as the resource of the provider writes it. */
export function keyConfig({ name, ...key }: KeyFields & { readonly name: string }): ApiKeyConfig {
  return {
    name,
    ...given({
      enabled: key.enabled,
      group: key.group,
      crossGroupRetry: key.crossGroupRetry,
      models: where(key.models, listOf),
      allowIps: where(key.allowIps, listOf),
      expiresAt: where(key.expires, expiryText),
      budget: where(key.budget, budgetOf),
      smartRoutingTiers: where(key.smartRouting?.tiers, tiersOf),
    }),
  };
}
