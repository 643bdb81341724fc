import { tryFindEntry } from '../yaml/tree.ts';
import { toFlag, toNumber, toText } from './conversion.ts';
import { setOf } from './functions.ts';
import type { Instance } from './instance.ts';
import {
  BELOW_ATTRIBUTES,
  BUDGET_ATTRIBUTES,
  COMPUTED_ATTRIBUTES,
  isKeyAttribute,
  KEY_ATTRIBUTES,
} from './key-attributes.ts';
import { Refused } from './refused.ts';
import { valueOfTree } from './tree-value.ts';
import { fieldsValue, isFields, isList, kindOf, known, listValue, type UnknownValue, type Value } from './value.ts';

const PARTS: Readonly<Record<string, (value: Value) => Value>> = {
  unlimited: toFlag,
  usd: toNumber,
  quota: toNumber,
  per: toText,
  initial: toFlag,
  below: (value) => asObject(value, BELOW_ATTRIBUTES),
};

/** An object as its schema has it: attributes that are not written are null, others are dropped. */
function asObject(value: Value, attributes: readonly string[]): Value {
  const plain = known(value);
  if (!isFields(plain)) throw new Refused(`A map is wanted, and not ${kindOf(plain)}.`);
  return fieldsValue(
    new Map(
      attributes.map((name) => {
        const part = plain.members.get(name) ?? null;
        return [name, part === null ? null : (PARTS[name] as (value: Value) => Value)(part)];
      }),
    ),
  );
}

function asTexts(value: Value): Value {
  const plain = known(value);
  if (!isList(plain)) throw new Refused(`A list is wanted, and not ${kindOf(plain)}.`);
  return setOf(listValue(plain.items.map(toText)));
}

const FORMS: Readonly<Record<'text' | 'flag' | 'texts' | 'budget', (value: Value) => Value>> = {
  text: toText,
  flag: toFlag,
  texts: asTexts,
  budget: (value) => asObject(value, BUDGET_ATTRIBUTES),
};

const unknown = (what: string, why: string): UnknownValue => ({ kind: 'unknown', what, why });

/** What a reference to an attribute of a key stands for. @throws Refused */
export function attributeOf({ declared, address, scope }: Instance, name: string): Value {
  const what = `${address}.${name}`;
  if (name === 'id') return { ...unknown(what, 'the gateway gives it to the key'), idOf: address };
  if (COMPUTED_ATTRIBUTES.includes(name)) return unknown(what, 'the gateway tells it once the key exists');
  if (!isKeyAttribute(name)) throw new Refused(`There is no attribute \`${name}\` of a key.`);
  const written = tryFindEntry(declared.body, name);
  const value = written ? valueOfTree(written.node, scope) : null;
  if (value !== null) return FORMS[KEY_ATTRIBUTES[name]](value);
  return name === 'enabled' ? true : unknown(what, 'it is not written there, so it stays as the gateway has it');
}
