import { groupsOf } from '../catalog.ts';
import { ACCESS_TOKEN_LENGTH, randomText } from '../random.ts';
import { successAnswer } from '../server/answer.ts';
import type { Handler, PublicHandler } from './request.ts';

/** `GET /api/status`: public. */
export const status: PublicHandler = (context) => successAnswer(context.profile.statusData(context.catalog));

/** `GET /api/user/self`. */
export const self: Handler = (context, { account }) => successAnswer(context.profile.selfData(account));

/** `GET /api/user/self/groups`. */
export const groups: Handler = (context, { account }) =>
  successAnswer(context.profile.groupsData(context.catalog, groupsOf(context.catalog, account)));

/** `GET /api/user/token`: a rotation. The token that asked for it is void when the answer goes out. */
export const rotateToken: Handler = (context, { account }) => {
  const token = randomText(context.random, ACCESS_TOKEN_LENGTH);
  context.ledger.accounts.setToken(account.user_id, token);
  return successAnswer(token);
};
