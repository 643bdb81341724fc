import { markArea, watermark } from '../image/caption.ts';
import { draw } from '../image/draw.ts';
import { loadSharp } from '../image/render-image.ts';
import { canvasOf, coarsePicture, finePicture, flatBlock } from './blocks.ts';
import type { BlockPicture, Macroblock } from './slices.ts';
import { MACROBLOCK, type VideoFrame } from './units.ts';

export interface VideoSpec {
  /** The text to show. */
  readonly text: string;
  readonly seed: number;
  /** In pixels, rounded down to even numbers, because colour has half the resolution. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** Frames per second. Defaults to 24. */
  readonly fps?: number;
  readonly audio: boolean;
  readonly watermark: boolean;
  /** Images that the video begins and ends with, in any format. */
  readonly firstFrame?: Uint8Array;
  readonly lastFrame?: Uint8Array;
}

/** The pictures of a video, as blocks. */
export interface Scene {
  readonly first: BlockPicture;
  /** From the middle on; without it, the first picture remains. */
  readonly last: BlockPicture | undefined;
}

/** Frames with more blocks (beyond 1080p) show the text in dots of a whole block. */
const MOST_FINE_BLOCKS = 8704;
/** Given images may have a different colour in each pixel: larger frames show them in at most `MOST_SQUARES` squares. */
const MOST_GIVEN_BLOCKS = 400;
const MOST_SQUARES = 3600;

const blocksIn = ({ columns, rows }: VideoFrame): number => columns * rows;

function drawn({ text, seed }: VideoSpec, frame: VideoFrame): BlockPicture {
  const isFine = blocksIn(frame) <= MOST_FINE_BLOCKS;
  const { width, height } = isFine ? frame : { width: frame.columns, height: frame.rows };
  const canvas = draw({ text, seed, background: 'opaque', isFlat: true, width, height });
  return isFine ? finePicture(frame, canvas) : coarsePicture(frame, canvas);
}

/** Few shades, so that many squares equal a neighbour. */
const SHADE = 32;
const shaded = (value: number): number => Math.min(255, Math.round(value / SHADE) * SHADE);

function squares({ columns, rows }: VideoFrame): { width: number; height: number } {
  const shrink = Math.max(1, Math.sqrt((columns * rows) / MOST_SQUARES));
  return { width: Math.ceil(columns / shrink), height: Math.ceil(rows / shrink) };
}

async function imageBlocks(picture: Uint8Array, frame: VideoFrame): Promise<BlockPicture> {
  const sharp = await loadSharp();
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

/** Adds the watermark in the lower right corner. Only the blocks there are drawn again. */
function marked(picture: BlockPicture, frame: VideoFrame): BlockPicture {
  const { left, top } = markArea(frame);
  const [column, row] = [left, top].map((edge) => Math.max(0, Math.floor(edge / MACROBLOCK))) as [number, number];
  const corner: VideoFrame = {
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
    places.map((place) => picture[place] as Macroblock),
  );
  watermark(canvas, frame);
  const changes = new Map(finePicture(corner, canvas).map((block, at) => [places[at], block]));
  return picture.map((block, at) => changes.get(at) ?? block);
}

export async function sceneFor(spec: VideoSpec, frame: VideoFrame): Promise<Scene> {
  const { firstFrame, lastFrame } = spec;
  const finished = (picture: BlockPicture): BlockPicture => (spec.watermark ? marked(picture, frame) : picture);
  return {
    first: finished(firstFrame ? await imageBlocks(firstFrame, frame) : drawn(spec, frame)),
    last: lastFrame && finished(await imageBlocks(lastFrame, frame)),
  };
}

const MARKER = flatBlock([250, 250, 250]);

/** The position of the marker that moves along the lower edge. */
export const markerAt = ({ columns, rows }: VideoFrame, part: number): number =>
  (rows - 1) * columns + Math.min(columns - 1, Math.floor(part * columns));

/** The blocks that change when the marker moves: its new position, and the picture under its old one. */
export function markerMove(picture: BlockPicture, from: number, to: number): ReadonlyMap<number, Macroblock> {
  if (from === to) return new Map();
  return new Map([
    [from, picture[from] as Macroblock],
    [to, MARKER],
  ]);
}

/** Draws the marker on a picture. */
export const withMarker = (picture: BlockPicture, at: number): BlockPicture => picture.with(at, MARKER);
