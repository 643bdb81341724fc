import {
  type Budget,
  type Decimal,
  type Declarable,
  type DesiredKey,
  declarableAllowIps,
  declarableBudget,
  declarableEnabled,
  declarableExpires,
  declarableGroup,
  declarableModels,
  type Json,
  type KeyName,
  looksLikeCredential,
  lossOfJson,
  maskCredentials,
  nameFold,
  nameProblem,
  type ObservedKey,
  QUOTA_LIMIT,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { Document, DocumentKey, UnsaidKey } from './document.ts';

export interface LiveKeys {
  readonly gateway: { readonly url: string; readonly userId: number };
  readonly keys: readonly ObservedKey[];
  /** Units for one dollar, as the gateway says now. */
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

const DEPTH = 40;

function isShallow(value: Json, depth = DEPTH): boolean {
  if (value === null || typeof value !== 'object') return true;
  return depth > 0 && Object.values(value).every((member: Json) => isShallow(member, depth - 1));
}

const tiersAlone = (what: string) => ({ leftOut: `the Smart Routing tiers ${what}; they are left alone` });

const NOT_JSON = tiersAlone('are not JSON that can be written');

/** What would be written otherwise than it is: applied, it would replace what the key has. */
function changedTiers(text: string): ReturnType<typeof tiersAlone> | undefined {
  const loss = lossOfJson(text);
  if (loss === undefined) return undefined;
  const what = maskCredentials(JSON.stringify(loss.text));
  return tiersAlone(
    loss.kind === 'number' ? `hold the number ${loss.text}, which would be rounded` : `say ${what} twice in one object`,
  );
}

function declarableTiers({ smartRouteTiers }: ObservedKey): Declarable<string> {
  try {
    const tiers = JSON.parse(smartRouteTiers) as Json;
    const changed = changedTiers(smartRouteTiers);
    if (changed) return changed;
    const text = JSON.stringify(tiers);
    const isSayable =
      tiers !== null && isShallow(tiers) && !looksLikeCredential(text) && !/\\u[dD][89a-fA-F]/.test(text);
    return isSayable ? { value: text } : NOT_JSON;
  } catch {
    return NOT_JSON;
  }
}

function sayableBudget(key: ObservedKey, quotaPerUnit: Decimal): Declarable<Budget> {
  const value = declarableBudget(key, quotaPerUnit);
  const units = 'amount' in value && 'quota' in value.amount ? value.amount.quota : 0;
  return units > QUOTA_LIMIT
    ? { leftOut: `the budget of ${units} quota units is more than can be written` }
    : { value };
}

type Said = readonly [keyof DesiredKey, Declarable<unknown>];

/** Every field that can be said of a live key, in the order of the manifest. */
const saidOf = (key: ObservedKey, quotaPerUnit: Decimal): readonly Said[] => [
  // The account's own group is what a key has that says nothing of it.
  ...(key.group === '' ? [] : [['group', declarableGroup(key)] as const]),
  ['crossGroupRetry', { value: key.crossGroupRetry }],
  ['models', declarableModels(key)],
  ['allowIps', declarableAllowIps(key)],
  ['expires', declarableExpires(key)],
  ['budget', sayableBudget(key, quotaPerUnit)],
  ...(key.smartRouting ? [['smartRouteTiers', declarableTiers(key)] as const] : []),
];

function keyOf(key: ObservedKey, { quotaPerUnit, now }: LiveKeys): DocumentKey {
  const said = saidOf(key, quotaPerUnit);
  const settings = said.flatMap(([field, declarable]) => ('value' in declarable ? [[field, declarable.value]] : []));
  const unsaid = said.flatMap(([field, declarable]) =>
    'value' in declarable
      ? []
      : [{ field: field === 'smartRouteTiers' ? 'smartRouting' : field, why: declarable.leftOut }],
  );
  const enabled = declarableEnabled(key, now);
  return {
    id: key.id,
    desired: { ...Object.fromEntries(settings), name: key.name as KeyName, enabled },
    unsaid,
    waiting: {},
    checks: [],
    isProtected: false,
  };
}

/** Why a key can not be declared; undefined when it can. */
function undeclarable(key: ObservedKey, counts: ReadonlyMap<string, number>): string | undefined {
  const problem = nameProblem(key.name);
  if (problem) return `its name can not be declared: ${problem}`;
  if (looksLikeCredential(key.name)) return 'its name looks like an API key';
  return (counts.get(nameFold(key.name)) ?? 0) > 1
    ? 'another key has the same name, without regard to case'
    : undefined;
}

/**
 * What live keys are, as a document: it says every field that can be said, so that later changes at the gateway show as
 * drift. Holds no secret and no masked key.
 */
export function documentOfLive(live: LiveKeys): Document {
  const counts = new Map<string, number>();
  for (const { name } of live.keys) counts.set(nameFold(name), (counts.get(nameFold(name)) ?? 0) + 1);
  const unsaidKeys: UnsaidKey[] = [];
  const keys: DocumentKey[] = [];
  for (const key of [...live.keys].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))) {
    const reason = undeclarable(key, counts);
    if (reason) unsaidKeys.push({ id: key.id, name: looksLikeCredential(key.name) ? '‹secret›' : key.name, reason });
    else keys.push(keyOf(key, live));
  }
  const ownership = { prune: 'never', protect: [] } as const;
  return { gateway: live.gateway, ownership, keys, checks: [], unsaidKeys, adopts: true, now: live.now };
}
