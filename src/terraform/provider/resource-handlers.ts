import { isSameValue } from '../codec/same-value.ts';
import { isOfType } from '../codec/state-json.ts';
import { isWhollyKnown, type TerraformObject, type ValueType } from '../codec/value.ts';
import type { Draft } from '../protocol/message.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { CallContext, Handlers } from '../serve/grpc.ts';
import {
  ChangedSincePlan,
  type Provider,
  type Resource,
  type ResourceInstance,
  type WriteResult,
} from './definition.ts';
import { DiagnosticError, type ProtocolDiagnostic } from './diagnostics.ts';
import { attributesToReplace, plannedBySchema, withoutIgnored } from './planned.ts';
import { identityType, type Schema, typeOf } from './schema.ts';
import { findMember, isNull, type ProviderSession, readObject, respond, toBytes, tryReadObject } from './session.ts';
import { privateBytes, storedValue, textOf, tryReadInstance } from './stored-instance.ts';
import { pathMessage } from './to-messages.ts';
import { requireValid, validateConfig } from './validate.ts';
import { validateWriteOnly, withoutWriteOnly } from './write-only.ts';

type All = Handlers<typeof PROVIDER>;
type ReadRequest = Parameters<All['readResource']>[0];
type PlanCall = Parameters<All['planResourceChange']>[0];
type ApplyArguments = Parameters<All['applyResourceChange']>[0];
type Identity = Draft<NonNullable<ApplyArguments['plannedIdentity']>>;

const stateBytes = (schema: Schema, state: TerraformObject) => toBytes(withoutWriteOnly(schema, state), typeOf(schema));

/** The bytes of states that stayed as they were. Core sends each for its refresh and for its plan, which are decoded to one object. */
const keptBytes = new WeakMap<TerraformObject, ReturnType<typeof toBytes>>();

/**
 * Returns the bytes of the prior state, if another one is the same. Never those that core sent: it sends numbers in binary, of another
 * precision than those that it reads from its state, and would see a difference.
 */
function bytesIfSame(schema: Schema, state: TerraformObject, prior: TerraformObject) {
  const type = typeOf(schema);
  if (!isSameValue(withoutWriteOnly(schema, state), prior, type)) return undefined;
  const bytes = keptBytes.get(prior) ?? toBytes(prior, type);
  keptBytes.set(prior, bytes);
  return bytes;
}

function identityOf<C>(resource: Resource<C>, state: TerraformObject, client: C | undefined): Identity | undefined {
  const identity = client === undefined ? undefined : resource.identityOf(state, client);
  return identity && { identityData: toBytes(identity, identityType(resource.identity)) };
}

interface Operation<C> {
  readonly session: ProviderSession<C>;
  readonly call: CallContext;
}

/** Creates, changes or deletes. Every response holds the state to keep, so that core forgets nothing. */
async function applyChange<C>(resource: Resource<C>, request: ApplyArguments, { session, call }: Operation<C>) {
  const { schema } = resource;
  const type = typeOf(schema);
  const prior = tryReadInstance(resource, { state: request.priorState, private: request.plannedPrivate });
  const planned = tryReadObject(request.plannedState, type);
  const kept = (instance: ResourceInstance | undefined) =>
    instance
      ? { newState: stateBytes(schema, session.masked(schema, instance.state)), private: privateBytes(instance) }
      : { newState: toBytes(null, type) };
  let end = kept(prior);
  let newIdentity: Identity | undefined = prior && request.plannedIdentity;
  const response = await respond(async (diagnostics) => {
    const context = session.context(diagnostics, call);
    if (planned === undefined) {
      await (prior && resource.delete(prior, context))?.catch((thrown: unknown) => {
        if (thrown instanceof ChangedSincePlan) end = kept(thrown.instance);
        throw thrown;
      });
      end = kept(undefined);
      newIdentity = undefined;
      return {};
    }
    const change = { config: requireValid(schema, readObject(request.config, type)), planned };
    const { instance, diagnostics: found }: WriteResult = prior
      ? await resource.update({ ...change, prior }, context)
      : await resource.create({ ...change, prior }, context);
    diagnostics.push(...found);
    if (instance) {
      end = kept(instance);
      newIdentity = identityOf(resource, instance.state, context.client) ?? newIdentity;
    }
    return {};
  }, session.mask);
  return { ...response, ...end, newIdentity };
}

