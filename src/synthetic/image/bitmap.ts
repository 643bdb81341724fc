import { blank, type Canvas } from './canvas.ts';

/** The header of OS/2, whose numbers have two bytes and whose palette has entries of three. */
const CORE_HEADER = 12;
/** Compression methods: none, and none with masks for the colours. */
const PLAIN = 0;
const MASKED = [3, 6];

/** The place and the form of the pixels of a bitmap. */
interface Layout {
  readonly width: number;
  /** Negative: the rows start at the top. */
  readonly height: number;
  readonly bits: number;
  /** The offset of the first row. */
  readonly pixels: number;
  readonly palette: { readonly at: number; readonly entry: 3 | 4 };
  /** The bits of red, green and blue in a pixel of 16 or 32 bits. */
  readonly masks: readonly number[];
}

const FIVE_BITS = [0x7c00, 0x03e0, 0x001f];
const EIGHT_BITS = [0xff0000, 0x00ff00, 0x0000ff];

function layoutOf(view: DataView): Layout | undefined {
  const [pixels, header] = [view.getUint32(10, true), view.getUint32(14, true)];
  const palette = { at: 14 + header, entry: header === CORE_HEADER ? (3 as const) : (4 as const) };
  if (header === CORE_HEADER) {
    const [width, height] = [view.getUint16(18, true), view.getUint16(20, true)];
    return { width, height, bits: view.getUint16(24, true), pixels, palette, masks: FIVE_BITS };
  }
  const [bits, compression] = [view.getUint16(28, true), view.getUint32(30, true)];
  const isMasked = MASKED.includes(compression);
  if (compression !== PLAIN && !isMasked) return undefined;
  // After a header of 40 bytes as well as within a longer one, the masks are at the same place.
  const masks = isMasked ? [54, 58, 62].map((at) => view.getUint32(at, true)) : bits === 16 ? FIVE_BITS : EIGHT_BITS;
  return { width: view.getInt32(18, true), height: view.getInt32(22, true), bits, pixels, palette, masks };
}

/** The bits of a mask as a number from 0 to 255. */
function channelOf(value: number, mask: number): number {
  if (mask === 0) return 0;
  const shift = 31 - Math.clz32(mask & -mask);
  return Math.round((((value & mask) >>> shift) * 255) / (mask >>> shift));
}

type ReadColour = (row: number, x: number) => readonly number[];

function colourReader(view: DataView, { bits, palette, masks }: Layout): ReadColour | undefined {
  const reversed = (at: number): readonly number[] => [view.getUint8(at + 2), view.getUint8(at + 1), view.getUint8(at)];
  if (bits === 24) return (row, x) => reversed(row + 3 * x);
  if (bits === 32) return (row, x) => masks.map((mask) => channelOf(view.getUint32(row + 4 * x, true), mask));
  if (bits === 16) return (row, x) => masks.map((mask) => channelOf(view.getUint16(row + 2 * x, true), mask));
  if (![1, 4, 8].includes(bits)) return undefined;
  return (row, x) => {
    const byte = view.getUint8(row + ((x * bits) >> 3));
    const index = (byte >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
    return reversed(palette.at + palette.entry * index);
  };
}

/**
 * Decodes an uncompressed BMP, whose format the image library does not read; every pixel is opaque.
 *
 * @param bytes a whole file, whose size its facts have confirmed
 * @returns undefined for a compressed one
 */
export function tryDecodeBitmap(bytes: Uint8Array): Canvas | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layout = layoutOf(view);
  const colourAt = layout && colourReader(view, layout);
  if (!layout || !colourAt) return undefined;
  const { width, bits, pixels } = layout;
  const height = Math.abs(layout.height);
  const canvas = blank(width, height);
  const stride = Math.floor((width * bits + 31) / 32) * 4;
  for (let y = 0; y < height; y += 1) {
    const row = pixels + stride * (layout.height < 0 ? y : height - 1 - y);
    for (let x = 0; x < width; x += 1) canvas.data.set([...colourAt(row, x), 255], (y * width + x) * 4);
  }
  return canvas;
}

export const isBitmap = (bytes: Uint8Array): boolean => bytes[0] === 0x42 && bytes[1] === 0x4d;
