import type { FastifyRequest } from 'fastify';
import { countTokens } from '../../../synthetic/index.ts';
import { type InferenceEndpointName, mayTake, tryFindSibling } from '../../../wire/index.ts';
import type { GatewayContext } from '../../context.ts';
import { type JsonObject, objectsIn, propertiesOf } from '../../json-object.ts';
import type { Answer } from '../../server/answer.ts';
import { modelPathIn } from '../../server/query.ts';
import { type ChatMessage, promptText } from '../content.ts';
import type { InferenceRequest } from '../request.ts';
import { chunksIn, type TranslatedRequest } from './format.ts';
import { generateContent } from './generate-content.ts';
import { messages } from './messages.ts';

const MESSAGES = '/v1/messages';

/** The pattern under which a request is counted, by the path that the server matches. */
const PATTERNS: Readonly<Record<string, string>> = {
  [MESSAGES]: MESSAGES,
  '/v1/models/:segment': '/v1/models/{model}:',
  '/v1beta/models/:segment': '/v1beta/models/{model}:',
};

/** Routes such as `POST /v1/messages`, except those that the contract has too. */
export const TRANSLATED_ROUTES: readonly string[] = [`POST ${MESSAGES}`, 'POST /v1beta/models/:segment'];

/** The endpoints of the contract that are Google’s too, by the verb of their path. */
const NATIVE: readonly InferenceEndpointName[] = ['streamGenerateContent', 'embedContent', 'batchEmbedContents'];

/** Every pattern under which such a request can be counted. */
export const TRANSLATED_PATTERNS: readonly string[] = [
  MESSAGES,
  ...['generateContent', ...NATIVE].map((verb) => `/v1beta/models/{model}:${verb}`),
  '/v1/models/{model}:generateContent',
];

/** The treatment of a request whose path the contract does not have. */
interface TranslatedEndpoint {
  /** Serves it. */
  readonly endpoint: InferenceEndpointName;
  readonly pattern: string;
  readonly translated?: TranslatedRequest;
  /** The fields of the body that the path stands for. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Is it a model of images, which understands this API itself? */
function isOfImages({ catalog }: GatewayContext, model: string): boolean {
  const family = catalog.models[model]?.family;
  if (family !== undefined) return tryFindSibling('streamGenerateContent', family) !== undefined;
  return mayTake('streamGenerateContent', model) && !mayTake('chat', model);
}

/** Finds what serves a path of another vendor’s API; undefined for every other path, and on gateways without them. */
export function tryFindTranslated(context: GatewayContext, request: FastifyRequest): TranslatedEndpoint | undefined {
  const pattern = PATTERNS[request.routeOptions.url ?? ''];
  if (!context.profile.hasFurtherPaths || request.method !== 'POST' || pattern === undefined) return undefined;
  const path = request.url.replace(/\?.*$/, '');
  if (pattern === MESSAGES) return { endpoint: 'chat', pattern, translated: { format: messages, path }, fields: {} };
  const { model, verb } = modelPathIn(request);
  const native = NATIVE.find((name) => name === verb);
  const streams = verb === 'streamGenerateContent';
  if (native && (!streams || isOfImages(context, model)))
    return { endpoint: native, pattern: pattern + verb, fields: {} };
  return {
    endpoint: 'chat',
    // Whatever does not stream generates.
    pattern: pattern + (streams ? verb : 'generateContent'),
    translated: { format: generateContent, path },
    fields: { model, ...(streams ? { stream: true } : {}) },
  };
}

const asMessage = ({ role, content }: JsonObject): ChatMessage => ({ role: String(role), content });

/** Turns a request in another vendor’s format into a chat, and its answer back. */
export async function serveTranslated(
  incoming: InferenceRequest,
  { translated, fields }: TranslatedEndpoint,
  serve: (request: InferenceRequest) => Promise<Answer>,
): Promise<Answer> {
  if (translated === undefined) return serve(incoming);
  const body: JsonObject = { ...translated.format.toChat(propertiesOf(incoming.body)), ...fields };
  const answer = await serve({ ...incoming, body, translated });
  if (answer.events) {
    const promptTokens = countTokens(promptText(objectsIn(body.messages).map(asMessage)));
    return { ...answer, events: translated.format.fromChunks(chunksIn(answer.events), promptTokens) };
  }
  if (answer.status !== 200) return answer;
  return { ...answer, body: translated.format.fromCompletion(propertiesOf(answer.body)) };
}
