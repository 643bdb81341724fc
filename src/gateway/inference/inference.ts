import type {
  AlphaEditRequest,
  AlphaImageRequest,
  AssetVideoRequest,
  BetaEditRequest,
  BetaImageRequest,
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  DedicatedVideoRequest,
  DeltaVideoRequest,
  DownloadVideoRequest,
  EmbeddingsAnswer,
  EmbeddingsRequest,
  EpsilonVideoRequest,
  FlatVideoRequest,
  GammaImageRequest,
  NativeBatchAnswer,
  NativeEmbeddingAnswer,
  NativeEmbeddingRequest,
  NativeImageEvent,
  NativeImageRequest,
  NestedVideoRequest,
  ResponsesAnswer,
  ResponsesEvent,
  ResponsesRequest,
  TokenCount,
  TokenCountRequest,
  VideoSubmission,
  VideoTask,
} from '../../wire/index.ts';
import type { SavedFile } from '../media/download.ts';
import type { ImageStep, Images } from '../media/images.ts';
import type { AwaitOptions } from '../media/poll.ts';
import type { SubmitOptions } from '../media/submit.ts';
import type { Answered, CallOptions } from './line.ts';
import type { EventStream } from './stream.ts';

export type ImageRequest = AlphaImageRequest | BetaImageRequest | GammaImageRequest;
export type EditRequest = AlphaEditRequest | BetaEditRequest;
export type VideoRequest =
  | EpsilonVideoRequest
  | DeltaVideoRequest
  | AssetVideoRequest
  | FlatVideoRequest
  | NestedVideoRequest
  | DownloadVideoRequest
  | DedicatedVideoRequest;

/**
 * The inference and media API as one API key sees it, an endpoint or two a method.
 *
 * A request that breaks a limit of the contract is Fault `request.invalid`: it is not sent, and costs nothing. What
 * costs money is sent once; it is sent again only where it certainly was not taken up (no connection, or a 429). A
 * refusal tells apart the key (`key.…`), the account (`wallet.empty`), the gateway (`gateway.…`) and the request
 * (`request.refused`).
 *
 * Contract: “Chat completions” to “Download”.
 */
export interface Inference {
  /** The ids of the models that this key may use. */
  models(options?: CallOptions): Promise<Answered<readonly string[]>>;
  chat(request: ChatRequest, options?: CallOptions): Promise<Answered<ChatCompletion>>;
  streamChat(request: ChatRequest, options?: CallOptions): Promise<EventStream<ChatChunk>>;
  respond(request: ResponsesRequest, options?: CallOptions): Promise<Answered<ResponsesAnswer>>;
  streamRespond(request: ResponsesRequest, options?: CallOptions): Promise<EventStream<ResponsesEvent>>;
  /** Vectors are numbers whichever encoding was asked for. */
  embed(request: EmbeddingsRequest, options?: CallOptions): Promise<Answered<EmbeddingsAnswer>>;
  embedNative(
    model: string,
    request: NativeEmbeddingRequest,
    options?: CallOptions,
  ): Promise<Answered<NativeEmbeddingAnswer>>;
  embedNativeBatch(
    model: string,
    requests: readonly NativeEmbeddingRequest[],
    options?: CallOptions,
  ): Promise<Answered<NativeBatchAnswer>>;
  /** Costs nothing. */
  countTokens(request: TokenCountRequest, options?: CallOptions): Promise<Answered<TokenCount>>;
  streamNativeImages(
    model: string,
    request: NativeImageRequest,
    options?: CallOptions,
  ): Promise<EventStream<NativeImageEvent>>;
  /** The family is that of the model. */
  generateImages(request: ImageRequest, options?: CallOptions): Promise<Answered<Images>>;
  streamImages(request: AlphaImageRequest, options?: CallOptions): Promise<EventStream<ImageStep>>;
  /** Family gamma edits by `generateImages`. */
  editImages(request: EditRequest, options?: CallOptions): Promise<Answered<Images>>;
  streamEdits(request: AlphaEditRequest, options?: CallOptions): Promise<EventStream<ImageStep>>;
  /**
   * Leaves this machine once or not at all.
   * @throws Fault `gateway.indeterminate`: the answer was lost, and a task may exist.
   */
  submitVideo(request: VideoRequest, options?: SubmitOptions): Promise<Answered<VideoSubmission>>;
  /** A task that failed is an answer, and no fault. */
  videoTask(taskId: string, options?: CallOptions): Promise<Answered<VideoTask>>;
  /** Looks every 3 to 5 seconds until the task is settled. @throws Fault `video.unsettled` */
  awaitVideo(taskId: string, options?: AwaitOptions): Promise<Answered<VideoTask>>;
  /** Only for the download-required family. @throws Fault `media.damaged`, `file.unwritable` */
  downloadVideo(taskId: string, file: string, options?: CallOptions): Promise<Answered<SavedFile>>;
  /** The same bytes, in memory. @throws Fault `media.damaged`, also when they are more than 256 MB */
  readDownload(taskId: string, options?: CallOptions): Promise<Answered<Uint8Array>>;
  /** Saves what a link of an answer leads to. The key goes along to the gateway's own origin only. */
  saveUrl(url: string, file: string, options?: CallOptions): Promise<Answered<SavedFile>>;
  /** The same bytes, in memory; also those of a data URI. @throws Fault `media.damaged`, also for more than 256 MB */
  readUrl(url: string, options?: CallOptions): Promise<Answered<Uint8Array>>;
}
