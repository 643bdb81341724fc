import { Fault, type KeyId, type ObservedKey, type Secret } from '../../domain/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { type LogRecord, logRecordFromWire, SYSTEM_LIMITS, usageFromWire } from '../../wire/index.ts';
import { lacksEndpoint } from '../response-fault.ts';
import { undefinedIfGone, undefinedOn } from './absence.ts';
import type { Sending } from './caller.ts';
import { tryFindClaim } from './claims/claim-key.ts';
import { removeKeys, reviseKey, switchKey } from './key-writes.ts';
import { batches } from './limits.ts';
import { newestOf, walkKeys, walkUsage } from './listing.ts';
import { openReadAgain, type ReadAgain } from './read-again.ts';
import { revealAll } from './reveal.ts';
import { beginSession, type Session } from './session.ts';
import type { SystemApi } from './system-api.ts';
import { usageSummer } from './usage-sum.ts';

export interface GatewayStoreOptions {
  /** The gateway's address in canonical form. */
  readonly url: string;
  readonly userId: number;
  /** An API key for listing the models; without it the store does not know them. */
  readonly modelsKey?: Secret;
  /** The settings that the gateway does not keep; omitted: not known. */
  readonly unkept?: KeyStore['unkept'];
  /** Omitted: those of the contract. */
  readonly limits?: KeyStore['limits'];
  /** Shared by the stores of one client; omitted: nothing is known yet. */
  readonly session?: Session | undefined;
  /** Omitted: any gateway may be written to. */
  readonly ensureWritable?: KeyStore['verifyWritable'];
}

/** Creates the key store of a live gateway. */
export function createGatewayStore(api: SystemApi, options: GatewayStoreOptions): KeyStore {
  const { url, userId, modelsKey, unkept = () => undefined, ensureWritable = async () => {} } = options;
  const { limits = () => undefined } = options;
  const { session = beginSession() } = options;
  const size = SYSTEM_LIMITS.pageSize;
  const verifyAccount = accountVerifier(api, userId, session);
  /** The same work, once the account is verified. */
  const own =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      verifyAccount().then(() => work(...args));
  const masks = new Map<KeyId, string>();
  const tryRead = async (id: KeyId) => {
    const found = await undefinedOn(['gateway.not-found'], api.readKey(id));
    if (found) masks.set(id, found.masked);
    return found && isKey(found) ? found : undefined;
  };
  const { page, readAgain } = openReadAgain({
    page: async (number, beforeDecoding) => {
      const found = await api.listKeys({ page: number, size, excludeSmartRouting: false }, beforeDecoding);
      for (const key of found.keys) masks.set(key.id, key.masked);
      return found;
    },
    walk: () => walkKeys(page),
    one: tryRead,
  });
  const remove = (ids: readonly KeyId[], recheck: Recheck | undefined) =>
    recheck ? deleteChecked(api, ids, { readAgain, recheck }) : deleteAll(api, ids);
  return {
    account: { url, userId },
    verifyAccount,
    unkept,
    limits,
    verifyWritable: own(ensureWritable),
    quotaPerUnit: async () => (await api.status()).quotaPerUnit,
    wallet: own(async () => (await undefinedOn(['gateway.unexpected-shape'], api.self()))?.wallet),
    groups: own(() => undefinedOn(['gateway.unexpected-shape'], api.groups())),
    models: async () =>
      modelsKey ? undefinedOn(['gateway.not-found', 'gateway.unexpected-shape'], api.models(modelsKey)) : undefined,
    walk: own(async () => (await walkKeys(page)).filter(isKey)),
    newest: own(async () => {
      const newest = newestOf(await page(1), size);
      return newest && { ...newest, keys: newest.keys.filter(isKey) };
    }),
    tryRead: own(tryRead),
    readMany: own(readAgain),
    create: own((settings, sending) => api.createKey(settings, sending)),
    update: own((id, revise) => reviseKey(api, id, revise)),
    setEnabled: own((id, enabled, recheck) => switchKey(api, { id, enabled }, recheck)),
    delete: own((ids, recheck) => remove([...new Set(ids)], recheck)),
    reveal: own((ids) => revealAll(api, { ids: [...new Set(ids)], masks, readAgain, session })),
    async *usage() {
      await verifyAccount();
      yield* walkUsage(logPages(api), usageFromWire);
    },
    sumUsage: own(usageSummer(api, session)),
  };
}

