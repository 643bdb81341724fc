import { readRequestMedia } from '../../media/index.ts';
import { INFERENCE_API, type InferenceEndpointName, requestDiagnostics } from '../../wire/index.ts';
import { advanceFor, cancelCharge, type OpenCharge, openCharge, settleCharge } from '../billing/charge.ts';
import { quotaFor, type Usage } from '../billing/price.ts';
import type { ModelConfig } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import { type Substitution, substituteModel, withoutOwnComplaint } from '../failures/altered-request.ts';
import { corruptAnswer } from '../failures/corrupt-answer.ts';
import { type JsonObject, propertiesOf } from '../json-object.ts';
import { lacksAllowedModel, type UseRefusal } from '../keys/admission.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import type { Answer, StreamEvent } from '../server/answer.ts';
import { admitRequest } from './credential.ts';
import { bodyOf } from './form.ts';
import { tryFindFamilyFor } from './model-kind.ts';
import {
  internalError,
  passRefusal,
  refuseInvalid,
  refuseKind,
  refuseRequest,
  refuseUse,
  refuseWithoutModel,
  tryRefusalOf,
} from './refusal.ts';
import { type InferenceRequest, RequestError, type Service, type ServiceResult } from './request.ts';
import { serviceFor } from './services.ts';

/** One request on its way through the pipeline. */
interface PipelineContext {
  readonly context: GatewayContext;
  readonly incoming: InferenceRequest;
  readonly requestId: string;
  /** The ticks at its beginning. */
  readonly began: number;
}

/**
 * Serves a request that costs money: authenticates, authorizes, validates, holds the estimated cost, serves and bills.
 * A request that is refused or fails costs nothing. An answered one is settled before its last byte is sent.
 */
export async function servePaidRequest(context: GatewayContext, incoming: InferenceRequest): Promise<Answer> {
  const requestContext: PipelineContext = {
    context,
    incoming,
    requestId: randomText(context.random, REQUEST_ID_LENGTH),
    began: context.ticks(),
  };
  const model = modelOf(incoming);
  const admission = context.ledger.stage(() => admitRequest(context, incoming, model || undefined));
  if ('refusal' in admission) return refuseUse(context, incoming, admission.refusal);
  if (model === '')
    return lacksAllowedModel(context, admission.key)
      ? refuseUse(context, incoming, 'modelDenied')
      : refuseWithoutModel(context, incoming);
  const modelConfig = context.catalog.models[model] as ModelConfig;
  const family = tryFindFamilyFor(incoming, model, modelConfig);
  if (family === undefined) return refuseKind(context, incoming, model);
  const body = bodyOf(family, incoming);
  if (body === undefined) {
    const form = family.form === 'json' ? 'a JSON body' : 'a multipart form';
    return refuseRequest(context, incoming, new RequestError(`The model ${model} takes ${form} here`));
  }
  const found = requestDiagnostics(family, body, { model, knownOf: await readRequestMedia(family, body) });
  const issues = withoutOwnComplaint(incoming, found);
  if (issues.length > 0) return refuseInvalid(context, incoming, issues);
  const { key, account } = admission;
  const request = {
    context,
    incoming,
    requestId: requestContext.requestId,
    family,
    model,
    body,
    userId: account.user_id,
    keyId: key.id,
  };
  return chargeAndServe(requestContext, substituteModel(request, modelConfig));
}

const modelOf = ({ model, body, form }: InferenceRequest): string => {
  const given = model || (propertiesOf(body).model ?? form?.fields.model ?? '');
  return typeof given === 'string' ? given : '';
};

async function chargeAndServe(requestContext: PipelineContext, substitution: Substitution): Promise<Answer> {
  const { context, incoming } = requestContext;
  const { request, modelConfig } = substitution;
  const service = serviceFor(request);
  const usage = service.estimate(request);
  const charge = context.ledger.stage((): OpenCharge | { readonly refusal: UseRefusal } => {
    const admission = admitRequest(context, incoming, substitution.requestedModel);
    if ('refusal' in admission) return admission;
    const units = advanceFor(context, admission, { modelConfig, usage });
    return openCharge(context, admission, { facts: requestFacts(substitution), units });
  });
  if ('refusal' in charge) return refuseUse(context, incoming, charge.refusal);
  const opened = context.ledger.committed();
  const answer = await serveCharged(requestContext, { request, modelConfig, service, charge });
  // A charge that was lost cannot be settled either.
  await opened;
  return corruptAnswer(request, answer);
}

