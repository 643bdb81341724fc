import { type EndpointName, SYSTEM_API } from '../../wire/index.ts';
import { groupsOf } from '../catalog.ts';
import {
  createKey,
  deleteKey,
  deleteKeys,
  readKey,
  revealKey,
  revealKeys,
  setKeyStatus,
  updateKey,
} from '../keys/handlers.ts';
import { listKeys, searchKeys } from '../keys/listing.ts';
import { ACCESS_TOKEN_LENGTH, randomText } from '../random.ts';
import { successAnswer } from '../server/answer.ts';
import { ownTasks } from './own-tasks.ts';
import { prices } from './prices.ts';
import type { Handler, PublicHandler } from './request.ts';
import { usageLog, usageStatistics } from './usage-log.ts';

/** `GET /api/status`: public. */
export const status: PublicHandler = ({ profile, catalog, startedAt }) =>
  successAnswer(profile.statusData(catalog, startedAt));

/** `GET /api/user/self`. */
export const self: Handler = (context, { account }) => successAnswer(context.profile.selfData(account));

/** `GET /api/user/self/groups`. */
export const groups: Handler = (context, { account }) =>
  successAnswer(context.profile.groupsData(context.catalog, groupsOf(context.catalog, account)));

/** `GET /api/user/token`: a rotation. The token of the request is void before the answer is sent. */
const rotateToken: Handler = (context, { account }) => {
  const token = randomText(context.random, ACCESS_TOKEN_LENGTH);
  context.ledger.accounts.setToken(account.user_id, token);
  return successAnswer(token);
};

type PublicEndpoint = {
  [E in EndpointName]: (typeof SYSTEM_API)[E]['credentials'] extends false ? E : never;
}[EndpointName];

/** Endpoints that need no credentials. */
export const PUBLIC_HANDLERS: { readonly [E in PublicEndpoint]: PublicHandler } = { status, prices };

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
  ownTasks,
  usageStatistics,
};

export const isPublic = (name: EndpointName): name is PublicEndpoint => !SYSTEM_API[name].credentials;

/** The path of an endpoint without its query. Two endpoints of one method may share it. */
export const pathOf = (name: EndpointName): string => SYSTEM_API[name].path.replace(/\?.*$/, '');
