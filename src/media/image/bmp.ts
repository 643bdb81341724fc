import type { PixelSize } from '../../wire/index.ts';
import { requireLength } from '../byte-view.ts';

/** The size of the OS/2 header, which has 16-bit numbers. */
const CORE_HEADER = 12;
/** Compression methods without compression, with or without masks. */
const UNCOMPRESSED = [0, 3, 6];

/** The number of bytes that must follow the pixel offset. */
function pixelBytes({ width, height }: PixelSize, bitsPerPixel: number): number {
  return Math.floor((width * bitsPerPixel + 31) / 32) * 4 * height;
}

export function readBmp(view: DataView): PixelSize | undefined {
  const pixels = view.getUint32(10, true);
  const header = view.getUint32(14, true);
  if (header === CORE_HEADER) {
    const frame = { width: view.getUint16(18, true), height: view.getUint16(20, true) };
    requireLength(view, pixels + pixelBytes(frame, view.getUint16(24, true)));
    return frame;
  }
  if (header < 40) return undefined;
  // A negative height means that rows start at the top.
  const frame = { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  const isUncompressed = UNCOMPRESSED.includes(view.getUint32(30, true));
  requireLength(
    view,
    pixels + (isUncompressed ? pixelBytes(frame, view.getUint16(28, true)) : view.getUint32(34, true)),
  );
  return frame;
}
