import type { Diagnostic, Place, PlanNoteCode } from '../diagnostic.ts';
import type { AccountRef, KeyId, KeySettings, ObservedKey } from '../key/key.ts';
import type { KeyMetadata, KeySelection, LabelSelector } from '../key/metadata.ts';
import type { KeyName, NameGlob } from '../key/name.ts';
import type { Decimal, Quota } from '../quantity.ts';
import type { UnixSeconds } from '../window.ts';
import { type Delivery, isUndelivered } from './delivery.ts';
import type { KeyPolicy } from './exposure.ts';

/** One field of one key, before and after. */
export type Edit = {
  [F in keyof KeySettings]: { readonly field: F; readonly before: KeySettings[F]; readonly after: KeySettings[F] };
}[keyof KeySettings];

export type Edits = readonly [Edit, ...Edit[]];

/** The observed key that a change was planned on, without its secret parts: what a saved plan is checked against. */
export type Snapshot = Pick<ObservedKey, 'id' | 'status' | 'used' | keyof KeySettings>;

interface About {
  readonly place?: Place;
  /** The declared name, where the key is a generation of it. */
  readonly of?: KeyName;
  /** For people and reports; nothing is compared or written because of it. */
  readonly metadata?: KeyMetadata;
}

/** The quarantine of a key that is not declared. */
export interface Quarantine {
  /** The day on which it began; omitted: it begins now. */
  readonly since?: UnixSeconds;
  /** The moment from which on the key is deleted. */
  readonly until: UnixSeconds;
}

interface OnLiveKey extends About {
  readonly name: string;
  readonly id: KeyId;
  /** Only with a reason that is about it. */
  readonly quarantine?: Quarantine;
}

/** One verb for one key. A key may have two: its settings are written first, then its status. */
export type Change =
  | (About & {
      readonly verb: 'create';
      readonly name: KeyName;
      readonly settings: KeySettings;
      /** A gateway creates keys enabled; a key that must not be is disabled as soon as its id is known. */
      readonly enabled: boolean;
    })
  | (OnLiveKey & { readonly verb: 'rename'; readonly from: string; readonly edits: Edits; readonly before: Snapshot })
  | (OnLiveKey & { readonly verb: 'update'; readonly edits: Edits; readonly before: Snapshot })
  | (OnLiveKey & { readonly verb: 'enable'; readonly before: Snapshot; readonly reason: EnableReason })
  /** A held enable: the key is enabled in its declaration and disabled live. Drift that an apply does not correct. */
  | (OnLiveKey & { readonly verb: 'hold'; readonly before: Snapshot; readonly reason: HoldReason })
  | (OnLiveKey & { readonly verb: 'disable'; readonly before: Snapshot; readonly reason: DisableReason })
  | (OnLiveKey & { readonly verb: 'delete'; readonly before: Snapshot; readonly reason: DeleteReason })
  | (OnLiveKey & { readonly verb: 'keep' })
  | (OnLiveKey & { readonly verb: 'retain'; readonly reason: RetainReason });

export type Verb = Change['verb'];
/**
 * The permission to enable a key, or `repaired`: nobody disabled it, and the cause of its expiry or exhaustion is gone.
 * `base`: the manifest went from disabled to enabled. `redeclared`: its quarantine disabled it, and it is declared again.
 */
export const ENABLE_REASONS = ['permitted', 'base', 'repaired', 'redeclared'] as const;
export type EnableReason = (typeof ENABLE_REASONS)[number];
/** The reasons why a disabled key stays disabled: without permission, or because a gateway would refuse to enable it. */
export const HOLD_REASONS = ['unpermitted', 'still-expired', 'still-exhausted'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];
/** `quarantined`: it also gets the name of a key in quarantine, and may be disabled already. */
export const DISABLE_REASONS = ['declared', 'pruned', 'quarantined', 'rotated'] as const;
export type DisableReason = (typeof DISABLE_REASONS)[number];
export const DELETE_REASONS = ['pruned', 'quarantined', 'destroyed', 'rotated'] as const;
export type DeleteReason = (typeof DELETE_REASONS)[number];
/** The reasons why a live key that is not declared, or an old generation, stays. */
export const RETAIN_REASONS = [
  'prune-never',
  'protected',
  'smart-routing',
  'rename-source',
  'already-disabled',
  'in-quarantine',
  'enabled-in-quarantine',
  'unmarkable',
  'overlap',
  'in-use',
  'use-unknown',
  'use-counts',
  'successor-disabled',
] as const;
export type RetainReason = (typeof RETAIN_REASONS)[number];

