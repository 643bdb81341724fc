import { type Decimal, renderDecimal, tryParseDecimal } from '../../domain/index.ts';
import { Unresolved } from './unresolved.ts';

/** A number with all its digits. */
export interface NumberValue {
  readonly kind: 'number';
  readonly exact: Decimal;
}

/** Items of a set are in Terraform's order. The items of a tuple may differ in type. */
export interface ListValue {
  readonly kind: 'list';
  readonly form: 'tuple' | 'list' | 'set';
  readonly items: readonly Value[];
  readonly size: number;
}

/** An object or a map. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Value>;
  readonly size: number;
}

/** A value that only Terraform or the gateway knows: it may be passed on, but not used. */
export interface UnknownValue {
  readonly kind: 'unknown';
  /** The reference: `keyplane_api_key.app.id`. */
  readonly what: string;
  readonly why: string;
  /** The address of the key whose ID it is. */
  readonly idOf?: string;
}

/** One instance of a resource, whose attributes can be referred to. */
export interface ResourceValue {
  readonly kind: 'resource';
  readonly address: string;
  readonly attribute: (name: string) => Value;
}

/** A value of Terraform's language. */
export type Value = null | boolean | string | NumberValue | ListValue | ObjectValue | UnknownValue | ResourceValue;

/** A few lines that refer to one another can multiply to billions of values. */
const SIZE_LIMIT = 1_000_000;
const TEXT_LIMIT = 1024 * 1024;

const TOO_LARGE = 'Check the references: values that include each other multiply.';

const sizeOf = (value: Value): number =>
  value !== null && typeof value === 'object' && 'size' in value ? value.size : 1;

function sizeOfAll(values: Iterable<Value>): number {
  let size = 1;
  for (const value of values) size += sizeOf(value);
  if (size > SIZE_LIMIT) throw new Unresolved(`The value has more than ${SIZE_LIMIT} parts.`, { hint: TOO_LARGE });
  return size;
}

export const listValue = (items: readonly Value[], form: ListValue['form'] = 'tuple'): ListValue => ({
  kind: 'list',
  form,
  items,
  size: sizeOfAll(items),
});

export const objectValue = (members: ReadonlyMap<string, Value>): ObjectValue => ({
  kind: 'object',
  members,
  size: sizeOfAll(members.values()),
});

/** Terraform composes every string by Unicode's NFC. */
export function textValue(text: string): string {
  if (text.length > TEXT_LIMIT) throw new Unresolved('The string is longer than 1 MiB.', { hint: TOO_LARGE });
  return text.normalize('NFC');
}

/** Terraform calculates with 512 bits, and rounds numbers with more digits. */
const DIGITS = 150;

/** @param text a number in JSON's or Terraform's notation */
export function numberFrom(text: string): NumberValue {
  const exact = tryParseDecimal(text);
  if (!exact) throw new Unresolved(`The number ${text} is too large.`);
  if (String(exact.digits).replace(/0+$/, '').length > DIGITS) {
    throw new Unresolved(`Terraform rounds a number with more than ${DIGITS} digits.`);
  }
  // Terraform keeps and prints the sign of a zero.
  if (exact.digits === 0n && text.startsWith('-')) throw new Unresolved('A zero cannot have a sign.');
  return { kind: 'number', exact };
}

const isKind =
  <K extends NumberValue['kind'] | 'list' | 'object' | 'unknown' | 'resource'>(kind: K) =>
  (value: Value): value is Extract<Value, { readonly kind: K }> =>
    value !== null && typeof value === 'object' && value.kind === kind;

export const isNumber = isKind('number');
export const isList = isKind('list');
export const isObject = isKind('object');
export const isUnknown = isKind('unknown');
export const isResource = isKind('resource');

/** Returns the whole number; undefined when it has decimals. */
export function tryWhole({ exact }: NumberValue): bigint | undefined {
  const text = renderDecimal(exact);
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

/** The type of a value, as diagnostics call it. */
export function typeName(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a bool';
  if (value.kind === 'list') return value.form === 'set' ? 'a set' : 'a list';
  return value.kind === 'object' ? 'a map' : `a ${value.kind}`;
}

/** The value, unless only Terraform knows it. @throws Unresolved */
export function known<V extends Value>(value: V): Exclude<V, UnknownValue> {
  if (isUnknown(value)) throw new Unresolved(`Keyplane does not know \`${value.what}\`: ${value.why}.`);
  return value as Exclude<V, UnknownValue>;
}

/** By the bytes of UTF-8, as Terraform sorts. UTF-16 differs beyond the basic plane. */
export const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The members in Terraform's order. */
export const sortedMembers = ({ members }: ObjectValue): readonly (readonly [string, Value])[] =>
  [...members].sort(([a], [b]) => compareTexts(a, b));
