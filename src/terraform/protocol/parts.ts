import { many, maybe, message, one } from './message.ts';

/** The messages of protocol 6 that occur within others. Field numbers are those of tfplugin6. */

export const DynamicValue = message({ msgpack: one(1, 'bytes'), json: one(2, 'bytes') });

/** Exactly one field is set. */
const PathStep = message({
  attributeName: maybe(1, 'string'),
  elementKeyString: maybe(2, 'string'),
  elementKeyInt: maybe(3, 'int64'),
});

export const AttributePath = message({ steps: many(1, PathStep) });

/** `severity`: 1 error, 2 warning. */
export const Diagnostic = message({
  severity: one(1, 'enum'),
  summary: one(2, 'string'),
  detail: one(3, 'string'),
  attribute: maybe(4, AttributePath),
});

export const FunctionError = message({ text: one(1, 'string'), functionArgument: maybe(2, 'int64') });

/** Stored JSON. The older flat form comes only from cores without protocol 6. */
export const RawState = message({ json: one(1, 'bytes') });

export const ResourceIdentityData = message({ identityData: maybe(1, DynamicValue) });

export const ClientCapabilities = message({
  deferralAllowed: one(1, 'bool'),
  writeOnlyAttributesAllowed: one(2, 'bool'),
});

/** The reason why nothing was read: a number of `DEFERRED`. */
export const Deferred = message({ reason: one(1, 'enum') });

export const DEFERRED = { providerConfigUnknown: 2 } as const;

export const ServerCapabilities = message({
  planDestroy: one(1, 'bool'),
  getProviderSchemaOptional: one(2, 'bool'),
  moveResourceState: one(3, 'bool'),
});

export const Timestamp = message({ seconds: one(1, 'int64'), nanos: one(2, 'int64') });

export const TypeName = message({ typeName: one(1, 'string') });
