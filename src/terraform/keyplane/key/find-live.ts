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
import type { TerraformObject } from '../../codec/value.ts';
import type { ResourceInstance } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { decodeKey } from './fields.ts';

/** The private data of a key, which core stores next to its state. */
interface PrivateData {
  readonly userId: number;
  readonly url: string;
  /** The key was imported and never changed since: nobody declared the values in its state. */
  readonly imported?: true;
  /** A create whose response was lost. */
  readonly lost?: {
    /** The newest ID before the create. */
    readonly after: number;
    readonly at: UnixSeconds;
  };
}

export const privateOf = ({ private: data }: ResourceInstance): Partial<PrivateData> => data ?? {};

export const privateFor = (
  { store }: Client,
  more: Pick<PrivateData, 'lost' | 'imported'> = {},
): { readonly private: Record<string, unknown> } => ({ private: { ...store.account, ...more } satisfies PrivateData });

/** Undefined while a lost create has not been found. */
export const idOf = ({ state }: ResourceInstance): KeyId | undefined =>
  typeof state.id === 'number' ? keyId(state.id) : undefined;

const HINT =
  'Is the provider configured for the right gateway and account? If the key that Terraform created no longer exists, remove it from the state with `terraform state rm`.';

/** An ID in another account means another key. @throws DiagnosticError */
export function checkAccount(instance: ResourceInstance, { store }: Client): void {
  const { userId } = privateOf(instance);
  if (userId === undefined || userId === store.account.userId) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} belongs to user ${userId}, and the provider acts for user ${store.account.userId}`,
    detail: HINT,
  });
}

const hasOtherCreationTime = ({ created_at: created }: TerraformObject, live: ObservedKey): boolean =>
  typeof created === 'string' && live.createdAt !== undefined && renderInstant(live.createdAt) !== created;

const isOnOtherGateway = (instance: ResourceInstance, url: string): boolean => (privateOf(instance).url ?? url) !== url;

/**
 * Detects another key with the same ID. A new name alone proves nothing, because keys are renamed; nor does a new gateway
 * address, or a mask in another style. Two of these signs together do.
 */
function isOtherKey(instance: ResourceInstance, live: ObservedKey, { store }: Client): boolean {
  const { name, masked_key: mask } = instance.state;
  const signs = [
    typeof name === 'string' && name !== live.name,
    typeof mask === 'string' && mask !== maskOf(live),
    isOnOtherGateway(instance, store.account.url),
  ];
  return signs.filter(Boolean).length > 1;
}

/**
 * Every gateway numbers its keys from 1, so the same ID may be another key. Renaming or deleting that one would be the
 * worst possible mistake. @throws DiagnosticError
 */
function checkSameKey(instance: ResourceInstance, live: ObservedKey, client: Client): void {
  if (!hasOtherCreationTime(instance.state, live) && !isOtherKey(instance, live, client)) return;
  throw new DiagnosticError({
    summary: `The key ${live.id} is not the one in the Terraform state`,
    detail: `Its name is ${JSON.stringify(live.name)}, and the name in the state is ${JSON.stringify(instance.state.name)}; it was created at another time, has another credential, or is on another gateway. ${HINT}`,
  });
}

/** A key that is missing on another gateway may still exist on its own. @throws DiagnosticError */
function checkDeleted(instance: ResourceInstance, { store }: Client): void {
  if (!isOnOtherGateway(instance, store.account.url)) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} is not on the gateway ${store.account.url}`,
    detail: `It was on ${privateOf(instance).url} when Terraform last read it. ${HINT}`,
  });
}

/** Tolerated difference between the clocks. */
const SKEW_SECONDS = 600;

/** Compares a key with the create that may have made it. It may have spent, and nothing else may differ. */
function isFromCreate(sent: DesiredKey, live: ObservedKey, quotaPerUnit: Decimal, at: UnixSeconds): boolean {
  const settings = comparable(settingsOfNew(sent, quotaPerUnit));
  const now = comparable(live);
  const isSame = Object.entries(settings).every(
    ([field, value]) => field === 'remain' || JSON.stringify(now[field as keyof KeySettings]) === JSON.stringify(value),
  );
  const isGrant = live.used === undefined ? now.remain <= settings.remain : now.remain + live.used === settings.remain;
  return isSame && isGrant && (live.createdAt ?? at) >= at - SKEW_SECONDS;
}

/** Finds the key of a create whose response was lost, and no other key of that name. @throws DiagnosticError */
async function findLost(
  instance: ResourceInstance,
  { after, at }: NonNullable<PrivateData['lost']>,
  { store }: Client,
): Promise<ObservedKey | undefined> {
  const quotaPerUnit = await store.quotaPerUnit();
  const sent = decodeKey(instance.state);
  const candidates = (await store.list()).filter(
    (key) => key.name === sent.name && key.id > after && isFromCreate(sent, key, quotaPerUnit, at),
  );
  const [only, ...others] = candidates;
  if (others.length === 0) return only;
  throw new DiagnosticError({
    summary: `Several new keys are named ${JSON.stringify(sent.name)}: ${candidates.map((key) => key.id).join(', ')}`,
    detail: 'Terraform created one of them, and lost the response. Delete those that are not in use.',
  });
}

/** Finds the live key of an instance. Undefined when it is gone, or was never created. @throws DiagnosticError, Fault */
export async function findLive(instance: ResourceInstance, client: Client): Promise<ObservedKey | undefined> {
  checkAccount(instance, client);
  const id = idOf(instance);
  const { lost } = privateOf(instance);
  if (id === undefined) return lost && (await findLost(instance, lost, client));
  const live = await client.store.tryFind(id);
  if (live) checkSameKey(instance, live, client);
  else checkDeleted(instance, client);
  return live;
}
