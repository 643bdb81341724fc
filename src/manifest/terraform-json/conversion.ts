import { renderDecimal } from '../../domain/index.ts';
import { Refused } from './refused.ts';
import {
  isFields,
  isList,
  isNumber,
  kindOf,
  known,
  type ListValue,
  type NumberValue,
  numberFrom,
  type Value,
} from './value.ts';

/** From one type to another, as Terraform does it by itself; what it would not do is refused. */

const unfit = (value: Value, wanted: string): Refused => new Refused(`${capital(kindOf(value))} is no ${wanted}.`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function toText(value: Value): string {
  const plain = known(value);
  if (typeof plain === 'string') return plain;
  if (typeof plain === 'boolean') return String(plain);
  if (isNumber(plain)) return renderDecimal(plain.exact);
  throw unfit(plain, 'text');
}

export function toNumber(value: Value): NumberValue {
  const plain = known(value);
  if (isNumber(plain)) return plain;
  if (typeof plain === 'string' && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(plain)) return numberFrom(plain);
  throw unfit(plain, 'number');
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

export function toFlag(value: Value): boolean {
  const plain = known(value);
  if (typeof plain === 'boolean') return plain;
  const flag = typeof plain === 'string' && Object.hasOwn(FLAGS, plain) ? FLAGS[plain] : undefined;
  if (flag === undefined) throw unfit(plain, 'true or false');
  return flag;
}

const PRIMITIVES = ['text', 'number', 'flag'];

const allAlike = (names: readonly string[]): string | undefined => {
  const [first, ...others] = [...new Set(names)];
  return others.length === 0 ? (first ?? 'nothing') : undefined;
};

/** A name for the value’s type: values of one name are of one type. */
function typeOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'flag';
  if (value.kind === 'number') return 'number';
  if (isList(value)) {
    const items = value.items.map(typeOf);
    return `${value.isSet ? 'set' : 'list'}(${allAlike(items) ?? items.join(',')})`;
  }
  if (!isFields(value)) return value.kind;
  const members = [...value.members].map(([name, member]) => `${JSON.stringify(name)}:${typeOf(member)}`).sort();
  return value.isMap ? `map(${allAlike([...value.members.values()].map(typeOf))})` : `object(${members.join(',')})`;
}

/** Are they all of one type? Null is of any. */
export function areOfOneType(values: readonly Value[]): boolean {
  const given = values.map(known).filter((value) => value !== null);
  if (new Set(given.map(typeOf)).size <= 1) return true;
  // An empty list is of any type too; of lists whose items differ in type, Terraform converts some.
  const lists = given.filter((value) => isList(value) && !value.isSet) as readonly ListValue[];
  return lists.length === given.length && areOfOneType(lists.flatMap(({ items }) => items));
}

/**
 * The values with the one type that Terraform would give them all: numbers and flags become texts beside a text.
 *
 * @throws Refused when there is none, or when it is not plain which
 */
export function alike(values: readonly Value[]): readonly Value[] {
  if (areOfOneType(values)) return values;
  const names = new Set(values.filter((value) => value !== null).map(typeOf));
  if (names.has('text') && [...names].every((name) => PRIMITIVES.includes(name))) {
    return values.map((value) => (value === null ? null : toText(value)));
  }
  throw new Refused('Values of different types stand where Terraform wants one type.');
}

/** The same value and the same type. */
export const isSame = (a: Value, b: Value): boolean => typeOf(a) === typeOf(b) && identityOf(a) === identityOf(b);

/** Equal texts for equal values of one simple type. */
export function identityOf(value: Value): string {
  const plain = known(value);
  if (plain === null || typeof plain === 'boolean' || typeof plain === 'string') return JSON.stringify(plain);
  if (isNumber(plain)) return renderDecimal(plain.exact);
  throw new Refused('Lists and maps are not compared.');
}
