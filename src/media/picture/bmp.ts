import { mustReach } from '../byte-view.ts';
import type { Frame } from './frame.ts';

/** The header of OS/2, whose numbers are short. */
const CORE_HEADER = 12;
/** Pixels as they are, or as they are with masks; any other is packed. */
const PLAIN = [0, 3, 6];

/** Bytes of the pixels, which the file must hold from its pixel offset on. */
function pixelBytes({ width, height }: Frame, bitsPerPixel: number): number {
  return Math.floor((width * bitsPerPixel + 31) / 32) * 4 * height;
}

export function readBmp(view: DataView): Frame | undefined {
  const pixels = view.getUint32(10, true);
  const header = view.getUint32(14, true);
  if (header === CORE_HEADER) {
    const frame = { width: view.getUint16(18, true), height: view.getUint16(20, true) };
    mustReach(view, pixels + pixelBytes(frame, view.getUint16(24, true)));
    return frame;
  }
  if (header < 40) return undefined;
  // A negative height says that the rows run from the top.
  const frame = { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  const isPlain = PLAIN.includes(view.getUint32(30, true));
  mustReach(view, pixels + (isPlain ? pixelBytes(frame, view.getUint16(28, true)) : view.getUint32(34, true)));
  return frame;
}
