import { errorAt, HEAD, inside, type ValuePath } from './msgpack-format.ts';
import {
  type EncodedInput,
  inputOf,
  isExtension,
  kindOf,
  skip,
  takeExtension,
  tryTakeArray,
  tryTakeBinaryText,
  tryTakeMap,
  tryTakeNumber,
  tryTakeText,
} from './msgpack-input.ts';
import {
  type Attributes,
  Dynamic,
  numberFrom,
  type Refinement,
  type TerraformNumber,
  type TerraformObject,
  type TerraformValue,
  UNKNOWN,
  Unknown,
  type ValueType,
} from './value.ts';
import { ValueError } from './value-error.ts';

/** Decodes a value of a type. @throws ValueError */
export type Decode = (bytes: Uint8Array, type: ValueType) => TerraformValue;

type CollectionType = Exclude<ValueType, string>;

/** Returns the value of some bytes, which it may have decoded before. */
type Share = (type: CollectionType, bytes: string, decode: () => TerraformValue) => TerraformValue;

interface ValueReading extends EncodedInput {
  /** Shares the collections within a value. Omitted: each is decoded. */
  readonly share?: Share | undefined;
}

const wrong = (wanted: string, input: EncodedInput, path: ValuePath): ValueError =>
  errorAt(path, `${wanted} expected, not ${kindOf(input)}`);

const REFINED = 12;
const [IS_NULL, PREFIX, MIN_LENGTH, MAX_LENGTH] = [1, 2, 5, 6];

/** Reads the part of a refinement that has this number. Those that this provider does not use are passed over. */
function refinementPart(number: number | bigint | undefined, input: EncodedInput): Refinement {
  if (number === IS_NULL && input.bytes[input.at] === HEAD.false) {
    input.at += 1;
    return { isNotNull: true };
  }
  if (number === PREFIX) {
    const prefix = tryTakeText(input);
    if (prefix !== undefined) return { prefix };
  }
  if (number === MIN_LENGTH || number === MAX_LENGTH) {
    const length = tryTakeNumber(input);
    if (length !== undefined) return { [number === MIN_LENGTH ? 'minLength' : 'maxLength']: Number(length) };
  }
  skip(input);
  return {};
}

/** Every extension means an unknown value; one of them adds a refinement. */
function unknownOf(reading: EncodedInput): Unknown {
  const { type, data } = takeExtension(reading);
  if (type !== REFINED || data.length <= 1) return UNKNOWN;
  const input = inputOf(data);
  let refinement: Refinement = {};
  for (let left = tryTakeMap(input) ?? 0; left > 0; left -= 1) {
    refinement = { ...refinement, ...refinementPart(tryTakeNumber(input), input) };
  }
  return new Unknown(refinement);
}

/** Core sends numbers that a float cannot hold as text, such as 0.1. */
function numberOf(input: EncodedInput, path: ValuePath): TerraformNumber {
  const number = tryTakeNumber(input);
  if (typeof number === 'number') return number;
  const text = number === undefined ? tryTakeText(input) : String(number);
  if (text !== undefined) return numberFrom(text);
  throw wrong('a number', input, path);
}

function primitiveOf(input: EncodedInput, type: 'string' | 'bool' | 'number', path: ValuePath): TerraformValue {
  if (type === 'number') return numberOf(input, path);
  if (type === 'string') {
    const text = tryTakeText(input);
    if (text !== undefined) return text;
  } else {
    const head = input.bytes[input.at];
    if (head === HEAD.true || head === HEAD.false) {
      input.at += 1;
      return head === HEAD.true;
    }
  }
  throw wrong(`a ${type}`, input, path);
}

function dynamicOf(input: ValueReading, path: ValuePath): Dynamic {
  const found = kindOf(input);
  const text = tryTakeArray(input) === 2 ? (tryTakeBinaryText(input) ?? tryTakeText(input)) : undefined;
  if (text === undefined) throw errorAt(path, `a type and a value expected, not ${found}`);
  const type = JSON.parse(text) as ValueType;
  return new Dynamic(type, valueFrom(input, type, path));
}

/** An object of each type, with null for each attribute: to copy it takes less time than to add them. */
const empties = new WeakMap<Attributes, TerraformObject>();

function emptyOf(attributes: Attributes): TerraformObject {
  const known = empties.get(attributes);
  if (known !== undefined) return known;
  const empty = Object.fromEntries(Object.keys(attributes).map((name): [string, null] => [name, null]));
  empties.set(attributes, empty);
  return empty;
}

function keyOf(input: EncodedInput, path: ValuePath): string {
  const key = tryTakeText(input);
  if (key === undefined) throw wrong('the name of a member', input, path);
  return key;
}

