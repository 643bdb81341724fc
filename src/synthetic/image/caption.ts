import { type Canvas, type Colour, fill, type Rectangle, write } from './canvas.ts';
import { LETTER } from './letters.ts';

const INK: Colour = [250, 250, 250, 255];
const SHADOW: Colour = [20, 20, 30, 255];

/** More letters are not legible in any image. */
const MOST_LETTERS = 600;
/** The smallest dot of a letter, relative to an image's shorter edge, unless that is less than a pixel. */
const SMALLEST = 1 / 320;
const ELLIPSIS = '...';
/** Shorter lines have no room for an ellipsis. */
const SHORTEST_ENDING = 6;

/** Wraps a text into lines of at most `letters` letters. Breaks only words that are longer than a line. */
function linesOf(text: string, letters: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const signs = [...word];
    for (let at = 0; at < signs.length; at += letters) {
      const piece = signs.slice(at, at + letters).join('');
      const longer = `${lines.at(-1) ?? ''} ${piece}`;
      if (lines.length > 0 && at === 0 && [...longer].length <= letters) lines[lines.length - 1] = longer;
      else lines.push(piece);
    }
  }
  return lines;
}

function cut(lines: readonly string[], letters: number, most: number): readonly string[] {
  if (lines.length <= most) return lines;
  if (letters < SHORTEST_ENDING) return lines.slice(0, most);
  const last = [...(lines[most - 1] ?? '')].slice(0, letters - ELLIPSIS.length);
  return [...lines.slice(0, most - 1), `${last.join('')}${ELLIPSIS}`];
}

interface Layout {
  readonly lines: readonly string[];
  /** The size of a dot in pixels. */
  readonly scale: number;
}

/** Lays out the text in letters as large as the room allows; truncates it when even the smallest do not fit. */
function layout(text: string, room: { width: number; height: number }): Layout {
  const shown = [...text.normalize('NFC')].slice(0, MOST_LETTERS).join('');
  const longest = Math.max(1, ...shown.split(/\s+/).map((word) => [...word].length));
  const least = Math.max(1, Math.round(Math.min(room.width, room.height) * SMALLEST));
  let scale = Math.max(least, Math.floor(Math.min(room.width / 24, room.height / LETTER.line)));
  for (;;) {
    const letters = Math.max(1, Math.floor((room.width / scale + 1) / LETTER.advance));
    const most = Math.max(1, Math.floor(room.height / (LETTER.line * scale)));
    const lines = linesOf(shown, letters);
    if (scale <= least) return { lines: cut(lines, letters, most), scale };
    if (lines.length <= most && longest <= letters) return { lines, scale };
    scale = Math.max(least, Math.min(scale - 1, Math.floor(scale * 0.85)));
  }
}

const WIDE = 0.8;
const HIGH = 0.6;

/** Writes the text in the middle of the canvas, with shadows that keep it legible on any background. */
export function caption(canvas: Canvas, text: string): void {
  const room = { width: Math.floor(canvas.width * WIDE), height: Math.floor(canvas.height * HIGH) };
  const { lines, scale } = layout(text, room);
  const left = Math.floor((canvas.width - room.width) / 2);
  const top = Math.floor((canvas.height - lines.length * LETTER.line * scale) / 2);
  const offset = Math.max(1, Math.floor(scale / 3));
  for (const [index, line] of lines.entries()) {
    const at = { left, top: top + index * LETTER.line * scale, scale };
    write(canvas, line, { ...at, left: at.left + offset, top: at.top + offset, colour: SHADOW });
    write(canvas, line, { ...at, colour: INK });
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const MARK = 'SYNTHETIC';
/** The width of the image relative to the mark, where the size of a dot allows it. */
const MARK_SHARE = 7;

/** The area of the mark in an image of this size: the lower right corner, with a margin of one dot. */
export function markArea({ width, height }: Size): Rectangle & { readonly scale: number } {
  const scale = Math.max(1, Math.floor(width / (MARK.length * LETTER.advance * MARK_SHARE)));
  const area = { width: (MARK.length * LETTER.advance + 2) * scale, height: (LETTER.line + 1) * scale };
  return { ...area, left: width - area.width, top: height - area.height, scale };
}

/** Draws the watermark. The canvas may be just the lower right part of the whole image. */
export function watermark(canvas: Canvas, whole: Size = canvas): void {
  const { scale, ...area } = markArea(whole);
  const left = area.left - (whole.width - canvas.width);
  const top = area.top - (whole.height - canvas.height);
  fill(canvas, { ...area, left, top }, SHADOW);
  write(canvas, MARK, { left: left + scale, top: top + scale, scale, colour: INK });
}
