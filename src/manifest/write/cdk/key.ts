import {
  type Amount,
  type AssertionCodec,
  type Budget,
  type CheckSpec,
  canonicalJsonText,
  type DesiredKey,
  type Json,
  type KEY_FIELDS,
  mapAssertions,
  renderDecimal,
  renderDuration,
  renderInstant,
  renderWindow,
} from '../../../domain/index.ts';
import type { DocumentKey } from '../document.ts';
import { isCostly } from '../terraform/check.ts';
import {
  dollars,
  type Expression,
  json,
  object,
  type Property,
  plainText,
  text,
  texts,
  verbatim,
} from './expression.ts';

const amountProperty = (amount: Amount): Property =>
  'usd' in amount ? ['usd', dollars(renderDecimal(amount.usd))] : ['quota', verbatim(amount.quota)];

function budgetExpression(budget: Budget): Expression {
  if (budget.kind === 'unlimited') return plainText('unlimited');
  const amount = amountProperty(budget.amount);
  if (budget.kind === 'window') return object(amount, ['per', plainText(renderWindow(budget.per))]);
  if (budget.kind === 'top-up') return object(amount, ['below', object(amountProperty(budget.below))]);
  return budget.kind === 'initial' ? object(amount, ['initial', verbatim(true)]) : object(amount);
}

/** A field that is not said is not managed. */
const when = <T>(value: T | undefined, made: (value: T) => Expression): Expression | undefined =>
  value === undefined ? undefined : made(value);

const listOr = (word: string, items: readonly string[] | null): Expression =>
  items === null ? plainText(word) : texts(items);

const writers: Readonly<
  Record<keyof typeof KEY_FIELDS | 'renamedFrom', (desired: DesiredKey) => Expression | undefined>
> = {
  enabled: ({ enabled }) => (enabled ? undefined : verbatim(false)),
  group: ({ group }) => when(group, text),
  crossGroupRetry: ({ crossGroupRetry }) => when(crossGroupRetry, verbatim),
  models: ({ models }) => when(models, (items) => listOr('any', items)),
  allowIps: ({ allowIps }) => when(allowIps, (items) => listOr('anywhere', items)),
  expires: ({ expires }) => when(expires, (at) => plainText(at === null ? 'never' : renderInstant(at))),
  budget: ({ budget }) => when(budget, budgetExpression),
  // In the order of the canonical form, which is how the provider reads it back.
  smartRouting: ({ smartRouting }) =>
    when(smartRouting, (tiers) => object(['tiers', json(JSON.parse(canonicalJsonText(tiers)) as Json)])),
  renamedFrom: ({ renamedFrom }) => when(renamedFrom, text),
};

/** The properties of an `ApiKey`. */
export const keyProperties = ({ desired, isProtected }: DocumentKey): readonly Property[] => [
  ['name', text(desired.name)],
  ...Object.entries(writers).flatMap(([field, write]): Property[] => {
    const value = write(desired);
    return value === undefined ? [] : [[field, value]];
  }),
  ...(isProtected ? [['preventDestroy', verbatim(true)] as const] : []),
];

const ASSERTION_CODEC: AssertionCodec<Expression> = {
  text: json,
  texts: json,
  pattern: json,
  jsonSchema: json,
  count: json,
  seconds: json,
  flag: json,
  mediaFormat: json,
  usd: dollars,
};

/** The properties of a `SmokeCheck`. @param key the variable of the key; @param id of the construct */
export function checkProperties(spec: CheckSpec, key: string, id: string): readonly Property[] {
  const { name, module, model, family, request, expect, retries, timeoutMs } = spec;
  const called = text(name);
  const properties: readonly (Property | false)[] = [
    (called.kind !== 'text' || called.text !== id) && ['name', called],
    ['key', verbatim(key)],
    ['module', plainText(module)],
    model !== undefined && ['model', text(model)],
    family !== undefined && ['family', text(family)],
    Object.keys(request).length > 0 && ['request', json(request)],
    Object.keys(expect).length > 0 && ['expect', object(...mapAssertions(expect, ASSERTION_CODEC))],
    isCostly(spec) && ['costly', verbatim(true)],
    timeoutMs !== undefined && ['timeout', plainText(renderDuration(timeoutMs / 1000))],
    retries > 0 && ['retries', verbatim(retries)],
    ['onFailure', plainText('warn')],
  ];
  return properties.filter((property) => property !== false);
}
