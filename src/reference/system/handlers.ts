import { type EndpointName, SYSTEM_API } from '../../wire/index.ts';
import { createKey, deleteKey, deleteKeys, readKey, revealKey, revealKeys } from '../keys/handlers.ts';
import { listKeys, searchKeys } from '../keys/listing.ts';
import { setKeyStatus, updateKey } from '../keys/updates.ts';
import { groups, rotateToken, self, status } from './account.ts';
import type { Handler, PublicHandler } from './request.ts';
import { usageLog, usageStatistics } from './usage-log.ts';

type PublicEndpoint = {
  [E in EndpointName]: (typeof SYSTEM_API)[E]['credentials'] extends false ? E : never;
}[EndpointName];

/** Endpoints that ask for no credentials. */
export const PUBLIC_HANDLERS: { readonly [E in PublicEndpoint]: PublicHandler } = { status };

/** Endpoints that need both credential headers. */
export const HANDLERS: { readonly [E in Exclude<EndpointName, PublicEndpoint>]: Handler } = {
  self,
  groups,
  rotateToken,
  createKey,
  listKeys,
  searchKeys,
  readKey,
  revealKey,
  revealKeys,
  updateKey,
  setKeyStatus,
  deleteKey,
  deleteKeys,
  usageLog,
  usageStatistics,
};

export const isPublic = (name: EndpointName): name is PublicEndpoint => !SYSTEM_API[name].credentials;

/** The path of an endpoint without its query: what two endpoints of one method may share. */
export const pathOf = (name: EndpointName): string => SYSTEM_API[name].path.replace(/\?.*$/, '');
