import {
  type AccountRef,
  AUTO_GROUP,
  type Decimal,
  decimalOf,
  Fault,
  type Group,
  type KeyId,
  type KeySettings,
  keyId,
  type ObservedKey,
  type Quota,
  quota,
  Secret,
  type UsageEntry,
} from '../domain/index.ts';
import type { KeyStore, Newest, UsageSpan } from '../reconcile/index.ts';
import {
  AUTO_GROUPS,
  createBody,
  KEY_STATUS,
  KeyRecord,
  type KeySettingsBody,
  keyFromWire,
  OMITTED_FIELDS,
  updateBody,
} from '../wire/index.ts';

type StoredRecord = KeySettingsBody & {
  id: number;
  status: number;
  key: string;
  used_quota: number;
  madeAt: number;
  usedAt: number;
};

/** The properties of an account in memory. */
export interface MemoryOptions {
  /** The address and the user that plans of the account name. */
  readonly account?: AccountRef;
  /** Records report the used quota, as on deployed gateways; the contract does not promise it. */
  readonly reportsUse: boolean;
  /** Records report when a key was created and used last, as on deployed gateways. */
  readonly reportsTimes?: boolean;
  /** Null: unknown. */
  readonly groups?: readonly string[] | null;
  /** The models of the account. Omitted: unknown. */
  readonly models?: readonly string[];
  /** The balance of the account. Omitted: unknown. */
  readonly wallet?: Quota;
  /** The user that the credentials belong to. Default: the one of the account. */
  readonly owner?: number;
  /** The log can be summed up by name and time. */
  readonly filtersLog?: boolean;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Called before an operation takes effect, so that a test can add traffic, concurrent edits or faults. */
export type Hook = (operation: keyof KeyStore, id?: KeyId) => void;

/**
 * The second implementation of the port: an account in memory that follows the contract. It stores and merges records, rejects
 * what a gateway rejects, and keeps unknown fields only when they are echoed.
 */
export class MemoryStore implements KeyStore {
  readonly account: AccountRef;
  readonly records = new Map<number, StoredRecord>();
  readonly log: UsageEntry[] = [];
  readonly calls: Partial<Record<keyof KeyStore, number>> = {};
  hook: Hook = () => {};
  /** Changes of the status, and deletes, wait once: each key is looked at again right before. */
  waits = false;
  private readonly options: MemoryOptions;
  private nextId = 1;
  private spentUnits = 0;

  constructor(options: MemoryOptions) {
    this.options = options;
    this.account = options.account ?? { url: 'memory://account', userId: 1 };
  }

  /** Stores a record as another client would, with any settings and unknown fields. Returns its id. */
  seed(settings: KeySettings, more: { status?: number; used?: number; extra?: Record<string, unknown> } = {}): KeyId {
    const id = this.nextId;
    this.nextId += 1;
    const { status = 1, used = 0, extra = {} } = more;
    const at = this.options.reportsTimes ? this.options.now() : 0;
    const times = { madeAt: at, usedAt: at };
    this.records.set(id, {
      ...extra,
      ...createBody(settings),
      id,
      status,
      key: `stored${id}`,
      used_quota: used,
      ...times,
    });
    return keyId(id);
  }

  /** Simulates traffic on a key: the remaining and used quota, the wallet and the log change together. */
  spend(id: KeyId, units: number): void {
    const record = this.stored(id);
    this.spentUnits += units;
    record.remain_quota -= units;
    record.used_quota += units;
    record.usedAt = this.options.now();
    const at = this.options.now();
    this.log.unshift({ identity: `r${this.log.length}`, at, keyId: id, keyName: record.name, spent: quota(units) });
  }

  unkept(): undefined {}

  limits(): undefined {}

  async verifyWritable(): Promise<void> {}

  async verifyAccount(): Promise<void> {
    this.refuseOther();
  }

  private refuseOther(): void {
    const { owner = this.account.userId } = this.options;
    if (owner === this.account.userId) return;
    throw new Fault('credentials.other-account', `the credentials belong to user ${owner}`);
  }

  async quotaPerUnit(): Promise<Decimal> {
    this.enter('quotaPerUnit');
    return decimalOf(500000);
  }

  async wallet(): Promise<Quota | undefined> {
    this.enter('wallet');
    const { wallet } = this.options;
    return wallet === undefined ? undefined : quota(wallet - this.spentUnits);
  }

  async groups(): Promise<readonly Group[] | undefined> {
    this.enter('groups');
    const { groups = ['default', 'vip'] } = this.options;
    return groups?.map((name) => ({ name }));
  }

  async models(): Promise<readonly string[] | undefined> {
    this.enter('models');
    return this.options.models;
  }

  async walk(): Promise<readonly ObservedKey[]> {
    this.enter('walk');
    return [...this.records.keys()].map((id) => this.observe(id));
  }

