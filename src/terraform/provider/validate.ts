import { isUnknown, type TerraformObject } from '../codec/value.ts';
import type { ProtocolDiagnostic } from './diagnostics.ts';
import { type LocatedValue, valuesIn } from './nested.ts';
import type { Schema } from './schema.ts';

const diagnosticsAt = ({ attribute, value, path, isInSet }: LocatedValue): readonly ProtocolDiagnostic[] =>
  value === null || isUnknown(value)
    ? []
    : (attribute.check?.(value) ?? []).map((error) => ({
        severity: 'error',
        ...error,
        path: isInSet ? path : [...path, ...(error.path ?? [])],
      }));

/** Applies the checks of a schema to a configuration. Core itself has checked the types. */
export const validateConfig = (
  schema: Pick<Schema, 'attributes' | 'check'>,
  config: TerraformObject,
): readonly ProtocolDiagnostic[] => [
  ...valuesIn(schema, config).flatMap(diagnosticsAt),
  ...(schema.check?.(config) ?? []).map((error): ProtocolDiagnostic => ({ severity: 'error', ...error })),
];
