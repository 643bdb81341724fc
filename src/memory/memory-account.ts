import type { KeyId } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';
import { type MemoryOptions, MemoryStore } from './memory-store.ts';

/** An account in memory, as a store. */
export interface MemoryAccount extends KeyStore {
  /** Lets a key spend quota units, as its traffic would: the key, the balance and the usage log change together. */
  readonly spend: (id: KeyId, units: number) => void;
}

/**
 * Opens an account in memory, without keys, for tests and rehearsals without a server. It follows the contract of stores, and rejects what a
 * gateway rejects.
 *
 * @example
 * const keyplane = createKeyplane({ store: memoryStore() });
 */
export function memoryStore(options: Partial<MemoryOptions> = {}): MemoryAccount {
  const account = new MemoryStore({ reportsUse: true, now: () => Math.floor(Date.now() / 1000), ...options });
  return {
    account: account.account,
    verifyAccount: () => account.verifyAccount(),
    verifyWritable: () => account.verifyWritable(),
    quotaPerUnit: () => account.quotaPerUnit(),
    wallet: () => account.wallet(),
    groups: () => account.groups(),
    models: () => account.models(),
    unkept: () => account.unkept(),
    limits: () => account.limits(),
    walk: () => account.walk(),
    newest: () => account.newest(),
    tryRead: (id) => account.tryRead(id),
    create: (settings) => account.create(settings),
    readMany: (ids) => account.readMany(ids),
    update: (id, revise) => account.update(id, revise),
    setEnabled: (id, enabled, recheck) => account.setEnabled(id, enabled, recheck),
    delete: (ids, recheck) => account.delete(ids, recheck),
    reveal: (ids) => account.reveal(ids),
    usage: () => account.usage(),
    sumUsage: (span) => account.sumUsage(span),
    spend: (id, units) => account.spend(id, units),
  };
}
