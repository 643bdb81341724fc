import { isSameValue } from '../codec/same-value.ts';
import { isObject, type ObjectValue, UNKNOWN, type Value } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import { mapObjects, membersOf } from './nested.ts';
import { type Attribute, type AttributeTable, attributeType, typeOf } from './schema.ts';

type Table = { readonly attributes: AttributeTable };
type Nested = Exclude<Attribute, { readonly type: unknown }>;

/** Takes the object that an element of a set was: one that what is written would not change. */
function takeSame(attribute: Nested, written: ObjectValue, left: ObjectValue[]): ObjectValue | undefined {
  const type = typeOf(attribute);
  const at = left.findIndex((former) => isSameValue(plannedBySchema(attribute, written, former), former, type));
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

/** What is written of nested objects, each with what the schema adds to it. */
function nestedValue(attribute: Nested, written: Value, prior: Value): Value {
  const left = Array.isArray(prior) ? prior.filter(isObject) : [];
  return mapObjects(written, (member, at) => {
    if (attribute.nesting === 'set') return plannedBySchema(attribute, member, takeSame(attribute, member, left));
    const former = membersOf(prior, attribute.nesting).find(([[step]]) =>
      typeof step === 'object' ? step.key === at : step === at,
    )?.[1];
    return plannedBySchema(attribute, member, former !== undefined && isObject(former) ? former : undefined);
  });
}

/** What one attribute shall be, as far as the schema alone can tell. */
function plannedValue(attribute: Attribute, written: Value, prior: Value | undefined): Value {
  if (attribute.isWriteOnly) return null;
  if (written !== null) return 'type' in attribute ? written : nestedValue(attribute, written, prior ?? null);
  if (attribute.default !== undefined) return attribute.default;
  if (!attribute.set.endsWith('computed')) return null;
  return prior === undefined ? UNKNOWN : prior;
}

/**
 * What follows from the schema alone: what is written, else the default, else what the provider computes: unknown of an
 * object that is to be made, as it was of one that there is. The same holds in nested objects.
 */
export const plannedBySchema = ({ attributes }: Table, config: ObjectValue, prior?: ObjectValue): ObjectValue =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      plannedValue(attribute, config[name] ?? null, prior && (prior[name] ?? null)),
    ]),
  );

/** Where nested objects that shall be there differ in what needs another object. In sets, nobody can tell. */
function replacingIn(attribute: Nested, prior: Value, planned: Value): readonly Step[][] {
  if (attribute.nesting === 'set') return [];
  const former = new Map(membersOf(prior, attribute.nesting).map(([steps, member]) => [JSON.stringify(steps), member]));
  return membersOf(planned, attribute.nesting).flatMap(([steps, member]) => {
    if (!isObject(member)) return [];
    const before = former.get(JSON.stringify(steps)) ?? null;
    return replacing(attribute, isObject(before) ? before : {}, member).map((path) => [...steps, ...path]);
  });
}

/** The attributes whose new value needs another object. */
export const replacing = ({ attributes }: Table, prior: ObjectValue, planned: ObjectValue): readonly Step[][] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const [before, after] = [prior[name] ?? null, planned[name] ?? null];
    if (attribute.replaces && !isSameValue(before, after, attributeType(attribute))) return [[name]];
    return 'type' in attribute ? [] : replacingIn(attribute, before, after).map((path) => [name, ...path]);
  });
