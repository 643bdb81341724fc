import { Fault, type FaultCode, type KeyId, type Secret } from '../../domain/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { SYSTEM_LIMITS } from '../../wire/index.ts';
import { newestOf, walkKeys } from './key-walk.ts';
import type { SystemApi } from './system-api.ts';
import { walkUsage } from './usage-walk.ts';

export interface GatewayStoreOptions {
  /** The gateway's address in canonical form. */
  readonly url: string;
  readonly userId: number;
  /** An API key with which the models may be asked; without it the store can not tell them. */
  readonly modelsKey?: Secret;
}

/** The key store of a live gateway. */
export function createGatewayStore(api: SystemApi, options: GatewayStoreOptions): KeyStore {
  const { url, userId, modelsKey } = options;
  const size = SYSTEM_LIMITS.pageSize;
  return {
    account: { url, userId },
    quotaPerUnit: async () => (await api.status()).quotaPerUnit,
    groups: () => unless('gateway.unexpected-shape', api.groups()),
    models: async () => (modelsKey ? unless('gateway.not-found', api.models(modelsKey)) : undefined),
    walk: () => walkKeys((page) => api.listKeys({ page, size, excludeSmartRouting: false })),
    newest: async () => newestOf(await api.listKeys({ page: 1, size, excludeSmartRouting: false }), size),
    tryRead: (id) => unless('gateway.not-found', api.readKey(id)),
    create: (settings) => api.createKey(settings),
    update: (base, patch) => api.updateKey(base, patch),
    setEnabled: (id, enabled) => api.setKeyStatus(id, enabled),
    delete: (ids) => deleteAll(api, [...new Set(ids)]),
    reveal: (ids) => revealAll(api, [...new Set(ids)]),
    usage: () => walkUsage((page, pageSize) => api.usageLog({ page, size: pageSize })),
  };
}

/** Undefined for this one fault; any other is thrown on. */
async function unless<T>(code: FaultCode, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === code) return undefined;
    throw thrown;
  }
}

async function deleteAll(api: SystemApi, ids: readonly KeyId[]): Promise<boolean> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return deleteOne(api, only);
  let count = 0;
  for (const batch of batches(ids, SYSTEM_LIMITS.pageSize)) count += await api.deleteKeys(batch);
  return count === ids.length;
}

/** Deleting what is not there is refused; that is as good as deleted, once it is certain that it is not there. */
const deleteOne = async (api: SystemApi, id: KeyId): Promise<boolean> =>
  (await unlessGone(
    api,
    id,
    api.deleteKey(id).then(() => true),
  )) === true;

/** What is asked of a key; undefined when it is refused because there is no such key. */
async function unlessGone<T>(api: SystemApi, id: KeyId, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'gateway.refused') throw thrown;
    if ((await unless('gateway.not-found', api.readKey(id))) !== undefined) throw thrown;
    return undefined;
  }
}

async function revealAll(api: SystemApi, ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>> {
  const all = new Map<KeyId, Secret>();
  for (const batch of batches(ids, SYSTEM_LIMITS.revealBatch)) {
    for (const [id, secret] of await revealBatch(api, batch)) all.set(id, secret);
  }
  return all;
}

/** The contract leaves the shape of a batch reveal open: one that is not understood is asked for key by key. */
async function revealBatch(api: SystemApi, ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>> {
  try {
    return await api.revealKeys(ids);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'gateway.unexpected-shape') throw thrown;
    const found = new Map<KeyId, Secret>();
    for (const id of ids) {
      const secret = await unlessGone(api, id, api.revealKey(id));
      if (secret) found.set(id, secret);
    }
    return found;
  }
}

function batches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
