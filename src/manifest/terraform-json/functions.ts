import { alike, areOfOneType, identityOf, isSame, toFlag, toNumber, toText } from './conversion.ts';
import { jsonEncode } from './json-encode.ts';
import { Refused } from './refused.ts';
import {
  compareTexts,
  type FieldsValue,
  fieldsValue,
  isFields,
  isList,
  isNumber,
  kindOf,
  known,
  type ListValue,
  listValue,
  sortedMembers,
  textValue,
  tryWhole,
  type Value,
} from './value.ts';

type Args = readonly Value[];

function listOf(value: Value | undefined): ListValue {
  const plain = known(value ?? null);
  if (isList(plain)) return plain;
  throw new Refused(`A list is wanted, and not ${kindOf(plain)}.`);
}

function fieldsOf(value: Value | undefined): FieldsValue {
  const plain = known(value ?? null);
  if (isFields(plain)) return plain;
  throw new Refused(`A map is wanted, and not ${kindOf(plain)}.`);
}

/** Each value once, in the order in which they come. */
function once(values: readonly Value[]): readonly Value[] {
  const seen = new Map(alike(values).map((value) => [identityOf(value), value]));
  return [...seen.values()];
}

function compareValues(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) {
    const scale = Math.max(a.exact.scale, b.exact.scale);
    const [p, q] = [a.exact, b.exact].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own));
    return Number((p ?? 0n) > (q ?? 0n)) - Number((p ?? 0n) < (q ?? 0n));
  }
  return compareTexts(toText(a), toText(b));
}

/** A set of texts, numbers or flags, in the order in which Terraform goes through it. */
export function setOf(value: Value): ListValue {
  const items = once(listOf(value).items);
  if (items.includes(null)) throw new Refused('A set with null in it is not worked out.');
  return listValue([...items].sort(compareValues), true);
}

function mapOf(fields: FieldsValue): FieldsValue {
  const made = alike([...fields.members.values()]);
  return fieldsValue(new Map([...fields.members.keys()].map((name, i) => [name, made[i] ?? null])), true);
}

function merge(args: Args): Value {
  const given = args.filter((arg) => arg !== null).map(fieldsOf);
  const members = new Map(given.flatMap((fields) => [...fields.members]));
  // Maps of different types make an object, in which every member stays what it is.
  const isMap = given.length > 0 && given.every((fields) => fields.isMap);
  return fieldsValue(members, isMap && areOfOneType(given.flatMap((fields) => [...fields.members.values()])));
}

function lookup([where, name, instead]: Args): Value {
  const fields = fieldsOf(where);
  const wanted = toText(name ?? null);
  const found = fields.members.get(wanted);
  const [first] = fields.members.values();
  // The type of a map decides what becomes of the other value.
  if (fields.isMap && instead !== undefined && first !== undefined && !sameType(first, instead)) {
    throw new Refused('The value that `lookup` gives otherwise is of another type than those of the map.');
  }
  if (found !== undefined) return found;
  if (instead !== undefined) return instead;
  throw new Refused(`There is no ${JSON.stringify(wanted)} in the map.`);
}

function sameType(a: Value, b: Value): boolean {
  if (a === null || b === null) return true;
  const [first, second] = alike([a, b]);
  return isSameValue(first, a) && isSameValue(second, b);
}

const isSameValue = (a: Value | undefined, b: Value): boolean => a === b || (a !== undefined && isSame(a, b));

function ascii(value: Value | undefined, name: string): string {
  const text = toText(value ?? null);
  if (/^[\0-\x7f]*$/.test(text)) return text;
  throw new Refused(`\`${name}\` is worked out for the letters of ASCII only.`);
}

const VERBS: Readonly<Record<string, (value: Value) => string>> = {
  s: toText,
  d: (value) => {
    const whole = tryWhole(toNumber(value));
    if (whole === undefined) throw new Refused('`%d` in `format` wants a whole number.');
    return String(whole);
  },
};

function format([pattern, ...values]: Args): Value {
  const left = [...values];
  const text = toText(pattern ?? null).replace(/%(.?)/gsu, (_, verb: string) => {
    if (verb === '%') return '%';
    const write = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    if (!write) throw new Refused(`\`%${verb}\` in \`format\` is not worked out.`);
    if (left.length === 0) throw new Refused('`format` has fewer values than places for them.');
    return write(left.shift() ?? null);
  });
  if (left.length > 0) throw new Refused('`format` has more values than places for them.');
  return textValue(text);
}

const orNull =
  (convert: (value: Value) => Value) =>
  ([value = null]: Args): Value =>
    value === null ? null : convert(value);

function plainLists(args: Args): readonly ListValue[] {
  const lists = args.map(listOf);
  if (lists.some(({ isSet }) => isSet)) throw new Refused('`concat` takes lists, and no set.');
  return lists;
}

interface Known {
  /** How many arguments it takes: least and most. */
  readonly takes: readonly [number, number];
  readonly compute: (args: Args) => Value;
}

const MANY = Number.POSITIVE_INFINITY;

const one = (compute: Known['compute']): Known => ({ takes: [1, 1], compute });

/** The functions that are worked out: those whose answer is certain to be that of Terraform. */
export const FUNCTIONS: Readonly<Record<string, Known>> = {
  concat: { takes: [1, MANY], compute: (args) => listValue(plainLists(args).flatMap(({ items }) => items)) },
  distinct: one(([list]) => listValue(once(listOf(list).items))),
  format: { takes: [1, MANY], compute: format },
  join: {
    takes: [2, MANY],
    compute: ([by, ...lists]) =>
      textValue(lists.flatMap((list) => listOf(list).items.map(toText)).join(toText(by ?? null))),
  },
  jsonencode: one(([value]) => jsonEncode(value ?? null)),
  keys: one(([fields]) => listValue(sortedMembers(fieldsOf(fields)).map(([name]) => name))),
  lookup: { takes: [2, 3], compute: lookup },
  lower: one(([text]) => ascii(text, 'lower').toLowerCase()),
  merge: { takes: [1, MANY], compute: merge },
  tobool: one(orNull(toFlag)),
  tolist: one(orNull((value) => listValue(alike(listOf(value).items)))),
  tomap: one(orNull((value) => mapOf(fieldsOf(value)))),
  tonumber: one(orNull(toNumber)),
  toset: one(orNull(setOf)),
  tostring: one(orNull(toText)),
  upper: one(([text]) => ascii(text, 'upper').toUpperCase()),
  values: one(([fields]) => listValue(sortedMembers(fieldsOf(fields)).map(([, value]) => value))),
};

export function callFunction(name: string, args: Args): Value {
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!found) {
    throw new Refused(`The function \`${name}\` is not worked out.`, {
      expected: `one of ${Object.keys(FUNCTIONS).join(', ')}`,
    });
  }
  const [least, most] = found.takes;
  if (args.length < least || args.length > most) throw new Refused(`\`${name}\` has too few or too many arguments.`);
  return found.compute(args.map(known));
}