const NOT_REFRESHED = {
  summary: 'Not refreshed: the provider’s configuration is not known yet',
  detail: 'It depends on something that this plan creates or changes. The plan is based on the stored state.',
};

type Reporting<C> = Operation<C> & { readonly diagnostics: ProtocolDiagnostic[] };

async function refresh<C>(resource: Resource<C>, request: ReadRequest, { session, call, diagnostics }: Reporting<C>) {
  const { schema } = resource;
  const { client, warn } = session.planContext(diagnostics, call);
  if (client === undefined) {
    warn(NOT_REFRESHED);
    return { newState: request.state, private: request.private, newIdentity: request.identity };
  }
  const prior = tryReadInstance(resource, request, session.decoderOf(schema));
  const now = prior && (await session.untilStopped(resource.read(prior, session.context(diagnostics, call))));
  if (prior === undefined || now === undefined) return { newState: toBytes(null, typeOf(schema)) };
  const state = session.masked(schema, now.state);
  return {
    newState: bytesIfSame(schema, state, prior.state) ?? stateBytes(schema, state),
    newIdentity: identityOf(resource, now.state, client),
    private: privateBytes(now),
  };
}

async function planChange<C>(resource: Resource<C>, request: PlanCall, { session, call, diagnostics }: Reporting<C>) {
  const { schema } = resource;
  const type = typeOf(schema);
  const unchanged = { plannedPrivate: request.priorPrivate, plannedIdentity: request.priorIdentity };
  const decode = session.decoderOf(schema);
  const prior = tryReadInstance(resource, { state: request.priorState, private: request.priorPrivate }, decode);
  if (isNull(request.proposedNewState)) {
    if (prior) await resource.planDelete?.(prior, session.planContext(diagnostics, call));
    await session.onlyNew(diagnostics);
    return { plannedState: toBytes(null, type), ...unchanged };
  }
  const { config, ignored } = withoutIgnored(schema, readObject(request.config, type, decode), prior?.state);
  requireValid(schema, config, prior?.state);
  const proposed = { prior, config, planned: plannedBySchema(schema, config, prior?.state) };
  const planned = await session.untilStopped(resource.plan(proposed, session.planContext(diagnostics, call)));
  await session.onlyNew(diagnostics);
  const state = { ...planned, ...ignored };
  const kept = prior && bytesIfSame(schema, state, prior.state);
  return {
    plannedState: kept ?? stateBytes(schema, state),
    ...unchanged,
    // What stays as it was is not replaced.
    requiresReplace: prior && !kept ? attributesToReplace(schema, prior.state, state).map(pathMessage) : [],
  };
}

type Lifecycle = 'validateResourceConfig' | 'readResource' | 'planResourceChange' | 'applyResourceChange';

const lifecycleHandlers = <C>({ resources }: Provider<C>, session: ProviderSession<C>): Pick<All, Lifecycle> => ({
  validateResourceConfig: ({ typeName, config, clientCapabilities }) =>
    respond((diagnostics) => {
      const { schema } = findMember(resources, typeName, 'resource');
      const value = readObject(config, typeOf(schema), session.decoderOf(schema));
      const isAllowed = clientCapabilities?.writeOnlyAttributesAllowed === true;
      diagnostics.push(...(isAllowed ? [] : validateWriteOnly(schema, value)), ...validateConfig(schema, value));
      return {};
    }),
  readResource: (request, call) =>
    respond(
      (diagnostics) =>
        refresh(findMember(resources, request.typeName, 'resource'), request, { session, call, diagnostics }),
      session.mask,
    ),
  planResourceChange: (request, call) =>
    respond(
      (diagnostics) =>
        planChange(findMember(resources, request.typeName, 'resource'), request, { session, call, diagnostics }),
      session.mask,
    ),
  applyResourceChange(request, call) {
    const resource = Object.hasOwn(resources, request.typeName) && resources[request.typeName];
    if (resource) return applyChange(resource, request, { session, call });
    return respond(() => {
      throw new DiagnosticError({ summary: `There is no resource ${request.typeName}` });
    });
  },
});

