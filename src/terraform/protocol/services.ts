import type { Message } from './message.ts';
import { message, one } from './message.ts';
import * as provider from './provider-messages.ts';
import * as resource from './resource-messages.ts';
import * as verb from './verb-messages.ts';

/** One call of a service. */
export interface Call<Q extends object = object, A extends object = object> {
  readonly name: string;
  readonly request: Message<Q>;
  readonly response: Message<A>;
  /** Who may send more than one message. What nobody answers is held open, and nothing is ever sent in it. */
  readonly streams?: 'server' | 'both';
}

const call = <Q extends object, A extends object>(
  name: string,
  request: Message<Q>,
  response: Message<A>,
): Call<Q, A> => ({
  name,
  request,
  response,
});

const { Empty } = provider;

/** The calls of tfplugin6.Provider, in the order of a command. */
export const PROVIDER = {
  getMetadata: call('GetMetadata', Empty, provider.MetadataResponse),
  getProviderSchema: call('GetProviderSchema', Empty, provider.SchemaResponse),
  getResourceIdentitySchemas: call('GetResourceIdentitySchemas', Empty, provider.IdentitySchemasResponse),
  validateProviderConfig: call(
    'ValidateProviderConfig',
    provider.ValidateProviderRequest,
    provider.ValidateProviderResponse,
  ),
  validateResourceConfig: call('ValidateResourceConfig', resource.ValidateRequest, resource.ValidateResponse),
  validateDataResourceConfig: call('ValidateDataResourceConfig', resource.ValidateRequest, resource.ValidateResponse),
  validateEphemeralResourceConfig: call(
    'ValidateEphemeralResourceConfig',
    resource.ValidateRequest,
    resource.ValidateResponse,
  ),
  configureProvider: call('ConfigureProvider', provider.ConfigureRequest, provider.ConfigureResponse),
  upgradeResourceState: call('UpgradeResourceState', resource.UpgradeStateRequest, resource.UpgradeStateResponse),
  upgradeResourceIdentity: call(
    'UpgradeResourceIdentity',
    resource.UpgradeIdentityRequest,
    resource.UpgradeIdentityResponse,
  ),
  readResource: call('ReadResource', resource.ReadRequest, resource.ReadResponse),
  planResourceChange: call('PlanResourceChange', resource.PlanRequest, resource.PlanResponse),
  applyResourceChange: call('ApplyResourceChange', resource.ApplyRequest, resource.ApplyResponse),
  importResourceState: call('ImportResourceState', resource.ImportRequest, resource.ImportResponse),
  moveResourceState: call('MoveResourceState', resource.MoveRequest, resource.MoveResponse),
  readDataSource: call('ReadDataSource', provider.ReadDataRequest, provider.ReadDataResponse),
  openEphemeralResource: call('OpenEphemeralResource', provider.OpenRequest, provider.OpenResponse),
  renewEphemeralResource: call('RenewEphemeralResource', provider.RenewRequest, provider.RenewResponse),
  closeEphemeralResource: call('CloseEphemeralResource', provider.CloseRequest, provider.CloseResponse),
  validateListResourceConfig: call('ValidateListResourceConfig', verb.ValidateListRequest, resource.ValidateResponse),
  listResource: { ...call('ListResource', verb.ListRequest, verb.ListEvent), streams: 'server' },
  validateActionConfig: call('ValidateActionConfig', resource.ValidateRequest, resource.ValidateResponse),
  planAction: call('PlanAction', verb.ActionRequest, verb.ActionPlanResponse),
  invokeAction: { ...call('InvokeAction', verb.ActionRequest, verb.ActionEvent), streams: 'server' },
  getFunctions: call('GetFunctions', Empty, provider.FunctionsResponse),
  callFunction: call('CallFunction', provider.CallRequest, provider.CallResponse),
  stopProvider: call('StopProvider', Empty, provider.StopResponse),
} as const;

const HealthRequest = message({ service: one(1, 'string') });
/** `status`: 1 serving. */
const HealthResponse = message({ status: one(1, 'enum') });

/** What go-plugin asks of every plugin, beside its own service. */
export const CONTROLLER = { shutdown: call('Shutdown', Empty, Empty) } as const;
export const HEALTH = { check: call('Check', HealthRequest, HealthResponse) } as const;
export const STDIO = { streamStdio: { ...call('StreamStdio', Empty, Empty), streams: 'server' } } as const;
export const BROKER = { startStream: { ...call('StartStream', Empty, Empty), streams: 'both' } } as const;

export const SERVICE_NAMES = {
  provider: 'tfplugin6.Provider',
  controller: 'plugin.GRPCController',
  health: 'grpc.health.v1.Health',
  stdio: 'plugin.GRPCStdio',
  broker: 'plugin.GRPCBroker',
} as const;
