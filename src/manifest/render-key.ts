import {
  canonicalIpRules,
  type Decimal,
  isExhausted,
  isExpired,
  type Json,
  type ObservedKey,
  parseIpRule,
  quotaFromUsd,
  renderDecimal,
  type UnixSeconds,
} from '../domain/index.ts';
import { LAST_INSTANT, renderInstant } from './instant.ts';
import { USD_LIMIT } from './schema/budget.ts';
import { groupName, modelId } from './schema/scalar.ts';
import { looksLikeCredential } from './secret-text.ts';
import { quoted } from './tree.ts';
import { writeFlow, writeList, writeText } from './yaml-write.ts';

/** One field of a live key as the manifest writes it, or why it can not. */
export type Written = { readonly text: string } | { readonly leftOut: string } | undefined;

export interface Rendering {
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

const leftOut = (why: string): Written => ({ leftOut: why });

/** The text can stand in a manifest. */
const isSayable = (schema: ReturnType<typeof modelId>, text: string): boolean =>
  schema.safeParse(text).success && !looksLikeCredential(text);

/** A stored disabled key is declared so. One whose expiry or quota was corrected, but which was not enabled, is as well. */
function writeEnabled(key: ObservedKey, { now }: Rendering): Written {
  const refused = isExpired(key, now) || isExhausted(key);
  const off = key.status === 'disabled' || (key.status !== 'enabled' && !refused);
  return off ? { text: 'false' } : undefined;
}

function writeGroup({ group }: ObservedKey): Written {
  if (group === '') return undefined;
  return isSayable(groupName(), group)
    ? { text: writeText(group) }
    : leftOut(`the group ${quoted(group)} can not be written`);
}

function writeModels({ models }: ObservedKey): Written {
  if (models === null) return { text: 'any' };
  if (models.length === 0) return leftOut('the allowlist is on and empty: the key refuses every model');
  const odd = models.find((model) => !isSayable(modelId(), model));
  if (odd !== undefined) return leftOut(`the model ID ${quoted(odd)} can not be written`);
  return { text: writeList([...new Set(models)].sort(), '      ') };
}

/** A rule with bits beyond its prefix counts as the range that the gateway makes of it. */
function writeAllowIps({ allowIps }: ObservedKey): Written {
  if (allowIps === null) return { text: 'anywhere' };
  const parsed = allowIps.map((text) => ({ text, result: parseIpRule(text) }));
  const odd = parsed.find(({ result }) => !result.ok && !result.corrected);
  if (odd) return leftOut(`the line ${quoted(odd.text)} is no address or range`);
  const rules = parsed.flatMap(({ result }) => {
    const rule = result.ok ? result.rule : result.corrected;
    return rule ? [rule] : [];
  });
  return rules.length === 0
    ? leftOut('the list of addresses is empty')
    : { text: writeList(canonicalIpRules(rules), '      ') };
}

function writeExpires({ expires }: ObservedKey): Written {
  if (expires === null) return { text: 'never' };
  const sayable = Number.isSafeInteger(expires) && expires >= 0 && expires <= LAST_INSTANT;
  return sayable ? { text: renderInstant(expires) } : leftOut(`the expiry ${expires} is no time that can be written`);
}

/** The exact decimal of a fraction, with at most 18 places; undefined when there is none. */
function exactQuotient(numerator: bigint, denominator: bigint): Decimal | undefined {
  for (let scale = 0; scale <= 18; scale += 1) {
    const scaled = numerator * 10n ** BigInt(scale);
    if (scaled % denominator === 0n) return { digits: scaled / denominator, scale };
  }
  return undefined;
}

/** Units in dollars when that is exact at the rate of now, else in units. */
function amountText(units: number, rate: Decimal): string {
  const usd = rate.digits > 0n ? exactQuotient(BigInt(units) * 10n ** BigInt(rate.scale), rate.digits) : undefined;
  const sayable = usd && usd.digits <= BigInt(USD_LIMIT) * 10n ** BigInt(usd.scale);
  const isExact = sayable && quotaFromUsd(usd, rate) === units;
  return isExact ? `usd: ${renderDecimal(usd)}` : `quota: ${units}`;
}

/**
 * With the use known, what the key was granted in all: the plan then wants what remains. Otherwise only what a new key
 * would get, which a plan never compares.
 */
function writeBudget({ unlimited, remain, used }: ObservedKey, { quotaPerUnit }: Rendering): Written {
  if (unlimited) return { text: 'unlimited' };
  const granted = used === undefined ? undefined : remain + used;
  if (granted !== undefined && used !== undefined && used >= 0 && granted >= 0 && Number.isSafeInteger(granted)) {
    return { text: `{ ${amountText(granted, quotaPerUnit)} }` };
  }
  return { text: `{ ${amountText(Math.max(0, remain), quotaPerUnit)}, initial: true }` };
}

const DEPTH = 40;

function isShallow(value: Json, depth = DEPTH): boolean {
  if (value === null || typeof value !== 'object') return true;
  return depth > 0 && Object.values(value).every((member: Json) => isShallow(member, depth - 1));
}

function writeSmartRouting({ smartRouting, smartRouteTiers }: ObservedKey): Written {
  if (!smartRouting) return undefined;
  const why = 'the Smart Routing tiers are not JSON that can be written; they are left alone';
  try {
    const tiers = JSON.parse(smartRouteTiers) as Json;
    const text = writeFlow(tiers);
    const sayable = tiers !== null && isShallow(tiers) && !looksLikeCredential(text) && !/\\u[dD][89a-fA-F]/.test(text);
    return sayable ? { text: `{ tiers: ${text} }` } : leftOut(why);
  } catch {
    return leftOut(why);
  }
}

/** Every field that a manifest can say of a live key, in the order in which they are written. */
const FIELDS: Readonly<Record<string, (key: ObservedKey, rendering: Rendering) => Written>> = {
  enabled: writeEnabled,
  group: writeGroup,
  crossGroupRetry: (key) => ({ text: String(key.crossGroupRetry) }),
  models: writeModels,
  allowIps: writeAllowIps,
  expires: writeExpires,
  budget: writeBudget,
  smartRouting: writeSmartRouting,
};

/** A live key as fields of a manifest. */
export interface WrittenKey {
  readonly fields: ReadonlyMap<string, string>;
  /** One remark for each field that can not be said. */
  readonly remarks: readonly string[];
}

export function writeKey(key: ObservedKey, rendering: Rendering): WrittenKey {
  const fields = new Map<string, string>();
  const remarks: string[] = [];
  for (const [field, write] of Object.entries(FIELDS)) {
    const written = write(key, rendering);
    if (!written) continue;
    if ('text' in written) fields.set(field, written.text);
    else remarks.push(`${field} is left out: ${written.leftOut}`);
  }
  return { fields, remarks };
}
