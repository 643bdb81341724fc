import { alike, toFlag, toText } from './conversion.ts';
import type { Expression, Step } from './expression.ts';
import { callFunction } from './functions.ts';
import { BINARY, negate } from './operators.ts';
import { Refused } from './refused.ts';
import {
  fieldsValue,
  isFields,
  isInstance,
  isList,
  isNumber,
  isUnknown,
  kindOf,
  known,
  listValue,
  textValue,
  tryWhole,
  type Value,
} from './value.ts';

/** A step into a value whose index has been worked out: a text or a number. */
export type Key = Value;

/** What expressions may refer to where they stand. */
export interface Scope {
  /** What a root and the first steps stand for, and how many steps that took. @throws Refused */
  readonly lookUp: (root: string, keys: readonly Key[]) => { readonly value: Value; readonly taken: number };
}

const keyOf = (step: Step, scope: Scope): Key => ('name' in step ? step.name : known(evaluate(step.index, scope)));

function itemAt(items: readonly Value[], key: Key): Value {
  const index = isNumber(key) ? tryWhole(key) : typeof key === 'string' && /^\d+$/.test(key) ? BigInt(key) : undefined;
  const item = index !== undefined && index >= 0n ? items[Number(index)] : undefined;
  if (item === undefined) throw new Refused(`The list has no item \`${toText(key)}\`.`);
  return item;
}

function access(value: Value, key: Key): Value {
  if (isUnknown(value)) return value;
  if (isInstance(value)) return value.attribute(toText(key));
  if (isList(value) && !value.isSet) return itemAt(value.items, key);
  if (!isFields(value)) throw new Refused(`There is nothing to be taken out of ${kindOf(value)}.`);
  const member = value.members.get(toText(key));
  if (member === undefined) throw new Refused(`There is no ${JSON.stringify(toText(key))} in the map.`);
  return member;
}

function refer(root: string, steps: readonly Step[], scope: Scope): Value {
  const keys = steps.map((step) => keyOf(step, scope));
  const { value, taken } = scope.lookUp(root, keys);
  return keys.slice(taken).reduce(access, value);
}

/** Members with their names worked out; of two that come to one name Terraform takes the last. */
function fieldsFrom(members: readonly (readonly [Value, Value])[]): Value {
  return fieldsValue(new Map(members.map(([name, value]) => [toText(name), value])));
}

/** Terraform gives both sides one type, whichever it takes. */
function choose(of: Value, sides: readonly Value[]): Value {
  const [yes = null, no = null] = alike(sides);
  return toFlag(of) ? yes : no;
}

/**
 * What an expression comes to.
 *
 * Pure; what could come out otherwise in Terraform is refused. What only Terraform knows comes out as that, so that it
 * may be handed on.
 *
 * @throws Refused
 */
export function evaluate(expression: Expression, scope: Scope): Value {
  const inner = (each: Expression): Value => evaluate(each, scope);
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'template':
      return textValue(expression.parts.map((part) => toText(inner(part))).join(''));
    case 'list':
      return listValue(expression.items.map(inner));
    case 'fields':
      return fieldsFrom(expression.members.map(([name, value]) => [inner(name), inner(value)] as const));
    case 'reference':
      return refer(expression.root, expression.steps, scope);
    case 'access':
      return expression.steps.map((step) => keyOf(step, scope)).reduce(access, inner(expression.of));
    case 'call':
      return callFunction(expression.name, expression.args.map(inner));
    case 'choice':
      return choose(inner(expression.of), [inner(expression.yes), inner(expression.no)]);
    case 'unary':
      return expression.operator === '!' ? !toFlag(inner(expression.of)) : negate(inner(expression.of));
    case 'binary':
      return BINARY[expression.operator](inner(expression.left), inner(expression.right));
  }
}
