import type { PixelSize } from '../../wire/index.ts';
import { requireLength } from '../byte-view.ts';
import { shownFrame } from './frame.ts';

const TAG = {
  width: 256,
  height: 257,
  stripOffsets: 273,
  orientation: 274,
  stripLengths: 279,
  tileOffsets: 324,
  tileLengths: 325,
} as const;

/** The sizes of SHORT and LONG; other types are not relevant for the frame. */
const SIZES: Readonly<Record<number, 2 | 4>> = { 3: 2, 4: 4 };

type Values = (tag: number) => readonly number[];

/** Reads the tags of the first image on demand. */
function firstDirectory(view: DataView): Values {
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  const entries = new Map<number, number>();
  const count = view.getUint16(start, little);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    entries.set(view.getUint16(at, little), at);
  }
  return (tag) => {
    const at = entries.get(tag);
    const size = at === undefined ? undefined : SIZES[view.getUint16(at + 2, little)];
    if (at === undefined || size === undefined) return [];
    const length = view.getUint32(at + 4, little);
    const from = length * size > 4 ? view.getUint32(at + 8, little) : at + 8;
    requireLength(view, from + length * size);
    return Array.from({ length }, (_, index) =>
      size === 2 ? view.getUint16(from + index * 2, little) : view.getUint32(from + index * 4, little),
    );
  };
}

/** Reads the orientation from Exif, a TIFF without an image; undefined when it is missing or damaged. */
export function tryReadOrientation(exif: DataView): number | undefined {
  try {
    return firstDirectory(exif)(TAG.orientation)[0];
  } catch {
    // Damaged metadata does not affect the image.
    return undefined;
  }
}

/** Reads the size of the first image, whose strips or tiles must be complete. */
export function readTiff(view: DataView): PixelSize | undefined {
  const values = firstDirectory(view);
  const [width] = values(TAG.width);
  const [height] = values(TAG.height);
  if (width === undefined || height === undefined) return undefined;
  const offsets = [...values(TAG.stripOffsets), ...values(TAG.tileOffsets)];
  const lengths = [...values(TAG.stripLengths), ...values(TAG.tileLengths)];
  if (offsets.length === 0 || offsets.length !== lengths.length) return undefined;
  for (const [index, offset] of offsets.entries()) requireLength(view, offset + (lengths[index] ?? 0));
  return shownFrame({ width, height }, values(TAG.orientation)[0]);
}
