/**
 * A live gateway: every endpoint of the System API, typed, and the key store over it.
 */
export type { Clock, ProxySettings, TraceEvent } from '../http/index.ts';
export { parseGatewayUrl, renderAddress, tryFindBase } from './address.ts';
export { createGatewayStore, type GatewayStoreOptions } from './gateway-store.ts';
export { type Gateway, type GatewayOptions, openGateway } from './open.ts';
export type { KeyPage, LogPage, SystemApi } from './system-api.ts';
