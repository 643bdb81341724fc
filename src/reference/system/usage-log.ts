import { refuse } from '../context.ts';
import type { Condition } from '../ledger/condition.ts';
import type { Profile } from '../profiles/profile.ts';
import { done } from '../server/answer.ts';
import { offsetOf, tryReadPage } from './paging.ts';
import type { Handler, OpenCall } from './request.ts';

/** `rpm` and `tpm` are the usage of this many seconds. */
const RATE_WINDOW = 60;

function filtersOf(profile: Profile, call: OpenCall): readonly Condition[] {
  return Object.entries(profile.logFilters).flatMap(([name, filter]) => {
    const value = call.query(name);
    const condition = value === '' ? undefined : filter(value);
    return condition ? [condition] : [];
  });
}

/** `GET /api/log/self`: newest first. */
export const usageLog: Handler = (site, call) => {
  const { profile, ledger } = site;
  const asked = tryReadPage(call, profile.logPaging, ['page_size']);
  if (asked === undefined) return refuse(site, 'invalidParameter');
  const where = filtersOf(profile, call);
  const offset = offsetOf(asked);
  const entries = ledger.log.page(call.account.user_id, where, { limit: asked.size, offset });
  return done({
    page: asked.page,
    page_size: asked.size,
    total: ledger.log.count(call.account.user_id, where),
    items: entries.map((entry, index) => profile.logEntry(entry, offset + index + 1)),
  });
};

/** `GET /api/log/self/stat`: all that was consumed, and the requests and tokens of the last minute. */
export const usageStatistics: Handler = (site, call) => {
  const { log } = site.ledger;
  const { user_id } = call.account;
  const since: Condition = { sql: 'created_at > ?', bindings: [site.clock.now() - RATE_WINDOW] };
  const recent = log.sums(user_id, [since]);
  return done({
    quota: log.sums(user_id, filtersOf(site.profile, call)).quota,
    rpm: recent.requests,
    tpm: recent.tokens,
  });
};
