import type { ProfileName } from '../../domain/index.ts';
import type { GatewayProfile } from './gateway-profile.ts';

/** The values that the contract requires, and that the measured gateways show too. */
const COMMON = {
  'status.quota-per-unit': 'yes',
  'credentials.no-token': '401',
  'keys.list.place': 'data.items',
  'keys.list.first-page': '1',
  'keys.list.page-size': 'yes',
  'log.place': 'data.items',
  'log.entry.missing-fields': 'none',
  'inference.unknown-key': '401',
  'keys.create.answer': 'no',
  'keys.create.status': 'no',
  'keys.name.duplicates': 'yes',
  'keys.update.omitted': 'no',
  'keys.update.status': 'no',
  'keys.reveal': 'yes',
  'keys.delete.batch': 'yes',
  'inference.works': '200',
  'inference.model-not-allowed': '403',
  'inference.address-not-allowed': '403 access_denied',
  'inference.exhausted-key': '401',
  'inference.models-of-key': 'yes',
};

/** The values of the contract; none where it leaves a choice, because a gateway that conforms may do either. */
const CONTRACT = {
  ...COMMON,
  'credentials.user-header': 'yes',
  'keys.record.missing-fields': 'none',
  'inference.error-type': 'invalid_request_error',
  'keys.name.limit': '50 characters',
  'keys.group.validated': 'yes',
  'keys.addresses.validated': 'yes',
  'keys.keeps.cross_group_retry': 'kept',
  'keys.keeps.smart_routing': 'kept',
  'keys.keeps.smart_route_tiers': 'kept',
  'keys.status-only.values': 'those of the contract',
  'keys.search.matches': 'part',
  'inference.count-tokens': '200',
};

/** The values that were measured on new-api v0.13.2. */
const DEPLOYED = {
  ...COMMON,
  'credentials.wrong-token': '200 success: false',
  'credentials.user-header': 'yes',
  'keys.list.total': 'data.total',
  'keys.list.largest-page': 'limited',
  'keys.list.order': 'newest first',
  'keys.record.secret': 'masked in the middle',
  'keys.record.missing-fields': 'smart_routing, smart_route_tiers',
  'keys.without-slash': 'list',
  'groups.form': 'map',
  'inference.error-type': 'new_api_error',
  'prices.public': 'yes',
  'keys.create.expiry-zero': '-1',
  'keys.name.limit': '50 bytes',
  'keys.group.validated': 'no',
  'keys.addresses.validated': 'no',
  'keys.keeps.cross_group_retry': 'kept',
  'keys.keeps.smart_routing': 'dropped',
  'keys.keeps.smart_route_tiers': 'dropped',
  'keys.status-only.values': 'any',
  'keys.reveal.batch': 'map',
  'keys.search.matches': 'whole',
  'inference.address-header': 'yes',
  'inference.charge': 'both',
  'inference.count-tokens': '404',
};

/** The values that were measured on new-api v1.0.0-rc.24. */
const DEPLOYED_1_0 = {
  ...DEPLOYED,
  'credentials.wrong-token': '401',
  'credentials.user-header': 'no',
  'keys.keeps.cross_group_retry': 'dropped',
};

const shipped = (observed: GatewayProfile['observed']): GatewayProfile => ({
  version: 1,
  level: 'inference',
  observed,
});

/** The profiles that come with Keyplane, in the form of a profile file. */
export const SHIPPED_PROFILES: Readonly<Record<ProfileName, GatewayProfile>> = {
  contract: shipped(CONTRACT),
  deployed: shipped(DEPLOYED),
  'deployed@1.0': shipped(DEPLOYED_1_0),
};
