/** US dollars, exact, with at most 18 decimals. Use a string where a JavaScript number is not exact: `'0.1'`. */
export interface Dollars {
  /** Amount in US dollars, exact to the last digit. */
  readonly usd: number | string;
  readonly quota?: never;
}

/** Internal quota units of the gateway, a whole number. */
export interface QuotaUnits {
  /** Amount in internal quota units of the gateway. */
  readonly quota: number;
  readonly usd?: never;
}

/** An amount in one of the two units. */
export type Amount = Dollars | QuotaUnits;

interface Lifetime {
  readonly per?: 'lifetime';
  readonly below?: never;
  readonly initial?: never;
}

interface WindowBudget {
  /** Allowance for each time window, in UTC: hour, day, week, month, or a number of days such as 7d. A budget that is never refilled: lifetime. */
  readonly per: 'hour' | 'day' | 'week' | 'month' | `${number}d`;
  readonly below?: never;
  readonly initial?: never;
}

interface TopUp {
  /** Top up to the budget when less than this remains. */
  readonly below: Amount;
  readonly per?: never;
  readonly initial?: never;
}

interface Initial {
  /** Set the budget only when the key is created. */
  readonly initial: true;
  readonly per?: never;
  readonly below?: never;
}

/** A budget with a ceiling: a lifetime total, an allowance for each window, a top-up or an initial grant. */
export type LimitedBudget = Amount & (Lifetime | WindowBudget | TopUp | Initial);

/** A budget, or `unlimited`: no ceiling for this key; the account's wallet still limits it. */
export type Budget = 'unlimited' | LimitedBudget;

/** A value of JSON. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue };
