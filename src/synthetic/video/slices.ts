import { type BitWriter, bitWriter } from './bits.ts';
import { FRAME_NUMBER_BITS, unit, type VideoFrame } from './units.ts';

/** A macroblock. */
export interface Macroblock {
  /** Its colour, so that a neighbour of the same colour can be copied; undefined when it has several. */
  readonly colour: number | undefined;
  /** 256 luma samples, then 64 of each chroma component. */
  readonly samples: Uint8Array;
}

/** A picture, block by block, row by row. */
export type BlockPicture = readonly Macroblock[];

const I_PCM = 25;
/** Intra 16x16 without residual: copied downwards from the block above, or rightwards from the left. H.264, table 7-11. */
const COPY_DOWN = { type: 1, chroma: 2 } as const;
const COPY_RIGHT = { type: 2, chroma: 1 } as const;
/** In a P slice, the types of intra macroblocks follow those of predicted ones. */
const P_OFFSET = 5;

const INTRA_SLICE = 7;
const PREDICTED_SLICE = 5;

function sliceHead(
  bits: BitWriter,
  sliceType: number,
  { number, idr }: { number: number; idr: number | undefined },
): void {
  bits.ue(0);
  bits.ue(sliceType);
  bits.ue(0);
  bits.u(FRAME_NUMBER_BITS, number);
  if (idr === undefined) {
    bits.u(3, 0); // reference list as it is; sliding window
  } else {
    bits.ue(idr);
    bits.u(2, 0);
  }
  bits.ue(0); // no change of QP
  bits.ue(1); // no deblocking
}

function rawBlock(bits: BitWriter, type: number, { samples }: Macroblock): void {
  bits.ue(type);
  bits.align();
  bits.bytes(samples);
}

/** `coeff_token` for “no coefficients” depends on the neighbours: raw blocks count as having sixteen. H.264, 9.2.1. */
function noCoefficients(bits: BitWriter, left: boolean | undefined, above: boolean | undefined): void {
  const counts: number[] = [left, above].flatMap((raw) => (raw === undefined ? [] : [raw ? 16 : 0]));
  const sum = counts.reduce((total, count) => total + count, 0);
  const expected = counts.length === 2 ? (sum + 1) >> 1 : sum;
  if (expected >= 8) bits.u(6, 0b000011);
  else bits.u(1, 1);
}

/** Encodes an IDR picture. Blocks that equal the one above or to the left cost a few bits, others 384 bytes. */
export function intraPicture(frame: VideoFrame, blocks: BlockPicture, order: { idr: number }): Uint8Array {
  const bits = bitWriter();
  sliceHead(bits, INTRA_SLICE, { number: 0, idr: order.idr });
  const { columns } = frame;
  const isRaw: boolean[] = [];
  for (const [at, block] of blocks.entries()) {
    const left = at % columns === 0 ? undefined : at - 1;
    const above = at < columns ? undefined : at - columns;
    const same = (other: number | undefined): boolean =>
      block.colour !== undefined && other !== undefined && blocks[other]?.colour === block.colour;
    const copy = same(above) ? COPY_DOWN : same(left) ? COPY_RIGHT : undefined;
    isRaw.push(copy === undefined);
    if (copy === undefined) {
      rawBlock(bits, I_PCM, block);
      continue;
    }
    bits.ue(copy.type);
    bits.ue(copy.chroma);
    bits.ue(0);
    noCoefficients(bits, left === undefined ? undefined : isRaw[left], above === undefined ? undefined : isRaw[above]);
  }
  return unit(5, 3, bits.finish());
}

/** Encodes the previous picture with a few blocks replaced. `number` counts from the last IDR picture. */
export function changedPicture(
  frame: VideoFrame,
  changes: ReadonlyMap<number, Macroblock>,
  { number }: { number: number },
): Uint8Array {
  const bits = bitWriter();
  sliceHead(bits, PREDICTED_SLICE, { number, idr: undefined });
  const total = frame.columns * frame.rows;
  let next = 0;
  for (const at of [...changes.keys()].sort((a, b) => a - b)) {
    bits.ue(at - next);
    rawBlock(bits, P_OFFSET + I_PCM, changes.get(at) as Macroblock);
    next = at + 1;
  }
  if (next < total) bits.ue(total - next);
  return unit(1, 2, bits.finish());
}
