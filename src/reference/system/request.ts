import type { GatewayContext } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { Answer } from '../server/answer.ts';

/** A request to the System API, as far as a handler needs it. */
export interface SystemRequest {
  /** The `{id}` of the path, as text. */
  readonly id: string;
  /** A query parameter; empty when it is not given, its first value when it is given twice. */
  query(name: string): string;
  /** Undefined: an empty body. */
  readonly body: unknown;
  readonly address: string;
}

/** The same, from an account that has shown its credentials. */
export interface AuthenticatedRequest extends SystemRequest {
  readonly account: Account;
}

export type PublicHandler = (context: GatewayContext, request: SystemRequest) => Answer;
export type Handler = (context: GatewayContext, request: AuthenticatedRequest) => Answer;
