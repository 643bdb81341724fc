import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

interface Scalars {
  readonly string: string;
  readonly bytes: Uint8Array;
  readonly bool: boolean;
  readonly int64: number;
  /** Its number. */
  readonly enum: number;
}

type ScalarKind = keyof Scalars;

/** A function where two messages hold each other. */
type FieldKind = ScalarKind | MessageDefinition<object> | (() => MessageDefinition<object>);

type Cardinality = 'one' | 'maybe' | 'many' | 'map';

/** A field of a message, whose value is a `T`. */
export interface Field<T> {
  readonly number: number;
  readonly kind: FieldKind;
  readonly rule: Cardinality;
  /** Carries the type; never set. */
  readonly type?: T;
}

/** A message of the protocol as data: its fields by name. */
export interface MessageDefinition<T extends object> {
  readonly fields: { readonly [K in keyof T]-?: Field<unknown> };
  readonly list: readonly (readonly [name: string, field: Field<unknown>])[];
  readonly byNumber: ReadonlyMap<number, readonly [name: string, field: Field<unknown>]>;
  /** The fields that hold several values: each decoded message has its own. */
  readonly collections: readonly (readonly [name: string, rule: 'many' | 'map'])[];
  /** The decoded form of a message of no bytes, without the collections. */
  readonly empty: object;
  /** Carries the type; never set. */
  readonly type?: T;
}

type ValueOf<K> = K extends ScalarKind
  ? Scalars[K]
  : K extends MessageDefinition<infer T>
    ? T
    : K extends () => MessageDefinition<infer T>
      ? T
      : never;

const field = <T>(number: number, kind: FieldKind, rule: Cardinality): Field<T> => ({ number, kind, rule });

/** A field that decodes to the empty value of its kind when it is missing. */
export const one = <K extends ScalarKind>(number: number, kind: K): Field<Scalars[K]> => field(number, kind, 'one');
/** A field that decodes to undefined when it is missing. */
export const maybe = <K extends FieldKind>(number: number, kind: K): Field<ValueOf<K> | undefined> =>
  field(number, kind, 'maybe');
export const many = <K extends FieldKind>(number: number, kind: K): Field<readonly ValueOf<K>[]> =>
  field(number, kind, 'many');
/** Keyed by string. */
export const map = <K extends FieldKind>(number: number, kind: K): Field<ReadonlyMap<string, ValueOf<K>>> =>
  field(number, kind, 'map');

type FieldsByName = { readonly [name: string]: Field<unknown> };
type ValuesOf<F extends FieldsByName> = { readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never };

const EMPTY: Scalars = { string: '', bytes: new Uint8Array(), bool: false, int64: 0, enum: 0 };

const emptyOf = ({ kind, rule }: Field<unknown>): unknown =>
  rule === 'one' && typeof kind === 'string' ? EMPTY[kind] : undefined;

export function message<F extends FieldsByName>(fields: F): MessageDefinition<ValuesOf<F>> {
  const list = Object.entries<Field<unknown>>(fields);
  const byNumber = new Map(list.map(([name, each]) => [each.number, [name, each] as const]));
  const collections = list.flatMap(([name, { rule }]) => (rule === 'many' || rule === 'map' ? [[name, rule]] : []));
  const empty = Object.fromEntries(list.map(([name, each]) => [name, emptyOf(each)]));
  return { fields, list, byNumber, collections, empty } as unknown as MessageDefinition<ValuesOf<F>>;
}

/** A message to send, with any of its fields. */
export type Draft<T> = T extends string | number | boolean | Uint8Array | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly Draft<E>[]
    : T extends ReadonlyMap<string, infer E>
      ? ReadonlyMap<string, Draft<E>>
      : { readonly [K in keyof T]?: Draft<T[K]> | undefined };

