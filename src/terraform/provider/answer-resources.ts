import { valueFromState } from '../codec/state-json.ts';
import { isWhollyKnown, type ObjectValue } from '../codec/value.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { type Bytes, findIn, type Line, readObject, told, tryReadObject, written } from './calls.ts';
import { type Kept, type Provider, Refused, type Remark, type Resource, type Written } from './definition.ts';
import { plannedBySchema, replacing } from './planned.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { pathMessage } from './to-messages.ts';
import { configRemarks } from './validate.ts';

type Calls = Answers<typeof PROVIDER>;

const privateOf = (bytes: Uint8Array): Pick<Kept, 'private'> =>
  bytes.length === 0 ? {} : { private: JSON.parse(Buffer.from(bytes).toString()) };

const privateBytes = ({ private: kept }: Kept): Uint8Array =>
  kept === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(kept));

function tryReadKept(bytes: Bytes, hidden: Uint8Array, schema: Schema): Kept | undefined {
  const state = tryReadObject(bytes, typeOf(schema));
  return state && { state, ...privateOf(hidden) };
}

/** How what is kept is sent, with what identifies it. */
function sent<C>(resource: Resource<C>, { state }: Kept, client: C | undefined) {
  const identity = client === undefined ? undefined : resource.identityOf(state, client);
  return {
    state: written(state, typeOf(resource.schema)),
    identity: identity && { identityData: written(identity, identityType(resource.identity)) },
  };
}

const WRITE_ONLY = 'It would be stored: this version of the program knows no write-only attributes.';

function writeOnlyRemarks({ attributes }: Schema, config: ObjectValue, isAllowed: boolean): readonly Remark[] {
  const given = Object.entries(attributes).filter(([name, { isWriteOnly }]) => isWriteOnly && config[name] !== null);
  if (isAllowed) return [];
  return given.map(([name]) => ({
    severity: 'error',
    summary: `${name} can not be set`,
    detail: WRITE_ONLY,
    path: [name],
  }));
}

type Planned = Parameters<Calls['applyResourceChange']>[0];

/** Makes, changes or deletes. What core is to keep is in the answer in every case: nothing may be forgotten. */
async function applied<C>(resource: Resource<C>, request: Planned, context: { line: Line<C>; signal: AbortSignal }) {
  const { schema } = resource;
  const type = typeOf(schema);
  const prior = tryReadKept(request.priorState, request.plannedPrivate, schema);
  const planned = tryReadObject(request.plannedState, type);
  const keep = (kept: Kept | undefined) =>
    kept ? { newState: written(kept.state, type), private: privateBytes(kept) } : { newState: written(null, type) };
  let end = keep(prior);
  let identity: ReturnType<typeof sent>['identity'];
  const answer = await told(async (remarks) => {
    const around = context.line.around(remarks, context.signal);
    if (planned === undefined) {
      if (prior) await resource.delete(prior, around);
      end = keep(undefined);
      return {};
    }
    const planning = { config: readObject(request.config, type), planned };
    const done: Written = prior
      ? await resource.update({ ...planning, prior }, around)
      : await resource.create({ ...planning, prior }, around);
    remarks.push(...done.remarks);
    if (done.kept) identity = sent(resource, done.kept, around.client).identity;
    if (done.kept || !prior) end = keep(done.kept);
    return {};
  });
  return { ...answer, ...end, newIdentity: identity };
}

