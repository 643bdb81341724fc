import { type GatewayContext, refuse } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Answer } from '../server/answer.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  readonly userId: string | undefined;
}

export type AuthenticationResult = { readonly account: Account } | { readonly refusal: Answer };

/**
 * Both credential headers, in the order in which gateways look at them: missing credentials and a user id that is not
 * the token's are 401, an unknown token is HTTP 200 with `success` false. Contract: “Authentication”, System API.
 */
export function authenticate(context: GatewayContext, { authorization, userId }: Credentials): AuthenticationResult {
  const token = context.profile.tokenOf(authorization ?? '');
  if (token === undefined) return { refusal: refuse(context, 'missingToken', 401) };
  const account = context.ledger.accounts.tryFindByToken(token);
  if (account === undefined) return { refusal: refuse(context, 'invalidToken') };
  if (userId === undefined || userId === '') return { refusal: refuse(context, 'missingUserId', 401) };
  if (!/^\d+$/.test(userId)) return { refusal: refuse(context, 'malformedUserId', 401) };
  return Number(userId) === account.user_id ? { account } : { refusal: refuse(context, 'foreignUserId', 401) };
}
