import { viewOf } from './byte-view.ts';
import { readBmp } from './picture/bmp.ts';
import type { Frame } from './picture/frame.ts';
import { readGif } from './picture/gif.ts';
import { readHeif } from './picture/heif.ts';
import { readJpeg } from './picture/jpeg.ts';
import { readPng } from './picture/png.ts';
import { readTiff } from './picture/tiff.ts';
import { readWebp } from './picture/webp.ts';

const READERS: Readonly<Record<string, (view: DataView) => Frame | undefined>> = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  gif: readGif,
  bmp: readBmp,
  tiff: readTiff,
  heic: readHeif,
  heif: readHeif,
  avif: readHeif,
};

export const isPicture = (format: string): boolean => format in READERS;

/**
 * The size of a picture as it is shown, which its head tells; undefined when it has none. Walks the file's parts to see
 * that they are all there, and decodes nothing. Throws RangeError where the file is cut short.
 */
export function readFrame(format: string, bytes: Uint8Array): Frame | undefined {
  const frame = READERS[format]?.(viewOf(bytes));
  return frame && frame.width > 0 && frame.height > 0 ? frame : undefined;
}
