import { many, maybe, message, one } from './message.ts';
import {
  AttributePath,
  ClientCapabilities,
  Diagnostic,
  DynamicValue,
  RawState,
  ResourceIdentityData,
} from './parts.ts';

/** Messages about managed resources. Field numbers are those of tfplugin6. */

const diagnostics = (number: number) => many(number, Diagnostic);

/** Used for data sources and ephemeral resources too, whose requests have no capabilities. */
export const ValidateRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(3, ClientCapabilities),
});

export const ValidateResponse = message({ diagnostics: diagnostics(1) });

export const UpgradeStateRequest = message({
  typeName: one(1, 'string'),
  version: one(2, 'int64'),
  rawState: maybe(3, RawState),
});

export const UpgradeStateResponse = message({ upgradedState: maybe(1, DynamicValue), diagnostics: diagnostics(2) });

export const UpgradeIdentityRequest = message({
  typeName: one(1, 'string'),
  version: one(2, 'int64'),
  rawIdentity: maybe(3, RawState),
});

export const UpgradeIdentityResponse = message({
  upgradedIdentity: maybe(1, ResourceIdentityData),
  diagnostics: diagnostics(2),
});

export const ReadRequest = message({
  typeName: one(1, 'string'),
  state: maybe(2, DynamicValue),
  private: one(3, 'bytes'),
  clientCapabilities: maybe(5, ClientCapabilities),
  identity: maybe(6, ResourceIdentityData),
});

export const ReadResponse = message({
  newState: maybe(1, DynamicValue),
  diagnostics: diagnostics(2),
  private: one(3, 'bytes'),
  newIdentity: maybe(5, ResourceIdentityData),
});

export const PlanRequest = message({
  typeName: one(1, 'string'),
  priorState: maybe(2, DynamicValue),
  proposedNewState: maybe(3, DynamicValue),
  config: maybe(4, DynamicValue),
  priorPrivate: one(5, 'bytes'),
  clientCapabilities: maybe(7, ClientCapabilities),
  priorIdentity: maybe(8, ResourceIdentityData),
});

export const PlanResponse = message({
  plannedState: maybe(1, DynamicValue),
  requiresReplace: many(2, AttributePath),
  plannedPrivate: one(3, 'bytes'),
  diagnostics: diagnostics(4),
  plannedIdentity: maybe(7, ResourceIdentityData),
});

export const ApplyRequest = message({
  typeName: one(1, 'string'),
  priorState: maybe(2, DynamicValue),
  plannedState: maybe(3, DynamicValue),
  config: maybe(4, DynamicValue),
  plannedPrivate: one(5, 'bytes'),
  plannedIdentity: maybe(7, ResourceIdentityData),
});

export const ApplyResponse = message({
  newState: maybe(1, DynamicValue),
  private: one(2, 'bytes'),
  diagnostics: diagnostics(3),
  newIdentity: maybe(5, ResourceIdentityData),
});

export const ImportRequest = message({
  typeName: one(1, 'string'),
  id: one(2, 'string'),
  clientCapabilities: maybe(3, ClientCapabilities),
  identity: maybe(4, ResourceIdentityData),
});

const ImportedResource = message({
  typeName: one(1, 'string'),
  state: maybe(2, DynamicValue),
  private: one(3, 'bytes'),
  identity: maybe(4, ResourceIdentityData),
});

export const ImportResponse = message({
  importedResources: many(1, ImportedResource),
  diagnostics: diagnostics(2),
});

export const MoveRequest = message({
  sourceProviderAddress: one(1, 'string'),
  sourceTypeName: one(2, 'string'),
  sourceSchemaVersion: one(3, 'int64'),
  sourceState: maybe(4, RawState),
  targetTypeName: one(5, 'string'),
  sourcePrivate: one(6, 'bytes'),
  sourceIdentity: maybe(7, RawState),
  sourceIdentitySchemaVersion: one(8, 'int64'),
});

export const MoveResponse = message({
  movedState: maybe(1, DynamicValue),
  diagnostics: diagnostics(2),
  movedPrivate: one(3, 'bytes'),
  movedIdentity: maybe(4, ResourceIdentityData),
});
