/**
 * Keyplane as a library: one object that plans, applies, finds drift, destroys and checks, with everything that makes it safe
 * inside; manifests from files, text or objects; a client of the gateway.
 *
 * Other doors: `keyplane/checks`, `keyplane/store`, `keyplane/reference`, `keyplane/constructs/cdktf` and `…/cdktn`,
 * `keyplane/schema.json`, `keyplane/output.schema.json`. `keyplane/internals` is excluded from semantic versioning.
 */
import type { ReportFormat } from './cli/output/index.ts';
import type { KeyplaneResult } from './library/index.ts';

export type { ReportFormat } from './cli/output/index.ts';
export type {
  AccountInfo,
  GatewayClient,
  GatewayClientOptions,
  GatewayKey,
  GatewayKeys,
  GatewayStatus,
  GatewayUsage,
  KeyFilter,
  KeyList,
  KeyPatch,
  KeyToCreate,
  SpendingLimit,
  Telemetry,
  UsageFilter,
  UsageRecord,
  UsageSum,
} from './client/index.ts';
export type {
  ApplyReport,
  Change,
  CheckReport,
  CheckResult,
  Diagnostic,
  Edit,
  FaultCode,
  Moved,
  Outcome,
  Pending,
  Place,
  Plan,
  PlanNote,
  SpendCorrection,
  Verdict,
} from './domain/index.ts';
export { hasDrift, pendingChanges, Secret } from './domain/index.ts';
export type { DriftReview, Review } from './engine/index.ts';
export type {
  AlphaEditRequest,
  AlphaImageRequest,
  Answered,
  AnyDispatcher,
  AssetVideoRequest,
  AwaitOptions,
  BetaEditRequest,
  BetaImageRequest,
  CallbackNotification,
  CallbackReceiver,
  CallLimits,
  CallOptions,
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  ClientCertificate,
  Clock,
  DedicatedVideoRequest,
  DeltaVideoRequest,
  DownloadVideoRequest,
  EditRequest,
  EmbeddingsAnswer,
  EmbeddingsRequest,
  EpsilonVideoRequest,
  EventStream,
  Fetch,
  FlatVideoRequest,
  GammaImageRequest,
  GatewayKind,
  GatewayProfile,
  HttpHooks,
  ImageBytes,
  ImageEvent,
  ImageLink,
  ImageRequest,
  ImageResult,
  ImageStep,
  Images,
  Inference,
  LogRecord,
  MissingImage,
  NativeBatchAnswer,
  NativeEmbeddingAnswer,
  NativeEmbeddingRequest,
  NativeImageEvent,
  NativeImageRequest,
  NestedVideoRequest,
  ProxySettings,
  ReceiverOptions,
  RequestEvent,
  RequestFile,
  ResponseEvent,
  ResponsesAnswer,
  ResponsesEvent,
  ResponsesRequest,
  RetryEvent,
  SavedFile,
  StreamTiming,
  SubmitOptions,
  Timeouts,
  Timing,
  TokenCount,
  TokenCountRequest,
  TraceEvent,
  VideoRequest,
  VideoStatus,
  VideoSubmission,
  VideoTask,
} from './gateway/index.ts';
export type {
  Allowance,
  ApplyRequest,
  CheckStep,
  CheckStepRequest,
  CommandOutput,
  DateClock,
  DriftRequest,
  Keyplane,
  KeyplaneEvent,
  KeyplaneManifest,
  KeyplaneOptions,
  KeyplaneResult,
  LockPlace,
  ManifestBudget,
  ManifestCheck,
  ManifestDefaults,
  ManifestDocument,
  ManifestExpect,
  ManifestGateway,
  ManifestKey,
  ManifestOptions,
  ManifestOwnership,
  ManifestRotation,
  ManifestSink,
  ManifestSmartRouting,
  Notice,
  PlanRequest,
  ProofRequest,
  ResultKind,
  Results,
  RunOptions,
  WriteRequest,
} from './library/index.ts';
export {
  createKeyplane,
  defineManifest,
  fromJSON,
  isKeyplaneError,
  KeyplaneError,
  loadManifest,
  openCallbackReceiver,
  openGateway,
  parseManifest,
  toJSON,
} from './library/index.ts';
export type { Manifest } from './manifest/index.ts';

/**
 * Renders a plan, a review, drift, or the report of an apply, of a destruction or of checks as the command line does, with options of
 * a program where that names flags. Text has no colours, and a page of `html` needs no network. What came from the gateway is escaped
 * for the format.
 *
 * @throws KeyplaneError `usage.invalid` for another format or result
 */
export async function render(result: KeyplaneResult, format: ReportFormat): Promise<string> {
  const { renderResult } = await import('./cli/output/index.ts');
  return await renderResult(result, format);
}
