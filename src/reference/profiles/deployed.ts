import { AUTO_GROUPS, KEY_STATUS, MEGABYTE, SYSTEM_LIMITS, tryFindFamily } from '../../wire/index.ts';
import { endpointTypeOf } from '../inference/model-kind.ts';
import { checkCause } from '../keys/lifecycle.ts';
import * as rules from '../keys/rules.ts';
import { UNEXPIRING_ZERO_VALUES } from '../keys/settings.ts';
import type { Condition } from '../ledger/condition.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { StoredEntry } from '../ledger/log.ts';
import { plainError } from '../server/answer.ts';
import { PAGE_SIZE_NAMES } from '../system/paging.ts';
import { STATUS_0_13, STATUS_1_0, selfWith, statusWith } from './deployed-fields.ts';
import { CHINESE } from './messages.ts';
import type { LogFilter, Paging, Profile } from './profile.ts';

const PAGING: Paging = { defaultSize: 10, maximum: SYSTEM_LIMITS.pageSize, outOfBounds: 'clamp' };

/**
 * A search, which ignores ASCII case. Without `%`, the whole text must match. At most two `%`, not next to each other, stand
 * for anything if two other characters are there. `_` stands for itself.
 */
function searched(column: 'name' | 'key' | 'model_name', text: string): Condition | undefined {
  const pattern = text.replaceAll('!', '!!').replaceAll('_', '!_');
  const parts = pattern.split('%');
  const letters = Buffer.byteLength(parts.join(''));
  if (parts.length > 3 || pattern.includes('%%') || (parts.length > 1 && letters < 2)) return undefined;
  return { sql: `${column} LIKE ? ESCAPE '!'`, bindings: [pattern] };
}

const equals =
  (column: string): LogFilter =>
  (value) => ({ sql: `"${column}" = ?`, bindings: [value] });

const compares =
  (column: string, operator: '=' | '>=' | '<='): LogFilter =>
  (value) => {
    const number = Number(value);
    // 0 means "omitted".
    return Number.isSafeInteger(number) && number !== 0
      ? { sql: `"${column}" ${operator} ?`, bindings: [number] }
      : undefined;
  };

const TIMES = { start_timestamp: compares('created_at', '>='), end_timestamp: compares('created_at', '<=') };
const NAMES: Readonly<Record<string, LogFilter>> = {
  token_name: equals('token_name'),
  model_name: (pattern) => searched('model_name', pattern) ?? 'refused',
  group: equals('group'),
};
const RATED = { ...NAMES, channel: compares('channel', '=') };

/** The first four characters, ten asterisks, the last four: masks of different keys can collide. */
const masked = (stored: string): string =>
  stored.length <= 8 ? '*'.repeat(stored.length) : `${stored.slice(0, 4)}**********${stored.slice(-4)}`;

const record = ({ extra, smart_routing: _, smart_route_tiers: __, ...fields }: StoredKey) => ({
  ...extra,
  ...fields,
  key: masked(fields.key),
  DeletedAt: null,
});

/** Newer gateways name the kind of upstream that serves a model. The usual ones are assumed. */
const servedBy = (id: string): string => (tryFindFamily('submitVideo', id) === undefined ? 'openai' : 'sora');

const modelsOwnedBy =
  (ownerOf: (id: string) => string): Profile['models'] =>
  (ids) => ({
    success: true,
    object: 'list',
    data: ids.map((id) => ({
      id,
      object: 'model',
      created: 1626777600,
      owned_by: ownerOf(id),
      supported_endpoint_types: [endpointTypeOf(id)],
    })),
  });

/** Known paths but for the slash at their end. */
const SLASHED =
  /^(\/api\/(?:token\/[^/]+|user\/self|user\/self\/groups|user\/groups|user\/models|log\/self|status))\/$/;

/** Known paths but for their slash at the end. */
const SLASHLESS: ReadonlySet<string> = new Set(['/api/token', '/api/usage/token']);

/** The paths at which a credential is read as Google’s clients send it. */
const GOOGLE_PATHS = /^\/(v1\/models\/|v1beta\/(openai\/)?models)/;

/** The codes of refusals before the model is looked at. */
const NAMED_AT_THE_DOOR: ReadonlySet<string> = new Set(['access_denied', 'model_not_found']);

/** The log entry of a request as these gateways write it: no address, no ratios of a model with a price, no time to a first event that is none. */
function logEntry(entry: StoredEntry, ordinal: number): object {
  const { reasoning_effort: effort, request_conversion: conversions = [], ...other } = JSON.parse(entry.other);
  const ratios = other.model_price >= 0 ? { model_ratio: 0, completion_ratio: 0, cache_ratio: 0 } : {};
  const written = {
    ...other,
    ...ratios,
    ...(effort ? { reasoning_effort: effort } : {}),
    request_conversion: conversions.length > 0 ? conversions : ['OpenAI Compatible'],
    frt: entry.is_stream ? other.frt : -1000,
  };
  return { ...entry, id: ordinal, ip: '', other: JSON.stringify(written) };
}

const headersOf =
  ({ version }: { readonly version: string }): Profile['everyHeaders'] =>
  (requestId) => ({ 'x-oneapi-request-id': requestId, 'x-new-api-version': version });

/**
 * A deployed gateway of this family: more fields, other orders, no validation, translated messages, traps and rate
 * limits. The contract promises none of it.
 */