const newerVersion = (what: string, version: number, schema: { readonly version: number }): DiagnosticError =>
  new DiagnosticError({
    summary: `The ${what} was written by a newer version of the provider`,
    detail: `It has schema version ${version}; this provider supports ${schema.version}. Use the newer provider.`,
  });

const jsonText = (raw: { readonly json: Uint8Array } | undefined): string => (raw ? textOf(raw.json) : '');

/** Core can read a state of this version itself: to decode it and to encode it again takes longer than a look at its names. */
function isCurrent(text: string, type: ValueType): boolean {
  try {
    return isOfType(JSON.parse(text), type);
  } catch {
    return false;
  }
}

const upgradeHandlers = <C>({
  resources,
}: Provider<C>): Pick<All, 'upgradeResourceState' | 'upgradeResourceIdentity' | 'moveResourceState'> => ({
  upgradeResourceState: ({ typeName, version, rawState }) =>
    respond(() => {
      const { schema, upgrade } = findMember(resources, typeName, 'resource');
      const text = jsonText(rawState);
      const type = typeOf(schema);
      if (version > schema.version) throw newerVersion(`state of this ${typeName}`, version, schema);
      if (rawState && version === schema.version && isCurrent(text, type)) return { upgradedState: rawState };
      const current = version === schema.version ? text : upgrade({ version, text });
      return { upgradedState: toBytes(storedValue(current, type), type) };
    }),
  upgradeResourceIdentity: ({ typeName, version, rawIdentity }) =>
    respond(() => {
      const { identity } = findMember(resources, typeName, 'resource');
      if (version > identity.version) throw newerVersion(`identity of this ${typeName}`, version, identity);
      const type = identityType(identity);
      return { upgradedIdentity: { identityData: toBytes(storedValue(jsonText(rawIdentity), type), type) } };
    }),
  moveResourceState: (request) =>
    respond(() => {
      const { targetTypeName, sourceProviderAddress: providerAddress, sourceTypeName: typeName } = request;
      const resource = findMember(resources, targetTypeName, 'resource');
      const text = jsonText(request.sourceState);
      const moved = resource.move?.({ providerAddress, typeName, version: request.sourceSchemaVersion, text });
      if (moved === undefined) {
        throw new DiagnosticError({
          summary: `Cannot move a ${typeName} of ${providerAddress} to a ${targetTypeName}`,
        });
      }
      return { movedState: stateBytes(resource.schema, moved.state), movedPrivate: privateBytes(moved) };
    }),
});

const importHandler = <C>(
  { resources }: Provider<C>,
  session: ProviderSession<C>,
): Pick<All, 'importResourceState'> => ({
  importResourceState: ({ typeName, id, identity }, call) =>
    respond(async (diagnostics) => {
      const resource = findMember(resources, typeName, 'resource');
      const context = session.context(diagnostics, call);
      const given = tryReadObject(identity?.identityData, identityType(resource.identity));
      const instance = await resource.import(given && isWhollyKnown(given) && id === '' ? given : id, context);
      const state = stateBytes(resource.schema, session.masked(resource.schema, instance.state));
      const own = identityOf(resource, instance.state, context.client);
      return { importedResources: [{ typeName, state, identity: own, private: privateBytes(instance) }] };
    }, session.mask),
});

export const resourceHandlers = <C>(provider: Provider<C>, session: ProviderSession<C>) => ({
  ...lifecycleHandlers(provider, session),
  ...upgradeHandlers(provider),
  ...importHandler(provider, session),
});
