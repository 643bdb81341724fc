/**
 * The gateway's language, owned by neither side: paths, the schema of every body, every limit, and the way between
 * records and keys. The client and the reference gateway both speak it. Source: the gateway's contract, section by section.
 */
export * from './account.ts';
export * from './answers/chat-completion.ts';
export * from './answers/embeddings-answer.ts';
export * from './answers/error-body.ts';
export * from './answers/image-answers.ts';
export * from './answers/responses-answer.ts';
export * from './answers/video-task.ts';
export * from './data-uri.ts';
export * from './envelope.ts';
export * from './families/alpha-edit.ts';
export * from './families/alpha-form.ts';
export * from './families/alpha-image.ts';
export * from './families/alpha-models.ts';
export * from './families/beta-edit.ts';
export * from './families/beta-image.ts';
export * from './families/beta-models.ts';
export * from './families/chat.ts';
export * from './families/delta-video.ts';
export * from './families/download-video.ts';
export * from './families/embeddings.ts';
export * from './families/epsilon-video.ts';
export * from './families/gamma-image.ts';
export * from './families/gamma-models.ts';
export * from './families/native-embeddings.ts';
export * from './families/native-image.ts';
export * from './families/passed-video.ts';
export * from './families/pixel-size.ts';
export * from './families/responses.ts';
export * from './families/token-counting.ts';
export { videoItems, videoMode } from './families/video-content.ts';
export * from './families.ts';
export * from './family.ts';
export * from './inference-paths.ts';
export * from './json.ts';
export * from './key-record.ts';
export * from './key-translation.ts';
export * from './media-limits.ts';
export * from './paths.ts';
export * from './usage-log.ts';
