import { groupsOf } from '../catalog.ts';
import { ACCESS_TOKEN_LENGTH, randomText } from '../random.ts';
import { done } from '../server/answer.ts';
import type { Handler, OpenHandler } from './request.ts';

/** `GET /api/status`: public. */
export const status: OpenHandler = (site) => done(site.profile.statusData(site.catalog));

/** `GET /api/user/self`. */
export const self: Handler = (site, { account }) => done(site.profile.selfData(account));

/** `GET /api/user/self/groups`. */
export const groups: Handler = (site, { account }) =>
  done(site.profile.groupsData(site.catalog, groupsOf(site.catalog, account)));

/** `GET /api/user/token`: a rotation. The token that asked for it is void when the answer goes out. */
export const rotateToken: Handler = (site, { account }) => {
  const token = randomText(site.random, ACCESS_TOKEN_LENGTH);
  site.ledger.accounts.setToken(account.user_id, token);
  return done(token);
};