/** A message that is encoded already. */
export class EncodedMessage {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

const messageOf = (kind: Exclude<FieldKind, ScalarKind>): MessageDefinition<object> =>
  typeof kind === 'function' ? kind() : kind;

type MessageFields = { readonly [name: string]: unknown };

const isEmpty = (value: unknown): boolean =>
  value === '' || value === 0 || value === false || (value instanceof Uint8Array && value.length === 0);

const WIRE: Readonly<Record<ScalarKind, WireType>> = {
  string: WireType.LengthDelimited,
  bytes: WireType.LengthDelimited,
  bool: WireType.Varint,
  int64: WireType.Varint,
  enum: WireType.Varint,
};

function writeScalar(writer: BinaryWriter, kind: ScalarKind, value: unknown): void {
  switch (kind) {
    case 'string':
      return void writer.string(value as string);
    case 'bytes':
      return void writer.bytes(value as Uint8Array);
    case 'bool':
      return void writer.bool(value as boolean);
    case 'int64':
      return void writer.int64(value as number);
    case 'enum':
      return void writer.int32(value as number);
  }
}

function write(writer: BinaryWriter, { number, kind }: Field<unknown>, value: unknown): void {
  if (typeof kind === 'string') {
    writer.tag(number, WIRE[kind]);
    writeScalar(writer, kind, value);
    return;
  }
  writer.tag(number, WireType.LengthDelimited).bytes(encode(messageOf(kind), value as MessageFields));
}

function writeEntry(writer: BinaryWriter, { number, kind }: Field<unknown>, [key, value]: [string, unknown]): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).string(key);
  write(writer, { number: 2, kind, rule: 'one' }, value);
  writer.join();
}

/** Encodes a message, whose fields may be missing. */
export function encode<T extends object>({ list }: MessageDefinition<T>, draft: Draft<T>): Uint8Array {
  const writer = new BinaryWriter();
  for (const [name, each] of list) {
    const value = (draft as MessageFields)[name];
    if (value === undefined) continue;
    if (each.rule === 'many') for (const item of value as unknown[]) write(writer, each, item);
    else if (each.rule === 'map') for (const entry of value as Map<string, unknown>) writeEntry(writer, each, entry);
    else if (each.rule === 'maybe' || !isEmpty(value)) write(writer, each, value);
  }
  return writer.finish();
}

function readScalar(reader: BinaryReader, kind: ScalarKind): unknown {
  switch (kind) {
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.bytes();
    case 'bool':
      return reader.bool();
    case 'int64':
      return Number(reader.int64());
    case 'enum':
      return reader.int32();
  }
}

const read = (reader: BinaryReader, kind: FieldKind): unknown =>
  typeof kind === 'string' ? readScalar(reader, kind) : decode(messageOf(kind), reader.bytes());

function readEntry(reader: BinaryReader, kind: FieldKind): readonly [string, unknown] {
  const entry = new BinaryReader(reader.bytes());
  let key = '';
  let value: unknown = typeof kind === 'string' ? EMPTY[kind] : decode(messageOf(kind), EMPTY.bytes);
  while (entry.pos < entry.len) {
    const [number, type] = entry.tag();
    if (number === 1) key = entry.string();
    else if (number === 2) value = read(entry, kind);
    else entry.skip(type, number);
  }
  return [key, value];
}

/** Decodes a message, and ignores unknown fields, which a newer core may send. */
export function decode<T extends object>({ byNumber, collections, empty }: MessageDefinition<T>, bytes: Uint8Array): T {
  const reader = new BinaryReader(bytes);
  const found: Record<string, unknown> = { ...empty };
  for (const [name, rule] of collections) found[name] = rule === 'many' ? [] : new Map();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    const [name, each] = byNumber.get(number) ?? [];
    if (name === undefined || each === undefined) reader.skip(type, number);
    else if (each.rule === 'many') (found[name] as unknown[]).push(read(reader, each.kind));
    else if (each.rule === 'map') (found[name] as Map<string, unknown>).set(...readEntry(reader, each.kind));
    else found[name] = read(reader, each.kind);
  }
  return found as T;
}
