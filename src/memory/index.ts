/** An account in memory: a whole body of the key store, for tests and rehearsals without a server; and the contract of the port. */
export { type ContractRunner, keyStoreContract, type StoreUnderTest } from './contract.ts';
export { type MemoryAccount, memoryStore } from './memory-account.ts';
export { type Hook, type MemoryOptions, MemoryStore } from './memory-store.ts';
