import {
  ALPHA_EDIT,
  ALPHA_IMAGE,
  CHAT,
  ChatCompletion,
  EMBEDDINGS,
  EmbeddingsAnswer,
  ModelsAnswer,
  NATIVE_EMBEDDING,
  NATIVE_EMBEDDING_BATCH,
  NATIVE_IMAGE,
  NativeBatchAnswer,
  NativeEmbeddingAnswer,
  RESPONSES,
  ResponsesAnswer,
  renderJson,
  TOKEN_COUNTING,
  TokenCount,
  VECTOR_LIMITS,
} from '../../wire/index.ts';
import { awaitVideo } from '../media/await-video.ts';
import { downloadVideo, readDownload } from '../media/download-video.ts';
import { type ImageStep, imagesFormat, stepFrom } from '../media/images.ts';
import { canReadTasks, readVideoTask } from '../media/read-task.ts';
import { readUrl, saveUrl } from '../media/save-url.ts';
import { submitVideo } from '../media/submit-video.ts';
import { callInference, type ResponseFormat } from './call.ts';
import { type Answered, bearerToken, type CallOptions, type InferenceConnection } from './connection.ts';
import type { Inference } from './inference.ts';
import { type FamilyRequest, prepareBody, resolveFamily } from './prepare-body.ts';
import { CHAT_STREAM, imageStream, NATIVE_IMAGE_STREAM, RESPONSES_STREAM, type StreamProtocol } from './protocols.ts';
import type { EndpointCall } from './request.ts';
import { type EventStream, mapEvents, openStream } from './stream.ts';

interface FamilyCall extends FamilyRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
}

type JsonMembers = { readonly [member: string]: unknown };
const membersOf = (body: object): JsonMembers => ({ ...body });

const modelOf = ({ body, model }: FamilyCall): string => model ?? String(membersOf(body).model ?? '');

async function prepare(call: FamilyCall): Promise<EndpointCall> {
  const { family, model, query, options = {} } = call;
  const body = await prepareBody(call);
  return { endpoint: family.endpoint, body, segment: model, options, ...(query === undefined ? {} : { query }) };
}

async function callFamily<T>(
  connection: InferenceConnection,
  call: FamilyCall,
  schema: ResponseFormat<T>['schema'],
  limits?: ResponseFormat<T>['limits'],
): Promise<Answered<T>> {
  return callInference(connection, await prepare(call), { schema, model: modelOf(call), limits });
}

async function streamFamily<E>(
  connection: InferenceConnection,
  call: FamilyCall,
  protocol: StreamProtocol<E>,
): Promise<EventStream<E>> {
  return openStream(connection, await prepare(call), { protocol, model: modelOf(call) });
}

/** The same request for a single response. */
function unstreamed(body: object): object {
  const { stream: _stream, ...rest } = membersOf(body);
  return rest;
}
const streamed = (body: object): object => ({ ...body, stream: true });

function imageCount(body: object): number {
  const { n } = membersOf(body);
  return typeof n === 'number' ? n : 1;
}

function imageFormat(body: object): string | undefined {
  const { output_format: format } = membersOf(body);
  return typeof format === 'string' ? format : undefined;
}

async function callImages(connection: InferenceConnection, call: FamilyCall) {
  const body = unstreamed(call.body);
  return callFamily(connection, { ...call, body }, imagesFormat(call.family, imageFormat(call.body)));
}

async function streamImages(connection: InferenceConnection, call: FamilyCall): Promise<EventStream<ImageStep>> {
  const { body } = call;
  const stream = await streamFamily(connection, { ...call, body: streamed(body) }, imageStream(imageCount(body)));
  return mapEvents(stream, (event) => stepFrom(event, imageFormat(body)));
}

