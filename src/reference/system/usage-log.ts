import { refuse } from '../context.ts';
import type { Condition } from '../ledger/condition.ts';
import type { Profile } from '../profiles/profile.ts';
import { successAnswer } from '../server/answer.ts';
import { offsetOf, tryReadPage } from './paging.ts';
import type { Handler, SystemRequest } from './request.ts';

/** `rpm` and `tpm` are the usage of this many seconds. */
const RATE_WINDOW = 60;

function logConditions(profile: Profile, request: SystemRequest): readonly Condition[] {
  return Object.entries(profile.logFilters).flatMap(([name, filter]) => {
    const value = request.query(name);
    const condition = value === '' ? undefined : filter(value);
    return condition ? [condition] : [];
  });
}

/** `GET /api/log/self`: newest first. */
export const usageLog: Handler = (context, request) => {
  const { profile, ledger } = context;
  const asked = tryReadPage(request, profile.logPaging, ['page_size']);
  if (asked === undefined) return refuse(context, 'invalidParameter');
  const where = logConditions(profile, request);
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
  const recent = log.sums(user_id, [since]);
  return successAnswer({
    quota: log.sums(user_id, logConditions(context.profile, request)).quota,
    rpm: recent.requests,
    tpm: recent.tokens,
  });
};
