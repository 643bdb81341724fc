import { hashOf, mixed } from '../words.ts';
import { blank, type Canvas, type Colour, fill, type Rectangle, shade } from './canvas.ts';
import { caption, watermark } from './caption.ts';

export interface ImageSpec {
  /** The text to show. */
  readonly text: string;
  readonly seed: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** 0 to 100, for JPEG and WebP: the higher the better. */
  readonly compression?: number;
  readonly background: 'opaque' | 'transparent';
  readonly watermark?: boolean;
}

type Drawing = Pick<ImageSpec, 'text' | 'seed' | 'width' | 'height' | 'background' | 'watermark'> & {
  /** Few colours in large areas. */
  readonly isFlat?: boolean;
};

const CELLS = 8;
/** One of this many cells is filled. */
const FILLED = 4;

/** Derives a colour from a hash; white letters with a dark shadow are legible on it. */
const colourOf = (hash: number, least: number): Colour => {
  const channel = (shift: number): number => least + (((hash >>> shift) & 0xff) * (215 - least)) / 255;
  return [Math.round(channel(0)), Math.round(channel(8)), Math.round(channel(16)), 255];
};

/** Draws squares in a pattern that differs for each text. */
function pattern(canvas: Canvas, hash: number, area: Rectangle): void {
  const [across, down] = [Math.max(1, Math.floor(area.width / CELLS)), Math.max(1, Math.floor(area.height / CELLS))];
  for (let cell = 0; cell < CELLS * CELLS; cell += 1) {
    const own = mixed(hash, cell);
    if (own % FILLED !== 0) continue;
    const left = area.left + (cell % CELLS) * across;
    const top = area.top + Math.floor(cell / CELLS) * down;
    fill(canvas, { left, top, width: across, height: down }, colourOf(own >>> 2, 70));
  }
}

/** Draws the image; a transparent background leaves a margin around it. */
export function draw(order: Drawing): Canvas {
  const { text, seed, width, height, background } = order;
  const canvas = blank(width, height);
  const share = background === 'transparent' ? 1 / 8 : 0;
  const margin = { x: Math.ceil(width * share), y: Math.ceil(height * share) };
  const area = { left: margin.x, top: margin.y, width: width - 2 * margin.x, height: height - 2 * margin.y };
  const hash = mixed(hashOf(text), seed);
  const ground = colourOf(hash, 40);
  shade(canvas, area, [ground, order.isFlat ? ground : colourOf(mixed(hash, CELLS * CELLS), 40)]);
  pattern(canvas, hash, area);
  caption(canvas, text);
  if (order.watermark) watermark(canvas);
  return canvas;
}
