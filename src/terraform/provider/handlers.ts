import type { PROVIDER } from '../protocol/services.ts';
import type { Handlers } from '../serve/grpc.ts';
import { actionHandlers, listHandlers, readHandlers } from './data-handlers.ts';
import type { Provider } from './definition.ts';
import { functionHandlers } from './function-handlers.ts';
import type { Mask } from './masked.ts';
import { resourceHandlers } from './resource-handlers.ts';
import { type Schema, typeOf } from './schema.ts';
import { openSession, readObject, respond } from './session.ts';
import { functionMessage, identityMessage, schemaMessage } from './to-messages.ts';
import { requireValid, validateConfig } from './validate.ts';

const CAPABILITIES = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true } as const;

const mapValues = <A, B>(members: { readonly [name: string]: A }, work: (member: A) => B): ReadonlyMap<string, B> =>
  new Map(Object.entries(members).map(([name, member]) => [name, work(member)]));

const schemas = (members: { readonly [name: string]: { readonly schema: Schema } }) =>
  mapValues(members, ({ schema }) => schemaMessage(schema));

const names = (members: object) => Object.keys(members).map((typeName) => ({ typeName }));

type SchemaMethod = 'getMetadata' | 'getProviderSchema' | 'getResourceIdentitySchemas';

const schemaHandlers = <C>(provider: Provider<C>): Pick<Handlers<typeof PROVIDER>, SchemaMethod> => ({
  getMetadata: () => ({
    serverCapabilities: CAPABILITIES,
    resources: names(provider.resources),
    dataSources: names(provider.dataSources),
    ephemeralResources: names(provider.ephemerals),
    listResources: names(provider.listResources),
    actions: names(provider.actions),
    functions: Object.keys(provider.functions).map((name) => ({ name })),
  }),
  getProviderSchema: () => ({
    serverCapabilities: CAPABILITIES,
    provider: schemaMessage(provider.schema),
    resourceSchemas: schemas(provider.resources),
    dataSourceSchemas: schemas(provider.dataSources),
    ephemeralResourceSchemas: schemas(provider.ephemerals),
    listResourceSchemas: schemas(provider.listResources),
    actionSchemas: mapValues(provider.actions, ({ schema }) => ({ schema: schemaMessage(schema) })),
    functions: mapValues(provider.functions, functionMessage),
  }),
  getResourceIdentitySchemas: () => ({
    identitySchemas: mapValues(provider.resources, ({ identity }) => identityMessage(identity)),
  }),
});

/** Serves a provider over the methods of the protocol. @param stop aborted when core stops the provider */
export function handlersOf<C>(provider: Provider<C>, stop: AbortController): Handlers<typeof PROVIDER> {
  const { schema } = provider;
  let client: C | undefined;
  const mask: Mask = (text) => (client === undefined ? text : (provider.mask?.(text, client) ?? text));
  const session = openSession({ client: () => client, stop: stop.signal, mask, isShown: provider.isShown });
  const type = typeOf(schema);
  return {
    ...schemaHandlers(provider),
    validateProviderConfig: ({ config }) =>
      respond(async (diagnostics) => {
        const value = readObject(config, type);
        const errors = validateConfig(schema, value);
        diagnostics.push(...(errors.length > 0 ? errors : ((await provider.validate?.(value)) ?? [])));
        return {};
      }),
    configureProvider: ({ config }) =>
      respond(async () => {
        client = await provider.configure(requireValid(schema, readObject(config, type)), stop.signal);
        return {};
      }),
    stopProvider() {
      stop.abort(new Error('core stopped the provider'));
      return {};
    },
    ...readHandlers(provider, session),
    ...resourceHandlers(provider, session),
    ...listHandlers(provider, session),
    ...actionHandlers(provider, session),
    ...functionHandlers(provider.functions),
  };
}
