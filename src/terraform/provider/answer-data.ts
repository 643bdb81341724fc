import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { findIn, type Line, readInner, readObject, told, written } from './calls.ts';
import type { Found, Provider, Remark } from './definition.ts';
import { remarksOf } from './remarks.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { diagnosticMessage } from './to-messages.ts';
import { configRemarks } from './validate.ts';
import { withoutWriteOnly } from './write-only.ts';

type Calls = Answers<typeof PROVIDER>;
type Members = { readonly [typeName: string]: { readonly schema: Schema } };
type Config = Parameters<Calls['validateDataResourceConfig']>[0]['config'];

/** Judges what was written for one of these. */
const validating =
  (members: Members, what: string, read = (config: Config, schema: Schema) => readObject(config, typeOf(schema))) =>
  ({ typeName, config }: { readonly typeName: string; readonly config: Config }) =>
    told(async (remarks) => {
      const { schema } = findIn(members, typeName, what);
      remarks.push(...configRemarks(schema, read(config, schema)));
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
  readDataSource: ({ typeName, config }, context) =>
    told(async (remarks) => {
      const source = findIn(dataSources, typeName, 'data source');
      const type = typeOf(source.schema);
      return { state: written(await source.read(readObject(config, type), around(remarks, context)), type) };
    }),
  validateEphemeralResourceConfig: validating(ephemerals, 'ephemeral resource'),
  openEphemeralResource: ({ typeName, config }, context) =>
    told(async (remarks) => {
      const ephemeral = findIn(ephemerals, typeName, 'ephemeral resource');
      const type = typeOf(ephemeral.schema);
      return { result: written(await ephemeral.open(readObject(config, type), around(remarks, context)), type) };
    }),
  // Nothing that is opened here ends by itself or needs an end.
  renewEphemeralResource: () => ({}),
  closeEphemeralResource: () => ({}),
});

const eventOf = async (found: Found, resource: Provider<unknown>['resources'][string], isWhole: boolean) => ({
  displayName: found.name,
  identity: { identityData: written(found.identity, identityType(resource.identity)) },
  ...(isWhole
    ? { resourceObject: written(withoutWriteOnly(resource.schema, await found.state()), typeOf(resource.schema)) }
    : {}),
});

/** Finding what could be managed. */
export const listingAnswers = <C>(
  { listings, resources }: Provider<C>,
  { around }: Line<C>,
): Pick<Calls, 'validateListResourceConfig' | 'listResource'> => ({
  validateListResourceConfig: validating(listings, 'list resource', readInner),
  async *listResource({ typeName, config, includeResourceObject, limit }, context) {
    const remarks: Remark[] = [];
    // With the object that was found meanwhile: core stops listening when it has as many as it wants.
    const said = () => remarks.splice(0).map(diagnosticMessage);
    try {
      const listing = findIn(listings, typeName, 'list resource');
      const resource = findIn(resources, typeName, 'resource');
      const wanted = readInner(config, listing.schema);
      let left = limit > 0 ? limit : Number.POSITIVE_INFINITY;
      for await (const found of listing.find(wanted, around(remarks, context))) {
        yield { ...(await eventOf(found, resource, includeResourceObject)), diagnostics: said() };
        left -= 1;
        if (left <= 0) break;
      }
    } catch (thrown) {
      remarks.push(...remarksOf(thrown));
    }
    if (remarks.length > 0) yield { diagnostics: said() };
  },
});

/** What is done. */
export const actionAnswers = <C>(
  { actions }: Provider<C>,
  { around }: Line<C>,
): Pick<Calls, 'validateActionConfig' | 'planAction' | 'invokeAction'> => ({
  validateActionConfig: validating(actions, 'action', readInner),
  planAction: ({ typeName }) =>
    told(() => {
      findIn(actions, typeName, 'action');
      return {};
    }),
  async *invokeAction({ typeName, config }, context) {
    const remarks: Remark[] = [];
    try {
      const action = findIn(actions, typeName, 'action');
      const wanted = readInner(config, action.schema);
      for await (const message of action.invoke(wanted, around(remarks, context))) yield { progress: { message } };
    } catch (thrown) {
      remarks.push(...remarksOf(thrown));
    }
    yield { completed: { diagnostics: remarks.map(diagnosticMessage) } };
  },
});
