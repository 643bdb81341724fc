import type { Catalog, LimitSettings } from '../catalog.ts';
import type { Rule } from '../keys/rules.ts';
import type { Settings } from '../keys/settings.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Condition } from '../ledger/condition.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { StoredEntry } from '../ledger/log.ts';
import type { Answer } from '../server/answer.ts';
import type { Messages } from './messages.ts';

/** One page of a listing, before a profile gives it its shape. */
interface Page {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly items: readonly unknown[];
}

/** How a listing reads its page parameters. */
export interface Paging {
  readonly defaultSize: number;
  readonly maximum: number;
  /** What is done with a page or a size that is out of bounds. */
  readonly outOfBounds: 'refuse' | 'clamp';
}

/** A query parameter of the usage log, and the condition that its value is. */
export type LogFilter = (value: string) => Condition | undefined;

/**
 * All in which two gateways of the family differ: shapes, orders, rules and words. What both do alike is in the
 * handlers, and no handler asks which profile it serves.
 */
export interface Profile {
  readonly name: 'contract' | 'deployed';
  readonly messages: Messages;
  readonly limits: LimitSettings;

  /** The access token of an `Authorization` header; undefined when the header holds none. */
  tokenOf(header: string): string | undefined;
  /** Does this value of `status_only` make a PUT a change of status alone? */
  isStatusOnly(value: string): boolean;
  /** Does a full update that carries `status: 1` have to pass the check of enabling? Its status is not applied. */
  readonly updateChecksStatus: boolean;
  /** What a create stores for a setting that its body leaves out. */
  readonly createDefaults: Settings;
  readonly rules: readonly Rule[];

  readonly keyOrder: 'ASC' | 'DESC';
  readonly keyPaging: Paging;
  readonly logPaging: Paging;
  keywordMatches(keyword: string): Condition;
  secretMatches(stored: string): Condition;
  readonly logFilters: Readonly<Record<string, LogFilter>>;

  statusData(catalog: Catalog): unknown;
  selfData(account: Account): unknown;
  groupsData(catalog: Catalog, names: readonly string[]): unknown;
  record(key: StoredKey): Readonly<Record<string, unknown>>;
  keyPage(page: Page): unknown;
  /** @param ordinal the entry's place in the whole listing, from 1. */
  logEntry(entry: StoredEntry, ordinal: number): unknown;
  revealedKeys(keys: readonly StoredKey[]): unknown;
  /** What a full update or a change of status answers as `data`; undefined: nothing. */
  updatedData(key: StoredKey): unknown;
  models(ids: readonly string[]): unknown;
  /** Headers by which an answer of the inference and media API tells the id of its request. */
  requestHeaders(requestId: string): Readonly<Record<string, string>>;
  inferenceError(message: string, code: string, requestId: string): { message: string; type: string; code?: string };
  /** The answer to a path that is not an endpoint. */
  unknownPath(url: string, method: string): Answer;
}
