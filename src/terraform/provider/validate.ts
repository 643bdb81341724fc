import { isUnknown, type ObjectValue } from '../codec/value.ts';
import type { Remark } from './definition.ts';
import { type Place, placesIn } from './nested.ts';
import type { Schema } from './schema.ts';

const remarksAt = ({ attribute, value, path, isInSet }: Place): readonly Remark[] =>
  value === null || isUnknown(value)
    ? []
    : (attribute.check?.(value) ?? []).map((problem) => ({
        severity: 'error',
        ...problem,
        path: isInSet ? path : [...path, ...(problem.path ?? [])],
      }));

/** What the schema finds wrong with what people wrote, each at its attribute. Core itself has checked types. */
export const configRemarks = (schema: Pick<Schema, 'attributes' | 'check'>, config: ObjectValue): readonly Remark[] => [
  ...placesIn(schema, config).flatMap(remarksAt),
  ...(schema.check?.(config) ?? []).map((problem): Remark => ({ severity: 'error', ...problem })),
];
