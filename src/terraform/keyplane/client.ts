import type { Secret, UnixSeconds } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Limits } from '../../reconcile/index.ts';
import type { SharedStore } from './store/shared-store.ts';

/** What a run of Terraform knows of itself: a provider lives for one. */
export interface RunMemory {
  /** Ids that resources hold. */
  readonly held: Set<number>;
  /** Names that resources want to make, folded. */
  readonly wanted: Map<string, string>;
  readonly said: Set<string>;
}

export const openRunMemory = (): RunMemory => ({ held: new Set(), wanted: new Map(), said: new Set() });

/** What the calls of one configured provider share. */
export interface Client {
  readonly gateway: Gateway;
  /** The gateway’s keys, for many who ask at once. */
  readonly store: SharedStore;
  /** Names of keys that this process makes, or has made: no other key gets one of them. */
  readonly names: Set<string>;
  /** What objects of this run have been seen with, and what has been said once for all. */
  readonly run: RunMemory;
  readonly now: () => UnixSeconds;
  /** What a plan may do beyond what is safe by default. */
  readonly limits: Pick<Limits, 'allowUnknownGroups' | 'allowUnknownModels'>;
  /** Pages of the usage log that may be read for budgets. */
  readonly maxLogPages?: number | undefined;
  /** An API key with which the models may be asked. */
  readonly modelsKey?: Secret | undefined;
}
