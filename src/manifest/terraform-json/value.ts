import { type Decimal, renderDecimal, tryParseDecimal } from '../../domain/index.ts';
import { Refused } from './refused.ts';

/** A number, exactly as it was written. */
export interface NumberValue {
  readonly kind: 'number';
  readonly exact: Decimal;
}

/** A tuple, a list or a set; the items of a set are in the order in which Terraform goes through them. */
export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  readonly isSet: boolean;
  readonly size: number;
}

/** An object or a map: of a map, all members are of one type. */
export interface FieldsValue {
  readonly kind: 'fields';
  readonly members: ReadonlyMap<string, Value>;
  readonly isMap: boolean;
  readonly size: number;
}

/** What only Terraform knows: it may be handed on, but nothing can be made of it. */
export interface UnknownValue {
  readonly kind: 'unknown';
  /** As it is referred to: `keyplane_api_key.app.id`. */
  readonly what: string;
  readonly why: string;
  /** The address of the key whose id it is. */
  readonly idOf?: string;
}

/** One instance of a resource, of which single attributes are asked for. */
export interface InstanceValue {
  readonly kind: 'instance';
  readonly address: string;
  readonly attribute: (name: string) => Value;
}

/** A value of Terraform’s language. */
export type Value = null | boolean | string | NumberValue | ListValue | FieldsValue | UnknownValue | InstanceValue;

/** A few lines that name one another can stand for billions of values. */
const SIZE_LIMIT = 1_000_000;
const TEXT_LIMIT = 1024 * 1024;

const TOO_LARGE = 'A manifest of reasonable size is expected: what is multiplied by references is meant otherwise.';

const sizeOf = (value: Value): number => {
  if (value === null || typeof value !== 'object') return 1;
  return value.kind === 'list' || value.kind === 'fields' ? value.size : 1;
};

function sizeOfAll(values: Iterable<Value>): number {
  let size = 1;
  for (const value of values) size += sizeOf(value);
  if (size > SIZE_LIMIT) throw new Refused(`The value has more than ${SIZE_LIMIT} parts.`, { hint: TOO_LARGE });
  return size;
}

export const listValue = (items: readonly Value[], isSet = false): ListValue => ({
  kind: 'list',
  items,
  isSet,
  size: sizeOfAll(items),
});

export const fieldsValue = (members: ReadonlyMap<string, Value>, isMap = false): FieldsValue => ({
  kind: 'fields',
  members,
  isMap,
  size: sizeOfAll(members.values()),
});

/** Terraform keeps every text in the composed form of Unicode. */
export function textValue(text: string): string {
  if (text.length > TEXT_LIMIT) throw new Refused('The text is longer than 1 MiB.', { hint: TOO_LARGE });
  return text.normalize('NFC');
}

export const numberValue = (exact: Decimal): NumberValue => ({ kind: 'number', exact });

/** Terraform counts with 512 bits, and rounds what has more digits. */
const DIGITS = 150;

/** @param text as JSON or Terraform writes a number */
export function numberFrom(text: string): NumberValue {
  const exact = tryParseDecimal(text);
  if (!exact) throw new Refused(`${text} is too large a number.`);
  if (String(exact.digits).replace(/0+$/, '').length > DIGITS) {
    throw new Refused(`A number with more than ${DIGITS} digits is rounded by Terraform.`);
  }
  // Terraform keeps the sign of nothing, and shows it.
  if (exact.digits === 0n && text.startsWith('-')) throw new Refused('A zero with a sign is no plain number.');
  return numberValue(exact);
}

export const isNumber = (value: Value): value is NumberValue =>
  value !== null && typeof value === 'object' && value.kind === 'number';
export const isList = (value: Value): value is ListValue =>
  value !== null && typeof value === 'object' && value.kind === 'list';
export const isFields = (value: Value): value is FieldsValue =>
  value !== null && typeof value === 'object' && value.kind === 'fields';
export const isUnknown = (value: Value): value is UnknownValue =>
  value !== null && typeof value === 'object' && value.kind === 'unknown';
export const isInstance = (value: Value): value is InstanceValue =>
  value !== null && typeof value === 'object' && value.kind === 'instance';

/** The whole number that it is; undefined when it has decimals. */
export function tryWhole({ exact }: NumberValue): bigint | undefined {
  const text = renderDecimal(exact);
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}

/** What kind of thing it is, in words. */
export function kindOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'boolean') return 'true or false';
  if (value.kind === 'number') return 'a number';
  if (value.kind === 'list') return value.isSet ? 'a set' : 'a list';
  return value.kind === 'fields' ? 'a map' : 'a resource';
}

/** The value, unless only Terraform knows it. */
export function known<V extends Value>(value: V): Exclude<V, UnknownValue> {
  if (isUnknown(value)) throw new Refused(`\`${value.what}\` is not known here: ${value.why}.`);
  return value as Exclude<V, UnknownValue>;
}

/** By the bytes of UTF-8, as Terraform sorts; the order of UTF-16 is another one beyond the basic plane. */
export function compareTexts(a: string, b: string): number {
  const [p, q] = [[...a], [...b]];
  for (let i = 0; i < Math.min(p.length, q.length); i += 1) {
    const difference = (p[i]?.codePointAt(0) ?? 0) - (q[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return p.length - q.length;
}

/** The members in the order in which Terraform goes through them. */
export const sortedMembers = ({ members }: FieldsValue): readonly (readonly [string, Value])[] =>
  [...members].sort(([a], [b]) => compareTexts(a, b));
