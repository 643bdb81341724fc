import { oncePer } from '../../domain/index.ts';
import type { TerraformObject } from '../codec/value.ts';
import type { ProtocolDiagnostic } from './diagnostics.ts';
import { mapObjects, valuesIn } from './nested.ts';
import type { AttributeTable, Schema } from './schema.ts';

const STORED = 'This version of the program does not support write-only attributes and would store the value.';

/** Rejects write-only values for a core that would store them. */
export const validateWriteOnly = (schema: Schema, config: TerraformObject): readonly ProtocolDiagnostic[] =>
  valuesIn(schema, config)
    .filter(({ attribute, value }) => attribute.isWriteOnly && value !== null)
    .map(({ path }) => ({
      severity: 'error',
      summary: `${path.findLast((step) => typeof step === 'string')} cannot be set`,
      detail: STORED,
      path,
    }));

/** May a value have a secret in an attribute for it? Every state is looked through. */
export const mayHoldSecrets = oncePer((attributes: AttributeTable): boolean =>
  Object.values(attributes).some(
    (attribute) =>
      attribute.isWriteOnly === true ||
      attribute.isSensitive === true ||
      ('attributes' in attribute && mayHoldSecrets(attribute.attributes)),
  ),
);

/** Removes write-only values from an object, whatever the provider has put there. */
export const withoutWriteOnly = (
  { attributes }: { readonly attributes: AttributeTable },
  object: TerraformObject,
): TerraformObject => (mayHoldSecrets(attributes) ? removeWriteOnly(attributes, object) : object);

const removeWriteOnly = (attributes: AttributeTable, object: TerraformObject): TerraformObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => {
      const attribute = attributes[name];
      if (attribute === undefined || 'type' in attribute) return [name, attribute?.isWriteOnly ? null : value];
      return [name, attribute.isWriteOnly ? null : mapObjects(value, (member) => withoutWriteOnly(attribute, member))];
    }),
  );
