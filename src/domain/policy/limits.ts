import type { Place } from '../diagnostic.ts';
import type { NameGlob } from '../key/name.ts';
import type { BudgetAmount } from '../kinds/budget.ts';

/** `true`: a key must have the value. Otherwise it must have one within this limit. */
type Needed<T> = true | T;

/** The limits that a policy sets for every key, by rule. A rule that is omitted allows everything. */
export interface RuleLimits {
  /** The largest amount of one budget, whatever its form: for each window, or for each top-up. */
  readonly budget: Needed<BudgetAmount>;
  /** The most that one key may spend within 30 days. */
  readonly exposure: BudgetAmount;
  /** The longest time from now to the expiry, in seconds. */
  readonly expires: Needed<number>;
  /** The models that a key may list: names or patterns. */
  readonly models: Needed<readonly string[]>;
  /** The models that no key may use: names or patterns, in any case. */
  readonly forbiddenModels: readonly string[];
  /** The ranges that the addresses of a key must be in. `true`: any list that does not admit the internet. */
  readonly allowIps: Needed<readonly string[]>;
  readonly owner: Needed<readonly string[]>;
}

/** The rules of one policy. */
export interface Guardrails extends Partial<RuleLimits> {
  /** The most that all keys together may spend within 30 days. */
  readonly totalExposure?: BudgetAmount;
  /** The names of the keys that no rule applies to. */
  readonly except?: readonly NameGlob[];
  /** The positions of the rules. */
  readonly places?: Readonly<Record<string, Place>>;
}

export type KeyRuleName = keyof RuleLimits;
export type PolicyRuleName = KeyRuleName | 'totalExposure';
