/**
 * Facts about image, video and sound files, read from their bytes: format, pixels, seconds, frames, codecs, and whether a
 * video is complete. Decodes nothing.
 */
export { readMediaFacts } from './facts.ts';
export { readRequestMedia } from './request-media.ts';
export { tryFindVideoFlaw } from './video-integrity.ts';
