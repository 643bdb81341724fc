import type { Catalog, LimitSettings } from '../catalog.ts';
import type { SettingRule } from '../keys/rules.ts';
import type { StoredSettings } from '../keys/settings.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { Condition } from '../ledger/condition.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { StoredEntry } from '../ledger/log.ts';
import type { Answer } from '../server/answer.ts';
import type { Messages } from './messages.ts';

/** One page of a listing, before a profile formats it. */
interface ListingPage {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly items: readonly unknown[];
}

/** The rules for the page parameters of a listing. */
export interface Paging {
  readonly defaultSize: number;
  readonly maximum: number;
  /** The treatment of a page or a size that is out of bounds. */
  readonly outOfBounds: 'refuse' | 'clamp';
}

/** Turns the value of a query parameter of the usage log into a condition. */
export type LogFilter = (value: string) => Condition | undefined;

/**
 * Everything in which two gateways of the family differ: shapes, orders, rules and messages. The handlers contain what
 * they have in common, and do not ask which profile they serve.
 */
export interface Profile {
  readonly name: 'contract' | 'deployed';
  readonly messages: Messages;
  readonly limits: LimitSettings;

  /**
   * The header with the user ID: some gateways of the family ignore it, and then the access token alone decides whose keys
   * are read and written.
   */
  readonly userHeader: 'required' | 'ignored';
  /** Reads the access token from an `Authorization` header. */
  tokenOf(header: string): string | undefined;
  /** Reads the credential of an API key from an `Authorization` header. */
  credentialOf(header: string): string | undefined;
  /** Does this value of `status_only` restrict a PUT to the status? */
  isStatusOnly(value: string): boolean;
  /** Must a full update with `status: 1` pass the check for enabling? Its status is not applied. */
  readonly updateChecksStatus: boolean;
  /** The values that a create stores for omitted settings. */
  readonly createDefaults: StoredSettings;
  readonly rules: readonly SettingRule[];

  readonly keyOrder: 'ASC' | 'DESC';
  readonly keyPaging: Paging;
  readonly logPaging: Paging;
  keywordMatches(keyword: string): Condition;
  secretMatches(stored: string): Condition;
  readonly logFilters: Readonly<Record<string, LogFilter>>;

  statusData(catalog: Catalog): unknown;
  selfData(account: StoredAccount): unknown;
  groupsData(catalog: Catalog, names: readonly string[]): unknown;
  record(key: StoredKey): Readonly<Record<string, unknown>>;
  keyPage(page: ListingPage): unknown;
  /** @param ordinal the entry's position in the whole listing, from 1. */
  logEntry(entry: StoredEntry, ordinal: number): unknown;
  revealedKeys(keys: readonly StoredKey[]): unknown;
  /** The `data` in the answer to a full update or a change of status, if any. */
  updatedData(key: StoredKey): unknown;
  models(ids: readonly string[]): unknown;
  /** The headers that report the request ID in answers of the inference and media API. */
  requestHeaders(requestId: string): Readonly<Record<string, string>>;
  inferenceError(message: string, code: string, requestId: string): { message: string; type: string; code?: string };
  /** The answer to a path that is not an endpoint. */
  unknownPath(url: string, method: string): Answer;
}
