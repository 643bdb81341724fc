import type { GatewayContext } from '../context.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { Answer } from '../server/answer.ts';

/** The parts of a System API request that a handler needs. */
export interface SystemRequest {
  /** The `{id}` of the path, as text. */
  readonly id: string;
  /** Reads query parameters: the first value if there are several, empty if there is none. */
  query(name: string): string;
  /** Undefined for an empty body. */
  readonly body: unknown;
  readonly address: string;
  /** The origin at which the client reached this gateway. */
  readonly origin: string;
}

/** A request with the credentials of an account. */
export interface AuthenticatedRequest extends SystemRequest {
  readonly account: StoredAccount;
}

export type PublicHandler = (context: GatewayContext, request: SystemRequest) => Answer;
export type Handler = (context: GatewayContext, request: AuthenticatedRequest) => Answer;
