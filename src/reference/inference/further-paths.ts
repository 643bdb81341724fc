import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../context.ts';
import { propertiesOf, tryReadText } from '../json-object.ts';
import { type Admitted, admit, lacksAllowedModel, usableModels } from '../keys/admission.ts';
import { type Answer, plainError } from '../server/answer.ts';
import { addressOf } from '../server/query.ts';
import { authorizationOf, tryFindKey } from './credential.ts';
import { answerRefusedUse, refuseWithoutModel } from './refusal.ts';

/** An endpoint beyond the contract. */
interface FurtherPath {
  readonly method: string;
  readonly path: RegExp;
  /** The model of a request that names none; empty for none. Omitted for an endpoint whose requests have no model. */
  readonly model?: string;
  /** Undefined for what the upstream of a model does not have either. */
  answer(context: GatewayContext, admitted: Admitted, named: string): Answer | undefined;
}

const unimplemented = (): Answer =>
  plainError(501, {
    message: 'This path is not implemented',
    type: 'new_api_error',
    param: '',
    code: 'api_not_implemented',
  });

/** Answers for one model, with HTTP 200 for one that does not exist, so that clients must look at the body. */
function answerModel(context: GatewayContext, { account, key }: Admitted, named: string): Answer {
  if (usableModels(context, account, key).includes(named))
    return { status: 200, body: { id: named, object: 'model', created: 1626777600, owned_by: 'custom' } };
  return plainError(200, {
    message: `The model '${named}' does not exist`,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

/** The facts about a model in Google’s list that this family of gateways does not have. */
const UNKNOWN_FACTS = Object.fromEntries(
  [
    'baseModelId',
    'version',
    'description',
    'inputTokenLimit',
    'outputTokenLimit',
    'supportedGenerationMethods',
    'thinking',
    'temperature',
    'maxTemperature',
    'topP',
    'topK',
  ].map((name) => [name, null]),
);

/** Lists the models as Google’s clients read them. */
function answerModelsOfGoogle(context: GatewayContext, { account, key }: Admitted): Answer {
  const ids = usableModels(context, account, key);
  const models = ids.map((id) => ({ ...UNKNOWN_FACTS, name: id, displayName: id }));
  return { status: 200, body: { models, nextPageToken: null } };
}

const answerModels = (context: GatewayContext, { account, key }: Admitted): Answer => ({
  status: 200,
  body: context.profile.models(usableModels(context, account, key)),
});

/** @param route such as `GET /v1/files/{id}` */
function further(route: string, rest: Pick<FurtherPath, 'answer' | 'model'>): FurtherPath {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`), ...rest };
}

const FURTHER: readonly FurtherPath[] = [
  further('GET /v1/models/{model}', { answer: answerModel }),
  further('GET /v1beta/models', { answer: answerModelsOfGoogle }),
  further('GET /v1beta/openai/models', { answer: answerModels }),
  ...[
    'DELETE /v1/models/{model}',
    'POST /v1/images/variations',
    'GET /v1/files',
    'POST /v1/files',
    'GET /v1/files/{id}',
    'DELETE /v1/files/{id}',
    'GET /v1/files/{id}/content',
    'GET /v1/fine-tunes',
    'POST /v1/fine-tunes',
    'GET /v1/fine-tunes/{id}',
    'POST /v1/fine-tunes/{id}/cancel',
    'GET /v1/fine-tunes/{id}/events',
  ].map((route) => further(route, { model: '', answer: unimplemented })),
  ...Object.entries({
    'POST /v1/engines/{model}/embeddings': '',
    'POST /v1/completions': '',
    'POST /v1/edits': '',
    'POST /v1/rerank': '',
    'POST /v1/responses/compact': '',
    'POST /v1/moderations': 'text-moderation-stable',
    'POST /v1/audio/speech': 'tts-1',
    'POST /v1/audio/transcriptions': 'whisper-1',
    'POST /v1/audio/translations': 'whisper-1',
  }).map(([route, model]) => further(route, { model, answer: () => undefined })),
];

/** The model that a request names in its body or, where the path has one, there. */
function modelOf({ body, url }: FastifyRequest, named: string, otherwise: string): string {
  const ofPath = /^\/v1\/(models|engines)\//.test(url) ? named : '';
  const ofBody = url.startsWith('/v1/models/') ? undefined : tryReadText(propertiesOf(body).model);
  return (ofBody ?? ofPath) || otherwise;
}

/**
 * Answers paths that the contract does not have. A key is needed first, and a model that it may use. Undefined for
 * every other path.
 */
export function tryServeFurther(context: GatewayContext, request: FastifyRequest): Answer | undefined {
  const path = request.url.replace(/\?.*$/, '');
  const endpoint = FURTHER.find((item) => item.method === request.method && item.path.test(path));
  if (!context.profile.hasFurtherPaths || endpoint === undefined) return undefined;
  const named = endpoint.path.exec(path)?.[1] ?? '';
  const model = endpoint.model === undefined ? undefined : modelOf(request, named, endpoint.model);
  const authorization = authorizationOf(context, request);
  const address = addressOf(request, context.profile.addressHeaders);
  const choosesChannel = context.profile.credentialOf(authorization)?.choosesChannel === true;
  const key = tryFindKey(context, authorization);
  const admission = context.ledger.stage(() =>
    admit(context, key, { address, model: model || undefined, choosesChannel }),
  );
  if ('refusal' in admission) return answerRefusedUse(context, admission.refusal);
  if (model !== '') return endpoint.answer(context, admission, named);
  return lacksAllowedModel(context, admission.key)
    ? answerRefusedUse(context, 'modelDenied')
    : refuseWithoutModel(context, { endpoint: 'chat' });
}
