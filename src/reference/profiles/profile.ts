import type { ProfileName } from '../../domain/index.ts';
import type { InferenceEndpointName } from '../../wire/index.ts';
import type { Catalog, LimitSettings } from '../catalog.ts';
import type { Int64 } from '../int64.ts';
import type { EnableCheck } from '../keys/lifecycle.ts';
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
  readonly page: Int64;
  readonly size: number;
  readonly total: number;
  readonly items: readonly unknown[];
}

/** The rules for the page parameters of a listing. */
export interface Paging {
  readonly defaultSize: number;
  readonly maximum: number;
  /** The treatment of a page or a size that is out of bounds. `clamp` takes a size of -1 for all rows. */
  readonly outOfBounds: 'refuse' | 'clamp';
}

/** Turns the value of a query parameter of the usage log into a condition; undefined for none. */
export type LogFilter = (value: string) => Condition | 'refused' | undefined;

/** The credential of an API key, as a request has it. */
export interface KeyCredential {
  /** The stored value of the key, without `sk-`. */
  readonly stored: string;
  /** Does it name a channel, which only administrators may choose? */
  readonly choosesChannel: boolean;
}

/** A header or a parameter with the credential of an API key, at some paths. */
export interface KeySource {
  readonly paths: RegExp;
  readonly header?: string;
  readonly query?: string;
}

/** The code is there on gateways that have codes for these refusals. */
interface TokenRefusal {
  readonly status: 200 | 401;
  readonly code?: string;
}

/** A refusal of the inference and media API. */
export interface DeniedInference {
  readonly message: string;
  /** Empty: none. */
  readonly code: string;
  readonly requestId: string;
  /** The stage of the refusal: `door` before the model is looked at, `relay` before the request is sent on, `upstream` by what serves it. */
  readonly origin: 'door' | 'relay' | 'upstream';
}

/**
 * Everything in which two gateways of the family differ: shapes, orders, rules and messages. The handlers contain what
 * they have in common, and do not ask which profile they serve.
 */
export interface Profile {
  readonly name: ProfileName;
  readonly messages: Messages;
  readonly limits: LimitSettings;
  /** Is a limit of search or reveal asked for only after the credentials were accepted, and by user for search? */
  readonly limitsUsers: boolean;

  /**
   * The header with the user ID: some gateways of the family ignore it, and then the access token alone decides whose keys
   * are read and written.
   */
  readonly userHeader: 'required' | 'ignored';
  /** The refusals of an access token that is missing or unknown, or whose user is banned. */
  readonly tokenRefusals: Readonly<Record<'missingToken' | 'invalidToken' | 'userBanned', TokenRefusal>>;
  /** The headers that a client’s address is read from, after `X-Forwarded-For`. */
  readonly addressHeaders: readonly string[];
  /** The `New-Api-User` that is read as a number. */
  readonly userIdPattern: RegExp;
  /** The most bytes of a body of the System API. */
  readonly bodyLimit: number;
  /**
   * Is a body read by `readLooseJson` whatever its type is, and are texts with a NUL stored? A body without a meaning is
   * then ignored.
   */
  readonly readsAnyBody: boolean;
  /** Does a 429 name the whole window in `Retry-After`? */
  readonly namesWindow: boolean;
  /** Does the gateway know the settings of Smart Routing? Otherwise it drops them. */
  readonly hasSmartRouting: boolean;
  /** Mutable fields of key records beyond the contract, with the values of keys that have none. */
  readonly extraFields: Readonly<Record<string, unknown>>;
  /** Reads the access token from an `Authorization` header. */
  tokenOf(header: string): string | undefined;
  /** The places besides `Authorization` that a credential is read from; the last one that a request fills counts. */
  readonly keySources: readonly KeySource[];
  /** Reads the credential of an API key from an `Authorization` header. */
  credentialOf(header: string): KeyCredential | undefined;
  /** Does this value of `status_only` restrict a PUT to the status? */
  isStatusOnly(value: string): boolean;
  /** The check of a change to status 1. */
  readonly enableRefusal: EnableCheck;
  /** `listed`: 1 and 2 only. `any`: whatever number comes, 0 for none, after the rules for settings. */
  readonly statusWrites: 'listed' | 'any';
  /** Must a full update with `status: 1` pass the check for enabling? Its status is not applied. */
  readonly updateChecksStatus: boolean;
  /** The values that a create stores for omitted settings. */
  readonly createDefaults: StoredSettings;
  /** Does a create with an expiry of 0 make a key that never expires? */
  readonly zeroIsNever: boolean;
  /** Is a batch of no IDs refused? */
  readonly refusesNoIds: boolean;
  readonly rules: readonly SettingRule[];
  /** The settings that a write does not store. */
  readonly droppedSettings: readonly (keyof StoredSettings)[];

