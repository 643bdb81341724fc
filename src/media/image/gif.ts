import type { PixelSize } from '../../wire/index.ts';
import { requireLength } from '../byte-view.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** The length of a colour table in bytes, from the flags before it. */
const tableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** The end of a sequence of sub-blocks. */
function afterSubBlocks(view: DataView, start: number): number {
  let at = start;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}

/** Reads the logical screen size; the first image must be complete. */
export function readGif(view: DataView): PixelSize | undefined {
  const frame = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let at = 13 + tableLength(view.getUint8(10));
  while (view.getUint8(at) === EXTENSION) at = afterSubBlocks(view, at + 2);
  if (view.getUint8(at) !== IMAGE) return undefined;
  const pixels = at + 10 + tableLength(view.getUint8(at + 9)) + 1;
  requireLength(view, afterSubBlocks(view, pixels));
  return frame;
}
