import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { findIn, type Line, readObject, told, written } from './calls.ts';
import type { Found, Provider, Remark } from './definition.ts';
import { remarksOf } from './remarks.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { diagnosticMessage } from './to-messages.ts';
import { configRemarks } from './validate.ts';

type Calls = Answers<typeof PROVIDER>;
type Members = { readonly [typeName: string]: { readonly schema: Schema } };
type Config = Parameters<Calls['validateDataResourceConfig']>[0]['config'];

/** Judges what was written for one of these. */
const validating =
  (members: Members, what: string) =>
  ({ typeName, config }: { readonly typeName: string; readonly config: Config }) =>
    told(async (remarks) => {
      const { schema } = findIn(members, typeName, what);
      remarks.push(...configRemarks(schema, readObject(config, typeOf(schema))));
      return {};
    });

/** Data sources, and ephemeral resources: what is read, to be stored or not. */
export const readingAnswers = <C>(
  { dataSources, ephemerals }: Provider<C>,
  { around }: Line<C>,
): Pick<
  Calls,
  | 'validateDataResourceConfig'
  | 'readDataSource'
  | 'validateEphemeralResourceConfig'
  | 'openEphemeralResource'
  | 'renewEphemeralResource'
  | 'closeEphemeralResource'
> => ({
  validateDataResourceConfig: validating(dataSources, 'data source'),
  readDataSource: ({ typeName, config }, { signal }) =>
    told(async (remarks) => {
      const source = findIn(dataSources, typeName, 'data source');
      const type = typeOf(source.schema);
      return { state: written(await source.read(readObject(config, type), around(remarks, signal)), type) };
    }),
  validateEphemeralResourceConfig: validating(ephemerals, 'ephemeral resource'),
  openEphemeralResource: ({ typeName, config }, { signal }) =>
    told(async (remarks) => {
      const ephemeral = findIn(ephemerals, typeName, 'ephemeral resource');
      const type = typeOf(ephemeral.schema);
      return { result: written(await ephemeral.open(readObject(config, type), around(remarks, signal)), type) };
    }),
  // Nothing that is opened here ends by itself or needs an end.
  renewEphemeralResource: () => ({}),
  closeEphemeralResource: () => ({}),
});

type Event = Awaited<ReturnType<typeof told>> & object;

const eventOf = async (found: Found, resource: Provider<unknown>['resources'][string], isWhole: boolean) => ({
  displayName: found.name,
  identity: { identityData: written(found.identity, identityType(resource.identity)) },
  ...(isWhole ? { resourceObject: written(await found.state(), typeOf(resource.schema)) } : {}),
});

/** Finding what could be managed. */
export const listingAnswers = <C>(
  { listings, resources }: Provider<C>,
  { around }: Line<C>,
): Pick<Calls, 'validateListResourceConfig' | 'listResource'> => ({
  validateListResourceConfig: validating(listings, 'list resource'),
  async *listResource({ typeName, config, includeResourceObject, limit }, { signal }) {
    const remarks: Remark[] = [];
    try {
      const listing = findIn(listings, typeName, 'list resource');
      const resource = findIn(resources, typeName, 'resource');
      const wanted = readObject(config, typeOf(listing.schema));
      let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
      for await (const found of listing.find(wanted, around(remarks, signal))) {
        if (left <= 0) break;
        yield await eventOf(found, resource, includeResourceObject);
        left -= 1;
      }
    } catch (thrown) {
      remarks.push(...remarksOf(thrown));
    }
    if (remarks.length > 0) yield { diagnostics: remarks.map(diagnosticMessage) } satisfies Event;
  },
});

/** What is done. */
export const actionAnswers = <C>(
  { actions }: Provider<C>,
  { around }: Line<C>,
): Pick<Calls, 'validateActionConfig' | 'planAction' | 'invokeAction'> => ({
  validateActionConfig: validating(actions, 'action'),
  planAction: ({ typeName }) =>
    told(() => {
      findIn(actions, typeName, 'action');
      return {};
    }),
  async *invokeAction({ typeName, config }, { signal }) {
    const remarks: Remark[] = [];
    try {
      const action = findIn(actions, typeName, 'action');
      const wanted = readObject(config, typeOf(action.schema));
      for await (const message of action.invoke(wanted, around(remarks, signal))) yield { progress: { message } };
    } catch (thrown) {
      remarks.push(...remarksOf(thrown));
    }
    yield { completed: { diagnostics: remarks.map(diagnosticMessage) } };
  },
});
