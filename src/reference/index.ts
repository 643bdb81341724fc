/**
 * The reference gateway: a complete server of the gateway API contract on loopback, with a durable SQLite ledger.
 * Demonstrations, tests and rehearsals run against it over real HTTP. Described in `docs/reference-gateway.md`.
 */
export type { ProfileName } from '../domain/index.ts';
export { type ReferenceGateway, type ReferenceOptions, startReferenceGateway } from './gateway.ts';
export { readSeed } from './seed/read.ts';
export type { Seed } from './seed/schema.ts';
export type { GatewayControls, ScriptedFailure, Span } from './server/gateway-controls.ts';
