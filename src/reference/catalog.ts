import type { FamilyId } from '../wire/index.ts';
import type { StoredAccount } from './ledger/accounts.ts';

interface GroupConfig {
  readonly ratio: number | string;
  readonly desc: string;
}

/** The answer of a failing model: `status` for requests that are answered immediately, `code` for tasks too. */
export interface ModelFailure {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** The pace of a model's video tasks: seconds of the gateway's clock, and the number that run concurrently. */
export interface TaskPace {
  readonly queueSeconds: number;
  readonly runSeconds: number;
  readonly slots?: number | undefined;
}

/** The price and the behaviour of one model. */
export interface ModelConfig {
  readonly ratio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  /** Dollars for an image or a task. Without it, tokens are charged by `ratio`. */
  readonly price?: number | undefined;
  /** False for a model that the gateway lists without a price. */
  readonly priced: boolean;
  /** The kind of request that it accepts, where its name does not imply one. */
  readonly family?: FamilyId | undefined;
  readonly fails?: ModelFailure | undefined;
  readonly task: TaskPace;
}

/** A server that some models are forwarded to. `keyEnv` names the environment variable that holds its key. */
export interface UpstreamConfig {
  readonly baseUrl: string;
  readonly keyEnv?: string | undefined;
  readonly models: readonly string[];
}

/** Allows one address at most `requests` within `seconds`. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

/** Omitted: the profile's limit. Null: no limit. */
export interface LimitSettings {
  readonly api?: Rate | null | undefined;
  readonly search?: Rate | null | undefined;
  readonly reveal?: Rate | null | undefined;
  readonly keysPerUser?: number | null | undefined;
}

/** The gateway's groups, models and limits: set by the first seed, kept in the ledger. */
export interface Catalog {
  readonly quotaPerUnit: number;
  readonly groups: Readonly<Record<string, GroupConfig>>;
  readonly models: Readonly<Record<string, ModelConfig>>;
  readonly upstreams: readonly UpstreamConfig[];
  readonly limits: LimitSettings;
  /** Mutable fields of key records beyond the contract, each with the value that an update stores when it omits it. */
  readonly extraFields: Readonly<Record<string, unknown>>;
}

export const groupsOf = (catalog: Catalog, account: StoredAccount): readonly string[] =>
  Object.keys(catalog.groups).filter((name) => account.groups?.includes(name) ?? true);

export const modelsOf = (catalog: Catalog, account: StoredAccount): readonly string[] =>
  Object.keys(catalog.models).filter((id) => account.models?.includes(id) ?? true);
