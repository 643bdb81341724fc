import {
  canonicalIpRules,
  canonicalJsonText,
  type Decimal,
  type Declarable,
  type DesiredKey,
  declarableFields,
  type IpRule,
  type KeyName,
  type KeySettings,
  NEVER,
  type ObservedKey,
  parseIpRule,
  renderInstant,
  tryParseInstant,
} from '../../../domain/index.ts';
import { isWhollyKnown, type ObjectValue, type Value } from '../../codec/value.ts';
import { budgetFrom, budgetValue } from './budget.ts';
import { ANY, ANYWHERE } from './schema.ts';

/** How one attribute says its part of a key. */
interface Form {
  /** The settings that it is about. */
  readonly settings: readonly (keyof KeySettings)[];
  /** @param value known, not null, and without problems */
  toDesired(value: Value): Partial<DesiredKey>;
  /** null when it can not be said. */
  fromLive(key: ObservedKey, quotaPerUnit: Decimal): Value;
}

const said = <T>(declarable: Declarable<T> | undefined, value: (said: T) => Value): Value =>
  declarable !== undefined && 'value' in declarable ? value(declarable.value) : null;

const texts = (value: Value): readonly string[] => value as readonly string[];

const ruleOf = (text: string): readonly IpRule[] => {
  const parsed = parseIpRule(text);
  return parsed.ok ? [parsed.rule] : [];
};

/** What may be left unmanaged. The name and whether it is enabled are always said. */
export const FORMS: Readonly<Record<string, Form>> = {
  group: {
    settings: ['group'],
    toDesired: (value) => ({ group: value as string }),
    fromLive: (key, rate) => said(declarableFields(key, rate).group, (group) => group || null),
  },
  cross_group_retry: {
    settings: ['crossGroupRetry'],
    toDesired: (value) => ({ crossGroupRetry: value as boolean }),
    fromLive: (key) => key.crossGroupRetry,
  },
  models: {
    settings: ['models'],
    toDesired: (value) => ({ models: texts(value).includes(ANY) ? null : [...new Set(texts(value))].sort() }),
    fromLive: (key, rate) => said(declarableFields(key, rate).models, (models) => models ?? [ANY]),
  },
  allow_ips: {
    settings: ['allowIps'],
    toDesired: (value) => ({
      allowIps: texts(value).includes(ANYWHERE) ? null : canonicalIpRules(texts(value).flatMap(ruleOf)),
    }),
    fromLive: (key, rate) => said(declarableFields(key, rate).allowIps, (rules) => rules ?? [ANYWHERE]),
  },
  expires_at: {
    settings: ['expires'],
    toDesired: (value) => (value === NEVER ? { expires: null } : { expires: tryParseInstant(value as string) ?? null }),
    fromLive: (key, rate) =>
      said(declarableFields(key, rate).expires, (expires) => (expires === null ? NEVER : renderInstant(expires))),
  },
  budget: {
    settings: ['unlimited', 'remain'],
    toDesired: (value) => ({ budget: budgetFrom(value as ObjectValue) }),
    fromLive: (key, quotaPerUnit) => said(declarableFields(key, quotaPerUnit).budget, budgetValue),
  },
  smart_routing_tiers: {
    settings: ['smartRouting', 'smartRouteTiers'],
    toDesired: (value) => ({ smartRouting: canonicalJsonText(value as string) }),
    fromLive: (key, rate) => said(declarableFields(key, rate).smartRouting, canonicalJsonText),
  },
};

/**
 * What is declared of a key. What is null or unknown is not managed.
 *
 * @param liveName the name that the key has now, if it has one: another one renames it
 */
export function desiredFrom(values: ObjectValue, liveName?: string): DesiredKey {
  const managed = Object.entries(FORMS).flatMap(([attribute, form]) => {
    const value = values[attribute] ?? null;
    return value !== null && isWhollyKnown(value) ? [form.toDesired(value)] : [];
  });
  const name = (typeof values.name === 'string' ? values.name : (liveName ?? '')) as KeyName;
  return {
    ...Object.assign({}, ...managed),
    name,
    enabled: values.enabled !== false,
    ...(liveName === undefined || liveName === name ? {} : { renamedFrom: liveName as KeyName }),
  };
}
