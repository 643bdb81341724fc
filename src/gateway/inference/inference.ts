import type {
  ChatChunk,
  ChatCompletion,
  EmbeddingsAnswer,
  NativeBatchAnswer,
  NativeEmbeddingAnswer,
  NativeImageEvent,
  ResponsesAnswer,
  ResponsesEvent,
  TokenCount,
  VideoSubmission,
  VideoTask,
} from '../../wire/index.ts';
import type {
  AlphaEditBody,
  AlphaImageBody,
  AssetVideoBody,
  BetaEditBody,
  BetaImageBody,
  ChatBody,
  DedicatedVideoBody,
  DeltaVideoBody,
  DownloadVideoBody,
  EmbeddingsBody,
  EpsilonVideoBody,
  FlatVideoBody,
  GammaImageBody,
  NativeEmbeddingBody,
  NativeImageBody,
  NestedVideoBody,
  ResponsesBody,
  TokenCountBody,
} from '../gen/request-bodies.ts';
import type { AwaitOptions } from '../media/await-video.ts';
import type { SavedFile } from '../media/download-video.ts';
import type { ImageStep, Images } from '../media/images.ts';
import type { SubmitOptions } from '../media/submit-video.ts';
import type { Answered, CallOptions } from './connection.ts';
import type { EventStream } from './stream.ts';

/** A request to generate images, of any family. */
export type ImageRequest = AlphaImageBody | BetaImageBody | GammaImageBody;
/** A request to edit images, of any family. */
export type EditRequest = AlphaEditBody | BetaEditBody;
/** A request to generate a video, of any family. */
export type VideoRequest =
  | EpsilonVideoBody
  | DeltaVideoBody
  | AssetVideoBody
  | FlatVideoBody
  | NestedVideoBody
  | DownloadVideoBody
  | DedicatedVideoBody;

/**
 * The inference and media API as one API key sees it, with one or two methods for each endpoint.
 *
 * A request that breaks a limit of the contract is Fault `request.invalid`: it is not sent, and costs nothing. A paid
 * request is sent once, and retried only where the gateway certainly did not process it (no connection, or a 429). The
 * fault of a rejection distinguishes the key (`key.…`), the account (`wallet.empty`), the gateway (`gateway.…`) and the
 * request (`request.refused`).
 *
 * Contract: “Chat completions” to “Download”.
 */
export interface Inference {
  /** Lists the ids of the models that this key may use. */
  models(options?: CallOptions): Promise<Answered<readonly string[]>>;
  /** Sends a chat and returns the whole response. */
  chat(request: ChatBody, options?: CallOptions): Promise<Answered<ChatCompletion>>;
  /** Sends a chat and returns its events as they arrive. */
  streamChat(request: ChatBody, options?: CallOptions): Promise<EventStream<ChatChunk>>;
  /**
   * Sends a chat without messages, which a gateway refuses (`request.refused`) after it has applied the rules of the key
   * and before it charges anything.
   */
  chatWithoutMessages(model: string, options?: CallOptions): Promise<Answered<ChatCompletion>>;
  /** Sends a responses-style request and returns the whole response. */
  respond(request: ResponsesBody, options?: CallOptions): Promise<Answered<ResponsesAnswer>>;
  /** Sends a responses-style request and returns its events as they arrive. */
  streamRespond(request: ResponsesBody, options?: CallOptions): Promise<EventStream<ResponsesEvent>>;
  /** Vectors are numbers whichever encoding was requested. */
  embed(request: EmbeddingsBody, options?: CallOptions): Promise<Answered<EmbeddingsAnswer>>;
  /** Embeds one content, in the native format. */
  embedNative(
    model: string,
    request: NativeEmbeddingBody,
    options?: CallOptions,
  ): Promise<Answered<NativeEmbeddingAnswer>>;
  /** Embeds several contents, in the native format. */
  embedNativeBatch(
    model: string,
    requests: readonly NativeEmbeddingBody[],
    options?: CallOptions,
  ): Promise<Answered<NativeBatchAnswer>>;
  /** Free. */
  countTokens(request: TokenCountBody, options?: CallOptions): Promise<Answered<TokenCount>>;
  /** Generates images in the native format and returns their events as they arrive. */
  streamNativeImages(
    model: string,
    request: NativeImageBody,
    options?: CallOptions,
  ): Promise<EventStream<NativeImageEvent>>;
  /** The model determines the family. */
  generateImages(request: ImageRequest, options?: CallOptions): Promise<Answered<Images>>;
  /** Generates images and returns partial and completed ones as they arrive. */
  streamImages(request: AlphaImageBody, options?: CallOptions): Promise<EventStream<ImageStep>>;
  /** Family gamma edits images with `generateImages` instead. */
  editImages(request: EditRequest, options?: CallOptions): Promise<Answered<Images>>;
  /** Edits images and returns partial and completed ones as they arrive. */
  streamEdits(request: AlphaEditBody, options?: CallOptions): Promise<EventStream<ImageStep>>;
  /**
   * Sent at most once.
   * @throws Fault `gateway.indeterminate`: the response was lost or unclear, and a task may exist.
   */
  submitVideo(request: VideoRequest, options?: SubmitOptions): Promise<Answered<VideoSubmission>>;
  /**
   * Finds out, free of charge, whether tasks of this key can be read: some gateways do not show them to a key with an
   * allowlist of models. Worth asking before a task is paid for.
   */
  canReadTasks(options?: CallOptions): Promise<boolean>;
  /** Returns a failed task like any other; it is not a fault. */
  videoTask(taskId: string, options?: CallOptions): Promise<Answered<VideoTask>>;
  /** Queries the task every 3 to 5 seconds until it is settled. @throws Fault `video.unsettled` */
  awaitVideo(taskId: string, options?: AwaitOptions): Promise<Answered<VideoTask>>;
  /** Only for the download-required family. @throws Fault `media.damaged`, `file.unwritable` */
  downloadVideo(taskId: string, file: string, options?: CallOptions): Promise<Answered<SavedFile>>;
  /** Downloads into memory. @throws Fault `media.damaged`, also for more than 256 MB */
  readDownload(taskId: string, options?: CallOptions): Promise<Answered<Uint8Array>>;
  /** Saves the file behind a link of a response. The key is sent to the gateway's own origin only. */
  saveUrl(url: string, file: string, options?: CallOptions): Promise<Answered<SavedFile>>;
  /** Downloads a link into memory, or decodes a data URI. @throws Fault `media.damaged`, also for more than 256 MB */
  readUrl(url: string, options?: CallOptions): Promise<Answered<Uint8Array>>;
}
