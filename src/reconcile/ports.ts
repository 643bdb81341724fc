import type {
  AccountRef,
  Decimal,
  Group,
  KeyId,
  KeySettings,
  ObservedKey,
  Quota,
  Secret,
  UsageEntry,
} from '../domain/index.ts';

/** The keys that were made last. */
export interface Newest {
  readonly keys: readonly ObservedKey[];
  /** Every key with a greater id is among them; 0: all that there are. */
  readonly after: number;
}

/**
 * The account's keys, as reconcile needs them. One contract, two bodies: a live gateway, and a store in memory.
 *
 * Every method throws a Fault. A write that throws a fault whose `retry` is `look` may have taken effect; a write that
 * throws any other has not.
 */
export interface KeyStore {
  readonly account: AccountRef;
  /**
   * Verifies, once, that the keys are those of `account`: some gateways ignore the user ID, and the credentials alone decide.
   * Every other method that reads or writes the account does so first.
   *
   * @throws Fault `credentials.other-account`
   */
  verifyAccount(): Promise<void>;
  /** Quota units for one US dollar, as the gateway reports them now. */
  quotaPerUnit(): Promise<Decimal>;
  /** The balance of the account, which no key can exceed; undefined when the store does not know it. */
  wallet(): Promise<Quota | undefined>;
  /** The groups of the account; undefined when the store does not know them. */
  groups(): Promise<readonly Group[] | undefined>;
  /** The models of the account; undefined when the store does not know them. */
  models(): Promise<readonly string[] | undefined>;
  /** Every key of the account, Smart Routing keys too, each once, in no promised order. */
  walk(): Promise<readonly ObservedKey[]>;
  /**
   * The newest keys, in one request; undefined when the store cannot determine them. A walk costs as many requests as
   * there are pages, and this is enough to find a new key.
   */
  newest(): Promise<Newest | undefined>;
  /** Undefined when there is no such key. */
  tryRead(id: KeyId): Promise<ObservedKey | undefined>;
  /** Creates an enabled key. The store does not return the id. The store never sends a create twice. */
  create(settings: KeySettings): Promise<void>;
  /** Writes all mutable settings: those of `base.record` as read, with `patch` laid over them. Never the status. */
  update(base: ObservedKey, patch: Partial<KeySettings>): Promise<void>;
  /** Changes only the status. */
  setEnabled(id: KeyId, enabled: boolean): Promise<void>;
  /**
   * Deletes the keys that exist, any number of ids. True: all of them existed and are deleted; otherwise only a read shows
   * which are gone.
   */
  delete(ids: readonly KeyId[]): Promise<boolean>;
  /** The usable credentials (`sk-…`) of these keys, in batches; a key that does not exist is absent. */
  reveal(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>>;
  /** The usage log, newest first, a page of entries at a time; stop iterating to stop reading. */
  usage(): AsyncIterable<readonly UsageEntry[]>;
}
