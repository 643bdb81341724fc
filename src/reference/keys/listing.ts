import { refuse, type Site } from '../context.ts';
import type { Condition } from '../ledger/condition.ts';
import { type Answer, done } from '../server/answer.ts';
import { offsetOf, PAGE_SIZE_NAMES, tryReadPage } from '../system/paging.ts';
import type { Call, Handler } from '../system/request.ts';

const NOT_SMART: Condition = { sql: 'smart_routing = 0', bindings: [] };

function keyPage(site: Site, call: Call, where: readonly Condition[]): Answer {
  const { profile, ledger } = site;
  const asked = tryReadPage(call, profile.keyPaging, PAGE_SIZE_NAMES);
  if (asked === undefined) return refuse(site, 'invalidParameter');
  const { user_id } = call.account;
  const span = { order: profile.keyOrder, limit: asked.size, offset: offsetOf(asked) };
  const items = ledger.keys.page(user_id, where, span).map((key) => profile.record(key));
  return done(profile.keyPage({ ...asked, total: ledger.keys.count(user_id, where), items }));
}

/** `GET /api/token/`: without Smart Routing keys unless `exclude_smart_routing=false`. Contract: rule 3. */
export const listKeys: Handler = (site, call) =>
  keyPage(site, call, call.query('exclude_smart_routing') === 'false' ? [] : [NOT_SMART]);

/** `GET /api/token/search`: among all keys of the account, by name or stored value, by credential, or by both. */
export const searchKeys: Handler = (site, call) => {
  const keyword = call.query('keyword');
  const secret = call.query('token').replace(/^sk-/, '');
  return keyPage(site, call, [
    ...(keyword === '' ? [] : [site.profile.keywordMatches(keyword)]),
    ...(secret === '' ? [] : [site.profile.secretMatches(secret)]),
  ]);
};
