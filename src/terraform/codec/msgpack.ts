import { Decoder, Encoder, ExtData, ExtensionCodec } from '@msgpack/msgpack';
import {
  Dynamic,
  ExactNumber,
  isObject,
  isUnknown,
  type NumberValue,
  numberFrom,
  type Refinement,
  UNKNOWN,
  Unknown,
  type Value,
  type ValueType,
} from './value.ts';
import { type Step, ValueError } from './value-error.ts';

/** What the library makes of bytes, before a type says what they mean. */
type Raw = null | boolean | number | bigint | string | Uint8Array | ExtData | Raw[] | { readonly [key: string]: Raw };

/** Stands before every key of a map: none is taken for what JavaScript means by it, `__proto__` for one. */
const MARK = '.';
const keyed = (key: unknown): string => `${MARK}${String(key)}`;

/** The library refuses `__proto__` before it converts a key, so keys are marked when they are read. */
const keyDecoder = {
  canBeCached: () => true,
  decode: (bytes: Uint8Array, from: number, length: number): string =>
    keyed(Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString('utf8')),
};
/** Refinements have numbers for keys. */
const mapKeyConverter = (key: unknown): string => (typeof key === 'string' ? key : keyed(key));

// No extension is known to it: each one comes as it is.
const extensionCodec = new ExtensionCodec();
const decoder = new Decoder({ extensionCodec, useBigInt64: true, keyDecoder, mapKeyConverter });
const encoder = new Encoder({ extensionCodec, useBigInt64: true });

const UNREFINED = new ExtData(0, Uint8Array.of(0));
const REFINED = 12;
const [IS_NULL, PREFIX, MIN_LENGTH, MAX_LENGTH] = ['1', '2', '5', '6'].map(keyed) as [string, string, string, string];

/** Whatever the extension, it says that the value is not known; one of them says more. */
function unknownOf({ type, data }: ExtData): Unknown {
  if (type !== REFINED || typeof data === 'function' || data.length <= 1) return UNKNOWN;
  const told = decoder.decode(data) as { readonly [key: string]: Raw };
  const refinement: Refinement = {
    ...(told[IS_NULL] === false ? { isNotNull: true } : {}),
    ...(typeof told[PREFIX] === 'string' ? { prefix: told[PREFIX] } : {}),
    ...(told[MIN_LENGTH] === undefined ? {} : { minLength: Number(told[MIN_LENGTH]) }),
    ...(told[MAX_LENGTH] === undefined ? {} : { maxLength: Number(told[MAX_LENGTH]) }),
  };
  return new Unknown(refinement);
}

const kindOf = (raw: Raw): string => (raw === null ? 'null' : Array.isArray(raw) ? 'a list' : typeof raw);
const wrong = (wanted: string, raw: Raw, path: readonly Step[]): ValueError =>
  new ValueError(`${wanted} expected, not ${kindOf(raw)}`, path);

/** Core sends every number as text that a float can not hold, 0.1 among them. */
function numberOf(raw: Raw, path: readonly Step[]): NumberValue {
  if (typeof raw === 'string') return numberFrom(raw);
  if (typeof raw === 'bigint') return numberFrom(String(raw));
  if (typeof raw === 'number') return raw;
  throw wrong('a number', raw, path);
}

function primitiveOf(raw: Raw, type: 'string' | 'bool' | 'number', path: readonly Step[]): Value {
  if (type === 'number') return numberOf(raw, path);
  if (type === 'string' ? typeof raw === 'string' : typeof raw === 'boolean') return raw as string | boolean;
  throw wrong(`a ${type}`, raw, path);
}

function dynamicOf(raw: Raw, path: readonly Step[]): Dynamic {
  if (!Array.isArray(raw) || raw.length !== 2) throw wrong('a type and a value', raw, path);
  const [told, inner] = raw as [Raw, Raw];
  const text = told instanceof Uint8Array ? Buffer.from(told).toString('utf8') : String(told);
  const type = JSON.parse(text) as ValueType;
  return new Dynamic(type, typedValue(inner, type, path));
}

