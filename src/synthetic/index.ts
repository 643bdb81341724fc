/**
 * The models of the reference gateway: text, JSON, vectors, pictures, films. The same request gives the same answer; what
 * is asked for can be seen in it. No clock, no chance, no I/O.
 */
export { film, lastFrameOf } from './film/film.ts';
export type { FilmOrder } from './film/scene.ts';
export { answerJson, callArguments } from './json/answer.ts';
export { UnsatisfiableSchema } from './json/unsatisfiable.ts';
export { spoilPicture, unedited } from './picture/corrupt-image.ts';
export type { PictureOrder } from './picture/draw.ts';
export { type RetouchOrder, retouch, retouchPartial } from './picture/edit-image.ts';
export { paint, paintPartial } from './picture/paint.ts';
export { answerText, countTokens, type TextOrder, thinkAloud } from './text.ts';
export { embedText, vectorToBase64 } from './vector.ts';
