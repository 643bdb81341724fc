import type { Canvas } from '../picture/canvas.ts';
import { draw } from '../picture/draw.ts';
import { encoder } from '../picture/paint.ts';
import { coarsePicture, finePicture, flatBlock } from './blocks.ts';
import type { Block, BlockPicture } from './pictures.ts';
import type { FilmFrame } from './units.ts';

export interface FilmOrder {
  /** What is shown. */
  readonly text: string;
  readonly seed: number;
  /** Pixels; an odd one loses its last, because colour comes in pairs. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Frames a second; 24 unless told. */
  readonly fps?: number;
  readonly audio: boolean;
  readonly watermark: boolean;
  /** Pictures that the film begins and ends with, in any format. */
  readonly firstFrame?: Uint8Array;
  readonly lastFrame?: Uint8Array;
}

/** The pictures of a film, as blocks. */
export interface Scene {
  readonly first: BlockPicture;
  /** From the middle on; absent: it stays as it began. */
  readonly last: BlockPicture | undefined;
}

/** Up to here every pixel is drawn; larger frames show a block or more for a pixel. */
const FINE_BLOCKS = 400;
const COARSE_CELLS = 3600;

/** A canvas that is as large as its blocks can show. */
function canvasSize({ width, height, columns, rows }: FilmFrame): { width: number; height: number } {
  if (columns * rows <= FINE_BLOCKS) return { width, height };
  const shrink = Math.max(1, Math.sqrt((columns * rows) / COARSE_CELLS));
  return { width: Math.floor(columns / shrink), height: Math.floor(rows / shrink) };
}

const isFine = ({ columns, rows }: FilmFrame): boolean => columns * rows <= FINE_BLOCKS;

const blocksOf = (frame: FilmFrame, canvas: Canvas): BlockPicture =>
  isFine(frame) ? finePicture(frame, canvas) : coarsePicture(frame, canvas);

/** Few shades, so that most blocks look like a neighbour. */
const SHADE = 32;

async function shown(frame: FilmFrame, picture: Uint8Array): Promise<BlockPicture> {
  const sharp = await encoder();
  const { width, height } = canvasSize(frame);
  const pixels = await sharp(picture).rotate().ensureAlpha().resize(width, height, { fit: 'cover' }).raw().toBuffer();
  const data = isFine(frame) ? pixels : pixels.map((value) => Math.min(255, Math.round(value / SHADE) * SHADE));
  return blocksOf(frame, { width, height, data: new Uint8Array(data) });
}

export async function sceneFor(order: FilmOrder, frame: FilmFrame): Promise<Scene> {
  const { text, seed, watermark, firstFrame, lastFrame } = order;
  const drawn = (): BlockPicture =>
    blocksOf(frame, draw({ text, seed, watermark, background: 'opaque', isFlat: true, ...canvasSize(frame) }));
  return {
    first: firstFrame ? await shown(frame, firstFrame) : drawn(),
    last: lastFrame && (await shown(frame, lastFrame)),
  };
}

const MARKER = flatBlock([250, 250, 250]);

/** Where the marker is that runs along the lower edge: something has to move. */
export const markerAt = ({ columns, rows }: FilmFrame, part: number): number =>
  (rows - 1) * columns + Math.min(columns - 1, Math.floor(part * columns));

/** What the marker changes from one frame to the next: its new place, and what was under its old one. */
export function markerMove(picture: BlockPicture, from: number, to: number): ReadonlyMap<number, Block> {
  if (from === to) return new Map();
  return new Map([
    [from, picture.blocks[from] as Block],
    [to, MARKER],
  ]);
}

/** A picture with the marker on it. */
export const withMarker = ({ blocks, isFlat }: BlockPicture, at: number): BlockPicture => ({
  isFlat,
  blocks: blocks.map((block, index) => (index === at ? MARKER : block)),
});
