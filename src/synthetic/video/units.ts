import { type BitWriter, bitWriter } from './bits.ts';

/** The frame size of a video, in pixels (even) and in macroblocks of 16 by 16. */
export interface VideoFrame {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

export const MACROBLOCK = 16;

export const videoFrame = (width: number, height: number): VideoFrame => ({
  width,
  height,
  columns: Math.ceil(width / MACROBLOCK),
  rows: Math.ceil(height / MACROBLOCK),
});

/** Level, macroblocks per second, macroblocks per frame. H.264, table A-1. */
const LEVELS: readonly (readonly [number, number, number])[] = [
  [13, 11_880, 396],
  [21, 19_800, 792],
  [22, 20_250, 1620],
  [30, 40_500, 1620],
  [31, 108_000, 3600],
  [32, 216_000, 5120],
  [40, 245_760, 8192],
  [42, 522_240, 8704],
  [50, 589_824, 22_080],
  [51, 983_040, 36_864],
  [52, 2_073_600, 36_864],
  [60, 4_177_920, 139_264],
  [61, 8_355_840, 139_264],
];
const HIGHEST_LEVEL = 62;

export const BASELINE = 66;
/** Constraint sets 0 and 1: decoders of the main profile can play it too. */
export const CONSTRAINTS = 0xc0;

/** The lowest level whose decoders can play it. H.264, A.3.1 limits the longer edge. */
export function levelFor({ columns, rows }: VideoFrame, fps: number): number {
  const size = columns * rows;
  const edge = Math.max(columns, rows);
  const level = LEVELS.find(([, each, frame]) => size <= frame && size * fps <= each && edge * edge <= 8 * frame);
  return level?.[0] ?? HIGHEST_LEVEL;
}

/** The denominator of the frame rate: 23.976 has thousandths. */
const TIME_UNITS = 1000;

const BT709 = 1;
const UNSPECIFIED_FORMAT = 5;

/** Writes BT.709 colours and a fixed frame rate. H.264, annex E. */
function writeUsability(bits: BitWriter, fps: number): void {
  bits.u(1, 0); // no aspect ratio: pixels are square
  bits.u(1, 0); // no overscan
  bits.u(1, 1); // video signal type
  bits.u(3, UNSPECIFIED_FORMAT);
  bits.u(1, 0); // limited range
  bits.u(1, 1); // colour description
  for (let part = 0; part < 3; part += 1) bits.u(8, BT709);
  bits.u(1, 0); // no chroma location
  bits.u(1, 1); // timing
  bits.u(32, TIME_UNITS);
  bits.u(32, Math.round(fps * TIME_UNITS) * 2); // in fields, of which a frame has two
  bits.u(1, 1); // fixed
  for (let part = 0; part < 4; part += 1) bits.u(1, 0); // no NAL or VCL HRD, no picture structure, no restrictions
}

/** Sequence parameter set. H.264, 7.3.2.1. */
export function sequenceParameters(frame: VideoFrame, fps: number): Uint8Array {
  const bits = bitWriter();
  bits.u(8, BASELINE);
  bits.u(8, CONSTRAINTS);
  bits.u(8, levelFor(frame, fps));
  bits.ue(0);
  bits.ue(FRAME_NUMBER_BITS - 4);
  bits.ue(2); // output order is decoding order
  bits.ue(1); // one reference picture
  bits.u(1, 0);
  bits.ue(frame.columns - 1);
  bits.ue(frame.rows - 1);
  bits.u(1, 1); // frames only
  bits.u(1, 1);
  const right = frame.columns * MACROBLOCK - frame.width;
  const below = frame.rows * MACROBLOCK - frame.height;
  bits.u(1, right + below > 0 ? 1 : 0);
  // Cropping counts in pairs of pixels, like chroma samples.
  if (right + below > 0) for (const edge of [0, right / 2, 0, below / 2]) bits.ue(edge);
  bits.u(1, 1);
  writeUsability(bits, fps);
  return unit(7, 3, bits.finish());
}

/** Picture parameter set: CAVLC, one slice group, deblocking controlled by each slice. H.264, 7.3.2.2. */
export function pictureParameters(): Uint8Array {
  const bits = bitWriter();
  bits.ue(0);
  bits.ue(0);
  bits.u(2, 0); // CAVLC, no field order
  bits.ue(0);
  bits.ue(0);
  bits.ue(0);
  bits.u(3, 0); // no weighted prediction
  for (let part = 0; part < 3; part += 1) bits.ue(0); // QP 26, QS 26, no chroma offset
  bits.u(3, 0b100); // deblocking control; intra prediction unconstrained; no redundant pictures
  return unit(8, 3, bits.finish());
}

/** The size of the number that counts pictures from one IDR picture to the next. */
export const FRAME_NUMBER_BITS = 16;

/** Builds a NAL unit: its header, and a three after any two zeros that could be taken for a start code. H.264, 7.4.1. */
export function unit(type: number, importance: number, payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(1 + Math.ceil(payload.length * 1.5));
  out[0] = (importance << 5) | type;
  let length = 1;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      out[length++] = 3;
      zeros = 0;
    }
    out[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return out.subarray(0, length);
}

/** Prefixes a unit with its length in four bytes, as in MP4. */
export function prefixed(content: Uint8Array): Uint8Array {
  const out = new Uint8Array(content.length + 4);
  new DataView(out.buffer).setUint32(0, content.length);
  out.set(content, 4);
  return out;
}

/** The configuration of the decoder (`avcC`). */
export function decoderDescription(sequence: Uint8Array, picture: Uint8Array): Uint8Array {
  const size = (bytes: Uint8Array): [number, number] => [bytes.length >> 8, bytes.length & 0xff];
  const [, profile = 0, constraints = 0, level = 0] = sequence;
  const head = [1, profile, constraints, level, 0xff, 0xe1, ...size(sequence)];
  return new Uint8Array([...head, ...sequence, 1, ...size(picture), ...picture]);
}
