import { SYSTEM_API } from '../../wire/index.ts';
import { groupRatio } from '../billing/price.ts';
import { endpointTypeOf } from '../inference/model-kind.ts';
import type { PublicHandler } from './request.ts';

/** The ratio that gateways show for a model without a price. */
const UNPRICED_RATIO = 37.5;

/** `GET /api/pricing`: the prices of all models, for anybody. Not in the contract. */
export const prices: PublicHandler = ({ catalog, profile }) => {
  const { method, path } = SYSTEM_API.prices;
  if (!profile.showsPrices) return profile.unknownPath(path, method);
  const groups = Object.keys(catalog.groups);
  const data = Object.entries(catalog.models).map(([model_name, { price, priced, ratio, ...config }]) => ({
    model_name,
    quota_type: price === undefined ? 0 : 1,
    model_ratio: price === undefined ? (priced ? ratio : UNPRICED_RATIO) : 0,
    model_price: price ?? 0,
    owner_by: '',
    completion_ratio: price === undefined ? config.completionRatio : 0,
    cache_ratio: config.cacheRatio,
    enable_groups: groups,
    supported_endpoint_types: [endpointTypeOf(model_name)],
  }));
  const body = {
    success: true,
    data,
    group_ratio: Object.fromEntries(groups.map((name) => [name, groupRatio(catalog, name)])),
    usable_group: Object.fromEntries(groups.map((name) => [name, catalog.groups[name]?.desc ?? ''])),
    auto_groups: [],
    vendors: [],
    supported_endpoint: {},
  };
  return { status: 200, body };
};
