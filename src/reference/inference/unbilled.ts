import { readRequestMedia } from '../../media/index.ts';
import { countTokens } from '../../synthetic/index.ts';
import { requestDiagnostics, TOKEN_COUNTING, type TokenCountRequest } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { miscountTokens } from '../failures/usage.ts';
import { propertiesOf, tryReadText } from '../json-object.ts';
import { usableModels } from '../keys/admission.ts';
import type { Answer } from '../server/answer.ts';
import { type ChatMessage, promptText, textOf } from './content.ts';
import { admitRequest } from './credential.ts';
import { tryFindFamilyFor } from './model-kind.ts';
import { refuseInvalid, refuseKind, refuseUse } from './refusal.ts';
import type { InferenceRequest } from './request.ts';

/** A fixed estimate for each image. Contract: “Token counting”. */
const IMAGE_TOKENS = 1000;

const isImage = (part: unknown): boolean => propertiesOf(part).type === 'image';

/** Counts the images in the content, including the results of tools. */
function imagesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.reduce(
    (sum: number, part: { content?: unknown }) => sum + (isImage(part) ? 1 : imagesIn(part.content)),
    0,
  );
}

/** Counts the input tokens of messages, system prompt and tool definitions. */
function inputTokens(body: TokenCountRequest): number {
  const messages = body.messages as readonly ChatMessage[];
  const system = body.system === undefined ? '' : textOf(body.system);
  const tools = ((body.tools ?? []) as readonly unknown[]).map((tool) => JSON.stringify(tool)).join('\n');
  const texts = [promptText(messages), system, tools].filter((text) => text !== '');
  const images = messages.reduce((sum, { content }) => sum + imagesIn(content), 0);
  return texts.reduce((sum, text) => sum + countTokens(text), 0) + images * IMAGE_TOKENS;
}

/** Serves a request that costs nothing, for every admitted key. */
export type UnbilledHandler = (context: GatewayContext, request: InferenceRequest) => Promise<Answer>;

const admission = (context: GatewayContext, request: InferenceRequest, model?: string) =>
  context.ledger.stage(() => admitRequest(context, request, model));

/** `GET /v1/models`: the models that this key may use. */
export const models: UnbilledHandler = async (context, request) => {
  const admitted = admission(context, request);
  if ('refusal' in admitted) return refuseUse(context, request, admitted.refusal);
  return { status: 200, body: context.profile.models(usableModels(context, admitted.account, admitted.key)) };
};

/** `POST /v1/messages/count_tokens`: no quota, no model call, no log entry. */
export const answerTokenCount: UnbilledHandler = async (context, request) => {
  const model = tryReadText(propertiesOf(request.body).model);
  const admitted = admission(context, request, model);
  if ('refusal' in admitted) return refuseUse(context, request, admitted.refusal);
  const modelConfig = model === undefined ? undefined : context.catalog.models[model];
  if (model !== undefined && modelConfig && tryFindFamilyFor(request, model, modelConfig) === undefined)
    return refuseKind(context, request, model);
  const body = request.body ?? {};
  const issues = requestDiagnostics(TOKEN_COUNTING, body, { knownOf: await readRequestMedia(TOKEN_COUNTING, body) });
  if (issues.length > 0) return refuseInvalid(context, request, issues);
  const tokens = inputTokens(body as Parameters<typeof inputTokens>[0]);
  return { status: 200, body: { input_tokens: miscountTokens(tokens, request.failure) } };
};
