import { many, map, maybe, message, one } from './message.ts';
import {
  ClientCapabilities,
  Deferred,
  Diagnostic,
  DynamicValue,
  FunctionError,
  ServerCapabilities,
  Timestamp,
  TypeName,
} from './parts.ts';
import { ActionSchema, FunctionSchema, ResourceIdentitySchema, Schema } from './schema.ts';

/** Messages about the provider, data sources, ephemeral resources and functions. Field numbers are those of tfplugin6. */

export const Empty = message({});

const FunctionName = message({ name: one(1, 'string') });

export const MetadataResponse = message({
  serverCapabilities: maybe(1, ServerCapabilities),
  diagnostics: many(2, Diagnostic),
  dataSources: many(3, TypeName),
  resources: many(4, TypeName),
  functions: many(5, FunctionName),
  ephemeralResources: many(6, TypeName),
  listResources: many(7, TypeName),
  actions: many(9, TypeName),
});

export const SchemaResponse = message({
  provider: maybe(1, Schema),
  resourceSchemas: map(2, Schema),
  dataSourceSchemas: map(3, Schema),
  diagnostics: many(4, Diagnostic),
  serverCapabilities: maybe(6, ServerCapabilities),
  functions: map(7, FunctionSchema),
  ephemeralResourceSchemas: map(8, Schema),
  listResourceSchemas: map(9, Schema),
  actionSchemas: map(11, ActionSchema),
});

export const IdentitySchemasResponse = message({
  identitySchemas: map(1, ResourceIdentitySchema),
  diagnostics: many(2, Diagnostic),
});

export const ValidateProviderRequest = message({ config: maybe(1, DynamicValue) });
export const ValidateProviderResponse = message({ diagnostics: many(2, Diagnostic) });

export const ConfigureRequest = message({
  terraformVersion: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(3, ClientCapabilities),
});
export const ConfigureResponse = message({ diagnostics: many(1, Diagnostic) });

export const StopResponse = message({ error: one(1, 'string') });

export const ReadDataRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(4, ClientCapabilities),
});
export const ReadDataResponse = message({
  state: maybe(1, DynamicValue),
  diagnostics: many(2, Diagnostic),
  deferred: maybe(3, Deferred),
});

export const OpenRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(3, ClientCapabilities),
});
export const OpenResponse = message({
  diagnostics: many(1, Diagnostic),
  renewAt: maybe(2, Timestamp),
  result: maybe(3, DynamicValue),
  private: maybe(4, 'bytes'),
});

export const RenewRequest = message({ typeName: one(1, 'string'), private: maybe(2, 'bytes') });
export const RenewResponse = message({
  diagnostics: many(1, Diagnostic),
  renewAt: maybe(2, Timestamp),
  private: maybe(3, 'bytes'),
});

export const CloseRequest = message({ typeName: one(1, 'string'), private: maybe(2, 'bytes') });
export const CloseResponse = message({ diagnostics: many(1, Diagnostic) });

export const FunctionsResponse = message({ functions: map(1, FunctionSchema), diagnostics: many(2, Diagnostic) });

export const CallRequest = message({ name: one(1, 'string'), arguments: many(2, DynamicValue) });
export const CallResponse = message({ result: maybe(1, DynamicValue), error: maybe(2, FunctionError) });
