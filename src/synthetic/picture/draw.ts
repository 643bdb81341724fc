import { hashOf } from '../words.ts';
import { blank, type Canvas, type Colour, fill, linesOf, shade, write } from './canvas.ts';
import { LETTER } from './letters.ts';

export interface PictureOrder {
  /** What is shown. */
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

type Drawing = Pick<PictureOrder, 'text' | 'seed' | 'width' | 'height' | 'background' | 'watermark'> & {
  /** Of few colours, each in large areas. */
  readonly isFlat?: boolean;
};

const CELLS = 8;
const INK: Colour = [250, 250, 250, 255];
const SHADOW: Colour = [20, 20, 30, 255];

/** A colour from a number; light enough or dark enough as asked. */
const colourOf = (hash: number, least: number): Colour => {
  const channel = (shift: number): number => least + (((hash >>> shift) & 0xff) * (215 - least)) / 255;
  return [Math.round(channel(0)), Math.round(channel(8)), Math.round(channel(16)), 255];
};

/** Squares in a pattern that no two texts share. */
function pattern(canvas: Canvas, { text, seed }: Drawing, margin: { x: number; y: number }): void {
  const [width, height] = [canvas.width - 2 * margin.x, canvas.height - 2 * margin.y];
  const [across, down] = [Math.max(1, Math.floor(width / CELLS)), Math.max(1, Math.floor(height / CELLS))];
  for (let cell = 0; cell < CELLS * CELLS; cell += 1) {
    const hash = hashOf(text, Math.imul(seed + cell, 0x9e3779b1));
    if ((hash & 3) !== 0) continue;
    const left = margin.x + (cell % CELLS) * across;
    const top = margin.y + Math.floor(cell / CELLS) * down;
    fill(canvas, { left, top, width: across, height: down }, colourOf(hash >>> 2, 70));
  }
}

/** The text, as large as it fits in the middle half of the height. */
function caption(canvas: Canvas, text: string): void {
  const room = { width: Math.floor(canvas.width * 0.75), height: Math.floor(canvas.height / 2) };
  const letters = Math.max(4, Math.min(24, Math.ceil(Math.sqrt([...text].length * 2.5))));
  const scale = Math.max(1, Math.floor(room.width / (letters * LETTER.advance)));
  const most = Math.max(1, Math.floor(room.height / (LETTER.line * scale)));
  const fitting = Math.max(1, Math.floor(room.width / (LETTER.advance * scale)));
  const lines = linesOf(text, fitting, most);
  const left = Math.floor((canvas.width - room.width) / 2);
  const top = Math.floor((canvas.height - lines.length * LETTER.line * scale) / 2);
  for (const [index, line] of lines.entries()) {
    const at = { left, top: top + index * LETTER.line * scale, scale };
    const offset = Math.max(1, Math.floor(scale / 3));
    write(canvas, line, { ...at, left: at.left + offset, top: at.top + offset, colour: SHADOW });
    write(canvas, line, { ...at, colour: INK });
  }
}

const MARK = 'SYNTHETIC';

/** In the lower right corner. */
export function watermark(canvas: Canvas): void {
  const scale = Math.max(1, Math.floor(canvas.width / 400));
  const [width, height] = [MARK.length * LETTER.advance * scale, LETTER.line * scale];
  const [left, top] = [canvas.width - width - 2 * scale, canvas.height - height - scale];
  fill(canvas, { left: left - scale, top: top - scale, width: width + 2 * scale, height: height + scale }, SHADOW);
  write(canvas, MARK, { left, top, scale, colour: INK });
}

/** Draws what is asked for; a transparent background stays free around it. */
export function draw(order: Drawing): Canvas {
  const { text, seed, width, height, background } = order;
  const canvas = blank(width, height);
  const share = background === 'transparent' ? 1 / 8 : 0;
  const margin = { x: Math.ceil(width * share), y: Math.ceil(height * share) };
  const area = { left: margin.x, top: margin.y, width: width - 2 * margin.x, height: height - 2 * margin.y };
  const hash = hashOf(text, seed);
  const ground = colourOf(hash, 40);
  shade(canvas, area, [ground, order.isFlat ? ground : colourOf(Math.imul(hash, 0x85ebca6b) >>> 0, 40)]);
  pattern(canvas, order, margin);
  caption(canvas, text);
  if (order.watermark) watermark(canvas);
  return canvas;
}
