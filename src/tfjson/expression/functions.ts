import { renderDecimal } from '../../domain/index.ts';
import { toItems, toList, toObject, toSet, toText } from './conversion.ts';
import { Unresolved } from './unresolved.ts';
import { isResource, known, listValue, objectValue, sortedMembers, textValue, type Value } from './value.ts';

/** Terraform escapes characters that could end a script in HTML. */
const ESCAPED = /[<>&\u2028\u2029]/g;

const encodeText = (text: string): string =>
  JSON.stringify(text).replace(ESCAPED, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** The exact text of Terraform's `jsonencode`. @throws Unresolved */
export function jsonEncode(value: Value): string {
  const plain = known(value);
  if (plain === null || typeof plain === 'boolean') return String(plain);
  if (typeof plain === 'string') return encodeText(plain);
  if (plain.kind === 'number') return renderDecimal(plain.exact);
  if (plain.kind === 'list') return textValue(`[${plain.items.map(jsonEncode).join(',')}]`);
  if (isResource(plain)) throw new Unresolved(`Keyplane does not know all attributes of \`${plain.address}\`.`);
  const members = sortedMembers(plain).map(([name, member]) => `${encodeText(name)}:${jsonEncode(member)}`);
  return textValue(`{${members.join(',')}}`);
}

type Arguments = readonly Value[];

function concat(args: Arguments): Value {
  const lists = args.map(toItems);
  if (lists.some(({ form }) => form === 'set')) throw new Unresolved('`concat` accepts lists only, not sets.');
  const joined = listValue(lists.flatMap(({ items }) => items));
  // With a tuple among them every item keeps its type; lists alone get one type.
  return lists.some(({ form }) => form === 'tuple') ? joined : toList(joined);
}

const join = ([separator = null, ...lists]: Arguments): Value =>
  textValue(lists.flatMap((list) => toItems(list).items.map(toText)).join(toText(separator)));

const merge = (args: Arguments): Value =>
  objectValue(new Map(args.filter((arg) => arg !== null).flatMap((arg) => [...toObject(arg).members])));

interface Evaluated {
  /** The least and the greatest number of arguments. */
  readonly arity: readonly [number, number];
  readonly evaluate: (args: Arguments) => Value;
}

const MANY = Number.POSITIVE_INFINITY;

const ofOne = (evaluate: (value: Value) => Value): Evaluated => ({
  arity: [1, 1],
  evaluate: ([value = null]) => evaluate(value),
});

const nullable =
  (convert: (value: Value) => Value) =>
  (value: Value): Value =>
    value === null ? null : convert(value);

/** The functions that the CDKs and the constructs write: docs/decisions/0013-terraform-json.md names the origin of each. */
const FUNCTIONS: Readonly<Record<string, Evaluated>> = {
  concat: { arity: [1, MANY], evaluate: concat },
  join: { arity: [2, MANY], evaluate: join },
  jsonencode: ofOne(jsonEncode),
  merge: { arity: [1, MANY], evaluate: merge },
  tolist: ofOne(nullable(toList)),
  toset: ofOne(nullable(toSet)),
};

export function callFunction(name: string, args: Arguments): Value {
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!found) {
    throw new Unresolved(`Keyplane does not evaluate the function \`${name}\`.`, {
      expected: `a value, or one of the functions ${Object.keys(FUNCTIONS).join(', ')}`,
    });
  }
  const [least, most] = found.arity;
  if (args.length < least || args.length > most) throw new Unresolved(`Wrong number of arguments for \`${name}\`.`);
  return found.evaluate(args.map(known));
}