/** Resources while they live: read, planned, written. */
const livingAnswers = <C>(
  { resources }: Provider<C>,
  line: Line<C>,
): Pick<Calls, 'validateResourceConfig' | 'readResource' | 'planResourceChange' | 'applyResourceChange'> => ({
  validateResourceConfig: ({ typeName, config, clientCapabilities }) =>
    told((remarks) => {
      const { schema } = findIn(resources, typeName, 'resource');
      const value = readObject(config, typeOf(schema));
      const isAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
      remarks.push(...writeOnlyRemarks(schema, value, isAllowed), ...configRemarks(schema, value));
      return {};
    }),
  readResource: ({ typeName, state, private: hidden }, { signal }) =>
    told(async (remarks) => {
      const resource = findIn(resources, typeName, 'resource');
      const kept = tryReadKept(state, hidden, resource.schema);
      const around = line.around(remarks, signal);
      const now = kept && (await resource.read(kept, around));
      if (now === undefined) return { newState: written(null, typeOf(resource.schema)) };
      const { state: newState, identity: newIdentity } = sent(resource, now, around.client);
      return { newState, newIdentity, private: privateBytes(now) };
    }),
  planResourceChange: ({ typeName, priorState, proposedNewState, config, priorPrivate, priorIdentity }, { signal }) =>
    told(async (remarks) => {
      const resource = findIn(resources, typeName, 'resource');
      const { schema } = resource;
      const type = typeOf(schema);
      const prior = tryReadKept(priorState, priorPrivate, schema);
      if (tryReadObject(proposedNewState, type) === undefined) {
        return { plannedState: written(null, type), plannedPrivate: priorPrivate, plannedIdentity: priorIdentity };
      }
      const wanted = readObject(config, type);
      const base = { prior, config: wanted, planned: plannedBySchema(schema, wanted, prior?.state) };
      const planned = await resource.plan(base, line.aroundPlan(remarks, signal));
      return {
        plannedState: written(planned, type),
        plannedPrivate: priorPrivate,
        plannedIdentity: priorIdentity,
        requiresReplace: prior ? replacing(schema, prior.state, planned).map(pathMessage) : [],
      };
    }),
  applyResourceChange(request, { signal }) {
    const resource = resources[request.typeName];
    if (resource) return applied(resource, request, { line, signal });
    return told(() => {
      throw new Refused({ summary: `There is no resource ${request.typeName}` });
    });
  },
});

/** Resources that come from elsewhere: imported, of an older schema, of another type. */
const arrivingAnswers = <C>(
  { resources }: Provider<C>,
  line: Line<C>,
): Pick<Calls, 'importResourceState' | 'upgradeResourceState' | 'upgradeResourceIdentity' | 'moveResourceState'> => ({
  importResourceState: ({ typeName, id, identity }, { signal }) =>
    told(async (remarks) => {
      const resource = findIn(resources, typeName, 'resource');
      const around = line.around(remarks, signal);
      const known = tryReadObject(identity?.identityData, identityType(resource.identity));
      const kept = await resource.import(known && isWhollyKnown(known) && id === '' ? known : id, around);
      const { state, identity: own } = sent(resource, kept, around.client);
      return { importedResources: [{ typeName, state, identity: own, private: privateBytes(kept) }] };
    }),
  upgradeResourceState: ({ typeName, version, rawState }) =>
    told(() => {
      const { schema, upgrade } = findIn(resources, typeName, 'resource');
      const text = Buffer.from(rawState?.json ?? []).toString();
      const type = typeOf(schema);
      if (version > schema.version) {
        throw new Refused({
          summary: `The state of this ${typeName} was written by a newer version of the provider`,
          detail: `It has schema version ${version}; this one knows ${schema.version}. Use the newer one.`,
        });
      }
      const current = version === schema.version ? text : upgrade({ version, text });
      return { upgradedState: written(valueFromState(current, type), type) };
    }),
  upgradeResourceIdentity: ({ typeName, rawIdentity }) =>
    told(() => {
      const type = identityType(findIn(resources, typeName, 'resource').identity);
      const value = valueFromState(Buffer.from(rawIdentity?.json ?? []).toString(), type);
      return { upgradedIdentity: { identityData: written(value, type) } };
    }),
  moveResourceState: (request) =>
    told(() => {
      const { targetTypeName, sourceProviderAddress: providerAddress, sourceTypeName: typeName } = request;
      const resource = findIn(resources, targetTypeName, 'resource');
      const text = Buffer.from(request.sourceState?.json ?? []).toString();
      const moved = resource.move?.({ providerAddress, typeName, version: request.sourceSchemaVersion, text });
      if (moved === undefined) {
        throw new Refused({ summary: `A ${typeName} of ${providerAddress} can not become a ${targetTypeName}` });
      }
      return { movedState: written(moved.state, typeOf(resource.schema)), movedPrivate: privateBytes(moved) };
    }),
});

export const resourceAnswers = <C>(provider: Provider<C>, line: Line<C>) => ({
  ...livingAnswers(provider, line),
  ...arrivingAnswers(provider, line),
});
