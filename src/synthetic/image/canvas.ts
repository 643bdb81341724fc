import { glyphOf, LETTER } from './letters.ts';

/** Red, green, blue, opacity: 0 to 255 each. */
export type Colour = readonly [number, number, number, number];

/** Pixels, four bytes each, row by row. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export const blank = (width: number, height: number): Canvas => ({
  width,
  height,
  data: new Uint8Array(width * height * 4),
});

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A colour as the four bytes of a pixel, read as one number on this machine. */
const pixelOf = (colour: Colour): number => new Uint32Array(Uint8Array.from(colour).buffer)[0] as number;

/** Fills the part of the rectangle that is on the canvas. */
export function fill(canvas: Canvas, area: Rectangle, colour: Colour): void {
  const [left, right] = [Math.max(0, area.left), Math.min(canvas.width, area.left + area.width)];
  const bottom = Math.min(canvas.height, area.top + area.height);
  if (right <= left) return;
  const pixels = new Uint32Array(canvas.data.buffer, canvas.data.byteOffset, canvas.width * canvas.height);
  const pixel = pixelOf(colour);
  for (let y = Math.max(0, area.top); y < bottom; y += 1) {
    pixels.fill(pixel, y * canvas.width + left, y * canvas.width + right);
  }
}

/** Copies a smaller canvas into a larger one; it must fit. */
export function place(canvas: Canvas, piece: Canvas, { left, top }: Pick<Rectangle, 'left' | 'top'>): void {
  for (let y = 0; y < piece.height; y += 1) {
    const row = piece.data.subarray(y * piece.width * 4, (y + 1) * piece.width * 4);
    canvas.data.set(row, ((top + y) * canvas.width + left) * 4);
  }
}

/** Some pixel is not fully opaque. */
export const hasTransparency = ({ data }: Canvas): boolean => {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
};

/** Fills the rectangle with a diagonal gradient from one colour to another. */
export function shade(canvas: Canvas, area: Rectangle, [from, to]: readonly [Colour, Colour]): void {
  const { width, data } = canvas;
  const span = Math.max(1, area.width + area.height - 2);
  for (let y = 0; y < area.height; y += 1) {
    let at = ((area.top + y) * width + area.left) * 4;
    for (let x = 0; x < area.width; x += 1, at += 4) {
      const part = (x + y) / span;
      data[at] = from[0] + (to[0] - from[0]) * part;
      data[at + 1] = from[1] + (to[1] - from[1]) * part;
      data[at + 2] = from[2] + (to[2] - from[2]) * part;
      data[at + 3] = 255;
    }
  }
}

/** Draws one line of letters, each dot a square of `scale` pixels. */
export function write(
  canvas: Canvas,
  text: string,
  at: { left: number; top: number; scale: number; colour: Colour },
): void {
  const { left, top, scale, colour } = at;
  for (const [index, letter] of [...text].entries()) {
    for (const [column, dots] of glyphOf(letter).entries()) {
      for (let row = 0; row < LETTER.line; row += 1) {
        if (!((dots >>> row) & 1)) continue;
        const x = left + (index * LETTER.advance + column) * scale;
        fill(canvas, { left: x, top: top + row * scale, width: scale, height: scale }, colour);
      }
    }
  }
}
