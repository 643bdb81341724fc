/**
 * A client of a live gateway: the typed System API and the key store over it; inference, images and video with an API
 * key.
 */
export {
  type AnyDispatcher,
  type CallLimits,
  type ClientCertificate,
  type Clock,
  type Fetch,
  type HttpHooks,
  optimizeLater,
  type ProxySettings,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
  systemClock,
  type Timeouts,
  type Timing,
  type TraceEvent,
} from '../http/index.ts';
export type {
  CallbackNotification,
  ChatChunk,
  ChatCompletion,
  EmbeddingsAnswer,
  GatewayKind,
  GatewayProfile,
  ImageEvent,
  LogRecord,
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
export { parseGatewayProfile, SHIPPED_PROFILES } from '../wire/index.ts';
export { parseGatewayUrl, renderAddress, tryFindBase } from './address.ts';
export type { AnyRequest, AnyResponse } from './ask.ts';
export { type RemoteClock, watchGatewayClock } from './clock.ts';
export { isDefiniteRefusal } from './definite-refusal.ts';
export type {
  AlphaEditBody as AlphaEditRequest,
  AlphaImageBody as AlphaImageRequest,
  AssetVideoBody as AssetVideoRequest,
  BetaEditBody as BetaEditRequest,
  BetaImageBody as BetaImageRequest,
  ChatBody as ChatRequest,
  DedicatedVideoBody as DedicatedVideoRequest,
  DeltaVideoBody as DeltaVideoRequest,
  DownloadVideoBody as DownloadVideoRequest,
  EmbeddingsBody as EmbeddingsRequest,
  EpsilonVideoBody as EpsilonVideoRequest,
  FlatVideoBody as FlatVideoRequest,
  GammaImageBody as GammaImageRequest,
  NativeEmbeddingBody as NativeEmbeddingRequest,
  NativeImageBody as NativeImageRequest,
  NestedVideoBody as NestedVideoRequest,
  RequestFile,
  ResponsesBody as ResponsesRequest,
  TokenCountBody as TokenCountRequest,
} from './gen/request-bodies.ts';
export type { Answered, CallOptions } from './inference/connection.ts';
export type { EditRequest, ImageRequest, Inference, VideoRequest } from './inference/inference.ts';
export type { EventStream, StreamTiming } from './inference/stream.ts';
export type { AwaitOptions } from './media/await-video.ts';
export { type CallbackReceiver, openCallbackReceiver, type ReceiverOptions } from './media/callback-receiver.ts';
export type { SavedFile } from './media/download-video.ts';
export type { ImageBytes, ImageLink, ImageResult, ImageStep, Images, MissingImage } from './media/images.ts';
export type { SubmitOptions } from './media/submit-video.ts';
export { findKind, findOwner, type Gateway, type GatewayOptions, openGateway } from './open.ts';
export { createGatewayStore, type GatewayStoreOptions } from './system/gateway-store.ts';
export { unkeptOf } from './system/recognition.ts';
export type { KeyPage, LogPage, SystemApi } from './system/system-api.ts';
