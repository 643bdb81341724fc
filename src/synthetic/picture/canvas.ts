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

/** Fills what of the rectangle is on the canvas. */
export function fill(canvas: Canvas, area: Rectangle, colour: Colour): void {
  const [left, right] = [Math.max(0, area.left), Math.min(canvas.width, area.left + area.width)];
  const bottom = Math.min(canvas.height, area.top + area.height);
  for (let y = Math.max(0, area.top); y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) canvas.data.set(colour, (y * canvas.width + x) * 4);
  }
}

/** From one colour to another, along the diagonal. */
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
      for (let row = 0; row <= LETTER.height; row += 1) {
        if (!((dots >>> row) & 1)) continue;
        const x = left + (index * LETTER.advance + column) * scale;
        fill(canvas, { left: x, top: top + row * scale, width: scale, height: scale }, colour);
      }
    }
  }
}

/** A text in lines of at most so many letters, cut with an ellipsis when there are more than `most`. */
export function linesOf(text: string, letters: number, most: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.trim().split(/\s+/)) {
    for (const piece of word.match(new RegExp(`.{1,${letters}}`, 'gsu')) ?? []) {
      const line = lines.at(-1) ?? '';
      const longer = line === '' ? piece : `${line} ${piece}`;
      if ([...longer].length <= letters) lines[lines.length - 1] = longer;
      else lines.push(piece);
    }
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${[...(lines[most - 1] ?? '')].slice(0, letters - 1).join('')}.`];
}
