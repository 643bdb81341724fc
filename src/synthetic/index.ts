/**
 * The models of the reference gateway: text, JSON, vectors, images and videos. Equal requests get equal results, and each
 * result shows what was requested. No clock, no randomness, no I/O.
 */
export { corruptImage, resizedSource } from './image/corrupt-image.ts';
export type { ImageSpec } from './image/draw.ts';
export { editImage, type ImageEditSpec, isDecodableImage, renderPartialEdit } from './image/edit-image.ts';
export { renderImage, renderPartialImage } from './image/render-image.ts';
export { type JsonModel, openJsonModel } from './json/answer.ts';
export { UnsatisfiableSchema } from './json/unsatisfiable-schema.ts';
export { answerText, generateReasoning, type TextSpec } from './text.ts';
export { embedText, vectorToBase64 } from './vector.ts';
export { renderLastFrame, renderVideo } from './video/render-video.ts';
export type { VideoSpec } from './video/scene.ts';
export { countTokens } from './words.ts';
