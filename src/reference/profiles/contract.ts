import { MEGABYTE, SYSTEM_LIMITS } from '../../wire/index.ts';
import { checkStoredValues } from '../keys/lifecycle.ts';
import * as rules from '../keys/rules.ts';
import { UNEXPIRING_ZERO_VALUES } from '../keys/settings.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { failureAnswer, plainError } from '../server/answer.ts';
import { ENGLISH } from './messages.ts';
import type { Profile } from './profile.ts';

/** Reveals nothing about the key, so that no client uses it as an identity. */
const MASK = '**********';

const bearer = /^Bearer +(\S+)$/i;

/** Builds exactly the contract's “API key record”. */
function record({ user_id, used_quota, created_time, accessed_time, extra, ...fields }: StoredKey) {
  return { ...extra, ...fields, key: MASK };
}

/**
 * The gateway that the contract promises, and no more. Where the contract is silent, this profile does the minimum, so
 * that a client that works here relies on nothing else. `docs/reference-gateway.md` lists each choice.
 */
export const CONTRACT: Profile = {
  name: 'contract',
  messages: ENGLISH,
  limits: {},
  limitsUsers: false,

  userHeader: 'required',
  tokenRefusals: { missingToken: { status: 401 }, invalidToken: { status: 200 }, userBanned: { status: 200 } },
  addressHeaders: [],
  userIdPattern: /^\d+$/,
  bodyLimit: 64 * MEGABYTE,
  readsAnyBody: false,
  namesWindow: false,
  hasSmartRouting: true,
  extraFields: {},
  tokenOf: (header) => bearer.exec(header)?.[1],
  keySources: [],
  credentialOf(header) {
    const stored = /^Bearer +sk-(\S+)$/i.exec(header)?.[1];
    return stored === undefined ? undefined : { stored, choosesChannel: false };
  },
  isStatusOnly: (value) => value === 'true',
  enableRefusal: checkStoredValues,
  statusWrites: 'listed',
  updateChecksStatus: false,
  createDefaults: UNEXPIRING_ZERO_VALUES,
  zeroIsNever: false,
  refusesNoIds: false,
  rules: [
    rules.nameGiven,
    rules.nameInCharacters,
    rules.quotaIsExact,
    rules.quotaNotNegative,
    rules.expiryIsTime,
    rules.groupIsAvailable,
    rules.addressesAreValid,
    rules.tiersAreJson,
  ],
  droppedSettings: [],

  passesRefusals: false,
  upstreamProblems: { unreachable: { status: 502, code: 'upstream_unreachable' }, unexplained: 'upstream_error' },
  advance: 'estimate',
  missingEndpoints: [],
  limitsWithoutModel: false,
  unservableStatus: 400,
  alwaysStreamsUsage: false,
  taskShape: 'flat',
  keyOrder: 'ASC',
  keyPaging: { defaultSize: 10, maximum: SYSTEM_LIMITS.pageSize, outOfBounds: 'refuse' },
  logPaging: { defaultSize: 10, maximum: SYSTEM_LIMITS.pageSize, outOfBounds: 'clamp' },
  keywordMatches: (keyword) => ({ sql: 'instr(name, ?) > 0 OR key = ?', bindings: [keyword, keyword] }),
  secretMatches: (stored) => ({ sql: 'key = ?', bindings: [stored] }),
  logSizeNames: ['page_size'],
  logFilters: {},
  statisticsFilters: { total: {}, rates: {} },

  statusData: (catalog) => ({ quota_per_unit: catalog.quotaPerUnit }),
  selfData: (account) => ({ id: account.user_id, quota: account.quota }),
  groupsData: (_catalog, names) => names,
  record,
  keyPage: ({ items }) => ({ items }),
  logEntry: (entry) => entry,
  revealedKeys: (keys) => keys.map(({ id, key }) => ({ id, key })),
  updatedData: () => undefined,
  models: (ids) => ({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) }),
  requestHeaders: () => ({}),
  inferenceError: ({ message, code }) => ({ message, type: 'invalid_request_error', ...(code === '' ? {} : { code }) }),
  chargesSeconds: false,
  showsPrices: false,
  hasFurtherPaths: false,
  blindStatuses: [],
  everyHeaders: () => ({}),
  secretHeaders: {},
  crossOrigin: undefined,
  unknownPath: (url, method) =>
    url.startsWith('/api/')
      ? failureAnswer(ENGLISH.unknownPath, 404)
      : plainError(404, { message: `Invalid URL (${method} ${url})`, type: 'invalid_request_error' }),
};
