import {
  type Amount,
  type Decimal,
  type Declarable,
  declarableAllowIps,
  declarableBudget,
  declarableEnabled,
  declarableExpires,
  declarableGroup,
  declarableModels,
  type Json,
  looksLikeCredential,
  type ObservedKey,
  renderDecimal,
  renderInstant,
  type UnixSeconds,
} from '../domain/index.ts';
import { writeFlow, writeList, writeText } from './yaml-write.ts';

/** One field of a live key as the manifest writes it, or why it can not. */
export type Written = { readonly text: string } | { readonly leftOut: string } | undefined;

export interface Rendering {
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

const leftOut = (why: string): Written => ({ leftOut: why });

/** A field as text, where a declaration can say it. */
const writeDeclarable = <T>(declarable: Declarable<T>, text: (value: T) => string): Written =>
  'value' in declarable ? { text: text(declarable.value) } : declarable;

const writeGroup = (key: ObservedKey): Written =>
  key.group === '' ? undefined : writeDeclarable(declarableGroup(key), writeText);

const listOr = (word: string) => (items: readonly string[] | null) =>
  items === null ? word : writeList(items, '      ');

const amountText = (amount: Amount): string =>
  'usd' in amount ? `usd: ${renderDecimal(amount.usd)}` : `quota: ${amount.quota}`;

function writeBudget(key: ObservedKey, { quotaPerUnit }: Rendering): Written {
  const budget = declarableBudget(key, quotaPerUnit);
  if (budget.kind === 'unlimited') return { text: 'unlimited' };
  return { text: `{ ${amountText(budget.amount)}${budget.kind === 'initial' ? ', initial: true' : ''} }` };
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
  enabled: (key, { now }) => (declarableEnabled(key, now) ? undefined : { text: 'false' }),
  group: writeGroup,
  crossGroupRetry: (key) => ({ text: String(key.crossGroupRetry) }),
  models: (key) => writeDeclarable(declarableModels(key), listOr('any')),
  allowIps: (key) => writeDeclarable(declarableAllowIps(key), listOr('anywhere')),
  expires: (key) =>
    writeDeclarable(declarableExpires(key), (expires) => (expires === null ? 'never' : renderInstant(expires))),
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
