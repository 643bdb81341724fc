/**
 * The gateway's language, owned by neither side: paths, the schema of every body, every limit, and the way between
 * records and keys. The client and the reference gateway both speak it. Source: the gateway's contract, section by section.
 */

export * from './answers/chat-completion.ts';
export * from './answers/embeddings-answer.ts';
export * from './answers/error-body.ts';
export * from './answers/image-answers.ts';
export * from './answers/responses-answer.ts';
export * from './answers/video-task.ts';
export * from './data-uri.ts';
export * from './families/image/alpha-edit.ts';
export * from './families/image/alpha-form.ts';
export * from './families/image/alpha-image.ts';
export * from './families/image/alpha-models.ts';
export { isAlphaSize } from './families/image/alpha-size.ts';
export * from './families/image/beta-edit.ts';
export * from './families/image/beta-image.ts';
export * from './families/image/beta-models.ts';
export * from './families/image/gamma-image.ts';
export * from './families/image/gamma-models.ts';
export * from './families/image/native-image.ts';
export * from './families/image/pixel-size.ts';
export * from './families/text/chat.ts';
export * from './families/text/embeddings.ts';
export * from './families/text/native-embeddings.ts';
export * from './families/text/responses.ts';
export * from './families/text/token-counting.ts';
export * from './families/video/delta-video.ts';
export * from './families/video/download-video.ts';
export * from './families/video/epsilon-video.ts';
export * from './families/video/passed-video.ts';
export { videoItems, videoMode } from './families/video/video-content.ts';
export { DELTA_FIELDS, EPSILON_FIELDS } from './families/video/video-rules.ts';
export * from './families.ts';
export * from './family.ts';
export * from './inference-paths.ts';
export * from './invalid-request.ts';
export * from './json.ts';
export * from './media-limits.ts';
export * from './request-diagnostic.ts';
export * from './system/account.ts';
export {
  bodyIn,
  type DialectName,
  dialectOf,
  pageIn,
  pageQuery,
  profileOfDialect,
  recordIn,
} from './system/dialects.ts';
export * from './system/envelope.ts';
export * from './system/gateway-kind.ts';
export * from './system/gateway-profile.ts';
export * from './system/key-codec.ts';
export * from './system/key-record.ts';
export * from './system/paths.ts';
export * from './system/pricing.ts';
export * from './system/profile-statements.ts';
export * from './system/shipped-profiles.ts';
export * from './system/usage-log.ts';
