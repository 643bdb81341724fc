import type { RecentUses } from '../../disk/index.ts';
import type { Guardrails, Secret, UnixSeconds } from '../../domain/index.ts';
import type { SharedClaim } from '../../engine/index.ts';
import type { Clock, Gateway } from '../../gateway/index.ts';
import type { Limits } from '../../reconcile/index.ts';
import type { ResourceInstance } from '../provider/definition.ts';
import type { OwnCreates } from './key/creates/own-creates.ts';
import { openRenameOrder, type RenameOrder } from './key/names/rename-order.ts';
import type { SharedStore } from './store/shared-store.ts';

/** The memory of one run of Terraform: a provider process lives as long as a run. */
export interface RunMemory {
  /** IDs of keys that resources manage, or managed until this run deleted them. */
  readonly managedIds: Set<number>;
  /** The resources that have keys after this plan, by the IDs of the keys: of two with one key, the first. */
  readonly keptBy: Map<number, ResourceInstance>;
  /** Names of former generations of keys that rotate, by ID: their rotation ends them. */
  readonly formerNames: Map<number, string>;
  /** Names of keys that this plan deletes, by ID. */
  readonly plannedDeletes: Map<number, string>;
  /** IDs of keys that this plan disables, because their resources end. */
  readonly plannedDisables: Set<number>;
  /** Names of keys that stay at the gateway when their resources end, by ID. */
  readonly stayingNames: Map<number, string>;
  /** The same of keys that were read, and are not planned yet. Core plans a tainted resource as a new one. */
  readonly unplannedStayingNames: Map<number, string>;
  /** Generated names of keys that planned resources adopt. */
  readonly plannedAdoptions: Set<string>;
  /** Names of planned new keys, by their case-folded form. */
  readonly plannedNames: Map<string, string>;
  /** Codes of warnings that a run shows once. */
  readonly shownWarnings: Set<string>;
  readonly renames: RenameOrder;
}

/** @param patience how long a rename waits, while nothing else happens, for another key to release its name */
export const openRunMemory = (patience: () => Promise<unknown> = async () => {}): RunMemory => ({
  managedIds: new Set(),
  keptBy: new Map(),
  formerNames: new Map(),
  plannedDeletes: new Map(),
  plannedDisables: new Set(),
  stayingNames: new Map(),
  unplannedStayingNames: new Map(),
  plannedAdoptions: new Set(),
  plannedNames: new Map(),
  shownWarnings: new Set(),
  renames: openRenameOrder(patience),
});

/** The state that the calls of one configured provider share. */
export interface Client {
  readonly gateway: Gateway;
  /** The gateway’s keys, for concurrent callers. */
  readonly store: SharedStore;
  /** Names of keys that this process creates or has created: no other key may take one. */
  readonly claimedNames: Set<string>;
  /** Recognizes the keys of killed processes. Omitted: creates are not recorded. */
  readonly creates?: OwnCreates | undefined;
  /** Keeps other runs from writing. Omitted: nothing does. */
  readonly claim?: SharedClaim | undefined;
  /** The reveals of the last 20 minutes by all processes of this machine. Omitted: nobody counts them. */
  readonly reveals?: Pick<RecentUses, 'count'> | undefined;
  readonly run: RunMemory;
  readonly sleep: Clock['sleep'];
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** The gateway’s time: it decides whether a key is expired. */
  readonly now: () => UnixSeconds;
  /** The guards that the configuration lifts. */
  readonly limits: Pick<Limits, 'allowUnknownGroups' | 'allowUnknownModels'>;
  /** The rules that every key must keep. Omitted: none. */
  readonly policies?: readonly Guardrails[];
  /** Pages of the usage log that may be read for budgets. */
  readonly maxLogPages?: number | undefined;
  /** Budgets are raised as far as the usage log asks for. */
  readonly assumeLogComplete?: boolean;
  /** Removed from the texts of the gateway. */
  readonly secrets?: readonly Secret[];
  /** An API key that may list the models. */
  readonly modelsKey?: Secret | undefined;
}
