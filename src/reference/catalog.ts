import type { FamilyId } from '../wire/index.ts';
import type { Account } from './ledger/accounts.ts';

interface GroupConfig {
  readonly ratio: number | string;
  readonly desc: string;
}

/** What a failing model answers. `status` counts for requests that are answered at once, `code` for tasks too. */
export interface ModelFailure {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** How long the video tasks of a model take, in seconds of the gateway's clock, and how many run at once. */
export interface TaskPace {
  readonly queueSeconds: number;
  readonly runSeconds: number;
  readonly slots?: number | undefined;
}

/** One model: what it costs, and how it behaves. */
export interface ModelConfig {
  readonly ratio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  /** Dollars for an image or a task; without it tokens are counted, by `ratio`. */
  readonly price?: number | undefined;
  /** False: the gateway lists the model and has no price for it. */
  readonly priced: boolean;
  /** What kind of request it takes, where its name does not tell. */
  readonly family?: FamilyId | undefined;
  readonly fails?: ModelFailure | undefined;
  readonly task: TaskPace;
}

/** A server that some models are forwarded to. Its key stands in the environment, under this name. */
export interface UpstreamConfig {
  readonly baseUrl: string;
  readonly keyEnv?: string | undefined;
  readonly models: readonly string[];
}

/** At most `requests` within `seconds`, for one address. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** Absent: as the profile has it. Null: none. */
export interface LimitSettings {
  readonly api?: Rate | null | undefined;
  readonly search?: Rate | null | undefined;
  readonly reveal?: Rate | null | undefined;
  readonly keysPerUser?: number | null | undefined;
}

/** What the gateway offers: set by the first seed, kept in the ledger. */
export interface Catalog {
  readonly quotaPerUnit: number;
  readonly groups: Readonly<Record<string, GroupConfig>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly upstreams: readonly UpstreamConfig[];
  readonly limits: LimitSettings;
  /** Mutable fields of key records beyond the contract, each with the value that stands for "omitted". */
  readonly extraFields: Readonly<Record<string, unknown>>;
}

export const groupsOf = (catalog: Catalog, account: Account): readonly string[] =>
  Object.keys(catalog.groups).filter((name) => account.groups?.includes(name) ?? true);

export const modelsOf = (catalog: Catalog, account: Account): readonly string[] =>
  Object.keys(catalog.models).filter((id) => account.models?.includes(id) ?? true);
