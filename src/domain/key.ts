import type { Budget } from './budget.ts';
import type { Place } from './diagnostic.ts';
import type { IpRule } from './ip-rule.ts';
import type { KeyName, NameGlob } from './key-name.ts';
import type { Decimal, Quota } from './quantity.ts';
import type { UnixSeconds } from './window.ts';

/** The gateway's number for a key: its only identity. Names may repeat, masks may collide. */
export type KeyId = number & { readonly __keyId: unique symbol };

/** @throws RangeError when it is not a whole number above 0. */
export function keyId(value: number): KeyId {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`not a key id: ${value}`);
  return value as KeyId;
}

/** The settings of a key that a full update writes, in comparable form. */
export interface KeySettings {
  readonly name: string;
  /** One of the account's groups; empty: the account's own. */
  readonly group: string;
  readonly crossGroupRetry: boolean;
  /** The allowlist; null: any model. An empty list is possible on a live key and refuses every model. */
  readonly models: readonly string[] | null;
  /** Address rules; null: from anywhere. On a live key a rule may be any text. */
  readonly allowIps: readonly string[] | null;
  /** null: never. */
  readonly expires: UnixSeconds | null;
  readonly unlimited: boolean;
  /** Means nothing while `unlimited`. Negative: overdrawn. */
  readonly remain: Quota;
  readonly smartRouting: boolean;
  /** JSON text as stored; empty: none. */
  readonly smartRouteTiers: string;
}

/** The status as the gateway stores it; it moves to `expired` and `exhausted` lazily, on some deployments never. */
export type StoredStatus = 'enabled' | 'disabled' | 'expired' | 'exhausted';

/** A key as the gateway has it, without its secret. */
export interface ObservedKey extends KeySettings {
  readonly id: KeyId;
  readonly status: StoredStatus;
  /** All that the key ever used; absent where the gateway does not tell. */
  readonly used?: Quota;
  readonly createdAt?: UnixSeconds;
  /** For display only, never an identity. */
  readonly masked: string;
  /** The record as it was read, unknown fields too: what an update overlays. Opaque outside `wire`. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The mask as the gateway shows it. One that hides nothing would be the secret itself, so it is not shown. */
export const maskOf = ({ masked }: Pick<ObservedKey, 'masked'>): string => (masked.includes('*') ? masked : '(hidden)');

/** What a manifest says of one key. An absent field is not managed: left alone, or the gateway's default when new. */
export interface DesiredKey {
  readonly name: KeyName;
  readonly enabled: boolean;
  readonly group?: string;
  readonly crossGroupRetry?: boolean;
  readonly models?: readonly string[] | null;
  readonly allowIps?: readonly IpRule[] | null;
  readonly expires?: UnixSeconds | null;
  readonly budget?: Budget;
  /** Canonical JSON text. */
  readonly smartRouteTiers?: string;
  readonly renamedFrom?: KeyName;
  /** Declared for later stages of Keyplane; the plan says in a note that they do not act yet. */
  readonly pending?: readonly ('rotate' | 'deliver')[];
  /** Where it is declared. */
  readonly place?: Place;
}

/** Which live keys are ours, and what may happen to those that are no longer declared. */
export interface Ownership {
  /** Undefined: only the declared names. */
  readonly scope?: readonly NameGlob[];
  readonly prune: 'never' | 'disable' | 'delete';
  readonly protect: readonly NameGlob[];
}

export interface DesiredState {
  readonly keys: readonly DesiredKey[];
  readonly ownership: Ownership;
}

/** Which account on which gateway: nothing planned for one may be applied to another. */
export interface AccountRef {
  readonly url: string;
  readonly userId: number;
}

export interface Group {
  readonly name: string;
  readonly description?: string;
  readonly ratio?: string;
}

export interface ObservedState {
  readonly account: AccountRef;
  /** Quota units for one dollar, as the gateway said in this run. */
  readonly quotaPerUnit: Decimal;
  /** Undefined: the gateway lists them in a shape that is not known. */
  readonly groups?: readonly Group[];
  /** Undefined: the gateway can not be asked. */
  readonly models?: readonly string[];
  readonly keys: readonly ObservedKey[];
  /** What grants need to know: used since the budget's window began. Only for keys that needed the log. */
  readonly used: ReadonlyMap<KeyId, Quota>;
  /** Identities of the newest log entries, read after the keys were; undefined when the log was not read. */
  readonly logHead?: ReadonlySet<string>;
}

/** One line of the usage log, as far as budgets need it. */
export interface UsageEntry {
  /** Tells entries apart across pages, also when the listing moves. */
  readonly identity: string;
  readonly at: UnixSeconds;
  readonly keyId: KeyId | undefined;
  readonly keyName: string;
  /** The model that was asked, and the request; absent where the gateway does not tell. */
  readonly model?: string;
  readonly requestId?: string;
  /** Of the request, and whether its answer came as a stream. */
  readonly path?: string;
  readonly streamed?: boolean;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Units that this entry took (positive) or gave back (negative). */
  readonly spent: Quota;
}
