import { valueFromState } from '../codec/state-json.ts';
import { isWhollyKnown, type ObjectValue } from '../codec/value.ts';
import type { Draft } from '../protocol/message.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Answers, CallContext } from '../serve/grpc.ts';
import { type Bytes, findIn, type Line, readObject, told, tryReadObject, written } from './calls.ts';
import { type Kept, type Provider, Refused, type Remark, type Resource, type Written } from './definition.ts';
import { plannedBySchema, replacing } from './planned.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { pathMessage } from './to-messages.ts';
import { configRemarks } from './validate.ts';
import { withoutWriteOnly, writeOnlyRemarks } from './write-only.ts';

type Calls = Answers<typeof PROVIDER>;

const privateOf = (bytes: Uint8Array): Pick<Kept, 'private'> =>
  bytes.length === 0 ? {} : { private: JSON.parse(Buffer.from(bytes).toString()) };

const privateBytes = ({ private: kept }: Kept): Uint8Array =>
  kept === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(kept));

function tryReadKept(bytes: Bytes, hidden: Uint8Array, schema: Schema): Kept | undefined {
  const state = tryReadObject(bytes, typeOf(schema));
  return state && { state, ...privateOf(hidden) };
}

const stored = (schema: Schema, state: ObjectValue) => written(withoutWriteOnly(schema, state), typeOf(schema));

type Identity = Draft<NonNullable<Planned['plannedIdentity']>>;

function identityOf<C>(resource: Resource<C>, state: ObjectValue, client: C | undefined): Identity | undefined {
  const identity = client === undefined ? undefined : resource.identityOf(state, client);
  return identity && { identityData: written(identity, identityType(resource.identity)) };
}

type Planned = Parameters<Calls['applyResourceChange']>[0];

/** Makes, changes or deletes. What core is to keep is in the answer in every case: nothing may be forgotten. */
async function applied<C>(
  resource: Resource<C>,
  request: Planned,
  { line, call }: { line: Line<C>; call: CallContext },
) {
  const { schema } = resource;
  const type = typeOf(schema);
  const prior = tryReadKept(request.priorState, request.plannedPrivate, schema);
  const planned = tryReadObject(request.plannedState, type);
  const keep = (kept: Kept | undefined) =>
    kept ? { newState: stored(schema, kept.state), private: privateBytes(kept) } : { newState: written(null, type) };
  let end = keep(prior);
  let newIdentity: Identity | undefined = prior && request.plannedIdentity;
  const answer = await told(async (remarks) => {
    const around = line.around(remarks, call);
    if (planned === undefined) {
      if (prior) await resource.delete(prior, around);
      end = keep(undefined);
      newIdentity = undefined;
      return {};
    }
    const planning = { config: readObject(request.config, type), planned };
    const done: Written = prior
      ? await resource.update({ ...planning, prior }, around)
      : await resource.create({ ...planning, prior }, around);
    remarks.push(...done.remarks);
    if (done.kept) {
      end = keep(done.kept);
      newIdentity = identityOf(resource, done.kept.state, around.client) ?? newIdentity;
    }
    return {};
  });
  return { ...answer, ...end, newIdentity };
}

const NOT_REFRESHED = {
  summary: 'Not refreshed: the provider’s configuration is not known yet',
  detail: 'It depends on something that this plan makes or changes. What is planned rests on the state as it is.',
};

interface Around<C> {
  readonly line: Line<C>;
  readonly call: CallContext;
  readonly remarks: Remark[];
}

type Reading = Parameters<Calls['readResource']>[0];

async function refreshed<C>(resource: Resource<C>, request: Reading, { line, call, remarks }: Around<C>) {
  const { schema } = resource;
  const { client, warn } = line.aroundPlan(remarks, call);
  if (client === undefined) {
    warn(NOT_REFRESHED);
    return { newState: request.state, private: request.private, newIdentity: request.identity };
  }
  const kept = tryReadKept(request.state, request.private, schema);
  const now = kept && (await line.unlessEnded(resource.read(kept, line.around(remarks, call))));
  if (now === undefined) return { newState: written(null, typeOf(schema)) };
  return {
    newState: stored(schema, now.state),
    newIdentity: identityOf(resource, now.state, client),
    private: privateBytes(now),
  };
}

