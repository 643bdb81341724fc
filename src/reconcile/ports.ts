import type {
  AccountRef,
  Decimal,
  Group,
  KeyId,
  KeySettings,
  ObservedKey,
  Quota,
  Secret,
  SettingLimits,
  UnixSeconds,
  UnkeptSettings,
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
  /** The account that owns the keys. */
  readonly account: AccountRef;
  /**
   * Verifies, once, that the keys are those of `account`: some gateways ignore the user ID, and the credentials alone decide.
   * Every other method that reads or writes the account does so first.
   *
   * @throws Fault `credentials.other-account`
   */
  verifyAccount(): Promise<void>;
  /**
   * Verifies that the gateway is one that may be written to, as every write does. Sends no request once keys were read.
   *
   * @throws Fault `gateway.unsupported`
   */
  verifyWritable(): Promise<void>;
  /** Quota units for one US dollar, as the gateway reports them now. */
  quotaPerUnit(): Promise<Decimal>;
  /** The balance of the account, which no key can exceed; undefined when the store does not know it. */
  wallet(): Promise<Quota | undefined>;
  /** The groups of the account; undefined when the store does not know them. */
  groups(): Promise<readonly Group[] | undefined>;
  /** The models of the account; undefined when the store does not know them. */
  models(): Promise<readonly string[] | undefined>;
  /** The settings that the gateway does not keep, by its profile; of a presumed profile once something was read. */
  unkept(): UnkeptSettings | undefined;
  /** The limits for settings where they are narrower than those of the contract; known once something was read. */
  limits(): SettingLimits | undefined;
  /** Every key of the account, Smart Routing keys too, each once, in no promised order. */
  walk(): Promise<readonly ObservedKey[]>;
  /**
   * The newest keys, in one request; undefined when the store cannot determine them. A walk costs as many requests as
   * there are pages, and this is enough to find a new key.
   */
  newest(): Promise<Newest | undefined>;
  /** Undefined when there is no such key. */
  tryRead(id: KeyId): Promise<ObservedKey | undefined>;
  /**
   * Creates an enabled key. The store does not return the id. The store never sends a create twice.
   *
   * @param sending `once`: the create leaves immediately or not at all; after a wait, somebody may have made a key with its name.
   */
  create(settings: KeySettings, sending?: 'once'): Promise<void>;
  /** Reads some keys again: by list pages, or each by its id where they are few. A key that does not exist is absent. */
  readMany(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, ObservedKey>>;
  /**
   * Writes all mutable settings: those of the record as read right before, with the patch laid over them. Never the status.
   * Nothing is sent or awaited between that read and the write: after every wait the key is read again, and the patch is
   * computed again. There is no conditional write, so an edit of somebody else within that one round trip is lost.
   *
   * @param revise computes the patch from the key as read; what it throws ends the update before anything is written.
   * @throws Fault `gateway.not-found`
   */
  update(id: KeyId, revise: (now: ObservedKey) => Partial<KeySettings>): Promise<void>;
  /**
   * Changes only the status.
   *
   * @param recheck gets the key as it is after every wait; what it throws ends the change before anything is written.
   */
  setEnabled(id: KeyId, enabled: boolean, recheck?: (now: ObservedKey) => void): Promise<void>;
  /**
   * Deletes the keys that exist, any number of ids. True: all of them existed and are deleted; otherwise only a read shows
   * which are gone.
   *
   * @param recheck gets each key as it is after every wait; only keys for which it returns true are still deleted.
   */
  delete(ids: readonly KeyId[], recheck?: (now: ObservedKey) => boolean): Promise<boolean>;
  /** The usable credentials (`sk-…`) of these keys, in batches; a key that does not exist is absent. */
  reveal(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>>;
  /** The usage log, newest first, a page of entries at a time; stop iterating to stop reading. */
  usage(): AsyncIterable<readonly UsageEntry[]>;
  /**
   * The units of the log's entries of consumption under one name, without refunds, in one request; undefined when the store
   * cannot sum up for one name and time.
   */
  sumUsage(of: UsageSpan): Promise<Quota | undefined>;
}

/** The log entries of keys with one name, from a time on. */
export interface UsageSpan {
  readonly name: string;
  readonly from: UnixSeconds;
}
