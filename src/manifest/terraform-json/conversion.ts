import { renderDecimal } from '../../domain/index.ts';
import { Refused } from './refused.ts';
import {
  isFields,
  isList,
  isNumber,
  kindOf,
  known,
  listValue,
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

const isEmptyList = (value: Value): boolean => isList(value) && value.items.length === 0;

/**
 * The values with the one type that Terraform would give them all: numbers and flags become texts beside a text.
 *
 * @throws Refused when there is none, or when it is not plain which
 */
export function alike(values: readonly Value[]): readonly Value[] {
  const given = values.map(known).filter((value) => value !== null);
  const names = new Set(given.map(typeOf));
  if (names.size <= 1) return values;
  if (names.has('text') && [...names].every((name) => PRIMITIVES.includes(name))) {
    return values.map((value) => (value === null ? null : toText(value)));
  }
  if (given.every((value) => isList(value) && !value.isSet)) return alikeLists(given as readonly Value[], values);
  throw new Refused('Values of different types stand where Terraform wants one type.');
}

/** An empty list is of any type; lists of one length are made alike item by item. */
function alikeLists(given: readonly Value[], values: readonly Value[]): readonly Value[] {
  const types = new Set(given.filter((value) => !isEmptyList(value)).map(typeOf));
  if (types.size <= 1) return values;
  const items = given.flatMap((value) => (isList(value) ? value.items : []));
  const made = alike(items);
  let at = 0;
  return values.map((value) => {
    if (!isList(value)) return value;
    at += value.items.length;
    return listValue(made.slice(at - value.items.length, at));
  });
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
