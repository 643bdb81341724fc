import {
  ALPHA_EDIT,
  ALPHA_IMAGE,
  type AnyFamily,
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
  TOKEN_COUNTING,
  TokenCount,
} from '../../wire/index.ts';
import { downloadVideo, readDownload } from '../media/download.ts';
import { type ImageStep, imagesOf, stepOf } from '../media/images.ts';
import { awaitVideo, readVideoTask } from '../media/poll.ts';
import { readUrl, saveUrl } from '../media/save-url.ts';
import { submitVideo } from '../media/submit.ts';
import { ask, type Reading } from './ask.ts';
import { claimedFamily } from './claimed-family.ts';
import type { Inference } from './inference.ts';
import { type Answered, bearerOf, type CallOptions, type InferenceLine } from './line.ts';
import { CHAT_STREAM, imageStream, NATIVE_IMAGE_STREAM, type Protocol, RESPONSES_STREAM } from './protocols.ts';
import { sendable } from './sendable.ts';
import { type EventStream, mapEvents, openStream } from './stream.ts';

/** A request of one family. */
interface Call {
  readonly family: AnyFamily;
  readonly body: object;
  /** Where it stands in the path. */
  readonly model?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
}

const modelOf = ({ body, model }: Call): string => model ?? String((body as { model?: unknown }).model ?? '');

async function orderOf(call: Call) {
  const { family, model, query, options = {} } = call;
  const body = await sendable(call);
  return { endpoint: family.endpoint, body, segment: model, options, ...(query === undefined ? {} : { query }) };
}

async function answerTo<T>(line: InferenceLine, call: Call, schema: Reading<T>['schema']): Promise<Answered<T>> {
  return ask(line, await orderOf(call), { schema, model: modelOf(call) });
}

async function streamTo<E>(line: InferenceLine, call: Call, protocol: Protocol<E>): Promise<EventStream<E>> {
  return openStream(line, await orderOf(call), { protocol, model: modelOf(call) });
}

/** The same request for an answer in one piece. */
const whole = ({ stream, ...body }: { readonly stream?: unknown; readonly [field: string]: unknown }): object => body;
const streamed = (body: object): object => ({ ...body, stream: true });

type Fields = { readonly [field: string]: unknown };
const countOf = ({ n }: Fields): number => (typeof n === 'number' ? n : 1);
const formatOf = ({ output_format: format }: Fields): string | undefined =>
  typeof format === 'string' ? format : undefined;

async function imagesFrom(line: InferenceLine, call: Call) {
  const body = whole(call.body as Fields);
  return answerTo(line, { ...call, body }, imagesOf(call.family, formatOf(call.body as Fields)));
}

async function stepsFrom(line: InferenceLine, call: Call): Promise<EventStream<ImageStep>> {
  const fields = call.body as Fields;
  const stream = await streamTo(line, { ...call, body: streamed(fields) }, imageStream(countOf(fields)));
  return mapEvents(stream, (event) => stepOf(event, formatOf(fields)));
}

const texts = (line: InferenceLine): Pick<Inference, 'chat' | 'streamChat' | 'respond' | 'streamRespond'> => ({
  chat: async (body, options) => answerTo(line, { family: CHAT, body: whole(body), options }, ChatCompletion),
  streamChat: (body, options) => streamTo(line, { family: CHAT, body: streamed(body), options }, CHAT_STREAM),
  respond: async (body, options) => answerTo(line, { family: RESPONSES, body: whole(body), options }, ResponsesAnswer),
  streamRespond: (body, options) =>
    streamTo(line, { family: RESPONSES, body: streamed(body), options }, RESPONSES_STREAM),
});

const vectors = (
  line: InferenceLine,
): Pick<Inference, 'embed' | 'embedNative' | 'embedNativeBatch' | 'countTokens'> => ({
  embed: (body, options) => answerTo(line, { family: EMBEDDINGS, body, options }, EmbeddingsAnswer),
  embedNative: (model, body, options) =>
    answerTo(line, { family: NATIVE_EMBEDDING, body, model, options }, NativeEmbeddingAnswer),
  embedNativeBatch: (model, requests, options) =>
    answerTo(line, { family: NATIVE_EMBEDDING_BATCH, body: { requests }, model, options }, NativeBatchAnswer),
  countTokens: (body, options) => answerTo(line, { family: TOKEN_COUNTING, body, options }, TokenCount),
});

const pictures = (
  line: InferenceLine,
): Pick<Inference, 'streamNativeImages' | 'generateImages' | 'streamImages' | 'editImages' | 'streamEdits'> => ({
  streamNativeImages: (model, body, options) =>
    streamTo(line, { family: NATIVE_IMAGE, body, model, query: { alt: 'sse' }, options }, NATIVE_IMAGE_STREAM),
  generateImages: async (body, options) =>
    imagesFrom(line, { family: claimedFamily('generateImages', body), body, options }),
  streamImages: (body, options) => stepsFrom(line, { family: ALPHA_IMAGE, body, options }),
  editImages: async (body, options) => imagesFrom(line, { family: claimedFamily('editImages', body), body, options }),
  streamEdits: (body, options) => stepsFrom(line, { family: ALPHA_EDIT, body, options }),
});

const videos = (
  line: InferenceLine,
): Pick<
  Inference,
  'submitVideo' | 'videoTask' | 'awaitVideo' | 'downloadVideo' | 'readDownload' | 'saveUrl' | 'readUrl'
> => ({
  submitVideo: async (body, { family, ...options } = {}) =>
    submitVideo(line, { family: claimedFamily('submitVideo', body, family), body }, options),
  videoTask: (taskId, options) => readVideoTask(line, taskId, options),
  awaitVideo: (taskId, options) => awaitVideo(line, taskId, options),
  downloadVideo: (taskId, file, options = {}) => downloadVideo(line, { taskId, file }, options),
  readDownload: (taskId, options = {}) => readDownload(line, taskId, options),
  saveUrl: (url, file, options = {}) => saveUrl(line, { url, file }, options),
  readUrl: (url, options = {}) => readUrl(line, url, options),
});

const ModelIds = ModelsAnswer.transform(({ data }): readonly string[] => [...new Set(data.map(({ id }) => id))]);

/** See {@link Inference}. @throws Fault `usage.invalid` for a key that can be none. */
export function createInference(line: InferenceLine): Inference {
  bearerOf(line.key);
  return {
    models: (options = {}) => ask(line, { endpoint: 'models', options }, { schema: ModelIds }),
    ...texts(line),
    ...vectors(line),
    ...pictures(line),
    ...videos(line),
  };
}
