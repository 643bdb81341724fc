import { isObject, type TerraformObject, type TerraformValue } from '../codec/value.ts';
import type { PathStep } from '../codec/value-error.ts';
import type { Attribute, AttributeTable, Nesting } from './schema.ts';

/** The objects of a nested attribute, each with the steps to it. Elements of sets have no path of their own. */
export function membersOf(
  value: TerraformValue,
  nesting: Nesting,
): readonly (readonly [readonly PathStep[], TerraformValue])[] {
  if (nesting === 'single') return [[[], value]];
  if (value instanceof Map) return [...value].map(([key, member]) => [[{ key }], member]);
  if (!Array.isArray(value)) return [];
  return value.map((member: TerraformValue, index) => [nesting === 'list' ? [index] : [], member]);
}

/** Maps all objects of a nested attribute. @param work receives the key or the index, if the object has one */
export function mapObjects(
  value: TerraformValue,
  work: (member: TerraformObject, at?: string | number) => TerraformObject,
): TerraformValue {
  const mapped = (member: TerraformValue, at?: string | number): TerraformValue =>
    isObject(member) ? work(member, at) : member;
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, mapped(member, key)]));
  return Array.isArray(value) ? value.map(mapped) : mapped(value);
}

/** A value with its attribute and its path. */
export interface LocatedValue {
  readonly attribute: Attribute;
  readonly value: TerraformValue;
  /** For values within a set, the path ends at the set: core has no path into one. */
  readonly path: readonly PathStep[];
  readonly isInSet: boolean;
}

/** All values of an object and of the objects in it, outer ones first. */
export const valuesIn = (
  { attributes }: { readonly attributes: AttributeTable },
  object: TerraformObject,
  path: readonly PathStep[] = [],
): readonly LocatedValue[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = object[name] ?? null;
    const own: LocatedValue = { attribute, value, path: [...path, name], isInSet: false };
    if ('type' in attribute) return [own];
    const inner = membersOf(value, attribute.nesting).flatMap(([steps, member]) =>
      isObject(member) ? valuesIn(attribute, member, [...own.path, ...steps]) : [],
    );
    if (attribute.nesting !== 'set') return [own, ...inner];
    return [own, ...inner.map((located): LocatedValue => ({ ...located, path: own.path, isInSet: true }))];
  });
