import type { FastifyRequest } from 'fastify';
import { NEVER_EXPIRES } from '../../wire/index.ts';
import { modelsOf } from '../catalog.ts';
import { type GatewayContext, refuse } from '../context.ts';
import { sum } from '../int64.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { type Answer, successAnswer } from '../server/answer.ts';
import type { RateLimiter } from '../server/rate-limiter.ts';
import { admitSystemRequest, type Terms } from './router.ts';

/** An endpoint beyond the contract. */
interface FurtherSystemPath extends Terms {
  answer(context: GatewayContext, request: FastifyRequest, account: StoredAccount | undefined): Answer;
}

/** The key of an API key’s credential, in any status, for what it may know about itself. */
function readingKey(context: GatewayContext, request: FastifyRequest): StoredKey | Answer {
  const { authorization = '' } = request.headers;
  const credential = context.profile.credentialOf(authorization);
  const key = credential && context.ledger.keys.tryFindBySecret(credential.stored);
  if (key === undefined || context.profile.blindStatuses.includes(Number(key.status)))
    return refuse(context, authorization === '' ? 'missingToken' : 'invalidToken', 401);
  return context.ledger.accounts.tryFind(key.user_id)?.banned ? refuse(context, 'userBanned', 403) : key;
}

const isAnswer = (found: StoredKey | Answer): found is Answer => 'body' in found;

/** The exact form that this endpoint wants, although it has admitted others. */
const EXACT = /^bearer (?:sk-)?([^ -]*)$/i;

function usageOfKey(context: GatewayContext, request: FastifyRequest): Answer {
  const key = readingKey(context, request);
  if (isAnswer(key)) return key;
  const { authorization = '' } = request.headers;
  if (!/^bearer [^ ]*$/i.test(authorization)) return refuse(context, 'invalidToken', 401);
  if (!EXACT.test(authorization)) return refuse(context, 'notFound');
  const models = key.model_limits === '' ? [] : key.model_limits.split(',');
  const data = {
    object: 'token_usage',
    name: key.name,
    total_granted: sum(key.remain_quota, key.used_quota),
    total_used: key.used_quota,
    total_available: key.remain_quota,
    unlimited_quota: key.unlimited_quota,
    model_limits: Object.fromEntries(models.map((model) => [model, true])),
    model_limits_enabled: key.model_limits_enabled,
    expires_at: key.expired_time === NEVER_EXPIRES ? 0 : key.expired_time,
  };
  // Not the envelope of the System API.
  return { status: 200, body: { code: true, message: 'ok', data } };
}

const FURTHER: Readonly<Record<string, FurtherSystemPath>> = {
  'GET /api/user/models': {
    pace: 'api',
    credentials: true,
    answer(context, _request, account) {
      const models = account ? modelsOf(context.catalog, account) : [];
      return successAnswer(models.length === 0 ? null : models);
    },
  },
  'GET /api/user/groups': {
    pace: 'api',
    credentials: false,
    answer: ({ profile, catalog }) => successAnswer(profile.groupsData(catalog, Object.keys(catalog.groups))),
  },
  'GET /api/usage/token/': { pace: 'reveal', credentials: false, answer: usageOfKey },
};

/** Answers endpoints of the System API that the contract does not have. Undefined for every other path. */
export function tryServeFurtherSystem(
  context: GatewayContext,
  limiter: RateLimiter,
  request: FastifyRequest,
): Answer | undefined {
  const further = FURTHER[`${request.method} ${request.url.replace(/\?.*$/, '')}`];
  if (further === undefined || !context.profile.hasFurtherPaths) return undefined;
  const admission = admitSystemRequest(context, limiter, { request, terms: further });
  return 'refusal' in admission ? admission.refusal : further.answer(context, request, admission.account);
}
