import { looksLikeCredential, maskCredentials } from '../credential.ts';
import type { Budget, BudgetAmount } from '../kinds/budget.ts';
import { QUOTA_LIMIT, USD_DECIMALS, USD_LIMIT } from '../kinds/budget-input.ts';
import { LAST_INSTANT } from '../kinds/instant.ts';
import { canonicalIpRules, type IpRule, parseIpRule } from '../kinds/ip-rule.ts';
import { type Json, lossOfJson } from '../kinds/json.ts';
import type { DeclaredKind, DeclaredValues } from '../kinds/kind.ts';
import { type Decimal, quota } from '../quantity.ts';
import type { UnixSeconds } from '../window.ts';
import { FIELD_ROWS, type FieldRow } from './fields.ts';
import type { ManagedFields, ObservedKey } from './key.ts';
import { isExhausted, isExpired } from './status.ts';

/**
 * The declaration of one field of a live key: what import writes, in every language, and what a plan then finds
 * unchanged. Some values that a gateway holds cannot be declared.
 */
export type Declarable<T> = { readonly value: T } | { readonly unrepresentable: string };

/** By field; a field that the key does not use is absent. */
export type DeclarableFields = {
  readonly [F in keyof ManagedFields]?: Declarable<Exclude<ManagedFields[F], undefined>>;
};

interface DeclarableContext {
  readonly key: ObservedKey;
  readonly row: FieldRow;
  readonly quotaPerUnit: Decimal;
}

const not = (why: string): { readonly unrepresentable: string } => ({ unrepresentable: why });

/** Quotes a text with a reason, unless it is a credential in the wrong place: reasons are written into files. */
const notText = (what: string, text: string, why: string) =>
  looksLikeCredential(text)
    ? not(`${what} looks like a credential; if it is one, revoke it`)
    : not(`${what} ${maskCredentials(JSON.stringify(text))} ${why}`);

const isValid = (text: string, { pattern }: FieldRow): boolean =>
  (pattern === undefined || pattern.test(text)) && !looksLikeCredential(text);

/** Empty: the gateway's default, which a declaration omits. */
function declarableText(text: string, { row }: DeclarableContext): Declarable<string> | undefined {
  if (text === '') return undefined;
  return isValid(text, row) ? { value: text } : notText(`the ${row.noun ?? row.label}`, text, 'cannot be declared');
}

function declarableTexts(
  items: readonly string[] | null,
  { row }: DeclarableContext,
): Declarable<readonly string[] | null> {
  if (items === null) return { value: null };
  if (items.length === 0)
    return not(`the list of ${row.label} is enabled and empty: ${row.whenEmpty ?? 'nothing is allowed'}`);
  const invalid = items.find((item) => !isValid(item, row));
  if (invalid !== undefined) return notText(`the ${row.noun ?? 'entry'}`, invalid, 'cannot be declared');
  if (row.unrestricted !== undefined && items.includes(row.unrestricted))
    return not(`the ${row.noun ?? 'entry'} "${row.unrestricted}" has the spelling of the word for no restriction`);
  return { value: [...new Set(items)].sort() };
}

/** A rule with host bits set counts as the range that the gateway makes of it. */
function declarableRules(items: readonly string[] | null): Declarable<readonly IpRule[] | null> {
  if (items === null) return { value: null };
  const parsed = items.map((text) => ({ text, result: parseIpRule(text) }));
  const invalid = parsed.find(({ result }) => !result.ok && !result.corrected);
  if (invalid) return notText('the line', invalid.text, 'is not an IP address or range');
  const rules = parsed.flatMap(({ result }) => {
    const rule = result.ok ? result.rule : result.corrected;
    return rule ? [rule] : [];
  });
  return rules.length === 0 ? not('the list of addresses is empty') : { value: canonicalIpRules(rules) };
}

function declarableInstant(at: UnixSeconds | null): Declarable<UnixSeconds | null> {
  if (at === null) return { value: null };
  const isInstant = Number.isSafeInteger(at) && at >= 0 && at <= LAST_INSTANT;
  return isInstant ? { value: at } : not(`the expiry ${at} is not a time that can be declared`);
}

/** Returns the exact decimal of a fraction; undefined when there is none that short. */
function exactQuotient(numerator: bigint, denominator: bigint): Decimal | undefined {
  for (let scale = 0; scale <= USD_DECIMALS; scale += 1) {
    const scaled = numerator * 10n ** BigInt(scale);
    if (scaled % denominator === 0n) return { digits: scaled / denominator, scale };
  }
  return undefined;
}