/** A fact about a plan that is neither a change nor a problem. `data.name` is the key that it concerns. */
export interface PlanNote extends Diagnostic {
  /** Notes reject nothing. */
  readonly severity: 'info';
  readonly code: PlanNoteCode;
  readonly data?: { readonly name: string };
}

/** Creates a note about one key, or about the whole plan. */
export const planNote = (code: PlanNoteCode, message: string, name?: string): PlanNote => ({
  severity: 'info',
  code,
  message,
  ...(name === undefined ? {} : { data: { name } }),
});

/** The manifest that a plan was made from. */
export interface ManifestRef {
  /** SHA-256 of the resolved manifest, `sha256:…`: the same for every layout of it. */
  readonly digest: string;
  /** The commit that holds the manifest, where its files are as committed. */
  readonly commit?: string;
}

/**
 * The changes to make, as data: a plan can be printed, saved, reviewed, compared and tested. It holds no secret.
 * Changes are in the order in which they are applied; keys without a change come last.
 */
export interface Plan {
  /** The account that the plan is for. */
  readonly account: AccountRef;
  /** The time at which the keys were read, in Unix seconds. */
  readonly at: UnixSeconds;
  /** Quota units per dollar, as the gateway reported them. */
  readonly quotaPerUnit: Decimal;
  /** One or two for each key within the scope. */
  readonly changes: readonly Change[];
  /** Facts for the reader that are neither changes nor problems. */
  readonly notes: readonly PlanNote[];
  /** The work on the sinks of the keys; a sink that holds the secret of its key is not listed. Omitted: none is. */
  readonly deliveries?: readonly Delivery[];
  /** The budget policy of every owned key, before and after, by name; none for a destruction. */
  readonly policies: readonly KeyPolicy[];
  /** The balance of the account, where keys have no other limit. */
  readonly wallet?: Quota;
  /** The globs that the plan was narrowed to; omitted: all keys. */
  readonly only?: readonly NameGlob[];
  /** The owners that the plan was narrowed to; omitted: all. */
  readonly owners?: readonly string[];
  /** The labels that the plan was narrowed to; omitted: any. */
  readonly labels?: readonly LabelSelector[];
  /** The manifest that the plan was made from. */
  readonly manifest?: ManifestRef;
  /** Somebody vouches for the usage log: budgets are raised as far as it asks for. */
  readonly assumesLogComplete?: true;
  /** The number of live keys outside the scope; nothing else about them is reported. */
  readonly invisible: number;
  /** Owned live keys: what thresholds are measured against. */
  readonly owned: number;
  /** SHA-256 over everything that was observed within the scope, without consumption. */
  readonly fingerprint: string;
}

/** The name under which people know the key of a change. */
export const declaredName = ({ of, name }: { readonly of?: KeyName; readonly name: string }): string => of ?? name;

const WITHOUT_WRITE = ['keep', 'retain', 'hold'] as const;

/** A change that writes something. */
export type Pending = Exclude<Change, { verb: (typeof WITHOUT_WRITE)[number] }>;

export const isPending = (change: Change): change is Pending => !WITHOUT_WRITE.some((verb) => verb === change.verb);

/** The changes that write something. */
export const pendingChanges = (plan: Pick<Plan, 'changes'>): readonly Pending[] => plan.changes.filter(isPending);

/** Reasons why a key that is not declared stays although it could end. */
const KEPT: readonly RetainReason[] = [
  'prune-never',
  'protected',
  'smart-routing',
  'enabled-in-quarantine',
  'unmarkable',
];

/** Is this a difference that an apply leaves until somebody permits the change? */
export const isWithheld = (change: Change): boolean =>
  change.verb === 'hold' || (change.verb === 'retain' && KEPT.includes(change.reason));

export type HeldEnable = Extract<Change, { verb: 'hold' }>;

/** The enables that an apply holds back. */
export const heldEnables = ({ changes }: Pick<Plan, 'changes'>): readonly HeldEnable[] =>
  changes.filter((change) => change.verb === 'hold');

/** Do the account and the sinks differ from their declarations? Held enables count, although an apply leaves them. */
export const hasDrift = ({ changes, deliveries = [] }: Pick<Plan, 'changes' | 'deliveries'>): boolean =>
  changes.some((change) => change.verb === 'hold' || isPending(change)) || deliveries.some(isUndelivered);

/** The keys that a plan was narrowed to. */
export const selectionOf = ({ only, owners, labels }: Pick<Plan, 'only' | 'owners' | 'labels'>): KeySelection => ({
  ...(only && { names: only }),
  ...(owners && { owners }),
  ...(labels && { labels }),
});
