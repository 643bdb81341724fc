import type { GatewayClient, GatewayClientOptions } from '../client/index.ts';
import type { CallbackReceiver, ReceiverOptions } from '../gateway/index.ts';

/**
 * Opens a client of a live gateway for one account. Does not connect yet, and reads neither files nor the environment. HTTP and the
 * schemas of the contract are loaded here, and not with the door of the library.
 *
 * @throws KeyplaneError `usage.invalid` for an invalid URL, CA or proxy; `credentials.missing`
 */
export const openGateway = async (options: GatewayClientOptions): Promise<GatewayClient> =>
  (await import('../client/index.ts')).openGatewayClient(options);

/** Opens a server on this machine for the notifications of providers about video tasks. */
export const openCallbackReceiver = async (options: ReceiverOptions): Promise<CallbackReceiver> =>
  (await import('../gateway/index.ts')).openCallbackReceiver(options);
