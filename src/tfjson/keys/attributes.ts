import { type DeclaredKind, FIELD_ROWS, type FieldName, type FieldRow } from '../../domain/index.ts';
import { toFlag, toItems, toNumber, toObject, toSet, toText } from '../expression/conversion.ts';
import { Unresolved } from '../expression/unresolved.ts';
import { listValue, objectValue, type UnknownValue, type Value } from '../expression/value.ts';
import { tryFindMember } from '../json/node.ts';
import type { Instance } from '../module/instance.ts';
import { evaluateNode } from '../module/resolve.ts';

/** The rows of the field table, by the names of their attributes. */
export const ROWS: ReadonlyMap<string, readonly [FieldName, FieldRow]> = new Map(
  FIELD_ROWS.map(([field, row]) => [row.terraform, [field, row]]),
);

/** Attributes that the gateway alone sets. */
export const COMPUTED_ATTRIBUTES: readonly string[] = [
  'id',
  'status',
  'stored_status',
  'remaining_quota',
  'used_quota',
  'masked_key',
  'created_at',
  'old_generations',
];

const AMOUNT = { usd: 'number', quota: 'number' } as const;

/** The types of the attributes of a budget. */
export const BUDGET_TYPES = { unlimited: 'flag', ...AMOUNT, per: 'text', below: AMOUNT, initial: 'flag' } as const;

export type SimpleType = 'text' | 'flag' | 'number';
export type ObjectType = Readonly<Record<string, SimpleType | typeof AMOUNT>>;

/** The conversion to each simple type of Terraform. */
export const CONVERSIONS = { text: toText, flag: toFlag, number: toNumber };

/** An object as its schema has it: omitted attributes are null, others are dropped. */
function toTyped(value: Value, types: ObjectType): Value {
  const { members } = toObject(value);
  const attributes = Object.entries(types).map(([name, type]): [string, Value] => {
    const part = members.get(name) ?? null;
    if (part === null) return [name, null];
    return [name, typeof type === 'string' ? CONVERSIONS[type](part) : toTyped(part, type)];
  });
  return objectValue(new Map(attributes));
}

const toTexts = (value: Value): Value => toSet(listValue(toItems(value).items.map(toText), 'list'));

/** The conversion to the type that the provider's schema has for each kind. */
const TYPES: Readonly<Record<DeclaredKind, (value: Value) => Value>> = {
  text: toText,
  flag: toFlag,
  textSet: toTexts,
  ipSet: toTexts,
  instant: toText,
  json: toText,
  budget: (value) => toTyped(value, BUDGET_TYPES),
};

const unknown = (what: string, why: string): UnknownValue => ({ kind: 'unknown', what, why });

/** The value of a reference to an attribute of a key. @throws Unresolved */
export function attributeOf({ declared, address, scope }: Instance, name: string): Value {
  const what = `${address}.${name}`;
  if (name === 'id') return { ...unknown(what, 'the gateway assigns it'), idOf: address };
  if (COMPUTED_ATTRIBUTES.includes(name)) return unknown(what, 'only the gateway knows it');
  const [, row] = ROWS.get(name) ?? [];
  if (!row && name !== 'name') throw new Unresolved(`A key does not have the attribute \`${name}\`.`);
  const written = tryFindMember(declared.body, name);
  const value = written ? evaluateNode(written.node, scope) : null;
  if (value !== null) return TYPES[row?.kind ?? 'text'](value);
  return unknown(what, 'its block omits it, so the gateway decides');
}
