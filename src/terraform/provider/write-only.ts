import type { ObjectValue } from '../codec/value.ts';
import type { Remark } from './definition.ts';
import { mapObjects, placesIn } from './nested.ts';
import type { AttributeTable, Schema } from './schema.ts';

const STORED = 'It would be stored: this version of the program knows no write-only attributes.';

/** Says which write-only values are given to a core that would store them. */
export const writeOnlyRemarks = (schema: Schema, config: ObjectValue): readonly Remark[] =>
  placesIn(schema, config)
    .filter(({ attribute, value }) => attribute.isWriteOnly && value !== null)
    .map(({ path }) => ({
      severity: 'error',
      summary: `${path.findLast((step) => typeof step === 'string')} can not be set`,
      detail: STORED,
      path,
    }));

/** An object as it may be kept: nothing write-only is in it, whatever the provider has put there. */
export const withoutWriteOnly = (
  { attributes }: { readonly attributes: AttributeTable },
  object: ObjectValue,
): ObjectValue =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const attribute = attributes[name];
      if (attribute === undefined || 'type' in attribute) return [name, attribute?.isWriteOnly ? null : value];
      return [name, attribute.isWriteOnly ? null : mapObjects(value, (member) => withoutWriteOnly(attribute, member))];
    }),
  );
