/**
 * The client of a live gateway that programs use: keys, usage, account and inference as one object, with limits for each call.
 */

export type { GatewayClientOptions } from './client-options.ts';
export { connectionOf } from './connections.ts';
export type { GatewayKey } from './gateway-key.ts';
export type { KeyPatch, KeyToCreate, SpendingLimit } from './key-input.ts';
export type { GatewayKeys, KeyFilter, KeyList } from './keys.ts';
export {
  type AccountInfo,
  type GatewayClient,
  type GatewayStatus,
  openGatewayClient,
} from './open.ts';
export type { Telemetry } from './spans.ts';
export type { GatewayUsage, UsageFilter, UsageRecord, UsageSum } from './usage-reading.ts';
