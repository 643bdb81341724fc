import type { PixelSize } from '../../wire/index.ts';
import { partOf, requireLength, textAt } from '../byte-view.ts';
import { shownFrame } from './frame.ts';
import { tryReadOrientation } from './tiff.ts';

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000;

/** The readers of the size in a chunk, by its type. */
const FRAMES: Readonly<Record<string, (content: DataView) => PixelSize | undefined>> = {
  VP8X: (content) => ({ width: uint24(content, 4) + 1, height: uint24(content, 7) + 1 }),
  'VP8 ': (content) =>
    content.getUint16(3) === 0x9d01 && content.getUint8(5) === 0x2a
      ? { width: content.getUint16(6, true) & 0x3fff, height: content.getUint16(8, true) & 0x3fff }
      : undefined,
  VP8L(content) {
    const bits = content.getUint32(1, true);
    const frame = { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    return content.getUint8(0) === 0x2f ? frame : undefined;
  },
};

const PIXELS = ['VP8 ', 'VP8L', 'ANMF'];

const tryReadExif = (content: DataView): number | undefined =>
  // Some writers keep the Exif header of JPEG.
  tryReadOrientation(content.byteLength > 6 && textAt(content, 0) === 'Exif' ? partOf(content, 6) : content);

/** Reads the size from the first chunk; at least one chunk must contain pixels. */
export function readWebp(file: DataView): PixelSize | undefined {
  const end = 8 + file.getUint32(4, true);
  requireLength(file, end);
  const view = partOf(file, 0, end);
  let frame: PixelSize | undefined;
  let orientation: number | undefined;
  let hasPixels = false;
  for (let at = 12; at + 8 <= end; ) {
    const type = textAt(view, at);
    const length = view.getUint32(at + 4, true);
    const content = partOf(view, at + 8, at + 8 + length);
    frame ??= FRAMES[type]?.(content);
    if (type === 'EXIF') orientation = tryReadExif(content);
    if (PIXELS.includes(type)) hasPixels = true;
    // Chunks begin at even positions.
    at += 8 + length + (length % 2);
  }
  return frame && hasPixels ? shownFrame(frame, orientation) : undefined;
}
