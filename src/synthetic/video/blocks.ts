import { blank, type Canvas, fill } from '../image/canvas.ts';
import type { BlockPicture, Macroblock } from './slices.ts';
import { MACROBLOCK, type VideoFrame } from './units.ts';

/** Red, green and blue; or brightness and two of colour. */
type Rgb = readonly [number, number, number];

const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

/** BT.709, limited range. */
function toYuv([r, g, b]: Rgb): Rgb {
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return [
    byte(16 + (y * 219) / 255),
    byte(128 + ((b - y) / 1.8556) * (224 / 255)),
    byte(128 + ((r - y) / 1.5748) * (224 / 255)),
  ];
}

/** Converts back, as a screen does. */
function toRgb([y, u, v]: Rgb): Rgb {
  const bright = ((y - 16) * 255) / 219;
  const [blue, red] = [((u - 128) * 255) / 224, ((v - 128) * 255) / 224];
  return [byte(bright + 1.5748 * red), byte(bright - 0.1873 * blue - 0.4681 * red), byte(bright + 1.8556 * blue)];
}

const LUMA = MACROBLOCK * MACROBLOCK;
const CHROMA = LUMA / 4;

/** Packs a pixel, or one sample of each kind, into one number. */
const packed = ([first, second, third]: Rgb): number => (first << 16) | (second << 8) | third;
const unpacked = (value: number): Rgb => [value >> 16, (value >> 8) & 0xff, value & 0xff];

/** Memoizes a conversion of packed colours: images have few, next to each other. */
function memoized(convert: (colour: Rgb) => Rgb): (value: number) => number {
  const results = new Map<number, number>();
  let [last, lastResult] = [-1, -1];
  return (value) => {
    if (value === last) return lastResult;
    const result = results.get(value) ?? packed(convert(unpacked(value)));
    results.set(value, result);
    [last, lastResult] = [value, result];
    return result;
  };
}

/** A block of one colour, in packed samples. */
function evenBlock(yuv: number): Macroblock {
  const [y, u, v] = unpacked(yuv);
  const samples = new Uint8Array(LUMA + 2 * CHROMA);
  samples
    .fill(y, 0, LUMA)
    .fill(u, LUMA, LUMA + CHROMA)
    .fill(v, LUMA + CHROMA);
  return { colour: yuv, samples };
}

/** A block of one colour. */
export const flatBlock = (colour: Rgb): Macroblock => evenBlock(packed(toYuv(colour)));

/** A block of 16 × 16 packed pixels. Colour has half the samples in both directions. */
function unevenBlock(pixels: readonly number[], toSamples: (pixel: number) => number): Macroblock {
  const samples = new Uint8Array(LUMA + 2 * CHROMA);
  for (const [at, pixel] of pixels.entries()) {
    const [bright, u, v] = unpacked(toSamples(pixel));
    const [x, y] = [at % MACROBLOCK, Math.floor(at / MACROBLOCK)];
    samples[at] = bright;
    if (x % 2 === 1 || y % 2 === 1) continue;
    const pair = LUMA + (y / 2) * (MACROBLOCK / 2) + x / 2;
    samples[pair] = u;
    samples[pair + CHROMA] = v;
  }
  return { colour: undefined, samples };
}

/** The packed pixels that a block covers; the edge of the canvas is repeated beyond it. */
function pixelsWithin({ width, height, data }: Canvas, left: number, top: number): readonly number[] {
  const pixels = new Array<number>(LUMA);
  for (let y = 0; y < MACROBLOCK; y += 1) {
    const row = Math.min(top + y, height - 1) * width;
    for (let x = 0; x < MACROBLOCK; x += 1) {
      const at = (row + Math.min(left + x, width - 1)) * 4;
      pixels[y * MACROBLOCK + x] = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
    }
  }
  return pixels;
}

/** Converts each pixel of a canvas into a sample. */
export function finePicture({ columns, rows }: VideoFrame, canvas: Canvas): BlockPicture {
  const toSamples = memoized(toYuv);
  return Array.from({ length: columns * rows }, (_, at) => {
    const pixels = pixelsWithin(canvas, (at % columns) * MACROBLOCK, Math.floor(at / columns) * MACROBLOCK);
    const first = pixels[0] ?? 0;
    return pixels.every((pixel) => pixel === first) ? evenBlock(toSamples(first)) : unevenBlock(pixels, toSamples);
  });
}

/** Converts each pixel of a canvas into a rectangle of blocks. */
export function coarsePicture({ columns, rows }: VideoFrame, { width, height, data }: Canvas): BlockPicture {
  const toSamples = memoized(toYuv);
  return Array.from({ length: columns * rows }, (_, at) => {
    const x = Math.floor(((at % columns) * width) / columns);
    const y = Math.floor((Math.floor(at / columns) * height) / rows);
    const [r = 0, g = 0, b = 0] = data.subarray((y * width + x) * 4);
    return evenBlock(toSamples(packed([r, g, b])));
  });
}

/** Decodes blocks into pixels. */
export function canvasOf({ width, height, columns }: VideoFrame, blocks: BlockPicture): Canvas {
  const canvas = blank(width, height);
  const toPixel = memoized(toRgb);
  for (const [at, { colour, samples }] of blocks.entries()) {
    const [left, top] = [(at % columns) * MACROBLOCK, Math.floor(at / columns) * MACROBLOCK];
    if (colour !== undefined) {
      fill(canvas, { left, top, width: MACROBLOCK, height: MACROBLOCK }, [...unpacked(toPixel(colour)), 255]);
      continue;
    }
    for (let pixel = 0; pixel < LUMA; pixel += 1) {
      const [x, y] = [left + (pixel % MACROBLOCK), top + Math.floor(pixel / MACROBLOCK)];
      if (x >= width || y >= height) continue;
      const pair = LUMA + ((pixel >> 5) * MACROBLOCK) / 2 + ((pixel % MACROBLOCK) >> 1);
      const yuv = packed([samples[pixel] ?? 0, samples[pair] ?? 0, samples[pair + CHROMA] ?? 0]);
      canvas.data.set([...unpacked(toPixel(yuv)), 255], (y * width + x) * 4);
    }
  }
  return canvas;
}
