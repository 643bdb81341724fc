// Generated from src/domain/key/fields.ts by `npm run generate`. Do not edit.
import type { Budget, JsonValue } from './amounts.ts';

/** The permissions and the budget of a key, by the names of a manifest. Omitted fields are not managed. */
export interface KeyFields {
  /** Set to false to disable the key. A new key is enabled unless this is false. */
  readonly enabled?: boolean;
  /** One of the account’s groups; an empty string for the account’s own. */
  readonly group?: string;
  /** Retry failed requests in other groups. Only applies to automatic groups. */
  readonly crossGroupRetry?: boolean;
  /** Model IDs that the key may use, or any. Omitted: not managed. */
  readonly models?: 'any' | readonly string[];
  /** Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed. */
  readonly allowIps?: 'anywhere' | readonly string[];
  /** Time of expiry with its offset, or never. Omitted: not managed. */
  readonly expires?: 'never' | string | Date;
  /** The amount that the key can spend. */
  readonly budget?: Budget;
  /** The Smart Routing tiers: opaque JSON, stored as is, or nothing for Smart Routing without tiers. */
  readonly smartRouting?: { readonly tiers?: JsonValue };
}
