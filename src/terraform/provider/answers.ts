import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { actionAnswers, listingAnswers, readingAnswers } from './answer-data.ts';
import { functionAnswers } from './answer-functions.ts';
import { resourceAnswers } from './answer-resources.ts';
import { openLine, readObject, told } from './calls.ts';
import type { Provider } from './definition.ts';
import { type Schema, typeOf } from './schema.ts';
import { functionMessage, identityMessage, schemaMessage } from './to-messages.ts';
import { configRemarks } from './validate.ts';

const CAPABILITIES = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true } as const;

const mapValues = <A, B>(members: { readonly [name: string]: A }, work: (member: A) => B): ReadonlyMap<string, B> =>
  new Map(Object.entries(members).map(([name, member]) => [name, work(member)]));

const schemas = (members: { readonly [name: string]: { readonly schema: Schema } }) =>
  mapValues(members, ({ schema }) => schemaMessage(schema));

const names = (members: object) => Object.keys(members).map((typeName) => ({ typeName }));

type Telling = 'getMetadata' | 'getProviderSchema' | 'getResourceIdentitySchemas';

/** What there is. */
const tellingAnswers = (provider: Provider<never>): Pick<Answers<typeof PROVIDER>, Telling> => ({
  getMetadata: () => ({
    serverCapabilities: CAPABILITIES,
    resources: names(provider.resources),
    dataSources: names(provider.dataSources),
    ephemeralResources: names(provider.ephemerals),
    listResources: names(provider.listings),
    actions: names(provider.actions),
    functions: Object.keys(provider.functions).map((name) => ({ name })),
  }),
  getProviderSchema: () => ({
    serverCapabilities: CAPABILITIES,
    provider: schemaMessage(provider.schema),
    resourceSchemas: schemas(provider.resources),
    dataSourceSchemas: schemas(provider.dataSources),
    ephemeralResourceSchemas: schemas(provider.ephemerals),
    listResourceSchemas: schemas(provider.listings),
    actionSchemas: mapValues(provider.actions, ({ schema }) => ({ schema: schemaMessage(schema) })),
    functions: mapValues(provider.functions, functionMessage),
  }),
  getResourceIdentitySchemas: () => ({
    identitySchemas: mapValues(provider.resources, ({ identity }) => identityMessage(identity)),
  }),
});

/** A provider, as the calls of the protocol. @param stop aborted when core wants all to end */
export function answersOf<C>(provider: Provider<C>, stop: AbortController): Answers<typeof PROVIDER> {
  const { schema } = provider;
  let client: C | undefined;
  const line = openLine(() => client, stop.signal);
  const type = typeOf(schema);
  return {
    ...tellingAnswers(provider as Provider<never>),
    validateProviderConfig: ({ config }) =>
      told((remarks) => {
        remarks.push(...configRemarks(schema, readObject(config, type)));
        return {};
      }),
    configureProvider: ({ config }) =>
      told(async () => {
        client = await provider.configure(readObject(config, type), stop.signal);
        return {};
      }),
    stopProvider() {
      stop.abort(new Error('core wants an end'));
      return {};
    },
    ...readingAnswers(provider, line),
    ...resourceAnswers(provider, line),
    ...listingAnswers(provider, line),
    ...actionAnswers(provider, line),
    ...functionAnswers(provider.functions),
  };
}
