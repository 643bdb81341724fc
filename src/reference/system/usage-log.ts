import { refuse } from '../context.ts';
import type { Condition } from '../ledger/condition.ts';
import type { Profile } from '../profiles/profile.ts';
import { successAnswer } from '../server/answer.ts';
import { offsetOf, tryReadPage } from './paging.ts';
import type { Handler, SystemRequest } from './request.ts';

/** `rpm` and `tpm` are the usage of this many seconds. */
const RATE_WINDOW = 60;

/** The conditions that a request asks for; undefined if one of them is refused. */
function tryReadConditions(filters: Profile['logFilters'], request: SystemRequest): readonly Condition[] | undefined {
  const found = Object.entries(filters)
    .map(([name, filter]) => [request.query(name), filter] as const)
    .map(([value, filter]) => (value === '' ? undefined : filter(value)));
  return found.includes('refused') ? undefined : found.filter((condition) => typeof condition === 'object');
}

/** `GET /api/log/self`: newest first. */
export const usageLog: Handler = (context, request) => {
  const { profile, ledger } = context;
  const asked = tryReadPage(request, profile.logPaging, profile.logSizeNames);
  const where = tryReadConditions(profile.logFilters, request);
  if (asked === undefined || where === undefined) return refuse(context, 'invalidParameter');
  const offset = offsetOf(asked);
  const entries = ledger.log.page(request.account.user_id, where, { limit: asked.size, offset });
  return successAnswer({
    page: asked.page,
    page_size: asked.size,
    total: ledger.log.count(request.account.user_id, where),
    items: entries.map((entry, index) => profile.logEntry(entry, offset + index + 1)),
  });
};

/** `GET /api/log/self/stat`: the total consumption, and the requests and tokens of the last minute. */
export const usageStatistics: Handler = (context, request) => {
  const { log } = context.ledger;
  const { user_id } = request.account;
  const since: Condition = { sql: 'created_at > ?', bindings: [context.clock.now() - RATE_WINDOW] };
  const { statisticsFilters } = context.profile;
  const total = tryReadConditions(statisticsFilters.total, request);
  const rates = tryReadConditions(statisticsFilters.rates, request);
  if (total === undefined || rates === undefined) return refuse(context, 'invalidParameter');
  const recent = log.sums(user_id, [since, ...rates]);
  return successAnswer({
    quota: log.sums(user_id, total).quota,
    rpm: recent.requests,
    tpm: recent.tokens,
  });
};
