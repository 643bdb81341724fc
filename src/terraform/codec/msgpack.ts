import { Decoder, Encoder, ExtData, ExtensionCodec } from '@msgpack/msgpack';
import {
  type Attributes,
  Dynamic,
  ExactNumber,
  isObject,
  isUnknown,
  listAttributes,
  numberFrom,
  type Refinement,
  type TerraformNumber,
  type TerraformValue,
  UNKNOWN,
  Unknown,
  type ValueType,
} from './value.ts';
import { type PathStep, ValueError } from './value-error.ts';

/** The library’s output, before a type gives it a meaning. */
type Raw = null | boolean | number | bigint | string | Uint8Array | ExtData | Raw[] | { readonly [key: string]: Raw };

/** Prefixes every key of a map, so that JavaScript gives no key a meaning of its own, such as `__proto__`. */
const MARK = '.';
const keyed = (key: unknown): string => `${MARK}${String(key)}`;

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Marks keys when they are read, because the library rejects `__proto__` before it converts a key. */
const keyDecoder = {
  canBeCached: () => true,
  decode: (bytes: Uint8Array, from: number, length: number): string =>
    keyed(bufferOf(bytes).toString('utf8', from, from + length)),
};
/** Refinements have numeric keys. */
const mapKeyConverter = (key: unknown): string => (typeof key === 'string' ? key : keyed(key));

// Registers no extension, so that each one is passed through.
const extensionCodec = new ExtensionCodec();
const decoder = new Decoder({ extensionCodec, useBigInt64: true, keyDecoder, mapKeyConverter });
const encoder = new Encoder({ extensionCodec, useBigInt64: true });

const UNREFINED = new ExtData(0, Uint8Array.of(0));
const REFINED = 12;
const [IS_NULL, PREFIX, MIN_LENGTH, MAX_LENGTH] = ['1', '2', '5', '6'].map(keyed) as [string, string, string, string];

/** Every extension means an unknown value; one of them adds a refinement. */
function unknownOf({ type, data }: ExtData): Unknown {
  if (type !== REFINED || typeof data === 'function' || data.length <= 1) return UNKNOWN;
  const details = decoder.decode(data) as { readonly [key: string]: Raw };
  const refinement: Refinement = {
    ...(details[IS_NULL] === false ? { isNotNull: true } : {}),
    ...(typeof details[PREFIX] === 'string' ? { prefix: details[PREFIX] } : {}),
    ...(details[MIN_LENGTH] === undefined ? {} : { minLength: Number(details[MIN_LENGTH]) }),
    ...(details[MAX_LENGTH] === undefined ? {} : { maxLength: Number(details[MAX_LENGTH]) }),
  };
  return new Unknown(refinement);
}

/** The way to a value from its innermost step: only an error needs it whole. */
type Path = { readonly up: Path; readonly step: PathStep } | undefined;

const inside = (up: Path, step: PathStep): Path => ({ up, step });

function stepsOf(path: Path): readonly PathStep[] {
  const steps: PathStep[] = [];
  for (let at = path; at !== undefined; at = at.up) steps.unshift(at.step);
  return steps;
}

const kindOf = (raw: Raw): string => (raw === null ? 'null' : Array.isArray(raw) ? 'a list' : typeof raw);
const wrong = (wanted: string, raw: Raw, path: Path): ValueError =>
  new ValueError(`${wanted} expected, not ${kindOf(raw)}`, stepsOf(path));

/** Core sends numbers that a float cannot hold as text, such as 0.1. */
function numberOf(raw: Raw, path: Path): TerraformNumber {
  if (typeof raw === 'string') return numberFrom(raw);
  if (typeof raw === 'bigint') return numberFrom(String(raw));
  if (typeof raw === 'number') return raw;
  throw wrong('a number', raw, path);
}

function primitiveOf(raw: Raw, type: 'string' | 'bool' | 'number', path: Path): TerraformValue {
  if (type === 'number') return numberOf(raw, path);
  if (type === 'string' ? typeof raw === 'string' : typeof raw === 'boolean') return raw as string | boolean;
  throw wrong(`a ${type}`, raw, path);
}

function dynamicOf(raw: Raw, path: Path): Dynamic {
  if (!Array.isArray(raw) || raw.length !== 2) throw wrong('a type and a value', raw, path);
  const [typeJson, inner] = raw as [Raw, Raw];
  const text = typeJson instanceof Uint8Array ? Buffer.from(typeJson).toString('utf8') : String(typeJson);
  const type = JSON.parse(text) as ValueType;
  return new Dynamic(type, typedValue(inner, type, path));
}

const strangeName = (name: string, path: Path): ValueError =>
  new ValueError(`no attribute is called ${name}`, stepsOf(path));

function objectOf(raw: Raw, attributes: Attributes, path: Path): TerraformValue {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw wrong('an object', raw, path);
  const members = raw as { readonly [key: string]: Raw };
  let found = 0;
  const entries = listAttributes(attributes).map(([name, type]): [string, TerraformValue] => {
    const member = members[keyed(name)];
    if (member === undefined) return [name, null];
    found += 1;
    return [name, typedValue(member, type, inside(path, name))];
  });
  const names = Object.keys(members);
  const strange =
    found < names.length ? names.find((key) => !Object.hasOwn(attributes, key.slice(MARK.length))) : undefined;
  if (strange !== undefined) throw strangeName(strange.slice(MARK.length), path);
  return Object.fromEntries(entries);
}

