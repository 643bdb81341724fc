import type { PixelSize } from '../../wire/index.ts';
import { partOf, requireLength, textAt } from '../byte-view.ts';
import { shownFrame } from './frame.ts';
import { tryReadOrientation } from './tiff.ts';

const SIGNATURE_LENGTH = 8;
/** Length, type and checksum. */
const CHUNK_FRAME = 12;

/** Walks the chunks to the last one, which is required. */
export function readPng(view: DataView): PixelSize | undefined {
  if (textAt(view, 12) !== 'IHDR') return undefined;
  const frame = { width: view.getUint32(16), height: view.getUint32(20) };
  let orientation: number | undefined;
  let hasPixels = false;
  for (let at = SIGNATURE_LENGTH; ; ) {
    const length = view.getUint32(at);
    const type = textAt(view, at + 4);
    requireLength(view, at + CHUNK_FRAME + length);
    if (type === 'IEND') break;
    if (type === 'IDAT') hasPixels = true;
    if (type === 'eXIf') orientation = tryReadOrientation(partOf(view, at + 8, at + 8 + length));
    at += CHUNK_FRAME + length;
  }
  return hasPixels ? shownFrame(frame, orientation) : undefined;
}