export const DEPLOYED: Profile = {
  name: 'deployed',
  messages: CHINESE,
  limits: {
    api: { requests: 180, seconds: 180 },
    search: { requests: 10, seconds: 60 },
    reveal: { requests: 20, seconds: 20 * 60 },
    keysPerUser: 1000,
  },
  limitsUsers: true,

  userHeader: 'required',
  addressHeaders: ['x-real-ip'],
  userIdPattern: /^[+-]?\d+$/,
  bodyLimit: 128 * MEGABYTE,
  readsAnyBody: true,
  tokenRefusals: { missingToken: { status: 401 }, invalidToken: { status: 200 }, userBanned: { status: 200 } },
  namesWindow: false,
  hasSmartRouting: false,
  extraFields: {},
  tokenOf: (header) => header.replace('Bearer ', '') || undefined,
  keySources: [
    { paths: /\/v1\/(messages|models)/, header: 'x-api-key' },
    { paths: GOOGLE_PATHS, query: 'key' },
    { paths: GOOGLE_PATHS, header: 'x-goog-api-key' },
  ],
  credentialOf(header) {
    const [stored = '', ...channel] = header
      .replace(/^[Bb]earer (.*)$/, '$1')
      .trim()
      .replace(/^sk-/, '')
      .split('-');
    return { stored, choosesChannel: channel.length > 0 };
  },
  isStatusOnly: (value) => value !== '',
  enableRefusal: checkCause,
  statusWrites: 'any',
  updateChecksStatus: true,
  // Addresses that a create omits are stored as an empty text.
  createDefaults: { ...UNEXPIRING_ZERO_VALUES, allow_ips: '' },
  zeroIsNever: true,
  refusesNoIds: true,
  rules: [rules.nameInBytes, rules.quotaNotNegative, rules.quotaInBounds],
  droppedSettings: [],

  passesRefusals: true,
  upstreamProblems: {
    unreachable: { status: 500, code: 'do_request_failed' },
    unexplained: 'bad_response_status_code',
  },
  advance: { leastTokens: 500, trustedDollars: 10 },
  missingEndpoints: ['countTokens'],
  limitsWithoutModel: true,
  unservableStatus: 500,
  alwaysStreamsUsage: true,
  taskShape: 'enveloped',
  keyOrder: 'DESC',
  keyPaging: PAGING,
  logPaging: PAGING,
  logSizeNames: PAGE_SIZE_NAMES,
  keywordMatches: (keyword) => searched('name', keyword),
  secretMatches: (stored) => searched('key', stored),
  logFilters: { ...TIMES, ...NAMES, type: compares('type', '='), request_id: equals('request_id') },
  statisticsFilters: { total: { ...TIMES, ...RATED }, rates: RATED },

  statusData: statusWith(STATUS_0_13),
  selfData: selfWith({}),
  groupsData: (catalog, names) => Object.fromEntries(names.map((name) => [name, catalog.groups[name]])),
  record,
  keyPage: ({ page, size, total, items }) => ({ page, page_size: size, total, items }),
  logEntry,
  revealedKeys: (keys) => ({ keys: Object.fromEntries(keys.map(({ id, key }) => [String(id), key])) }),
  updatedData: record,
  models: modelsOwnedBy(() => 'custom'),
  requestHeaders: (requestId) => ({ 'x-oneapi-request-id': requestId }),
  inferenceError: ({ message, code, requestId, origin }) => ({
    message: `${message} (request id: ${requestId})`,
    type: origin === 'upstream' ? 'invalid_request_error' : 'new_api_error',
    ...(origin === 'door' ? { code: NAMED_AT_THE_DOOR.has(code) ? code : '' } : { param: '', code }),
  }),
  chargesSeconds: true,
  showsPrices: true,
  hasFurtherPaths: true,
  blindStatuses: [],
  everyHeaders: headersOf(STATUS_0_13),
  secretHeaders: { 'cache-control': 'no-store, no-cache, must-revalidate, private, max-age=0' },
  crossOrigin: {
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers': '*',
  },
  unknownPath(url, method) {
    const [path = '', query] = url.split('?');
    const known = SLASHLESS.has(path) ? `${path}/` : SLASHED.exec(path)?.[1];
    if (known !== undefined && (!SLASHLESS.has(path) || method !== 'DELETE')) {
      // As routers do: 301 for GET, 307 for methods with a body.
      const location = query === undefined ? known : `${known}?${query}`;
      return { status: method === 'GET' ? 301 : 307, headers: { location } };
    }
    // Everything else belongs to the pages for people.
    if (!/^\/(api|v1|assets)/.test(path)) return { status: 200, html: '<!doctype html><title>New API</title>' };
    return plainError(404, {
      message: `Invalid URL (${method} ${path})`,
      type: 'invalid_request_error',
      param: '',
      code: '',
    });
  },
};

/** The same line of gateways at version 1.0: the access token alone decides whose keys they are, and more requests are allowed. */
export const DEPLOYED_1_0: Profile = {
  ...DEPLOYED,
  name: 'deployed@1.0',
  limits: { ...DEPLOYED.limits, api: { requests: 360, seconds: 180 } },
  userHeader: 'ignored',
  tokenRefusals: {
    missingToken: { status: 401, code: 'AUTH_UNAUTHORIZED' },
    invalidToken: { status: 401, code: 'AUTH_UNAUTHORIZED' },
    userBanned: { status: 401, code: 'AUTH_USER_DISABLED' },
  },
  namesWindow: true,
  blindStatuses: [KEY_STATUS.disabled],
  models: modelsOwnedBy(servedBy),
  statusData: statusWith(STATUS_1_0),
  selfData: selfWith({ admin_permissions: {} }),
  everyHeaders: headersOf(STATUS_1_0),
  extraFields: { [AUTO_GROUPS]: null },
  record: (key) => ({ [AUTO_GROUPS]: null, ...record(key) }),
};