type Proposed = Parameters<Calls['planResourceChange']>[0];

async function planned<C>(resource: Resource<C>, request: Proposed, { line, call, remarks }: Around<C>) {
  const { schema } = resource;
  const type = typeOf(schema);
  const same = { plannedPrivate: request.priorPrivate, plannedIdentity: request.priorIdentity };
  const prior = tryReadKept(request.priorState, request.priorPrivate, schema);
  if (tryReadObject(request.proposedNewState, type) === undefined)
    return { plannedState: written(null, type), ...same };
  const config = readObject(request.config, type);
  const base = { prior, config, planned: plannedBySchema(schema, config, prior?.state) };
  const state = await line.unlessEnded(resource.plan(base, line.aroundPlan(remarks, call)));
  return {
    plannedState: stored(schema, state),
    ...same,
    requiresReplace: prior ? replacing(schema, prior.state, state).map(pathMessage) : [],
  };
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
      remarks.push(...(isAllowed ? [] : writeOnlyRemarks(schema, value)), ...configRemarks(schema, value));
      return {};
    }),
  readResource: (request, call) =>
    told((remarks) => refreshed(findIn(resources, request.typeName, 'resource'), request, { line, call, remarks })),
  planResourceChange: (request, call) =>
    told((remarks) => planned(findIn(resources, request.typeName, 'resource'), request, { line, call, remarks })),
  applyResourceChange(request, context) {
    const resource = Object.hasOwn(resources, request.typeName) && resources[request.typeName];
    if (resource) return applied(resource, request, { line, call: context });
    return told(() => {
      throw new Refused({ summary: `There is no resource ${request.typeName}` });
    });
  },
});

const newer = (what: string, version: number, known: { readonly version: number }): Refused =>
  new Refused({
    summary: `The ${what} was written by a newer version of the provider`,
    detail: `It has schema version ${version}; this one knows ${known.version}. Use the newer one.`,
  });

/** Resources that come from elsewhere: imported, of an older schema, of another type. */
const arrivingAnswers = <C>(
  { resources }: Provider<C>,
  line: Line<C>,
): Pick<Calls, 'importResourceState' | 'upgradeResourceState' | 'upgradeResourceIdentity' | 'moveResourceState'> => ({
  importResourceState: ({ typeName, id, identity }, context) =>
    told(async (remarks) => {
      const resource = findIn(resources, typeName, 'resource');
      const around = line.around(remarks, context);
      const known = tryReadObject(identity?.identityData, identityType(resource.identity));
      const kept = await resource.import(known && isWhollyKnown(known) && id === '' ? known : id, around);
      const state = stored(resource.schema, kept.state);
      const own = identityOf(resource, kept.state, around.client);
      return { importedResources: [{ typeName, state, identity: own, private: privateBytes(kept) }] };
    }),
  upgradeResourceState: ({ typeName, version, rawState }) =>
    told(() => {
      const { schema, upgrade } = findIn(resources, typeName, 'resource');
      const text = Buffer.from(rawState?.json ?? []).toString();
      const type = typeOf(schema);
      if (version > schema.version) throw newer(`state of this ${typeName}`, version, schema);
      const current = version === schema.version ? text : upgrade({ version, text });
      return { upgradedState: written(valueFromState(current, type), type) };
    }),
  upgradeResourceIdentity: ({ typeName, version, rawIdentity }) =>
    told(() => {
      const { identity } = findIn(resources, typeName, 'resource');
      if (version > identity.version) throw newer(`identity of this ${typeName}`, version, identity);
      const type = identityType(identity);
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
      return { movedState: stored(resource.schema, moved.state), movedPrivate: privateBytes(moved) };
    }),
});

export const resourceAnswers = <C>(provider: Provider<C>, line: Line<C>) => ({
  ...livingAnswers(provider, line),
  ...arrivingAnswers(provider, line),
});
