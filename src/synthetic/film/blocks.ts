import type { Canvas } from '../picture/canvas.ts';
import type { Block, BlockPicture } from './pictures.ts';
import { type FilmFrame, MACROBLOCK } from './units.ts';

type Rgb = readonly [number, number, number];
type Yuv = readonly [number, number, number];

const byte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));

/** BT.709, limited range. */
function toYuv([r, g, b]: Rgb): Yuv {
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return [
    byte(16 + (y * 219) / 255),
    byte(128 + ((b - y) / 1.8556) * (224 / 255)),
    byte(128 + ((r - y) / 1.5748) * (224 / 255)),
  ];
}

/** What a screen shows of it. */
function toRgb([y, u, v]: Yuv): Rgb {
  const bright = ((y - 16) * 255) / 219;
  const [blue, red] = [((u - 128) * 255) / 224, ((v - 128) * 255) / 224];
  return [byte(bright + 1.5748 * red), byte(bright - 0.1873 * blue - 0.4681 * red), byte(bright + 1.8556 * blue)];
}

const LUMA = MACROBLOCK * MACROBLOCK;
const CHROMA = LUMA / 4;

const pixel = ({ width, height, data }: Canvas, x: number, y: number): Rgb => {
  const at = (Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
};

/** A block of one colour. */
export function flatBlock(colour: Rgb): Block {
  const [y, u, v] = toYuv(colour);
  const samples = new Uint8Array(LUMA + 2 * CHROMA);
  samples
    .fill(y, 0, LUMA)
    .fill(u, LUMA, LUMA + CHROMA)
    .fill(v, LUMA + CHROMA);
  return { id: (y << 16) | (u << 8) | v, samples };
}

/** Each pixel of a canvas as a square of blocks of its colour. */
export function coarsePicture({ columns, rows }: FilmFrame, canvas: Canvas): BlockPicture {
  const known = new Map<number, Block>();
  const blocks: Block[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = Math.floor((column * canvas.width) / columns);
      const block = flatBlock(pixel(canvas, x, Math.floor((row * canvas.height) / rows)));
      const shared = known.get(block.id) ?? block;
      known.set(block.id, shared);
      blocks.push(shared);
    }
  }
  return { blocks, isFlat: true };
}

function fineBlock(canvas: Canvas, left: number, top: number, id: number): Block {
  const samples = new Uint8Array(LUMA + 2 * CHROMA);
  for (let y = 0; y < MACROBLOCK; y += 1) {
    for (let x = 0; x < MACROBLOCK; x += 1) {
      const [bright, u, v] = toYuv(pixel(canvas, left + x, top + y));
      samples[y * MACROBLOCK + x] = bright;
      // Colour has half the samples in both directions.
      if (x % 2 === 1 || y % 2 === 1) continue;
      const at = (y / 2) * (MACROBLOCK / 2) + x / 2;
      samples[LUMA + at] = u;
      samples[LUMA + CHROMA + at] = v;
    }
  }
  return { id, samples };
}

/** Each pixel of a canvas as it is. */
export function finePicture({ columns, rows }: FilmFrame, canvas: Canvas): BlockPicture {
  const blocks = Array.from({ length: columns * rows }, (_, at) =>
    fineBlock(canvas, (at % columns) * MACROBLOCK, Math.floor(at / columns) * MACROBLOCK, at),
  );
  return { blocks, isFlat: false };
}

/** The pixels that a decoder makes of blocks. */
export function pixelsOf({ width, height, columns }: FilmFrame, blocks: readonly Block[]): Canvas {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const block = blocks[Math.floor(y / MACROBLOCK) * columns + Math.floor(x / MACROBLOCK)];
      if (block === undefined) continue;
      const [dx, dy] = [x % MACROBLOCK, y % MACROBLOCK];
      const colour = LUMA + (dy >> 1) * (MACROBLOCK / 2) + (dx >> 1);
      const { samples } = block;
      const rgb = toRgb([samples[dy * MACROBLOCK + dx] ?? 0, samples[colour] ?? 0, samples[colour + CHROMA] ?? 0]);
      data.set([...rgb, 255], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}
