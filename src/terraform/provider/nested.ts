import { isObject, type ObjectValue, type Value } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import type { Attribute, AttributeTable, Nesting } from './schema.ts';

/** The objects of a nested attribute, each with the steps that lead to it. Elements of sets have no path of their own. */
export function membersOf(value: Value, nesting: Nesting): readonly (readonly [readonly Step[], Value])[] {
  if (nesting === 'single') return [[[], value]];
  if (value instanceof Map) return [...value].map(([key, member]) => [[{ key }], member]);
  if (!Array.isArray(value)) return [];
  return value.map((member: Value, index) => [nesting === 'list' ? [index] : [], member]);
}

/** A nested attribute with all its objects worked on. @param work gets the key or the index, if the object has one */
export function mapObjects(value: Value, work: (member: ObjectValue, at?: string | number) => ObjectValue): Value {
  const worked = (member: Value, at?: string | number): Value => (isObject(member) ? work(member, at) : member);
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, worked(member, key)]));
  return Array.isArray(value) ? value.map(worked) : worked(value);
}

/** A value, and what it is a value of. */
export interface Place {
  readonly attribute: Attribute;
  readonly value: Value;
  /** Ends at the set of what is in a set: core knows no path into one. */
  readonly path: readonly Step[];
  readonly isInSet: boolean;
}

/** All values of an object, and all of the objects in it, outer ones first. */
export const placesIn = (
  { attributes }: { readonly attributes: AttributeTable },
  object: ObjectValue,
  path: readonly Step[] = [],
): readonly Place[] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const value = object[name] ?? null;
    const own: Place = { attribute, value, path: [...path, name], isInSet: false };
    if ('type' in attribute) return [own];
    const inner = membersOf(value, attribute.nesting).flatMap(([steps, member]) =>
      isObject(member) ? placesIn(attribute, member, [...own.path, ...steps]) : [],
    );
    if (attribute.nesting !== 'set') return [own, ...inner];
    return [own, ...inner.map((place): Place => ({ ...place, path: own.path, isInSet: true }))];
  });
