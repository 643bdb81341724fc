import {
  type KeyId,
  maskOf,
  type ObservedKey,
  type Quota,
  type StoredStatus,
  type UnixSeconds,
} from '../domain/index.ts';

/** A key of the account, without its secret. */
export interface GatewayKey {
  /** The gateway’s number for the key: its only identity. */
  readonly id: KeyId;
  /** The name at the gateway. */
  readonly name: string;
  /** The status that the gateway stores. Some gateways store `expired` and `exhausted` only when the key is next used. */
  readonly status: StoredStatus;
  /** One of the account’s groups; empty: the default one. */
  readonly group: string;
  /** True if the key may retry in other groups. */
  readonly crossGroupRetry: boolean;
  /** The model IDs that the key may use; null: any. */
  readonly models: readonly string[] | null;
  /** The addresses and CIDR ranges that may use the key; null: any. */
  readonly allowIps: readonly string[] | null;
  /** The time of expiry; null: never. */
  readonly expires: Date | null;
  /** The key has no limit of its own; `remaining` means nothing then. */
  readonly unlimited: boolean;
  /** The amount that the key may still spend, in quota units of the gateway; negative: overdrawn. */
  readonly remaining: Quota;
  /** Everything that the key ever spent, in quota units; absent where the gateway does not report it. */
  readonly used?: Quota;
  /** The time of creation, where the gateway reports it. */
  readonly createdAt?: Date;
  /** The time of the last request; absent where the gateway does not report it. */
  readonly lastUsedAt?: Date;
  /** True if Smart Routing is enabled. */
  readonly smartRouting: boolean;
  /** The beginning and the end of the secret, as the gateway shows them: for display only. */
  readonly mask: string;
}

const dateOf = (at: UnixSeconds): Date => new Date(at * 1000);

/** Returns the public form of a key. It has neither the record of the gateway nor anything of the secret. */
export function publicKey(key: ObservedKey): GatewayKey {
  const { id, name, status, group, crossGroupRetry, models, allowIps, expires, unlimited, smartRouting } = key;
  const { used, createdAt, accessedAt } = key;
  return {
    id,
    name,
    status,
    group,
    crossGroupRetry,
    models,
    allowIps,
    expires: expires === null ? null : dateOf(expires),
    unlimited,
    remaining: key.remain,
    ...(used === undefined ? {} : { used }),
    ...(createdAt === undefined ? {} : { createdAt: dateOf(createdAt) }),
    ...(accessedAt === undefined ? {} : { lastUsedAt: dateOf(accessedAt) }),
    smartRouting,
    mask: maskOf(key),
  };
}