const logPages = (api: SystemApi) => (page: number, size: number) => api.usageLog({ page, size });

/** Reads the usage log as people read it, newest first, a page of entries at a time; stop iterating to stop reading. */
export async function* readLog(api: SystemApi, store: KeyStore): AsyncGenerator<readonly LogRecord[]> {
  await store.verifyAccount();
  yield* walkUsage(logPages(api), logRecordFromWire);
}

/** Lists the keys that the gateway finds for a keyword, each once. @throws the faults of {@link walkKeys} */
export async function searchKeys(api: SystemApi, store: KeyStore, keyword: string): Promise<readonly ObservedKey[]> {
  await store.verifyAccount();
  const size = SYSTEM_LIMITS.pageSize;
  return (await walkKeys((page) => api.searchKeys({ keyword, page, size }))).filter(isKey);
}

/** The claims of the lock are data of Keyplane, and no keys: nobody else sees them, plans with them or deletes them. */
const isKey = (key: ObservedKey): boolean => tryFindClaim(key) === undefined;

/** Compares the owner of the credentials with the configured user: once, and again only after a failure. */
function accountVerifier(api: SystemApi, userId: number, session: Session): () => Promise<void> {
  let verified: Promise<void> | undefined;
  const verify = async (): Promise<void> => {
    const owner = await api.owner();
    session.isVerified = owner === userId;
    if (session.isVerified) return;
    throw new Fault('credentials.other-account', `The access token belongs to user ${owner}, not to user ${userId}.`, {
      hint: `Nothing was changed. Set the user ID to ${owner}, or use the token of user ${userId}.`,
      detail: { owner, configured: userId },
    });
  };
  return () => {
    if (session.isVerified) return Promise.resolve();
    verified ??= verify().catch((thrown: unknown) => {
      verified = undefined;
      throw thrown;
    });
    return verified;
  };
}

async function deleteAll(api: SystemApi, ids: readonly KeyId[]): Promise<boolean> {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return deleteOne(api, only);
  let count = 0;
  for (const batch of batches(ids, SYSTEM_LIMITS.deleteBatch)) count += await deleteBatch(api, batch);
  return count === ids.length;
}

type Recheck = (now: ObservedKey) => boolean;

/** Deletes the keys that pass the check after every wait. */
async function deleteChecked(
  api: SystemApi,
  ids: readonly KeyId[],
  { readAgain, recheck }: { readonly readAgain: ReadAgain; readonly recheck: Recheck },
): Promise<boolean> {
  const read = async (asked: readonly KeyId[]): Promise<readonly KeyId[]> =>
    [...(await readAgain(asked)).values()].filter(recheck).map(({ id }) => id);
  let count = 0;
  for (const batch of batches(ids, SYSTEM_LIMITS.deleteBatch)) {
    count += await removeKeys((left) => deleteBatch(api, left, 'once'), batch, read);
  }
  return count === ids.length;
}

/** Deletes keys, one by one where there are no batches: new-api has them since version 0.8.6.2. Returns the number deleted. */
async function deleteBatch(api: SystemApi, ids: readonly KeyId[], sending?: Sending): Promise<number> {
  try {
    return await api.deleteKeys(ids, sending);
  } catch (thrown) {
    if (!lacksEndpoint(thrown)) throw thrown;
  }
  let count = 0;
  for (const id of ids) if (await deleteOne(api, id, sending)) count += 1;
  return count;
}

/** Returns false when the key did not exist: the gateway rejects the deletion, and a read confirms it. */
const deleteOne = async (api: SystemApi, id: KeyId, sending?: Sending): Promise<boolean> =>
  (await undefinedIfGone(
    api,
    id,
    api.deleteKey(id, sending).then(() => true),
  )) === true;
