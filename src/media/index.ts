/**
 * What files of pictures and sound are, read from their bytes: format, pixels, seconds, frames, codecs, and whether a
 * film is all there. Decodes nothing.
 */
export { readMediaFacts } from './facts.ts';
export { readRequestMedia } from './request-media.ts';
export { tryFindFilmFlaw } from './soundness.ts';
