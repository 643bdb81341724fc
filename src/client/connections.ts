import { Fault } from '../domain/index.ts';
import type { Gateway } from '../gateway/index.ts';

/**
 * The connections of clients, for the engine and the checks, which take them as they are. Identity leads to them and nothing else: a copy of
 * a client has none.
 */
const CONNECTIONS = new WeakMap<object, Gateway>();

export function rememberConnection(client: object, gateway: Gateway): void {
  CONNECTIONS.set(client, gateway);
}

/** Returns the connection of a client. @throws Fault `usage.invalid` for anything else */
export function connectionOf(client: object): Gateway {
  const gateway = CONNECTIONS.get(client);
  if (gateway) return gateway;
  throw new Fault('usage.invalid', 'This object is not a client of a gateway. Open one with `openGateway()`.');
}
