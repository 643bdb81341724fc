/** US dollars: exact, at most 18 decimals. A text where a number of JavaScript would not be: `'0.1'` is a tenth. */
export interface Dollars {
  /** US dollars, exact: the digits count as written. */
  readonly usd: number | string;
  readonly quota?: never;
}

/** Internal quota units of the gateway: whole. */
export interface QuotaUnits {
  /** Internal quota units of the gateway. */
  readonly quota: number;
  readonly usd?: never;
}

/** An amount in one of the two units. */
export type Amount = Dollars | QuotaUnits;

interface Lifetime {
  readonly per?: never;
  readonly below?: never;
  readonly initial?: never;
}

interface Window {
  /** An allowance for each window of time, in UTC: hour, day, week, month, or a number of days such as 7d. */
  readonly per: 'hour' | 'day' | 'week' | 'month' | `${number}d`;
  readonly below?: never;
  readonly initial?: never;
}

interface TopUp {
  /** Topped up to the budget when less than this remains. */
  readonly below: Amount;
  readonly per?: never;
  readonly initial?: never;
}

interface Initial {
  /** Set at creation only. */
  readonly initial: true;
  readonly per?: never;
  readonly below?: never;
}

/** A budget that has a ceiling: all that the key may ever use, or an allowance, a top-up, a first grant. */
export type LimitedBudget = Amount & (Lifetime | Window | TopUp | Initial);

/** What a key may spend. `unlimited`: no ceiling for this key; the account's wallet still counts. */
export type Budget = 'unlimited' | LimitedBudget;

/** JSON, as it is stored. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };

/** What a key may do and what it may spend: the fields of a key in a manifest. What is absent is not managed. */
export interface KeyFields {
  /** Whether the key may be used. Default: true. */
  readonly enabled?: boolean;
  /** One of the account’s groups. */
  readonly group?: string;
  /** Try other groups; meaningful for automatic groups only. */
  readonly crossGroupRetry?: boolean;
  /** Model IDs that the key may use, or any. Omitted: not managed. */
  readonly models?: 'any' | readonly string[];
  /** Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed. */
  readonly allowIps?: 'anywhere' | readonly string[];
  /** When the key expires, as a time with its offset, or never. Omitted: not managed. */
  readonly expires?: 'never' | string | Date;
  /** What the key may spend. */
  readonly budget?: Budget;
  /** The Smart Routing tiers: opaque JSON, stored as is. */
  readonly smartRouting?: { readonly tiers: JsonValue };
}
