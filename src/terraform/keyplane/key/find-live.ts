import { type KeyId, keyId, maskOf, type ObservedKey, renderInstant } from '../../../domain/index.ts';
import type { TerraformObject, TerraformValue } from '../../codec/value.ts';
import type { ResourceInstance } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import type { WalkedKeys } from '../store/walk-cache.ts';
import { type PrivateData, privateOf } from './private-data.ts';
import { isRotating } from './rotation/block.ts';
import {
  declaredNameOf,
  generationsOf,
  isDated,
  isGenerationOf,
  joinGenerations,
  type LiveGenerations,
} from './rotation/generations.ts';

/** Undefined for a state without an ID, which stands for no key. */
export const idOf = ({ state }: ResourceInstance): KeyId | undefined =>
  typeof state.id === 'number' ? keyId(state.id) : undefined;

const HINT =
  'Is the provider configured for the right gateway and account? If the key that Terraform created no longer exists, remove it from the state with `terraform state rm`.';

/** The user that a state has a key for, if the provider acts for another one. */
export function otherOwner(instance: ResourceInstance, { store }: Client): number | undefined {
  const { userId } = privateOf(instance);
  return userId === store.account.userId ? undefined : userId;
}

/** An ID in another account means another key. @throws DiagnosticError */
export function checkAccount(instance: ResourceInstance, client: Client): void {
  const userId = otherOwner(instance, client);
  if (userId === undefined) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} belongs to user ${userId}, and the provider acts for user ${client.store.account.userId}`,
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
    typeof name === 'string' && name !== declaredNameOf(name, live),
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

/**
 * Recognizes a key whose state names another user. An earlier version believed the configured user ID where the gateway ignores it.
 * The ID, the credential and the time of creation are those of one key only.
 */
function isOwnKey(instance: ResourceInstance, live: ObservedKey, { store }: Client): boolean {
  const { name, masked_key: mask, created_at: created } = instance.state;
  if (isOnOtherGateway(instance, store.account.url) || mask !== maskOf(live)) return false;
  return live.createdAt === undefined ? name === live.name : created === renderInstant(live.createdAt);
}

/** A key that is missing on another gateway may still exist on its own. @throws DiagnosticError */
function checkDeleted(instance: ResourceInstance, { store }: Client): void {
  if (!isOnOtherGateway(instance, store.account.url)) return;
  throw new DiagnosticError({
    summary: `The key ${instance.state.id} is not on the gateway ${store.account.url}`,
    detail: `It was on ${privateOf(instance).url} when Terraform last read it. ${HINT}`,
  });
}

/** Finds the live key of an instance. Undefined when it is gone. @throws DiagnosticError, Fault */
async function findLive(instance: ResourceInstance, client: Client): Promise<ObservedKey | undefined> {
  const id = idOf(instance);
  const live = id === undefined ? undefined : await client.store.tryFind(id);
  if (live === undefined || !isOwnKey(instance, live, client)) checkAccount(instance, client);
  if (id === undefined) return undefined;
  if (live) checkSameKey(instance, live, client);
  else checkDeleted(instance, client);
  return live;
}

/** The IDs of all generations that a resource remembers. */
export const knownIds = (instance: ResourceInstance): readonly number[] => privateOf(instance).generations ?? [];

/** The private data about the generations of a key. Empty where it has one, which is in the state. */
export function generationsFor(
  { all }: Pick<LiveGenerations, 'all'>,
  known: { readonly instance: ResourceInstance; readonly keys: WalkedKeys } | undefined = undefined,
): Pick<PrivateData, 'generations'> {
  const earlier = known ? knownIds(known.instance).filter((id) => known.keys.some((key) => key.id === id)) : [];
  const ids = [...new Set([...earlier, ...all.map(({ id }) => id)])];
  return ids.length > 1 ? { generations: ids } : {};
}

interface Names {
  readonly name: string;
  /** The name that a plan gives to the key. */
  readonly next: string | undefined;
}

/**
 * Finds the generations of a key: by their names, and by what the resource remembers, because a run that was killed may have renamed
 * some of them, and somebody else may give a key the name of the first one. One that somebody renamed is the current one as long as
 * there is no later one.
 */
function generationsIn(
  instance: ResourceInstance,
  { name, next }: Names,
  { live, keys }: { readonly live: ObservedKey | undefined; readonly keys: WalkedKeys },
): readonly ObservedKey[] {
  const { imported = false } = privateOf(instance);
  const known = new Set<unknown>([instance.state.id, ...knownIds(instance)]);
  const named = generationsOf(name, keys, ({ id }) => imported || known.has(id));
  const renamed = keys.filter((key) => known.has(key.id) && (isDated(key) || key.name === next));
  const found = joinGenerations(named, renamed);
  return live && found.every(({ id }) => id < live.id) ? joinGenerations(found, [live]) : found;
}

/** The name of a resource. That of a generation which was imported by its ID is known from the plan only. */
const nameIn = (state: TerraformObject, planned: TerraformObject): TerraformValue =>
  state.name ?? (isRotating(planned) ? (planned.name ?? null) : null);

/** A key whose rotation was removed keeps its generations, also when somebody deletes the current one or renames a former one. */
export const mayHaveSeveral = (instance: ResourceInstance): boolean =>
  isRotating(instance.state) || (instance.state.old_generations ?? null) !== null || knownIds(instance).length > 0;

/**
 * Finds the live key of an instance with all its generations. Another run may have rotated the key, or somebody deleted its latest
 * generation. Undefined when all are gone.
 *
 * @param planned the planned attributes @throws DiagnosticError, Fault
 */
export async function findGenerations(
  instance: ResourceInstance,
  client: Client,
  planned: TerraformObject = {},
): Promise<LiveGenerations | undefined> {
  const { state } = instance;
  const name = nameIn(state, planned);
  const { name: next } = planned;
  const live = await findLive(instance, client);
  const isOne = !mayHaveSeveral(instance) && !isGenerationOf(name, live?.name ?? '');
  if (isOne || typeof name !== 'string' || idOf(instance) === undefined) return live && { current: live, all: [live] };
  const listed = await client.store.list();
  // A list that shifted while it was read misses a key.
  const isListed = live === undefined || listed.some(({ id }) => id === live.id);
  const names = { name, next: typeof next === 'string' ? next : undefined };
  const all = generationsIn(instance, names, { live, keys: isListed ? listed : [...listed, live] });
  const current = all.at(-1);
  return current && { current, all };
}
