import type { FilmOrder } from '../../synthetic/index.ts';
import type { TaskFlaw } from './kinds.ts';

/** The order of a film that is not quite the one that was asked for. */
export function withFlaw(order: FilmOrder, flaw: TaskFlaw | undefined): FilmOrder {
  if (flaw === 'short') return { ...order, seconds: order.seconds / 2 };
  if (flaw === 'resized') return { ...order, width: Math.max(2, order.width >> 1) };
  return flaw === 'no-sound' ? { ...order, audio: false } : order;
}

/** The middle of a film's data, behind its tables. */
const middleOf = (film: Uint8Array): number => {
  const data = Math.max(0, Buffer.from(film.buffer, film.byteOffset, film.byteLength).indexOf('mdat', 0, 'latin1'));
  return data + ((film.length - data) >> 1);
};

/**
 * A film as its link gives it. A broken one was given its full length before its bytes came, and the second half of them
 * never did: they are zero, so that no coded picture in them has a length.
 */
export const linkedFilm = (film: Uint8Array, flaw: TaskFlaw | undefined): Uint8Array =>
  flaw === 'corrupt' ? Uint8Array.from(film).fill(0, middleOf(film)) : film;

/** A film as the download endpoint gives it: a broken one ends in its middle. */
export const downloadedFilm = (film: Uint8Array, flaw: TaskFlaw | undefined): Uint8Array =>
  flaw === 'corrupt' ? film.subarray(0, middleOf(film)) : film;
