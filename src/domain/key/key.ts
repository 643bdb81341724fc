import type { Place } from '../diagnostic.ts';
import type { BudgetAmount } from '../kinds/budget.ts';
import type { DeclaredValues, SettingValues } from '../kinds/kind.ts';
import type { Guardrails } from '../policy/limits.ts';
import type { Decimal, Quota } from '../quantity.ts';
import type { Secret } from '../secret.ts';
import type { UnixSeconds } from '../window.ts';
import {
  type FieldName,
  type FieldTable,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingTable,
} from './fields.ts';
import type { KeyMetadata, OwnerRule } from './metadata.ts';
import type { KeyName, NameGlob } from './name.ts';
import type { SettingLimits } from './setting-limits.ts';
import type { DeclaredSink } from './sink.ts';

/** The gateway's number for a key: its only identity. Names may repeat, masks may collide. */
export type KeyId = number & { readonly __keyId: unique symbol };

/** @throws RangeError when it is not a whole number above 0. */
export function keyId(value: number): KeyId {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`not a key id: ${value}`);
  return value as KeyId;
}

/** The settings of a key that a full update writes. Names, kinds and order: {@link SETTINGS}. */
export type KeySettings = { readonly [S in SettingName]: SettingValues[SettingTable[S]['kind']] };

/** The settings of a new key for which nothing is declared. */
export const INITIAL_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].initial]),
) as KeySettings;

/** The status as the gateway stores it; it moves to `expired` and `exhausted` lazily, on some deployments never. */
export type StoredStatus = 'enabled' | 'disabled' | 'expired' | 'exhausted';

/** A stored value that Keyplane cannot work with: the setting holds the nearest one that it can. */
export interface OddValue {
  /** The name that the gateway gives it. */
  readonly field: string;
  readonly stored: string;
}

