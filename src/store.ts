/**
 * The ports of Keyplane, for a store, a lock or a cache of one’s own, and the bodies that come with it.
 */
export { usageCacheAt } from './disk/index.ts';
export {
  type ContractRunner,
  keyStoreContract,
  type MemoryAccount,
  type MemoryOptions,
  memoryStore,
  type StoreUnderTest,
} from './memory/index.ts';
export type {
  KeyStore,
  Lock as LockStore,
  SecretSink,
  SinkAccess,
  SinkHolder,
  SinkMatch,
  SinkMetadata,
  UsageCache,
} from './reconcile/index.ts';
