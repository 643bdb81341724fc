import type { PixelSize } from '../../../wire/index.ts';

/** Reads `16:9` or `19.5:9` as width / height; undefined for `auto` and anything else that is not a ratio. */
export function tryReadRatio(text: string | undefined): number | undefined {
  const parts = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2]) : undefined;
}

const STEP = 16;

/** Rounds to multiples of 16 pixels, as upstreams do. */
const aligned = (pixels: number): number => Math.max(STEP, Math.round(pixels / STEP) * STEP);

/** The frame with about this number of pixels and this width / height. */
export function frameOf(pixels: number, ratio: number): PixelSize {
  const height = Math.sqrt(pixels / ratio);
  return { width: aligned(height * ratio), height: aligned(height) };
}
