import {
  type Decimal,
  type DesiredKey,
  type KeyId,
  type KeySettings,
  keyId,
  maskOf,
  type ObservedKey,
  renderInstant,
  type UnixSeconds,
} from '../../../domain/index.ts';
import { comparable, settingsOfNew } from '../../../reconcile/index.ts';
import type { ObjectValue } from '../../codec/value.ts';
import type { ResourceInstance } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { desiredFrom } from './forms.ts';

/** What is instance of a key for the provider’s own use. */
export interface Memory {
  /** Whose key it is, and where. */
  readonly userId: number;
  readonly url: string;
  /** It was imported, and nothing was written since: what its state says was not declared by anybody. */
  readonly imported?: true;
  /** A create that nobody saw succeed. */
  readonly lost?: {
    /** The newest id that was there before it. */
    readonly after: number;
    readonly at: UnixSeconds;
  };
}

export const memoryOf = ({ private: instance }: ResourceInstance): Partial<Memory> => instance ?? {};

export const rememberedFor = (
  { store }: Client,
  more: Pick<Memory, 'lost' | 'imported'> = {},
): { readonly private: Record<string, unknown> } => ({ private: { ...store.account, ...more } satisfies Memory });

/** Undefined: a create whose answer was lost, and which is not found yet. */
export const idOf = ({ state }: ResourceInstance): KeyId | undefined =>
  typeof state.id === 'number' ? keyId(state.id) : undefined;

const HINT =
  'Is the provider configured for the right gateway and account? If the key that Terraform made is gone for good, `terraform state rm` forgets it.';

/** An id of another account means another key. @throws DiagnosticError */
export function checkAccount(instance: ResourceInstance, { store }: Client): void {
  const { userId } = memoryOf(instance);
  if (userId === undefined || userId === store.account.userId) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} belongs to user ${userId}, and the provider acts for user ${store.account.userId}`,
    detail: HINT,
  });
}

/** Was it made at another time, as far as both sides tell? */
const isMadeOtherwise = ({ created_at: made }: ObjectValue, live: ObservedKey): boolean =>
  typeof made === 'string' && live.createdAt !== undefined && renderInstant(live.createdAt) !== made;

/**
 * Is it another key behind the same number? A name alone may be another: keys are renamed. So may the address of a
 * gateway, and masks are a matter of taste. Two of them are no coincidence.
 */
function isStranger(instance: ResourceInstance, live: ObservedKey, { store }: Client): boolean {
  const { name, masked_key: mask } = instance.state;
  const signs = [
    typeof name === 'string' && name !== live.name,
    typeof mask === 'string' && mask !== maskOf(live),
    isElsewhere(instance, store.account.url),
  ];
  return signs.filter(Boolean).length > 1;
}

const isElsewhere = (instance: ResourceInstance, url: string): boolean => (memoryOf(instance).url ?? url) !== url;

/**
 * Ids count up on every gateway: behind the same number may be another key, and renaming or deleting that one would be
 * the worst there is. @throws DiagnosticError
 */
function checkSame(instance: ResourceInstance, live: ObservedKey, client: Client): void {
  if (!isMadeOtherwise(instance.state, live) && !isStranger(instance, live, client)) return;
  throw new DiagnosticError({
    summary: `The key ${live.id} is not the one that Terraform knows`,
    detail: `It is named ${JSON.stringify(live.name)}, and Terraform’s is ${JSON.stringify(instance.state.name)}; it was made at another time, has another credential, or is on another gateway. ${HINT}`,
  });
}

/** On another gateway nothing is gone because it is not there. @throws DiagnosticError */
function checkGone(instance: ResourceInstance, { store }: Client): void {
  if (!isElsewhere(instance, store.account.url)) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} is not on the gateway ${store.account.url}`,
    detail: `It was on ${memoryOf(instance).url} when Terraform last saw it. ${HINT}`,
  });
}

/** Clocks differ. */
const SKEW_SECONDS = 600;

/** Is it just what was sent then? It may have spent of its remainder, and nothing else. */
function isAsSent(sent: DesiredKey, live: ObservedKey, quotaPerUnit: Decimal, at: UnixSeconds): boolean {
  const settings = comparable(settingsOfNew(sent, quotaPerUnit));
  const now = comparable(live);
  const same = Object.entries(settings).every(
    ([field, value]) => field === 'remain' || JSON.stringify(now[field as keyof KeySettings]) === JSON.stringify(value),
  );
  const isGrant = live.used === undefined ? now.remain <= settings.remain : now.remain + live.used === settings.remain;
  return same && isGrant && (live.createdAt ?? at) >= at - SKEW_SECONDS;
}

/** The key that a create made whose answer was lost. Another one of that name is somebody else’s. @throws DiagnosticError */
async function findLost(instance: ResourceInstance, { after, at }: NonNullable<Memory['lost']>, { store }: Client) {
  const quotaPerUnit = await store.quotaPerUnit();
  const sent = desiredFrom(instance.state);
  const made = (await store.listed()).filter(
    (key) => key.name === sent.name && key.id > after && isAsSent(sent, key, quotaPerUnit, at),
  );
  const [only, ...others] = made;
  if (others.length === 0) return only;
  throw new DiagnosticError({
    summary: `Several new keys are named ${JSON.stringify(sent.name)}: ${made.map((key) => key.id).join(', ')}`,
    detail: 'One of them was made by Terraform, and its answer was lost. Delete those that are not in use.',
  });
}

/** The live key behind what is instance. Undefined: it is gone, or was never made. @throws DiagnosticError, Fault */
export async function findLive(instance: ResourceInstance, client: Client): Promise<ObservedKey | undefined> {
  checkAccount(instance, client);
  const id = idOf(instance);
  const { lost } = memoryOf(instance);
  if (id === undefined) return lost && (await findLost(instance, lost, client));
  const live = await client.store.live(id);
  if (live) checkSame(instance, live, client);
  else checkGone(instance, client);
  return live;
}
