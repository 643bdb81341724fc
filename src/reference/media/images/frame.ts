export interface Frame {
  readonly width: number;
  readonly height: number;
}

/** `16:9`, `19.5:9` as width / height; undefined for `auto` and whatever else is no ratio. */
export function tryReadRatio(text: string | undefined): number | undefined {
  const parts = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2]) : undefined;
}

const STEP = 16;

/** Whole steps of 16 pixels, as upstreams align what they make. */
const aligned = (pixels: number): number => Math.max(STEP, Math.round(pixels / STEP) * STEP);

/** The frame of about so many pixels in all with this width / height. */
export function frameOf(pixels: number, ratio: number): Frame {
  const height = Math.sqrt(pixels / ratio);
  return { width: aligned(height * ratio), height: aligned(height) };
}
