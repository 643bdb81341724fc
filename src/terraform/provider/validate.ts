import { isObject, isUnknown, type ObjectValue, type Value } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import type { Remark } from './definition.ts';
import type { Attribute, AttributeTable, Nesting } from './schema.ts';

/** The objects of a nested attribute, each with the steps that lead to it. Elements of sets have no path of their own. */
function membersOf(value: Value, nesting: Nesting): readonly (readonly [readonly Step[], Value])[] {
  if (nesting === 'single') return [[[], value]];
  if (value instanceof Map) return [...value].map(([key, member]) => [[{ key }], member]);
  if (!Array.isArray(value)) return [];
  return value.map((member: Value, index) => [nesting === 'list' ? [index] : [], member]);
}

function attributeRemarks(attribute: Attribute, value: Value, path: readonly Step[]): readonly Remark[] {
  if (value === null || isUnknown(value)) return [];
  const own = (attribute.check?.(value) ?? []).map(
    (problem): Remark => ({ severity: 'error', ...problem, path: [...path, ...(problem.path ?? [])] }),
  );
  if ('type' in attribute) return own;
  const inner = membersOf(value, attribute.nesting).flatMap(([steps, member]) =>
    isObject(member) ? configRemarks(attribute, member, [...path, ...steps]) : [],
  );
  return [...own, ...inner];
}

/** What the schema finds wrong with what people wrote, each at its attribute. Core itself has checked types. */
export const configRemarks = (
  { attributes }: { readonly attributes: AttributeTable },
  config: ObjectValue,
  path: readonly Step[] = [],
): readonly Remark[] =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    attributeRemarks(attribute, config[name] ?? null, [...path, name]),
  );
