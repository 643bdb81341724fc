import { HEAD } from './msgpack-format.ts';
import { ValueError } from './value-error.ts';

/** Bytes in MessagePack, of which those before a position are read. */
export interface EncodedInput {
  readonly bytes: Buffer;
  at: number;
}

export const inputOf = (bytes: Uint8Array): EncodedInput => ({
  bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  at: 0,
});

/** Advances by a number of bytes. @returns the position before them @throws ValueError when there are fewer */
export function take(input: EncodedInput, count: number): number {
  const { at, bytes } = input;
  if (count > bytes.length - at) throw new ValueError('the bytes end within a value', []);
  input.at = at + count;
  return at;
}

export const takeByte = (input: EncodedInput): number => input.bytes[take(input, 1)] ?? 0;

/** Reads a length of 1, 2 or 4 bytes. */
const takeLength = (input: EncodedInput, size: number): number => input.bytes.readUIntBE(take(input, size), size);

/** The first byte of a kind of values whose short ones have their length in it, and of those with a length of 8, 16 and 32 bits. */
interface Sized {
  readonly fix: number;
  readonly most: number;
  /** The sizes of the length by first byte. */
  readonly sizes: Readonly<Record<number, number>>;
}

const STRING: Sized = {
  fix: HEAD.fixString,
  most: 31,
  sizes: { [HEAD.string8]: 1, [HEAD.string16]: 2, [HEAD.string32]: 4 },
};
const ARRAY: Sized = { fix: HEAD.fixArray, most: 15, sizes: { [HEAD.array16]: 2, [HEAD.array32]: 4 } };
const MAP: Sized = { fix: HEAD.fixMap, most: 15, sizes: { [HEAD.map16]: 2, [HEAD.map32]: 4 } };
const BINARY: Sized = { fix: -1, most: -1, sizes: { [HEAD.bin8]: 1, [HEAD.bin16]: 2, [HEAD.bin32]: 4 } };

/** Reads the head of a value of one kind. @returns its length; undefined, without reading, for another kind */
function tryTakeHead(input: EncodedInput, { fix, most, sizes }: Sized): number | undefined {
  const head = input.bytes[input.at] ?? 0;
  const short = head - fix;
  if (short >= 0 && short <= most) {
    input.at += 1;
    return short;
  }
  const size = sizes[head];
  if (size === undefined) return undefined;
  input.at += 1;
  return takeLength(input, size);
}

export const tryTakeArray = (input: EncodedInput): number | undefined => tryTakeHead(input, ARRAY);
export const tryTakeMap = (input: EncodedInput): number | undefined => tryTakeHead(input, MAP);

const textOf = (input: EncodedInput, length: number): string => {
  const from = take(input, length);
  return input.bytes.toString('utf8', from, from + length);
};

export function tryTakeText(input: EncodedInput): string | undefined {
  const length = tryTakeHead(input, STRING);
  return length === undefined ? undefined : textOf(input, length);
}

/** Reads text that came as bytes. */
export function tryTakeBinaryText(input: EncodedInput): string | undefined {
  const length = tryTakeHead(input, BINARY);
  return length === undefined ? undefined : textOf(input, length);
}

const INTEGERS: Readonly<Record<number, (bytes: Buffer, at: number) => number | bigint>> = {
  [HEAD.uint8]: (bytes, at) => bytes.readUInt8(at),
  [HEAD.uint16]: (bytes, at) => bytes.readUInt16BE(at),
  [HEAD.uint32]: (bytes, at) => bytes.readUInt32BE(at),
  [HEAD.uint64]: (bytes, at) => bytes.readBigUInt64BE(at),
  [HEAD.int8]: (bytes, at) => bytes.readInt8(at),
  [HEAD.int16]: (bytes, at) => bytes.readInt16BE(at),
  [HEAD.int32]: (bytes, at) => bytes.readInt32BE(at),
  [HEAD.int64]: (bytes, at) => bytes.readBigInt64BE(at),
  [HEAD.float32]: (bytes, at) => bytes.readFloatBE(at),
  [HEAD.float64]: (bytes, at) => bytes.readDoubleBE(at),
};

const NUMBER_SIZES: Readonly<Record<number, number>> = {
  ...{ [HEAD.uint8]: 1, [HEAD.uint16]: 2, [HEAD.uint32]: 4, [HEAD.uint64]: 8 },
  ...{ [HEAD.int8]: 1, [HEAD.int16]: 2, [HEAD.int32]: 4, [HEAD.int64]: 8 },
  ...{ [HEAD.float32]: 4, [HEAD.float64]: 8 },
};

const isFixInt = (head: number): boolean => head < HEAD.fixMap || head >= HEAD.negativeFixInt;

/** Reads a number that is not text. Undefined, without reading, for another kind. */
export function tryTakeNumber(input: EncodedInput): number | bigint | undefined {
  const head = input.bytes[input.at] ?? HEAD.nil;
  const size = NUMBER_SIZES[head];
  if (size === undefined && !isFixInt(head)) return undefined;
  input.at += 1;
  if (size === undefined) return head < HEAD.fixMap ? head : head - 256;
  return INTEGERS[head]?.(input.bytes, take(input, size));
}

export const isExtension = (head: number): boolean =>
  (head >= HEAD.fixExt1 && head <= HEAD.fixExt16) || (head >= HEAD.ext8 && head <= HEAD.ext32);

/** Reads an extension. */
export function takeExtension(input: EncodedInput): { readonly type: number; readonly data: Buffer } {
  const head = takeByte(input);
  const length = head >= HEAD.fixExt1 ? 1 << (head - HEAD.fixExt1) : takeLength(input, 1 << (head - HEAD.ext8));
  const type = takeByte(input);
  const from = take(input, length);
  return { type, data: input.bytes.subarray(from, from + length) };
}

/** Passes over a value of any kind. @throws ValueError */
export function skip(input: EncodedInput): void {
  const head = input.bytes[input.at] ?? HEAD.nil;
  if (head === HEAD.nil || head === HEAD.false || head === HEAD.true) return void take(input, 1);
  if (isExtension(head)) return void takeExtension(input);
  const length = tryTakeHead(input, STRING) ?? tryTakeHead(input, BINARY);
  if (length !== undefined) return void take(input, length);
  const count = tryTakeArray(input) ?? twice(tryTakeMap(input));
  for (let left = count ?? 0; left > 0; left -= 1) skip(input);
  if (count === undefined && tryTakeNumber(input) === undefined) throw new ValueError('the bytes are not a value', []);
}

const twice = (count: number | undefined): number | undefined => (count === undefined ? undefined : 2 * count);

/** The kind of the next value, for people. */
export function kindOf({ bytes, at }: EncodedInput): string {
  const ahead: EncodedInput = { bytes, at };
  const head = bytes[at] ?? HEAD.nil;
  if (head === HEAD.nil) return 'null';
  if (head === HEAD.false || head === HEAD.true) return 'a bool';
  if (tryTakeArray(ahead) !== undefined) return 'a list';
  if (tryTakeHead(ahead, STRING) !== undefined) return 'a string';
  return tryTakeNumber(ahead) === undefined ? 'an object' : 'a number';
}
