import type { MediaFacts } from '../domain/index.ts';
import type { PixelSize } from '../wire/index.ts';
import { textAt, viewOf } from './byte-view.ts';
import { readBmp } from './image/bmp.ts';
import { readGif } from './image/gif.ts';
import { readHeif } from './image/heif.ts';
import { readJpeg } from './image/jpeg.ts';
import { readPng } from './image/png.ts';
import { readTiff } from './image/tiff.ts';
import { readWebp } from './image/webp.ts';
import { readRecording } from './recording.ts';

/**
 * Reads the facts about an image, video or sound; undefined when the bytes are none of these, damaged or incomplete.
 *
 * Kind and format come from the bytes, not from a name or media type. Never throws, and processes hostile bytes in time
 * and memory bounded by their number.
 */
export async function readMediaFacts(bytes: Uint8Array): Promise<MediaFacts | undefined> {
  try {
    const format = tryFormatOf(bytes);
    if (format === undefined) return undefined;
    if (!isImage(format)) return await readRecording(format, bytes);
    const frame = readFrame(format, bytes);
    return frame && { kind: 'image', format, bytes: bytes.length, ...frame };
  } catch {
    // A reader failed: the bytes are damaged.
    return undefined;
  }
}

const READERS: Readonly<Record<string, (view: DataView) => PixelSize | undefined>> = {
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

const isImage = (format: string): boolean => format in READERS;

/**
 * Reads the display size of an image from its header; undefined when it has none. Walks the parts of the file to check
 * that it is complete, and decodes nothing. Throws RangeError when the file is truncated.
 */
function readFrame(format: string, bytes: Uint8Array): PixelSize | undefined {
  const frame = READERS[format]?.(viewOf(bytes));
  return frame && frame.width > 0 && frame.height > 0 ? frame : undefined;
}

/** Image brands of the ISO base media format. Any other brand is a video, or sound. */
const IMAGE_BRANDS: Readonly<Record<string, string>> = {
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  mif1: 'heif',
  msf1: 'heif',
  avif: 'avif',
  avis: 'avif',
};

function formatOfBoxes(view: DataView): string | undefined {
  if (textAt(view, 4) !== 'ftyp') return undefined;
  const brand = textAt(view, 8);
  return IMAGE_BRANDS[brand] ?? (brand === 'qt  ' ? 'mov' : 'mp4');
}

const FORMATS_OF_RIFF: Readonly<Record<string, string>> = { WEBP: 'webp', WAVE: 'wav' };

const isMp3 = (view: DataView): boolean =>
  textAt(view, 0, 3) === 'ID3' || (view.getUint8(0) === 0xff && (view.getUint8(1) & 0xe6) === 0xe2);

/** The first four bytes, as Latin-1. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG$/, 'png'],
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^GIF8$/, 'gif'],
  [/^BM/, 'bmp'],
  [/^(?:II\*\0|MM\0\*)$/, 'tiff'],
];

/** Detects the format from the first bytes; undefined when it is not supported. */
function tryFormatOf(bytes: Uint8Array): string | undefined {
  if (bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  const first = textAt(view, 0);
  if (first === 'RIFF') return FORMATS_OF_RIFF[textAt(view, 8)];
  const signed = SIGNATURES.find(([pattern]) => pattern.test(first))?.[1];
  return signed ?? formatOfBoxes(view) ?? (isMp3(view) ? 'mp3' : undefined);
}