function objectOf(raw: Raw, attributes: { readonly [name: string]: ValueType }, path: readonly Step[]): Value {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw wrong('an object', raw, path);
  const members = raw as { readonly [key: string]: Raw };
  const strange = Object.keys(members).find((key) => !Object.hasOwn(attributes, key.slice(MARK.length)));
  if (strange !== undefined) throw new ValueError(`no attribute is called ${strange.slice(MARK.length)}`, path);
  const entries = Object.entries(attributes).map(([name, type]): [string, Value] => {
    const member = members[keyed(name)];
    return [name, member === undefined ? null : typedValue(member, type, [...path, name])];
  });
  return Object.fromEntries(entries);
}

function collectionOf(raw: Raw, [kind, inner]: Exclude<ValueType, string>, path: readonly Step[]): Value {
  if (kind === 'object') return objectOf(raw, inner, path);
  if (kind === 'map') {
    if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw wrong('a map', raw, path);
    const entries = Object.entries(raw as { readonly [key: string]: Raw }).map(([marked, member]): [string, Value] => {
      const key = marked.slice(MARK.length);
      return [key, typedValue(member, inner, [...path, { key }])];
    });
    return new Map(entries);
  }
  if (!Array.isArray(raw)) throw wrong(`a ${kind}`, raw, path);
  if (kind === 'tuple' && raw.length !== inner.length) throw new ValueError(`${inner.length} elements expected`, path);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] as ValueType) : inner);
  return raw.map((member, index) => typedValue(member, typeAt(index), [...path, index]));
}

function typedValue(raw: Raw, type: ValueType, path: readonly Step[]): Value {
  if (raw instanceof ExtData) return unknownOf(raw);
  if (raw === null) return null;
  if (type === 'dynamic') return dynamicOf(raw, path);
  return typeof type === 'string' ? primitiveOf(raw, type, path) : collectionOf(raw, type, path);
}

/** Bytes of the protocol to a value of this type. Attributes that are not there are null. @throws ValueError */
export const decodeValue = (bytes: Uint8Array, type: ValueType): Value =>
  typedValue(decoder.decode(bytes) as Raw, type, []);

/**
 * Always as text. The bits of 0.1 are not 0.1 to core, which calculates with 512 of them; and a whole number that comes
 * as one is, bit by bit, not what core reads from its state: a refresh would find a difference that nobody can see.
 */
function rawNumber(value: Value, path: readonly Step[]): Raw {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  throw new ValueError('a number expected', path);
}

function rawCollection(value: Value, [kind, inner]: Exclude<ValueType, string>, path: readonly Step[]): Raw {
  if (kind === 'object') {
    if (!isObject(value)) throw new ValueError('an object expected', path);
    const strange = Object.keys(value).find((name) => !Object.hasOwn(inner, name));
    if (strange !== undefined) throw new ValueError(`no attribute is called ${strange}`, path);
    const entries = Object.entries(inner).map(([name, type]) => [
      name,
      rawOf(value[name] ?? null, type, [...path, name]),
    ]);
    return Object.fromEntries(entries);
  }
  if (kind === 'map') {
    if (!(value instanceof Map)) throw new ValueError('a map expected', path);
    return Object.fromEntries([...value].map(([key, member]) => [key, rawOf(member, inner, [...path, { key }])]));
  }
  if (!Array.isArray(value)) throw new ValueError(`a ${kind} expected`, path);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] as ValueType) : inner);
  return value.map((member: Value, index) => rawOf(member, typeAt(index), [...path, index]));
}

function rawOf(value: Value, type: ValueType, path: readonly Step[]): Raw {
  // What was known of it in the configuration is not known of what is planned.
  if (isUnknown(value)) return UNREFINED;
  if (value === null) return null;
  if (type === 'dynamic') {
    if (!(value instanceof Dynamic)) throw new ValueError('a value with its type expected', path);
    return [new TextEncoder().encode(JSON.stringify(value.type)), rawOf(value.value, value.type, path)];
  }
  if (type === 'number') return rawNumber(value, path);
  if (typeof type !== 'string') return rawCollection(value, type, path);
  if (typeof value === (type === 'bool' ? 'boolean' : 'string')) return value as string | boolean;
  throw new ValueError(`a ${type} expected`, path);
}

/** A value of this type to bytes of the protocol. @throws ValueError */
export const encodeValue = (value: Value, type: ValueType): Uint8Array => encoder.encode(rawOf(value, type, []));
