import { renderDecimal } from '../../domain/index.ts';
import { Unresolved } from './unresolved.ts';
import {
  compareTexts,
  isList,
  isNumber,
  isObject,
  known,
  type ListValue,
  listValue,
  type NumberValue,
  numberFrom,
  type ObjectValue,
  typeName,
  type Value,
} from './value.ts';

/** Conversions that Terraform does by itself. Each throws `Unresolved` where Terraform fails. */

const expected = (type: string, value: Value): Unresolved =>
  new Unresolved(`Expected ${type}, got ${typeName(value)}.`);

export function toText(value: Value): string {
  const plain = known(value);
  if (typeof plain === 'string') return plain;
  if (typeof plain === 'boolean') return String(plain);
  if (isNumber(plain)) return renderDecimal(plain.exact);
  throw expected('a string', plain);
}

export function toNumber(value: Value): NumberValue {
  const plain = known(value);
  if (isNumber(plain)) return plain;
  if (typeof plain === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(plain)) return numberFrom(plain);
  throw expected('a number', plain);
}

const FLAGS: ReadonlyMap<Value, boolean> = new Map<Value, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [false, false],
  ['false', false],
  ['0', false],
]);

export function toFlag(value: Value): boolean {
  const plain = known(value);
  const flag = FLAGS.get(plain);
  if (flag === undefined) throw expected('a bool', plain);
  return flag;
}

export function toItems(value: Value): ListValue {
  const plain = known(value);
  if (isList(plain)) return plain;
  throw expected('a list', plain);
}

export function toObject(value: Value): ObjectValue {
  const plain = known(value);
  if (isObject(plain)) return plain;
  throw expected('a map', plain);
}

/** Converts values to the one simple type that Terraform gives to all of them: with a string among them, numbers become strings. */
function unified(values: readonly Value[]): readonly Value[] {
  const types = new Set(values.map(known).flatMap((value) => (value === null ? [] : [typeName(value)])));
  if ([...types].some((type) => !['a string', 'a number', 'a bool'].includes(type))) {
    throw new Unresolved('Keyplane evaluates lists and sets of strings, numbers and bools only.');
  }
  if (types.size <= 1) return values;
  if (types.has('a string')) return values.map((value) => (value === null ? null : toText(value)));
  throw new Unresolved('The items of the list have different types.');
}

/** `tolist`. */
export const toList = (value: Value): ListValue => {
  const list = toItems(value);
  return list.form === 'list' ? list : listValue(unified(list.items), 'list');
};

/** `toset`: each item once, in the order in which Terraform iterates. */
export function toSet(value: Value): ListValue {
  const list = toItems(value);
  if (list.form === 'set') return list;
  const items = unified(list.items);
  if (items.includes(null)) throw new Unresolved('A set cannot contain null.');
  // Sets of keys and settings consist of strings; numbers have another order.
  const texts = items.map((item) => {
    if (typeof item === 'string') return item;
    throw new Unresolved('Keyplane evaluates sets of strings only.', { hint: 'Convert the items to strings.' });
  });
  return listValue([...new Set(texts)].sort(compareTexts), 'set');
}
