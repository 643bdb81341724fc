import type { UnixSeconds } from '../../../src/domain/index.ts';
import type { KeyAttributes, Written } from '../stack/synthesized.ts';
import { isRecord } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { judgeKey, pastedCredentials } from './judge-key.ts';
import type { KeyFields } from './key-fields.ts';

/** A list of the one word that restricts nothing is that word in the language of the constructs. */
const wordOr = (list: unknown, word: string): unknown =>
  Array.isArray(list) && list.length === 1 && list[0] === word ? word : list;

const budgetOf = (budget: unknown): unknown => (isRecord(budget) && budget.unlimited === true ? 'unlimited' : budget);

/** The attributes in the words of the constructs. What is null is absent to Terraform. */
function fieldsOf(attributes: KeyAttributes): KeyFields & { readonly name: string } {
  const said = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
  const fields = {
    name: said.name,
    enabled: said.enabled,
    group: said.group,
    crossGroupRetry: said.cross_group_retry,
    models: wordOr(said.models, 'any'),
    allowIps: wordOr(said.allow_ips, 'anywhere'),
    expires: said.expires_at,
    budget: budgetOf(said.budget),
  };
  return fields as KeyFields & { readonly name: string };
}

/** With `count` and `for_each` there are many keys of one block: one name would be given to all of them. */
function repeatedName({ name, count, for_each: each }: KeyAttributes): readonly string[] {
  const isRepeated = (count ?? each ?? undefined) !== undefined;
  return isRepeated && !isUnresolved(name)
    ? ['`name`: Each of its keys would have it. Make it of `each.key` or `count.index`.']
    : [];
}

/** Keys and checks alike: nothing that is written holds a credential. */
export const credentialsIn = ({ attributes }: Written): readonly string[] =>
  Object.entries(attributes).flatMap(([name, value]) => pastedCredentials(name, value));

/**
 * Holds what will be written of a key against the rules: for keys of generated classes, and for what was overridden. A name
 * that only Terraform knows is allowed here, where many keys are made of one block.
 */
export function judgeWrittenKey({ attributes }: Written, now: UnixSeconds, isPastFine: boolean): readonly string[] {
  const key = fieldsOf(attributes);
  const isOpen = isUnresolved(key.name);
  const { errors, past } = judgeKey(isOpen ? { ...key, name: 'open' } : key, now);
  return [...errors, ...(past === undefined || isPastFine ? [] : [past]), ...repeatedName(attributes)];
}