/** A key as the gateway has it, without its secret. */
export interface ObservedKey extends KeySettings {
  readonly id: KeyId;
  readonly status: StoredStatus;
  /** Everything that the key ever used; absent where the gateway does not report it. */
  readonly used?: Quota;
  readonly createdAt?: UnixSeconds;
  /** The time of the last request with the key; the time of creation if there was none. Not reported everywhere. */
  readonly accessedAt?: UnixSeconds;
  /** Absent: the record is as the contract has it. */
  readonly odd?: readonly OddValue[];
  /** The settings for which the gateway has no field; absent where it has all of them, or where the record does not show it. */
  readonly lacks?: readonly SettingName[];
  /** The groups of its own that `auto` stands for on this key, in order; absent where keys have none. */
  readonly autoGroups?: readonly string[];
  /** For display only, never an identity. */
  readonly masked: string;
  /** The credential, where the gateway lists it in clear. */
  readonly credential?: Secret;
  /** The record as it was read, unknown fields too: what an update overlays. Opaque outside `wire`. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The mask as the gateway shows it. One that hides nothing could be the secret itself, so it is not shown. */
export const maskOf = ({ masked }: Pick<ObservedKey, 'masked'>): string => (masked.includes('*') ? masked : '(hidden)');

/** The fields that a declaration manages. Names and kinds: {@link KEY_FIELDS}. */
export type ManagedFields = { readonly [F in Exclude<FieldName, 'enabled'>]?: DeclaredValues[FieldTable[F]['kind']] };

/** The schedule of the generations of a key. Lengths of time are seconds. */
export interface Rotation {
  /** The age at which a generation gets a successor. */
  readonly every: number;
  /** The time for which a generation lives on after its successor was created. */
  readonly overlap: number;
  /** The time without use that a generation must show before it ends. Omitted: a day, or more for slow sinks. */
  readonly quiet?: number;
  /** The most that a generation may spend in its overlap. Omitted: what the budget leaves. */
  readonly overlapBudget?: BudgetAmount;
}

/**
 * The name that a key was created with, for a caller who remembers it. The use of former keys counts against its window under this name
 * alone: the key that had a later name before has an allowance of its own.
 */
export interface NameOrigin {
  readonly name: string;
  /** The time of the first rename, from which others may have the name. Omitted: the key has it. */
  readonly until?: UnixSeconds;
}

/**
 * The declaration of one key. An omitted field is not managed: it stays as it is on an existing key and is the
 * gateway's default on a new one.
 */
export interface DesiredKey extends ManagedFields {
  readonly name: KeyName;
  /** Omitted: not managed; a new key is enabled. */
  readonly enabled?: boolean;
  /**
   * The live key that this declaration adopts. It must have exactly this name, which may be one that cannot be given to
   * a new key. Omitted: the name alone decides.
   */
  readonly id?: KeyId;
  /** The live key that is renamed, by its name or its ID. */
  readonly renamedFrom?: KeyName | KeyId;
  /** See {@link NameOrigin}. No declaration contains it. Omitted: former keys count under its name and `renamedFrom`. */
  readonly origin?: NameOrigin;
  /** Never part of a change. */
  readonly metadata?: KeyMetadata;
  /** Omitted: the key rotates only when somebody asks for it. */
  readonly rotate?: Rotation;
  /** The declared name of a generation whose live name differs from it. No declaration contains it. */
  readonly of?: KeyName;
  /** The sinks of its secret; absent: none. */
  readonly deliver?: readonly DeclaredSink[];
  /** The position of the declaration. */
  readonly place?: Place;
}

/** The time until the readers of all sinks of a key have its secret, in seconds. */
export const propagateOf = (key: Pick<DesiredKey, 'deliver'> | undefined): number =>
  Math.max(0, ...(key?.deliver ?? []).map(({ propagateSeconds }) => propagateSeconds));

/** The live keys that a manifest owns, and what may happen to those that are no longer declared. */
export interface Ownership {
  /** Undefined: only the declared names. */
  readonly scope?: readonly NameGlob[];
  readonly prune: 'never' | 'disable' | 'delete';
  /** Seconds, of whole days, for which a key is disabled before it is deleted; omitted: none. Only where `prune` is `delete`. */
  readonly quarantine?: number;
  readonly protect: readonly NameGlob[];
}

export interface DesiredState {
  readonly keys: readonly DesiredKey[];
  readonly ownership: Ownership;
  /** The rules that every declared key must keep; each policy holds on its own. Absent: none. */
  readonly policies?: readonly Guardrails[];
  /** Absent: nobody owns keys by their names. */
  readonly owners?: readonly OwnerRule[];
}

/** An account on a gateway: nothing planned for one may be applied to another. */
export interface AccountRef {
  readonly url: string;
  readonly userId: number;
}

export interface Group {
  readonly name: string;
  readonly description?: string;
  readonly ratio?: string;
}

/** The settings that a gateway accepts and does not keep, according to its profile. */
export interface UnkeptSettings {
  /** Kept nowhere. */
  readonly everywhere: readonly SettingName[];
  /** Kept only in the group `auto`. */
  readonly outsideAuto: readonly SettingName[];
  /** `stated` by the profile that somebody chose; `presumed` from that of a gateway of the same kind. */
  readonly source: 'stated' | 'presumed';
  /** The kind of gateway, such as `new-api v0.13.2`; only where it was recognized. */
  readonly kind?: string;
}

/**
 * The reason why the use of a key is unknown: the log is longer than the run may read, where the run accepts that; or the key was
 * used in every moment in which it was read; or the log does not account for all that it used, so that it is not raised as far as
 * the log asks for.
 */
export type Unverified = 'log-too-long' | 'busy' | 'log-incomplete';

/** The last use of a key, and how much of it is known. */
export interface LastUse {
  /** Omitted: no use is known. */
  readonly at?: UnixSeconds;
  /** True when nothing used the key after `at`, or ever: a counter of the gateway shows it, or a log that accounts for all use. */
  readonly isProven: boolean;
  /** The addresses of the last requests, where the usage log has them. */
  readonly addresses?: readonly string[];
}

export interface ObservedState {
  readonly account: AccountRef;
  /** Quota units for one dollar, as the gateway reported in this run. */
  readonly quotaPerUnit: Decimal;
  /** Undefined: the gateway lists them in an unknown shape. */
  readonly groups?: readonly Group[];
  /** Undefined: the gateway cannot be asked. */
  readonly models?: readonly string[];
  readonly keys: readonly ObservedKey[];
  /** The balance of the account; absent where no key depends on it, or the gateway does not report it. */
  readonly wallet?: Quota;
  /** Absent: no profile is known, or it states that every setting is kept. */
  readonly unkept?: UnkeptSettings;
  /** Absent: those of the contract. */
  readonly limits?: SettingLimits;
  /** Used since the budget's window began, by all generations of the key. Only for keys whose budget needs the log. */
  readonly used: ReadonlyMap<KeyId, Quota>;
  /** The part of it that one generation used itself. Only for keys with several. */
  readonly ownUse?: ReadonlyMap<KeyId, Quota>;
  /**
   * Used since the window began under a declared name, by keys that no longer have it: deleted or renamed ones. By the declared name, and
   * only for keys that are created, or hold less than their allowance.
   */
  readonly formerUse?: ReadonlyMap<string, Quota>;
  /** The last use of generations that have a successor. */
  readonly lastUse?: ReadonlyMap<KeyId, LastUse>;
  /** Declared names of keys of which a sink lacks the secret of the current generation, or may lack it. */
  readonly undelivered?: ReadonlySet<string>;
  /** Keys whose use is unknown, and why. */
  readonly unverified?: ReadonlyMap<KeyId, Unverified>;
  /** The time of this machine, where it is not that of the gateway: a key is deleted late rather than early. */
  readonly machineAt?: UnixSeconds;
  /** Identities of the newest log entries, read after the keys were; undefined when the log was not read. */
  readonly logHead?: ReadonlySet<string>;
}

/** One line of the usage log, as far as budgets need it. */
/** The factors of a charge, as far as the usage log reports them. */
export interface Billing {
  /** The group that the request was billed in. */
  readonly group?: string;
  /** Dollars for each image, second or task; not positive for a model that is charged by tokens. */
  readonly modelPrice?: number;
  /** Quota units for each input token. */
  readonly modelRatio?: number;
  /** The price of an output token, in input tokens. */
  readonly completionRatio?: number;
  readonly cacheRatio?: number;
  readonly groupRatio?: number;
  /** Replaces the ratio of the group; negative where the user has none. */
  readonly userGroupRatio?: number;
}

export interface UsageEntry {
  /** Identifies an entry across pages, also when the listing shifts. */
  readonly identity: string;
  readonly at: UnixSeconds;
  readonly keyId: KeyId | undefined;
  readonly keyName: string;
  /** The model and the request; absent where the gateway does not report them. */
  readonly model?: string;
  readonly requestId?: string;
  /** The address that the gateway saw; absent where it does not report it. */
  readonly ip?: string;
  /** The path of the request, and whether the response was a stream. */
  readonly path?: string;
  readonly streamed?: boolean;
  /** The video task that the request created. */
  readonly taskId?: string;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  /** Absent where the gateway reports no factors. */
  readonly billing?: Billing;
  /** Units that this entry took (positive) or gave back (negative). */
  readonly spent: Quota;
  /** The entry is neither of consumption nor of a refund: a record without a request, or one of an unknown type. */
  readonly isOther?: true;
}
