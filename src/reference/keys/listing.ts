import { type GatewayContext, refuse } from '../context.ts';
import type { Condition } from '../ledger/condition.ts';
import { type Answer, successAnswer } from '../server/answer.ts';
import { offsetOf, PAGE_SIZE_NAMES, tryReadPage } from '../system/paging.ts';
import type { AuthenticatedRequest, Handler } from '../system/request.ts';

const NOT_SMART: Condition = { sql: 'smart_routing = 0', bindings: [] };

function keyPage(context: GatewayContext, request: AuthenticatedRequest, where: readonly Condition[]): Answer {
  const { profile, ledger } = context;
  const asked = tryReadPage(request, profile.keyPaging, PAGE_SIZE_NAMES);
  if (asked === undefined) return refuse(context, 'invalidParameter');
  const { user_id } = request.account;
  const span = { order: profile.keyOrder, limit: asked.size, offset: offsetOf(asked) };
  const items = ledger.keys.page(user_id, where, span).map((key) => profile.record(key));
  return successAnswer(profile.keyPage({ ...asked, total: ledger.keys.count(user_id, where), items }));
}

/** `GET /api/token/`: without Smart Routing keys unless `exclude_smart_routing=false`. Contract: rule 3. */
export const listKeys: Handler = (context, request) => {
  const excludes = context.profile.hasSmartRouting && request.query('exclude_smart_routing') !== 'false';
  return keyPage(context, request, excludes ? [NOT_SMART] : []);
};

/** `GET /api/token/search`: searches all keys of the account by name or stored value, by credential, or by both. */
export const searchKeys: Handler = (context, request) => {
  const keyword = request.query('keyword');
  const secret = request.query('token').replace(/^sk-/, '');
  const where = [
    ...(keyword === '' ? [] : [context.profile.keywordMatches(keyword)]),
    ...(secret === '' ? [] : [context.profile.secretMatches(secret)]),
  ];
  const conditions = where.filter((condition) => condition !== undefined);
  return conditions.length < where.length ? refuse(context, 'invalidParameter') : keyPage(context, request, conditions);
};