/** Units in dollars when that is exact at the current rate, else in units. */
function amountOf(units: number, rate: Decimal): BudgetAmount {
  const usd = rate.digits > 0n ? exactQuotient(BigInt(units) * 10n ** BigInt(rate.scale), rate.digits) : undefined;
  const isAllowed = usd && usd.digits <= BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale);
  return isAllowed ? { usd } : { quota: quota(units) };
}

/**
 * With the use known, the whole grant: the plan then wants what remains. Otherwise only the grant of a new key, which a
 * plan never compares.
 */
function grantOf({ unlimited, remain, used }: ObservedKey, quotaPerUnit: Decimal): Budget {
  if (unlimited) return { kind: 'unlimited' };
  const granted = remain + (used ?? Number.NaN);
  if ((used ?? 0) >= 0 && granted >= 0 && Number.isSafeInteger(granted)) {
    return { kind: 'lifetime', amount: amountOf(granted, quotaPerUnit) };
  }
  return { kind: 'initial', amount: amountOf(Math.max(0, remain), quotaPerUnit) };
}

function declarableBudget({ key, quotaPerUnit }: DeclarableContext): Declarable<Budget> {
  const value = grantOf(key, quotaPerUnit);
  const units = 'amount' in value && 'quota' in value.amount ? value.amount.quota : 0;
  return units > QUOTA_LIMIT ? not(`the budget of ${units} quota units is more than can be declared`) : { value };
}

const DEPTH = 40;

function isShallow(value: Json, depth = DEPTH): boolean {
  if (value === null || typeof value !== 'object') return true;
  return depth > 0 && Object.values(value).every((member: Json) => isShallow(member, depth - 1));
}

const tiersNot = (why: string) => not(`the Smart Routing tiers ${why}; they are left unchanged`);

/** JSON that reading and writing would change is left alone: applied, it would replace what the key has. */
function declarableJson(text: string): Declarable<string> {
  if (text === '') return { value: '' };
  const notJson = tiersNot('are not JSON that can be declared');
  try {
    const value = JSON.parse(text) as Json;
    const loss = lossOfJson(text);
    if (loss?.kind === 'number') return tiersNot(`contain the number ${loss.text}, which would be rounded`);
    if (loss) return tiersNot(`contain ${maskCredentials(JSON.stringify(loss.text))} twice in one object`);
    const plain = JSON.stringify(value);
    const isSafe =
      value !== null && isShallow(value) && !looksLikeCredential(plain) && !/\\u[dD][89a-fA-F]/.test(plain);
    return isSafe ? { value: plain } : notJson;
  } catch {
    return notJson;
  }
}

/** One reading for each kind. `setting` is the setting of the field's own name, where it has one. */
const READINGS: {
  readonly [K in DeclaredKind]: (
    setting: never,
    context: DeclarableContext,
  ) => Declarable<DeclaredValues[K]> | undefined;
} = {
  flag: (value: boolean) => ({ value }),
  text: declarableText,
  textSet: declarableTexts,
  ipSet: declarableRules,
  instant: declarableInstant,
  budget: (_setting, context) => declarableBudget(context),
  json: (_setting, { key }) => (key.smartRouting ? declarableJson(key.smartRouteTiers) : undefined),
};

/** Returns the declaration of every managed field of a live key, in the order of the table. */
export function declarableFields(key: ObservedKey, quotaPerUnit: Decimal): DeclarableFields {
  const settings: Readonly<Record<string, unknown>> = { ...key };
  const fields = FIELD_ROWS.flatMap(([field, row]) => {
    const declarable =
      'isStatus' in row ? undefined : READINGS[row.kind](settings[field] as never, { key, row, quotaPerUnit });
    return declarable === undefined ? [] : [[field, declarable] as const];
  });
  return Object.fromEntries(fields);
}

/**
 * Returns false for a key that the gateway stores as disabled, and for one whose stored expiry or exhaustion was corrected
 * without enabling it.
 */
export function declarableEnabled(key: ObservedKey, now: UnixSeconds): boolean {
  const refused = isExpired(key, now) || isExhausted(key);
  return key.status !== 'disabled' && (key.status === 'enabled' || refused);
}
