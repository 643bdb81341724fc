import type { Amount, Budget } from './budget.ts';
import { LAST_INSTANT } from './instant.ts';
import { canonicalIpRules, type IpRule, parseIpRule } from './ip-rule.ts';
import type { ObservedKey } from './key.ts';
import { GROUP_NAME, looksLikeCredential, MODEL_ID, maskCredentials, USD_DECIMALS, USD_LIMIT } from './key-field.ts';
import { type Decimal, quota, quotaFromUsd } from './quantity.ts';
import { isExhausted, isExpired } from './status.ts';
import type { UnixSeconds } from './window.ts';

/**
 * What a declaration would say of a live key, field by field: what import writes, in every language, and what a plan
 * would then find nothing wrong with. Some of what a gateway holds no declaration can say.
 */
export type Declarable<T> = { readonly value: T } | { readonly leftOut: string };

const leftOut = (why: string): { readonly leftOut: string } => ({ leftOut: why });

/** A credential that was put into the wrong place: what is said of it is written into files and shown. */
const pasted = (what: string) => leftOut(`${what} looks like an API key; if it is one, revoke it`);

/** @param why about the text, which is quoted */
const unsayable = (what: string, text: string, why: string) =>
  looksLikeCredential(text) ? pasted(what) : leftOut(`${what} ${maskCredentials(JSON.stringify(text))} ${why}`);

const isSayable = (pattern: RegExp, text: string): boolean => pattern.test(text) && !looksLikeCredential(text);

/** A stored disabled key is declared so. One whose expiry or quota was corrected, but which was not enabled, is as well. */
export function declarableEnabled(key: ObservedKey, now: UnixSeconds): boolean {
  const refused = isExpired(key, now) || isExhausted(key);
  return key.status !== 'disabled' && (key.status === 'enabled' || refused);
}

/** Empty: the account’s own. */
export function declarableGroup({ group }: ObservedKey): Declarable<string> {
  return group === '' || isSayable(GROUP_NAME, group)
    ? { value: group }
    : unsayable('the group', group, 'can not be written');
}

/** null: any. */
export function declarableModels({ models }: ObservedKey): Declarable<readonly string[] | null> {
  if (models === null) return { value: null };
  if (models.length === 0) return leftOut('the allowlist is on and empty: the key refuses every model');
  const odd = models.find((model) => !isSayable(MODEL_ID, model));
  if (odd !== undefined) return unsayable('the model ID', odd, 'can not be written');
  return { value: [...new Set(models)].sort() };
}

/** null: from anywhere. A rule with bits beyond its prefix counts as the range that the gateway makes of it. */
export function declarableAllowIps({ allowIps }: ObservedKey): Declarable<readonly IpRule[] | null> {
  if (allowIps === null) return { value: null };
  const parsed = allowIps.map((text) => ({ text, result: parseIpRule(text) }));
  const odd = parsed.find(({ result }) => !result.ok && !result.corrected);
  if (odd) return unsayable('the line', odd.text, 'is no address or range');
  const rules = parsed.flatMap(({ result }) => {
    const rule = result.ok ? result.rule : result.corrected;
    return rule ? [rule] : [];
  });
  return rules.length === 0 ? leftOut('the list of addresses is empty') : { value: canonicalIpRules(rules) };
}

/** null: never. */
export function declarableExpires({ expires }: ObservedKey): Declarable<UnixSeconds | null> {
  if (expires === null) return { value: null };
  const sayable = Number.isSafeInteger(expires) && expires >= 0 && expires <= LAST_INSTANT;
  return sayable ? { value: expires } : leftOut(`the expiry ${expires} is no time that can be written`);
}

/** The exact decimal of a fraction; undefined when there is none that short. */
function exactQuotient(numerator: bigint, denominator: bigint): Decimal | undefined {
  for (let scale = 0; scale <= USD_DECIMALS; scale += 1) {
    const scaled = numerator * 10n ** BigInt(scale);
    if (scaled % denominator === 0n) return { digits: scaled / denominator, scale };
  }
  return undefined;
}

/** Units in dollars when that is exact at the rate of now, else in units. */
function amountOf(units: number, rate: Decimal): Amount {
  const usd = rate.digits > 0n ? exactQuotient(BigInt(units) * 10n ** BigInt(rate.scale), rate.digits) : undefined;
  const sayable = usd && usd.digits <= BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale);
  return sayable && quotaFromUsd(usd, rate) === units ? { usd } : { quota: quota(units) };
}

/**
 * With the use known, what the key was granted in all: the plan then wants what remains. Otherwise only what a new key
 * would get, which a plan never compares.
 */
export function declarableBudget({ unlimited, remain, used }: ObservedKey, quotaPerUnit: Decimal): Budget {
  if (unlimited) return { kind: 'unlimited' };
  const granted = used === undefined ? undefined : remain + used;
  if (granted !== undefined && used !== undefined && used >= 0 && granted >= 0 && Number.isSafeInteger(granted)) {
    return { kind: 'lifetime', amount: amountOf(granted, quotaPerUnit) };
  }
  return { kind: 'initial', amount: amountOf(Math.max(0, remain), quotaPerUnit) };
}