function objectOf(input: ValueReading, attributes: Attributes, path: ValuePath): TerraformValue {
  const count = tryTakeMap(input);
  if (count === undefined) throw wrong('an object', input, path);
  const object: { [name: string]: TerraformValue } = { ...emptyOf(attributes) };
  for (let left = count; left > 0; left -= 1) {
    const name = keyOf(input, path);
    const type = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (type === undefined) throw errorAt(path, `no attribute is called ${name}`);
    // Each name is an own property already, also one that means something to JavaScript.
    object[name] = input.bytes[input.at] === HEAD.nil ? nullOf(input) : memberOf(input, type, inside(path, name));
  }
  return object;
}

function nullOf(input: EncodedInput): null {
  input.at += 1;
  return null;
}

/** Decodes an attribute, or takes the value of the same bytes in another object: many objects have the same lists. */
function memberOf(input: ValueReading, type: ValueType, path: ValuePath): TerraformValue {
  const { share, at, bytes } = input;
  if (share === undefined || typeof type === 'string') return valueFrom(input, type, path);
  skip(input);
  const text = bytes.toString('latin1', at, input.at);
  return share(type, text, () => valueFrom({ bytes, at, share }, type, path));
}

function mapOf(input: ValueReading, inner: ValueType, path: ValuePath): TerraformValue {
  const count = tryTakeMap(input);
  if (count === undefined) throw wrong('a map', input, path);
  const map = new Map<string, TerraformValue>();
  for (let left = count; left > 0; left -= 1) {
    const key = keyOf(input, path);
    map.set(key, valueFrom(input, inner, inside(path, { key })));
  }
  return map;
}

function collectionOf(input: ValueReading, [kind, inner]: CollectionType, path: ValuePath): TerraformValue {
  if (kind === 'object') return objectOf(input, inner, path);
  if (kind === 'map') return mapOf(input, inner, path);
  const count = tryTakeArray(input);
  if (count === undefined) throw wrong(`a ${kind}`, input, path);
  if (kind === 'tuple' && count !== inner.length) throw errorAt(path, `${inner.length} elements expected`);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] ?? 'dynamic') : inner);
  const items: TerraformValue[] = [];
  // A message may announce more elements than it has.
  for (let index = 0; index < count; index += 1) items.push(valueFrom(input, typeAt(index), inside(path, index)));
  return items;
}

function valueFrom(input: ValueReading, type: ValueType, path: ValuePath): TerraformValue {
  const head = input.bytes[input.at];
  if (head === undefined) throw errorAt(path, 'the bytes end within a value');
  if (head === HEAD.nil) return nullOf(input);
  if (isExtension(head)) return unknownOf(input);
  if (type === 'dynamic') return dynamicOf(input, path);
  return typeof type === 'string' ? primitiveOf(input, type, path) : collectionOf(input, type, path);
}

function decode(bytes: Uint8Array, type: ValueType, share?: Share): TerraformValue {
  const input: ValueReading = { ...inputOf(bytes), share };
  const value = valueFrom(input, type, undefined);
  if (input.at < input.bytes.length) throw new ValueError('there are bytes after the value', []);
  return value;
}

/** Decodes a value of this type. Missing attributes become null. @throws ValueError */
export const decodeValue: Decode = (bytes, type) => decode(bytes, type);

/** The most values that are remembered, of each kind. */
const MOST_WHOLE = 5000;
const MOST_PARTS = 1000;

/** The remembered values of each type, by their bytes. */
type Memory = WeakMap<object, Map<string, TerraformValue>>;

function memoryOf(memories: Memory, type: object): Map<string, TerraformValue> {
  const known = memories.get(type);
  if (known !== undefined) return known;
  const memory = new Map<string, TerraformValue>();
  memories.set(type, memory);
  return memory;
}

const sharing =
  (parts: Memory): Share =>
  (type, bytes, decodePart) => {
    const memory = memoryOf(parts, type);
    const known = memory.get(bytes);
    if (known !== undefined) return known;
    const value = decodePart();
    if (memory.size < MOST_PARTS) memory.set(bytes, value);
    return value;
  };

/**
 * Opens a decoder for many calls about the same objects. Core sends each configuration for its validation and for its plan, and each
 * state for its refresh and for its plan: the second time, the value of the first is returned. Attributes with equal lists share one,
 * so that what is computed of a value can be remembered by its identity. Not for secrets: what it decodes stays in memory.
 */
export function openSharedDecoder(): Decode {
  const [wholes, parts]: [Memory, Memory] = [new WeakMap(), new WeakMap()];
  const share = sharing(parts);
  return (bytes, type) => {
    if (typeof type === 'string') return decode(bytes, type);
    const memory = memoryOf(wholes, type);
    const text = inputOf(bytes).bytes.toString('latin1');
    const known = memory.get(text);
    if (known !== undefined) {
      // Nobody sends it a third time.
      memory.delete(text);
      return known;
    }
    const value = decode(bytes, type, share);
    if (memory.size < MOST_WHOLE) memory.set(text, value);
    return value;
  };
}
