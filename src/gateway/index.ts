/**
 * A live gateway: every endpoint of the System API, typed, and the key store over it; inference, images and video with
 * an API key.
 */
export type { Clock, ProxySettings, Timeouts, Timing, TraceEvent } from '../http/index.ts';
export type {
  CallbackNotification,
  ChatChunk,
  ChatCompletion,
  EmbeddingsAnswer,
  ImageEvent,
  NativeBatchAnswer,
  NativeEmbeddingAnswer,
  NativeImageEvent,
  ResponsesAnswer,
  ResponsesEvent,
  TokenCount,
  VideoStatus,
  VideoSubmission,
  VideoTask,
} from '../wire/index.ts';
export { parseGatewayUrl, renderAddress, tryFindBase } from './address.ts';
export { createGatewayStore, type GatewayStoreOptions } from './gateway-store.ts';
export type { ImageResult, ImageStep, Images } from './inference/images.ts';
export type { EditRequest, ImageRequest, Inference, VideoRequest } from './inference/inference.ts';
export type { Answered, CallOptions } from './inference/line.ts';
export type { EventStream, StreamTiming } from './inference/stream.ts';
export { type Gateway, type GatewayOptions, openGateway } from './open.ts';
export type { KeyPage, LogPage, SystemApi } from './system-api.ts';
export { type CallbackReceiver, openCallbackReceiver, type ReceiverOptions } from './video/callback-receiver.ts';
export type { SavedFile } from './video/download.ts';
export type { AwaitOptions } from './video/poll.ts';
export type { SubmitOptions } from './video/submit.ts';
