import type { Account } from './ledger/accounts.ts';

export interface GroupOffer {
  readonly ratio: number | string;
  readonly desc: string;
}

/** What a model costs. `price` is dollars for a request; without it tokens are counted, by `ratio`. */
export interface ModelPrice {
  readonly ratio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  readonly price?: number | undefined;
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
  readonly groups: Readonly<Record<string, GroupOffer>>;
  readonly models: Readonly<Record<string, ModelPrice>>;
  readonly limits: LimitSettings;
  /** Mutable fields of key records beyond the contract, each with the value that stands for "omitted". */
  readonly extraFields: Readonly<Record<string, unknown>>;
}

export const groupsOf = (catalog: Catalog, account: Account): readonly string[] =>
  Object.keys(catalog.groups).filter((name) => account.groups?.includes(name) ?? true);

export const modelsOf = (catalog: Catalog, account: Account): readonly string[] =>
  Object.keys(catalog.models).filter((id) => account.models?.includes(id) ?? true);