const textCalls = (
  connection: InferenceConnection,
): Pick<Inference, 'chat' | 'streamChat' | 'chatWithoutMessages' | 'respond' | 'streamRespond'> => ({
  chat: async (body, options) =>
    callFamily(connection, { family: CHAT, body: unstreamed(body), options }, ChatCompletion),
  streamChat: (body, options) => streamFamily(connection, { family: CHAT, body: streamed(body), options }, CHAT_STREAM),
  chatWithoutMessages: async (model, options = {}) => {
    const text = renderJson({ model, messages: [], max_tokens: 1 });
    const body = { contentType: 'application/json', body: text, bytes: Buffer.byteLength(text) };
    return callInference(connection, { endpoint: CHAT.endpoint, body, options }, { schema: ChatCompletion, model });
  },
  respond: async (body, options) =>
    callFamily(connection, { family: RESPONSES, body: unstreamed(body), options }, ResponsesAnswer),
  streamRespond: (body, options) =>
    streamFamily(connection, { family: RESPONSES, body: streamed(body), options }, RESPONSES_STREAM),
});

const embeddingCalls = (
  connection: InferenceConnection,
): Pick<Inference, 'embed' | 'embedNative' | 'embedNativeBatch' | 'countTokens'> => ({
  embed: (body, options) =>
    callFamily(connection, { family: EMBEDDINGS, body, options }, EmbeddingsAnswer, VECTOR_LIMITS),
  embedNative: (model, body, options) =>
    callFamily(connection, { family: NATIVE_EMBEDDING, body, model, options }, NativeEmbeddingAnswer, VECTOR_LIMITS),
  embedNativeBatch: (model, requests, options) =>
    callFamily(
      connection,
      { family: NATIVE_EMBEDDING_BATCH, body: { requests }, model, options },
      NativeBatchAnswer,
      VECTOR_LIMITS,
    ),
  countTokens: (body, options) => callFamily(connection, { family: TOKEN_COUNTING, body, options }, TokenCount),
});

const imageCalls = (
  connection: InferenceConnection,
): Pick<Inference, 'streamNativeImages' | 'generateImages' | 'streamImages' | 'editImages' | 'streamEdits'> => ({
  streamNativeImages: (model, body, options) =>
    streamFamily(
      connection,
      { family: NATIVE_IMAGE, body, model, query: { alt: 'sse' }, options },
      NATIVE_IMAGE_STREAM,
    ),
  generateImages: async (body, options) =>
    callImages(connection, { family: resolveFamily('generateImages', body), body, options }),
  streamImages: (body, options) => streamImages(connection, { family: ALPHA_IMAGE, body, options }),
  editImages: async (body, options) =>
    callImages(connection, { family: resolveFamily('editImages', body), body, options }),
  streamEdits: (body, options) => streamImages(connection, { family: ALPHA_EDIT, body, options }),
});

const videoCalls = (
  connection: InferenceConnection,
): Pick<
  Inference,
  'submitVideo' | 'canReadTasks' | 'videoTask' | 'awaitVideo' | 'downloadVideo' | 'readDownload' | 'saveUrl' | 'readUrl'
> => ({
  submitVideo: async (body, { family, ...options } = {}) =>
    submitVideo(connection, { family: resolveFamily('submitVideo', body, family), body }, options),
  canReadTasks: (options) => canReadTasks(connection, options),
  videoTask: (taskId, options) => readVideoTask(connection, taskId, options),
  awaitVideo: (taskId, options) => awaitVideo(connection, taskId, options),
  downloadVideo: (taskId, file, options = {}) => downloadVideo(connection, { taskId, file }, options),
  readDownload: (taskId, options = {}) => readDownload(connection, taskId, options),
  saveUrl: (url, file, options = {}) => saveUrl(connection, { url, file }, options),
  readUrl: (url, options = {}) => readUrl(connection, url, options),
});

const ModelIds = ModelsAnswer.transform(({ data }): readonly string[] => [...new Set(data.map(({ id }) => id))]);

/** See {@link Inference}. @throws Fault `usage.invalid` for a malformed key. */
export function createInference(connection: InferenceConnection): Inference {
  bearerToken(connection.key);
  return {
    models: (options = {}) => callInference(connection, { endpoint: 'models', options }, { schema: ModelIds }),
    ...textCalls(connection),
    ...embeddingCalls(connection),
    ...imageCalls(connection),
    ...videoCalls(connection),
  };
}