  /** Do refusals of an upstream reach the client unchanged? Its credentials are the gateway's, so this can mislead. */
  readonly passesRefusals: boolean;
  /** The refusals of a request whose upstream cannot be reached, or refuses without a reason in its status alone. */
  readonly upstreamProblems: {
    readonly unreachable: { readonly status: number; readonly code: string };
    readonly unexplained: string;
  };
  /**
   * The charge in advance of a request that is priced by tokens. `estimate`: with its most likely cost. Otherwise as for
   * at least so many tokens of a prompt; not at all where both wallet and key have more than so many dollars.
   */
  readonly advance: 'estimate' | { readonly leastTokens: number; readonly trustedDollars: number };
  /** Endpoints of the inference and media API that do not exist. */
  readonly missingEndpoints: readonly InferenceEndpointName[];
  /** Does a request without a model need it because the key has an allowlist, also a query of a video task? */
  readonly limitsWithoutModel: boolean;
  /** The status of a chat whose messages are missing, empty or no list, or whose number of tokens is none. */
  readonly unservableStatus: 400 | 500;
  /** Does every stream of a chat end with its usage? */
  readonly alwaysStreamsUsage: boolean;
  /** The place of a video task’s record: bare, or inside an envelope with other words for its status. */
  readonly taskShape: 'flat' | 'enveloped';
  readonly keyOrder: 'ASC' | 'DESC';
  readonly keyPaging: Paging;
  readonly logPaging: Paging;
  /** The names of the parameter for the page size of the usage log. */
  readonly logSizeNames: readonly string[];
  /** Undefined: the search is refused. */
  keywordMatches(keyword: string): Condition | undefined;
  secretMatches(stored: string): Condition | undefined;
  readonly logFilters: Readonly<Record<string, LogFilter>>;
  /** The parameters of the statistics: of the total and, of those, of the rates of the last minute. */
  readonly statisticsFilters: Readonly<Record<'total' | 'rates', Readonly<Record<string, LogFilter>>>>;

  /** @param startedAt Unix seconds at which the gateway started */
  statusData(catalog: Catalog, startedAt: number): unknown;
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
  inferenceError(refusal: DeniedInference): { message: string; type: string; code?: string; param?: string };
  /** Is the price of a video that of each second? Otherwise it is that of the task. */
  readonly chargesSeconds: boolean;
  /** Are the prices of models public? */
  readonly showsPrices: boolean;
  /** Are there paths beyond the contract? */
  readonly hasFurtherPaths: boolean;
  /** The statuses in which a key may not read its own usage. */
  readonly blindStatuses: readonly number[];
  /** The headers of every answer. */
  everyHeaders(requestId: string): Readonly<Record<string, string>>;
  /** The headers of an answer with the secrets of keys. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  /** The headers of the answer to a browser that asks whether a page of another site may send a request, if it may. */
  readonly crossOrigin: Readonly<Record<string, string>> | undefined;
  /** The answer to a path that is not an endpoint. */
  unknownPath(url: string, method: string): Answer;
}
