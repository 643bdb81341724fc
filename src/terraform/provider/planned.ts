import { isSameValue } from '../codec/same-value.ts';
import { type ObjectValue, UNKNOWN, type Value } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import { type Attribute, attributeType, type Schema } from './schema.ts';

/** What one attribute shall be, as far as the schema alone can tell. */
function plannedValue(attribute: Attribute, written: Value, prior: Value | undefined): Value {
  if (attribute.isWriteOnly) return null;
  if (written !== null) return written;
  if (attribute.default !== undefined) return attribute.default;
  if (!attribute.set.endsWith('computed')) return null;
  return prior === undefined ? UNKNOWN : prior;
}

/**
 * What follows from the schema alone: what is written, else the default, else what the provider computes: unknown of an
 * object that is to be made, as it was of one that there is.
 */
export const plannedBySchema = ({ attributes }: Schema, config: ObjectValue, prior?: ObjectValue): ObjectValue =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      plannedValue(attribute, config[name] ?? null, prior && (prior[name] ?? null)),
    ]),
  );

/** The attributes whose new value needs another object. */
export const replacing = ({ attributes }: Schema, prior: ObjectValue, planned: ObjectValue): readonly Step[][] =>
  Object.entries(attributes).flatMap(([name, attribute]) => {
    const same = isSameValue(prior[name] ?? null, planned[name] ?? null, attributeType(attribute));
    return attribute.replaces && !same ? [[name]] : [];
  });
