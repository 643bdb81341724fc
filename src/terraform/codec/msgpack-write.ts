import { errorAt, HEAD, inside, type ValuePath } from './msgpack-format.ts';
import {
  type Attributes,
  Dynamic,
  ExactNumber,
  isObject,
  isUnknown,
  type TerraformValue,
  type ValueType,
} from './value.ts';

/** A buffer that grows, of which the bytes before a position are written. */
interface EncodedOutput {
  bytes: Buffer;
  at: number;
}

/** Most values of a resource have less. */
const FIRST_BYTES = 1024;

/** Makes room for a number of bytes. @returns the position to write them at */
function room(output: EncodedOutput, count: number): number {
  const { at } = output;
  output.at = at + count;
  if (output.at <= output.bytes.length) return at;
  const larger = Buffer.allocUnsafe(Math.max(output.at, 2 * output.bytes.length));
  output.bytes.copy(larger, 0, 0, at);
  output.bytes = larger;
  return at;
}

function writeByte(output: EncodedOutput, byte: number): void {
  const at = room(output, 1);
  output.bytes[at] = byte;
}

/** Writes a head with a length in 1, 2 or 4 bytes. */
function writeSized(output: EncodedOutput, head: number, length: number, size: 1 | 2 | 4): void {
  const at = room(output, 1 + size);
  output.bytes[at] = head;
  output.bytes.writeUIntBE(length, at + 1, size);
}

function writeStringHead(output: EncodedOutput, length: number): void {
  if (length < 32) writeByte(output, HEAD.fixString | length);
  else if (length < 2 ** 8) writeSized(output, HEAD.string8, length, 1);
  else if (length < 2 ** 16) writeSized(output, HEAD.string16, length, 2);
  else writeSized(output, HEAD.string32, length, 4);
}

function writeText(output: EncodedOutput, text: string): void {
  const length = Buffer.byteLength(text);
  writeStringHead(output, length);
  const at = room(output, length);
  output.bytes.write(text, at);
}

function writeArrayHead(output: EncodedOutput, length: number): void {
  if (length < 16) writeByte(output, HEAD.fixArray | length);
  else if (length < 2 ** 16) writeSized(output, HEAD.array16, length, 2);
  else writeSized(output, HEAD.array32, length, 4);
}

function writeMapHead(output: EncodedOutput, length: number): void {
  if (length < 16) writeByte(output, HEAD.fixMap | length);
  else if (length < 2 ** 16) writeSized(output, HEAD.map16, length, 2);
  else writeSized(output, HEAD.map32, length, 4);
}

function writeBinary(output: EncodedOutput, data: Buffer): void {
  if (data.length < 2 ** 8) writeSized(output, HEAD.bin8, data.length, 1);
  else if (data.length < 2 ** 16) writeSized(output, HEAD.bin16, data.length, 2);
  else writeSized(output, HEAD.bin32, data.length, 4);
  const at = room(output, data.length);
  data.copy(output.bytes, at);
}

/** A refinement of the configured value does not hold for the planned one. */
function writeUnknown(output: EncodedOutput): void {
  const at = room(output, 3);
  output.bytes[at] = HEAD.fixExt1;
  output.bytes.fill(0, at + 1, at + 3);
}

/**
 * Writes every number as text. Core calculates with 512 bits, where the float 0.1 is not 0.1; and a whole number sent as a
 * float differs from the one that core reads from its state, so a refresh would report an invisible change.
 */
function writeNumber(output: EncodedOutput, value: TerraformValue, path: ValuePath): void {
  if (value instanceof ExactNumber) writeText(output, value.text);
  else if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) {
    writeText(output, String(value));
  } else throw errorAt(path, 'a number expected');
}

function writeObject(output: EncodedOutput, value: TerraformValue, attributes: Attributes, path: ValuePath): void {
  if (!isObject(value)) throw errorAt(path, 'an object expected');
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(attributes, name)) throw errorAt(path, `no attribute is called ${name}`);
  }
  const names = Object.keys(attributes);
  writeMapHead(output, names.length);
  for (const name of names) {
    writeText(output, name);
    writeValue(output, value[name] ?? null, { type: attributes[name] ?? 'dynamic', path, step: name });
  }
}

function writeCollection(
  output: EncodedOutput,
  value: TerraformValue,
  [kind, inner]: Exclude<ValueType, string>,
  path: ValuePath,
): void {
  if (kind === 'object') return void writeObject(output, value, inner, path);
  if (kind === 'map') {
    if (!(value instanceof Map)) throw errorAt(path, 'a map expected');
    writeMapHead(output, value.size);
    for (const [key, member] of value) {
      writeText(output, key);
      writeValue(output, member, { type: inner, path, step: { key } });
    }
    return;
  }
  if (!Array.isArray(value)) throw errorAt(path, `a ${kind} expected`);
  writeArrayHead(output, value.length);
  value.forEach((member: TerraformValue, step) => {
    writeValue(output, member, { type: kind === 'tuple' ? (inner[step] ?? 'dynamic') : inner, path, step });
  });
}

function writeDynamic(output: EncodedOutput, value: TerraformValue, path: ValuePath): void {
  if (!(value instanceof Dynamic)) throw errorAt(path, 'a value with its type expected');
  writeArrayHead(output, 2);
  writeBinary(output, Buffer.from(JSON.stringify(value.type)));
  write(output, value.value, value.type, path);
}

type ValuePlace = { readonly type: ValueType; readonly path: ValuePath; readonly step: NonNullable<ValuePath>['step'] };

function writeValue(output: EncodedOutput, value: TerraformValue, { type, path, step }: ValuePlace): void {
  if (value === null) writeByte(output, HEAD.nil);
  else write(output, value, type, inside(path, step));
}

function write(output: EncodedOutput, value: TerraformValue, type: ValueType, path: ValuePath): void {
  if (isUnknown(value)) return void writeUnknown(output);
  if (value === null) return void writeByte(output, HEAD.nil);
  if (type === 'dynamic') return void writeDynamic(output, value, path);
  if (type === 'number') return void writeNumber(output, value, path);
  if (typeof type !== 'string') return void writeCollection(output, value, type, path);
  if (type === 'string' && typeof value === 'string') return void writeText(output, value);
  if (type === 'bool' && typeof value === 'boolean') return void writeByte(output, value ? HEAD.true : HEAD.false);
  throw errorAt(path, `a ${type} expected`);
}

/** Encodes a value of this type. @throws ValueError */
export function encodeValue(value: TerraformValue, type: ValueType): Uint8Array {
  const output: EncodedOutput = { bytes: Buffer.allocUnsafe(FIRST_BYTES), at: 0 };
  write(output, value, type, undefined);
  return output.bytes.subarray(0, output.at);
}
