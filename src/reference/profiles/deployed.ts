import { AUTO_GROUPS, MEGABYTE, SYSTEM_LIMITS } from '../../wire/index.ts';
import { checkCause } from '../keys/lifecycle.ts';
import * as rules from '../keys/rules.ts';
import { UNEXPIRING_ZERO_VALUES } from '../keys/settings.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { Condition } from '../ledger/condition.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { plainError } from '../server/answer.ts';
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

const record = ({ extra, ...fields }: StoredKey) => ({
  ...extra,
  ...fields,
  key: masked(fields.key),
  DeletedAt: null,
});

const self = ({ user_id, username, group, quota, used_quota, request_count }: StoredAccount) => ({
  id: user_id,
  username,
  display_name: username,
  role: 1,
  status: 1,
  email: '',
  group,
  quota,
  used_quota,
  request_count,
});

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
  tokenRefusals: { invalidToken: { status: 200 }, userBanned: { status: 200 } },
  namesWindow: false,
  extraFields: {},
  tokenOf: (header) => header.replace('Bearer ', '') || undefined,
  keySources: [
    { paths: /\/v1\/(messages|models)/, header: 'x-api-key' },
    { paths: /^\/v1\/models\//, query: 'key' },
    { paths: /^\/v1\/models\//, header: 'x-goog-api-key' },
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

  passesRefusals: true,
  upstreamProblems: {
    unreachable: { status: 500, code: 'do_request_failed' },
    unexplained: 'bad_response_status_code',
  },
  missingEndpoints: ['countTokens'],
  limitsWithoutModel: true,
  noMessagesStatus: 500,
  alwaysStreamsUsage: true,
  taskShape: 'enveloped',
  keyOrder: 'DESC',
  keyPaging: PAGING,
  logPaging: PAGING,
  keywordMatches: (keyword) => searched('name', keyword),
  secretMatches: (stored) => searched('key', stored),
  logFilters: { ...TIMES, ...NAMES, type: compares('type', '='), request_id: equals('request_id') },
  statisticsFilters: { total: { ...TIMES, ...RATED }, rates: RATED },

  statusData: (catalog) => ({
    quota_per_unit: catalog.quotaPerUnit,
    quota_display_type: 'USD',
    system_name: 'Reference Gateway',
    version: 'v0.13.2',
    setup: true,
  }),
  selfData: self,
  groupsData: (catalog, names) => Object.fromEntries(names.map((name) => [name, catalog.groups[name]])),
  record,
  keyPage: ({ page, size, total, items }) => ({ page, page_size: size, total, items }),
  logEntry: (entry, ordinal) => ({ ...entry, id: ordinal }),
  revealedKeys: (keys) => ({ keys: Object.fromEntries(keys.map(({ id, key }) => [String(id), key])) }),
  updatedData: record,
  models: (ids) => ({
    success: true,
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', created: 1626777600, owned_by: 'custom' })),
  }),
  requestHeaders: (requestId) => ({ 'x-oneapi-request-id': requestId }),
  inferenceError: (message, code, requestId) => ({
    message: `${message} (request id: ${requestId})`,
    type: 'new_api_error',
    code,
  }),
  crossOrigin: {
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET,POST,PUT,DELETE,OPTIONS',
    'access-control-allow-headers': '*',
  },
  unknownPath(url, method) {
    const [path = '', query] = url.split('?');
    if (path === '/api/token') {
      // As routers do: 301 for GET, 307 for methods with a body.
      const location = query === undefined ? '/api/token/' : `/api/token/?${query}`;
      return { status: method === 'GET' ? 301 : 307, headers: { location } };
    }
    // Everything else belongs to the pages for people.
    if (!/^\/(api|v1)(\/|$)/.test(path)) return { status: 200, html: '<!doctype html><title>New API</title>' };
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
    invalidToken: { status: 401, code: 'AUTH_UNAUTHORIZED' },
    userBanned: { status: 401, code: 'AUTH_USER_DISABLED' },
  },
  namesWindow: true,
  extraFields: { [AUTO_GROUPS]: null },
  record: (key) => ({ [AUTO_GROUPS]: null, ...record(key) }),
};
