import { DEFERRED } from '../protocol/parts.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Handlers } from '../serve/grpc.ts';
import type { ListResult, Provider, Resource } from './definition.ts';
import { diagnosticsOf, type ProtocolDiagnostic } from './diagnostics.ts';
import { maskedDiagnostic } from './masked.ts';
import { plannedBySchema } from './planned.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { findMember, notConfigured, type ProviderSession, readBlock, readObject, respond, toBytes } from './session.ts';
import { diagnosticMessage, shownLine } from './to-messages.ts';
import { requireValid, validateConfig } from './validate.ts';
import { withoutWriteOnly } from './write-only.ts';

/** Core reads data sources again during the apply if they depend on something that the plan changes. */
const WAIT_FOR_APPLY =
  'Add `depends_on` with the resources that the provider’s configuration depends on: then this data source is read during the apply.';

type All = Handlers<typeof PROVIDER>;
type Members = { readonly [typeName: string]: { readonly schema: Schema } };
type Config = Parameters<All['validateDataResourceConfig']>[0]['config'];

const validator =
  (members: Members, kind: string, read = (config: Config, schema: Schema) => readObject(config, typeOf(schema))) =>
  ({ typeName, config }: { readonly typeName: string; readonly config: Config }) =>
    respond(async (diagnostics) => {
      const { schema } = findMember(members, typeName, kind);
      diagnostics.push(...validateConfig(schema, read(config, schema)));
      return {};
    });

/** Handles data sources and ephemeral resources: both are read, and only the former are stored. */
export const readHandlers = <C>(
  { dataSources, ephemerals }: Provider<C>,
  { context, planContext, masked, mask, onlyNew }: ProviderSession<C>,
): Pick<
  All,
  | 'validateDataResourceConfig'
  | 'readDataSource'
  | 'validateEphemeralResourceConfig'
  | 'openEphemeralResource'
  | 'renewEphemeralResource'
  | 'closeEphemeralResource'
> => ({
  validateDataResourceConfig: validator(dataSources, 'data source'),
  readDataSource: ({ typeName, config, clientCapabilities }, call) =>
    respond(async (diagnostics) => {
      const source = findMember(dataSources, typeName, 'data source');
      const type = typeOf(source.schema);
      const args = requireValid(source.schema, readObject(config, type));
      const isConfigured = planContext(diagnostics, call).client !== undefined;
      if (!isConfigured && clientCapabilities?.deferralAllowed === true) {
        const state = toBytes(plannedBySchema(source.schema, args), type);
        return { state, deferred: { reason: DEFERRED.providerConfigUnknown } };
      }
      if (!isConfigured) throw notConfigured(WAIT_FOR_APPLY);
      const state = await source.read(args, context(diagnostics, call));
      return { state: toBytes(masked(source.schema, state), type) };
    }, mask),
  validateEphemeralResourceConfig: validator(ephemerals, 'ephemeral resource'),
  openEphemeralResource: ({ typeName, config }, call) =>
    respond(async (diagnostics) => {
      const ephemeral = findMember(ephemerals, typeName, 'ephemeral resource');
      const type = typeOf(ephemeral.schema);
      const args = requireValid(ephemeral.schema, readObject(config, type));
      const result = await ephemeral.open(args, context(diagnostics, call));
      await onlyNew(diagnostics);
      return { result: toBytes(masked(ephemeral.schema, result), type) };
    }, mask),
  // Nothing that is opened here expires or needs closing.
  renewEphemeralResource: () => ({}),
  closeEphemeralResource: () => ({}),
});

const listEvent = async <C>(
  found: ListResult,
  { identity, schema }: Resource<C>,
  { masked, mask, includesObject }: Pick<ProviderSession<C>, 'masked' | 'mask'> & { readonly includesObject: boolean },
) => ({
  displayName: shownLine(mask(found.name)),
  identity: { identityData: toBytes(found.identity, identityType(identity)) },
  ...(includesObject
    ? { resourceObject: toBytes(masked(schema, withoutWriteOnly(schema, await found.state())), typeOf(schema)) }
    : {}),
});

export const listHandlers = <C>(
  { listResources, resources }: Provider<C>,
  { context, masked, mask }: ProviderSession<C>,
): Pick<All, 'validateListResourceConfig' | 'listResource'> => ({
  validateListResourceConfig: validator(listResources, 'list resource', readBlock),
  async *listResource({ typeName, config, includeResourceObject, limit }, call) {
    const diagnostics: ProtocolDiagnostic[] = [];
    // Sent along with the latest object: core stops listening once it has as many as it asked for.
    const takeMessages = () => diagnostics.splice(0).map((each) => diagnosticMessage(maskedDiagnostic(each, mask)));
    try {
      const listResource = findMember(listResources, typeName, 'list resource');
      const resource = findMember(resources, typeName, 'resource');
      const filter = requireValid(listResource.schema, readBlock(config, listResource.schema));
      let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
      for await (const found of listResource.find(filter, context(diagnostics, call))) {
        yield {
          ...(await listEvent(found, resource, { masked, mask, includesObject: includeResourceObject })),
          diagnostics: takeMessages(),
        };
        left -= 1;
        if (left <= 0) break;
      }
    } catch (thrown) {
      diagnostics.push(...diagnosticsOf(thrown));
    }
    if (diagnostics.length > 0) yield { diagnostics: takeMessages() };
  },
});

export const actionHandlers = <C>(
  { actions }: Provider<C>,
  { context, mask }: ProviderSession<C>,
): Pick<All, 'validateActionConfig' | 'planAction' | 'invokeAction'> => ({
  validateActionConfig: validator(actions, 'action', readBlock),
  planAction: ({ typeName }) =>
    respond(() => {
      findMember(actions, typeName, 'action');
      return {};
    }),
  async *invokeAction({ typeName, config }, call) {
    const diagnostics: ProtocolDiagnostic[] = [];
    try {
      const action = findMember(actions, typeName, 'action');
      const args = requireValid(action.schema, readBlock(config, action.schema));
      for await (const message of action.invoke(args, context(diagnostics, call))) {
        yield { progress: { message: shownLine(mask(message)) } };
      }
    } catch (thrown) {
      diagnostics.push(...diagnosticsOf(thrown));
    }
    yield { completed: { diagnostics: diagnostics.map((each) => diagnosticMessage(maskedDiagnostic(each, mask))) } };
  },
});