const requestFacts = ({ request: { requestId, incoming, body }, requestedModel, loggedModel }: Substitution) => ({
  requestId,
  address: incoming.address,
  model: loggedModel,
  path: incoming.translated?.path ?? pathOf(incoming.endpoint, requestedModel),
  conversions: incoming.translated && [incoming.translated.format.name, 'OpenAI Compatible'],
  isStream: propertiesOf(body).stream === true || incoming.endpoint === 'streamGenerateContent',
  reasoningEffort: reasoningEffort(propertiesOf(body)),
});

const pathOf = (endpoint: InferenceEndpointName, model: string): string =>
  INFERENCE_API[endpoint].path.replace('{model}', model);

const reasoningEffort = ({ reasoning_effort: effort, reasoning }: JsonObject): string =>
  String(effort ?? propertiesOf(reasoning).effort ?? '');

interface ChargedRequest extends Pick<Substitution, 'request' | 'modelConfig'> {
  readonly service: Service<unknown>;
  readonly charge: OpenCharge;
}

async function serveCharged(
  requestContext: PipelineContext,
  { request, modelConfig, service, charge }: ChargedRequest,
): Promise<Answer> {
  const { context, incoming, began } = requestContext;
  try {
    if (modelConfig.fails && incoming.endpoint !== 'submitVideo') {
      throw new RequestError(modelConfig.fails.message, { status: modelConfig.fails.status, code: 'upstream_error' });
    }
    const answer = await service.serve(request);
    const headers = context.profile.requestHeaders(request.requestId);
    if ('events' in answer)
      return { status: 200, headers, events: billStream(requestContext, { charge, modelConfig, answer }) };
    // What a service commits is written at once: statements cannot be staged.
    context.ledger[answer.commit ? 'transact' : 'stage'](() => {
      answer.commit?.();
      settle(requestContext, { charge, modelConfig, usage: answer.usage, firstByteMs: context.ticks() - began });
    });
    await context.ledger.committed();
    return { status: 200, headers, body: answer.body };
  } catch (thrown) {
    const refusal = tryRefusalOf(thrown);
    const seconds = (context.ticks() - began) / 1000;
    const { message: content } = refusal ?? internalError();
    context.ledger.stage(() => cancelCharge(context, charge, { seconds, content }));
    await context.ledger.committed();
    if (refusal === undefined) throw thrown;
    if (refusal.theirs) return passRefusal(incoming, refusal);
    return refuseRequest(context, incoming, refusal);
  }
}

interface Bill {
  readonly charge: OpenCharge;
  readonly modelConfig: ModelConfig;
  readonly usage: Usage;
  readonly firstByteMs: number;
}

function settle({ context, began }: PipelineContext, { charge, modelConfig, usage, firstByteMs }: Bill): void {
  const quota = quotaFor(context.catalog, modelConfig, { group: charge.group, usage });
  settleCharge(context, charge, { quota, usage, firstByteMs, seconds: (context.ticks() - began) / 1000 });
}

const chargedUsage = ({ incoming: { translated } }: PipelineContext, usage: Usage): Usage =>
  translated?.format.billsStreams === 'prompt' ? { ...usage, completionTokens: 0 } : usage;

/**
 * Bills a stream before its final event is sent. A client that disconnects earlier pays for the events sent until then,
 * as it would with an upstream, and so does the client of an upstream that breaks off. A stream that fails inside the
 * gateway costs nothing.
 */
async function* billStream(
  requestContext: PipelineContext,
  {
    charge,
    modelConfig,
    answer,
  }: Omit<Bill, 'usage' | 'firstByteMs'> & { answer: Extract<ServiceResult, { events: unknown }> },
): AsyncGenerator<StreamEvent> {
  const { context, began } = requestContext;
  let firstByteMs: number | undefined;
  const bill = (): void => {
    const usage = chargedUsage(requestContext, answer.usage());
    context.ledger.stage(() =>
      settle(requestContext, { charge, modelConfig, usage, firstByteMs: firstByteMs ?? context.ticks() - began }),
    );
  };
  try {
    for await (const event of answer.events) {
      firstByteMs ??= context.ticks() - began;
      if (event.final) {
        bill();
        await context.ledger.committed();
      }
      yield event;
    }
  } catch (thrown) {
    const seconds = (context.ticks() - began) / 1000;
    const { message: content } = internalError();
    if (!(thrown instanceof RequestError))
      context.ledger.stage(() => cancelCharge(context, charge, { seconds, content }));
    throw tryRefusalOf(thrown) ?? thrown;
  } finally {
    bill();
  }
}
