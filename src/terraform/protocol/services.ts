import type { MessageDefinition } from './message.ts';
import { message, one } from './message.ts';
import * as provider from './provider-messages.ts';
import * as resource from './resource-messages.ts';
import * as verb from './verb-messages.ts';

/** One method of a gRPC service. */
export interface Method<Q extends object = object, A extends object = object> {
  readonly name: string;
  readonly request: MessageDefinition<Q>;
  readonly response: MessageDefinition<A>;
  /** The sides that may send more than one message. A stream without a handler is held open, and nothing is ever sent in it. */
  readonly streams?: 'server' | 'both';
}

const method = <Q extends object, A extends object>(
  name: string,
  request: MessageDefinition<Q>,
  response: MessageDefinition<A>,
): Method<Q, A> => ({
  name,
  request,
  response,
});

const { Empty } = provider;

/** The methods of tfplugin6.Provider, in the order in which a command calls them. */
export const PROVIDER = {
  getMetadata: method('GetMetadata', Empty, provider.MetadataResponse),
  getProviderSchema: method('GetProviderSchema', Empty, provider.SchemaResponse),
  getResourceIdentitySchemas: method('GetResourceIdentitySchemas', Empty, provider.IdentitySchemasResponse),
  validateProviderConfig: method(
    'ValidateProviderConfig',
    provider.ValidateProviderRequest,
    provider.ValidateProviderResponse,
  ),
  validateResourceConfig: method('ValidateResourceConfig', resource.ValidateRequest, resource.ValidateResponse),
  validateDataResourceConfig: method('ValidateDataResourceConfig', resource.ValidateRequest, resource.ValidateResponse),
  validateEphemeralResourceConfig: method(
    'ValidateEphemeralResourceConfig',
    resource.ValidateRequest,
    resource.ValidateResponse,
  ),
  configureProvider: method('ConfigureProvider', provider.ConfigureRequest, provider.ConfigureResponse),
  upgradeResourceState: method('UpgradeResourceState', resource.UpgradeStateRequest, resource.UpgradeStateResponse),
  upgradeResourceIdentity: method(
    'UpgradeResourceIdentity',
    resource.UpgradeIdentityRequest,
    resource.UpgradeIdentityResponse,
  ),
  readResource: method('ReadResource', resource.ReadRequest, resource.ReadResponse),
  planResourceChange: method('PlanResourceChange', resource.PlanRequest, resource.PlanResponse),
  applyResourceChange: method('ApplyResourceChange', resource.ApplyRequest, resource.ApplyResponse),
  importResourceState: method('ImportResourceState', resource.ImportRequest, resource.ImportResponse),
  moveResourceState: method('MoveResourceState', resource.MoveRequest, resource.MoveResponse),
  readDataSource: method('ReadDataSource', provider.ReadDataRequest, provider.ReadDataResponse),
  openEphemeralResource: method('OpenEphemeralResource', provider.OpenRequest, provider.OpenResponse),
  renewEphemeralResource: method('RenewEphemeralResource', provider.RenewRequest, provider.RenewResponse),
  closeEphemeralResource: method('CloseEphemeralResource', provider.CloseRequest, provider.CloseResponse),
  validateListResourceConfig: method('ValidateListResourceConfig', verb.ValidateListRequest, resource.ValidateResponse),
  listResource: { ...method('ListResource', verb.ListRequest, verb.ListEvent), streams: 'server' },
  validateActionConfig: method('ValidateActionConfig', resource.ValidateRequest, resource.ValidateResponse),
  planAction: method('PlanAction', verb.ActionRequest, verb.ActionPlanResponse),
  invokeAction: { ...method('InvokeAction', verb.ActionRequest, verb.ActionEvent), streams: 'server' },
  getFunctions: method('GetFunctions', Empty, provider.FunctionsResponse),
  callFunction: method('CallFunction', provider.CallRequest, provider.CallResponse),
  stopProvider: method('StopProvider', Empty, provider.StopResponse),
} as const;

const HealthRequest = message({ service: one(1, 'string') });
/** `status`: 1 serving. */
const HealthResponse = message({ status: one(1, 'enum') });

/** The services that go-plugin requires of every plugin. */
export const CONTROLLER = { shutdown: method('Shutdown', Empty, Empty) } as const;
export const HEALTH = { check: method('Check', HealthRequest, HealthResponse) } as const;
export const STDIO = { streamStdio: { ...method('StreamStdio', Empty, Empty), streams: 'server' } } as const;
export const BROKER = { startStream: { ...method('StartStream', Empty, Empty), streams: 'both' } } as const;

export const SERVICE_NAMES = {
  provider: 'tfplugin6.Provider',
  controller: 'plugin.GRPCController',
  health: 'grpc.health.v1.Health',
  stdio: 'plugin.GRPCStdio',
  broker: 'plugin.GRPCBroker',
} as const;