function collectionOf(raw: Raw, [kind, inner]: Exclude<ValueType, string>, path: Path): TerraformValue {
  if (kind === 'object') return objectOf(raw, inner, path);
  if (kind === 'map') {
    if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw wrong('a map', raw, path);
    const entries = Object.entries(raw as { readonly [key: string]: Raw }).map(
      ([marked, member]): [string, TerraformValue] => {
        const key = marked.slice(MARK.length);
        return [key, typedValue(member, inner, inside(path, { key }))];
      },
    );
    return new Map(entries);
  }
  if (!Array.isArray(raw)) throw wrong(`a ${kind}`, raw, path);
  if (kind === 'tuple' && raw.length !== inner.length)
    throw new ValueError(`${inner.length} elements expected`, stepsOf(path));
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] as ValueType) : inner);
  return raw.map((member, index) => typedValue(member, typeAt(index), inside(path, index)));
}

function typedValue(raw: Raw, type: ValueType, path: Path): TerraformValue {
  if (raw instanceof ExtData) return unknownOf(raw);
  if (raw === null) return null;
  if (type === 'dynamic') return dynamicOf(raw, path);
  return typeof type === 'string' ? primitiveOf(raw, type, path) : collectionOf(raw, type, path);
}

/** Decodes a value of a type. @throws ValueError */
export type Decode = (bytes: Uint8Array, type: ValueType) => TerraformValue;

function rawFrom(bytes: Uint8Array): Raw {
  try {
    return decoder.decode(bytes) as Raw;
  } catch (cause) {
    throw new ValueError(`the bytes are not a value: ${cause instanceof Error ? cause.message : cause}`, []);
  }
}

/** Decodes a value of this type. Missing attributes become null. @throws ValueError */
export const decodeValue: Decode = (bytes, type) => typedValue(rawFrom(bytes), type, undefined);

/** The most values that are remembered of each type. */
const MOST_VALUES = 5000;

/**
 * Opens a decoder for many calls about the same objects. Core sends each configuration for its validation and for its plan, and each
 * state for its refresh and for its plan: the second time, the value of the first is returned, so that what is computed from a value can
 * be remembered by its identity. Not for secrets: what it decodes stays in memory.
 */
export function openRememberingDecoder(): Decode {
  const memories = new WeakMap<object, Map<string, TerraformValue>>();
  return (bytes, type) => {
    if (typeof type === 'string') return decodeValue(bytes, type);
    const memory = memories.get(type) ?? new Map<string, TerraformValue>();
    memories.set(type, memory);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    const known = memory.get(text);
    if (known !== undefined) {
      // Nobody sends it a third time.
      memory.delete(text);
      return known;
    }
    const value = decodeValue(bytes, type);
    if (memory.size < MOST_VALUES) memory.set(text, value);
    return value;
  };
}

/**
 * Encodes every number as text. Core calculates with 512 bits, where the float 0.1 is not 0.1; and a whole number sent as a
 * float differs from the one that core reads from its state, so a refresh would report an invisible change.
 */
function rawNumber(value: TerraformValue, path: Path): Raw {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  throw new ValueError('a number expected', stepsOf(path));
}

function rawCollection(value: TerraformValue, [kind, inner]: Exclude<ValueType, string>, path: Path): Raw {
  if (kind === 'object') {
    if (!isObject(value)) throw new ValueError('an object expected', stepsOf(path));
    const strange = Object.keys(value).find((name) => !Object.hasOwn(inner, name));
    if (strange !== undefined) throw strangeName(strange, path);
    const entries = listAttributes(inner).map(([name, type]) => [
      name,
      rawOf(value[name] ?? null, type, inside(path, name)),
    ]);
    return Object.fromEntries(entries);
  }
  if (kind === 'map') {
    if (!(value instanceof Map)) throw new ValueError('a map expected', stepsOf(path));
    return Object.fromEntries([...value].map(([key, member]) => [key, rawOf(member, inner, inside(path, { key }))]));
  }
  if (!Array.isArray(value)) throw new ValueError(`a ${kind} expected`, stepsOf(path));
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] as ValueType) : inner);
  return value.map((member: TerraformValue, index) => rawOf(member, typeAt(index), inside(path, index)));
}

function rawOf(value: TerraformValue, type: ValueType, path: Path): Raw {
  // A refinement of the configured value does not hold for the planned one.
  if (isUnknown(value)) return UNREFINED;
  if (value === null) return null;
  if (type === 'dynamic') {
    if (!(value instanceof Dynamic)) throw new ValueError('a value with its type expected', stepsOf(path));
    return [new TextEncoder().encode(JSON.stringify(value.type)), rawOf(value.value, value.type, path)];
  }
  if (type === 'number') return rawNumber(value, path);
  if (typeof type !== 'string') return rawCollection(value, type, path);
  if (typeof value === (type === 'bool' ? 'boolean' : 'string')) return value as string | boolean;
  throw new ValueError(`a ${type} expected`, stepsOf(path));
}

/** Encodes a value of this type. @throws ValueError */
export const encodeValue = (value: TerraformValue, type: ValueType): Uint8Array =>
  encoder.encode(rawOf(value, type, undefined));
