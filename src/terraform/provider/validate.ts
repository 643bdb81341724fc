import { isUnknown, type ObjectValue } from '../codec/value.ts';
import type { Diagnostic } from './diagnostics.ts';
import { type LocatedValue, valuesIn } from './nested.ts';
import type { Schema } from './schema.ts';

const diagnosticsAt = ({ attribute, value, path, isInSet }: LocatedValue): readonly Diagnostic[] =>
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
  config: ObjectValue,
): readonly Diagnostic[] => [
  ...valuesIn(schema, config).flatMap(diagnosticsAt),
  ...(schema.check?.(config) ?? []).map((error): Diagnostic => ({ severity: 'error', ...error })),
];
