import { markArea, watermark } from '../picture/caption.ts';
import { draw } from '../picture/draw.ts';
import { encoder } from '../picture/paint.ts';
import { canvasOf, coarsePicture, finePicture, flatBlock } from './blocks.ts';
import type { Block, BlockPicture } from './pictures.ts';
import { type FilmFrame, MACROBLOCK } from './units.ts';

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

/** Frames of more blocks (beyond 1080p) show the text in dots of a whole block. */
const MOST_FINE_BLOCKS = 8704;
/** A given picture has a colour for each pixel: in larger frames it is shown in so many squares at most. */
const MOST_GIVEN_BLOCKS = 400;
const MOST_SQUARES = 3600;

const blocksIn = ({ columns, rows }: FilmFrame): number => columns * rows;

function drawn({ text, seed }: FilmOrder, frame: FilmFrame): BlockPicture {
  const isFine = blocksIn(frame) <= MOST_FINE_BLOCKS;
  const { width, height } = isFine ? frame : { width: frame.columns, height: frame.rows };
  const canvas = draw({ text, seed, background: 'opaque', isFlat: true, width, height });
  return isFine ? finePicture(frame, canvas) : coarsePicture(frame, canvas);
}

/** Few shades, so that many squares look like a neighbour. */
const SHADE = 32;
const shaded = (value: number): number => Math.min(255, Math.round(value / SHADE) * SHADE);

function squares({ columns, rows }: FilmFrame): { width: number; height: number } {
  const shrink = Math.max(1, Math.sqrt((columns * rows) / MOST_SQUARES));
  return { width: Math.ceil(columns / shrink), height: Math.ceil(rows / shrink) };
}

async function given(picture: Uint8Array, frame: FilmFrame): Promise<BlockPicture> {
  const sharp = await encoder();
  const isFine = blocksIn(frame) <= MOST_GIVEN_BLOCKS;
  const { width, height } = isFine ? frame : squares(frame);
  const pixels = await sharp(picture)
    .rotate()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .resize(width, height, { fit: 'cover' })
    .raw()
    .toBuffer();
  if (isFine) return finePicture(frame, { width, height, data: new Uint8Array(pixels) });
  return coarsePicture(frame, { width, height, data: new Uint8Array(pixels).map(shaded) });
}

/** The picture with the watermark in its lower right corner. Only the blocks there are drawn anew. */
function marked(picture: BlockPicture, frame: FilmFrame): BlockPicture {
  const { left, top } = markArea(frame);
  const [column, row] = [left, top].map((edge) => Math.max(0, Math.floor(edge / MACROBLOCK))) as [number, number];
  const corner: FilmFrame = {
    columns: frame.columns - column,
    rows: frame.rows - row,
    width: frame.width - column * MACROBLOCK,
    height: frame.height - row * MACROBLOCK,
  };
  const places = Array.from({ length: blocksIn(corner) }, (_, at) => {
    const [x, y] = [at % corner.columns, Math.floor(at / corner.columns)];
    return (row + y) * frame.columns + column + x;
  });
  const canvas = canvasOf(
    corner,
    places.map((place) => picture[place] as Block),
  );
  watermark(canvas, frame);
  const changes = new Map(finePicture(corner, canvas).map((block, at) => [places[at], block]));
  return picture.map((block, at) => changes.get(at) ?? block);
}

export async function sceneFor(order: FilmOrder, frame: FilmFrame): Promise<Scene> {
  const { firstFrame, lastFrame } = order;
  const finished = (picture: BlockPicture): BlockPicture => (order.watermark ? marked(picture, frame) : picture);
  return {
    first: finished(firstFrame ? await given(firstFrame, frame) : drawn(order, frame)),
    last: lastFrame && finished(await given(lastFrame, frame)),
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
    [from, picture[from] as Block],
    [to, MARKER],
  ]);
}

/** A picture with the marker on it. */
export const withMarker = (picture: BlockPicture, at: number): BlockPicture => picture.with(at, MARKER);