  async newest(): Promise<Newest | undefined> {
    this.enter('newest');
    const ids = [...this.records.keys()].sort((a, b) => b - a).slice(0, 100);
    const last = ids.length < this.records.size ? ids.at(-1) : undefined;
    return { keys: ids.map((id) => this.observe(id)), after: (last ?? 1) - 1 };
  }

  async tryRead(id: KeyId): Promise<ObservedKey | undefined> {
    this.enter('tryRead', id);
    return this.records.has(id) ? this.observe(id) : undefined;
  }

  async create(settings: KeySettings): Promise<void> {
    this.enter('create');
    this.seed(settings);
  }

  async readMany(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, ObservedKey>> {
    this.enter('readMany');
    return new Map(ids.flatMap((id) => (this.records.has(id) ? [[id, this.observe(id)] as const] : [])));
  }

  async update(id: KeyId, revise: (now: ObservedKey) => Partial<KeySettings>): Promise<void> {
    const base = await this.tryRead(id);
    if (!base) throw new Fault('gateway.not-found', `no key ${id}`);
    this.write(base, updateBody(base, revise(base)));
  }

  /** Writes all settings, as read some time before. */
  write(base: ObservedKey, body: ReturnType<typeof updateBody>): void {
    this.enter('update', base.id);
    const stored = this.stored(base.id);
    if (!body.unlimited_quota && body.remain_quota < 0) throw new Fault('gateway.refused', 'negative quota');
    const { id, status, key, used_quota, madeAt, usedAt } = stored;
    for (const field of OMITTED_FIELDS) if (field in body) throw new Error(`an update carried ${field}`);
    const kept = { id, status, key, used_quota, madeAt, usedAt };
    this.records.set(id, { ...body, ...this.ofAuto(body, stored), ...kept });
  }

  /** A gateway with groups for `auto` keeps them when they are omitted, and clears them in any other group. */
  private ofAuto({ group }: KeySettingsBody, stored: StoredRecord): Partial<StoredRecord> {
    if (!(AUTO_GROUPS in stored)) return {};
    if (group !== AUTO_GROUP) return { [AUTO_GROUPS]: null, cross_group_retry: false };
    return { [AUTO_GROUPS]: stored[AUTO_GROUPS] };
  }

  async setEnabled(id: KeyId, enabled: boolean, recheck?: (now: ObservedKey) => void): Promise<void> {
    this.enter('setEnabled', id);
    const stored = this.stored(id);
    if (this.waits) recheck?.(this.observe(id));
    const expired = stored.expired_time !== -1 && stored.expired_time <= this.options.now();
    const exhausted = !stored.unlimited_quota && stored.remain_quota <= 0;
    if (enabled && (expired || exhausted)) throw new Fault('gateway.refused', 'expired or exhausted');
    stored.status = enabled ? KEY_STATUS.enabled : KEY_STATUS.disabled;
  }

  async delete(ids: readonly KeyId[], recheck?: (now: ObservedKey) => boolean): Promise<boolean> {
    this.enter('delete');
    const spared = (id: KeyId): boolean => this.waits && this.records.has(id) && recheck?.(this.observe(id)) === false;
    return ids.map((id) => !spared(id) && this.records.delete(id)).every(Boolean);
  }

  async reveal(ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Secret>> {
    this.enter('reveal');
    const there = ids.filter((id) => this.records.has(id));
    return new Map(there.map((id) => [id, new Secret(`sk-${this.stored(id).key}`)]));
  }

  async *usage(): AsyncIterable<readonly UsageEntry[]> {
    const entries = [...this.log];
    for (let at = 0; at === 0 || at < entries.length; at += 100) {
      this.enter('usage');
      yield entries.slice(at, at + 100);
    }
  }

  async sumUsage({ name, from }: UsageSpan): Promise<Quota | undefined> {
    this.enter('sumUsage');
    if (!this.options.filtersLog) return undefined;
    const own = this.log.filter(({ keyName, at, spent }) => keyName === name && at >= from && spent > 0);
    return quota(own.reduce((sum, { spent }) => sum + spent, 0));
  }

  private enter(operation: keyof KeyStore, id?: KeyId): void {
    if (operation !== 'quotaPerUnit' && operation !== 'models') this.refuseOther();
    this.calls[operation] = (this.calls[operation] ?? 0) + 1;
    this.hook(operation, id);
  }

  private stored(id: number): StoredRecord {
    const record = this.records.get(id);
    if (!record) throw new Fault('gateway.not-found', `no key ${id}`);
    return record;
  }

  private observe(id: number): ObservedKey {
    const { used_quota, madeAt, usedAt, ...record } = structuredClone(this.stored(id));
    const { reportsUse, reportsTimes = false } = this.options;
    const reported = {
      ...record,
      ...(reportsUse && { used_quota }),
      ...(reportsTimes && { created_time: madeAt, accessed_time: usedAt }),
    };
    const masked = { ...reported, key: 'stor**********' };
    return keyFromWire(KeyRecord.parse(masked), masked);
  }
}
