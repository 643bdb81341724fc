import type { Secret, UnixSeconds } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Limits } from '../../reconcile/index.ts';
import type { SharedStore } from './shared-store.ts';

/** What the calls of one configured provider share. */
export interface Client {
  readonly gateway: Gateway;
  /** The gateway’s keys, for many who ask at once. */
  readonly store: SharedStore;
  /** Names of keys that this process makes, or has made: no other key gets one of them. */
  readonly names: Set<string>;
  readonly now: () => UnixSeconds;
  /** What a plan may do beyond what is safe by default. */
  readonly limits: Pick<Limits, 'allowUnknownGroups' | 'allowUnknownModels'>;
  /** Pages of the usage log that may be read for budgets. */
  readonly maxLogPages?: number | undefined;
  /** An API key with which the models may be asked. */
  readonly modelsKey?: Secret | undefined;
}
