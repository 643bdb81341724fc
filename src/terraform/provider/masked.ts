import { isObject, type TerraformObject, type TerraformValue } from '../codec/value.ts';
import type { ProtocolDiagnostic } from './diagnostics.ts';
import type { Schema } from './schema.ts';

/** Removes the secrets that a provider knows from a text that somebody else wrote. */
export type Mask = (text: string) => string;

function maskedValue(value: TerraformValue, mask: Mask): TerraformValue {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item: TerraformValue) => maskedValue(item, mask));
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [mask(name), maskedValue(item, mask)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedValue(item, mask)]));
}

/** A state without secrets outside of its sensitive attributes: everybody who reads a plan or a state sees the others. */
export const maskedState = ({ attributes }: Schema, state: TerraformObject, mask: Mask): TerraformObject =>
  Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      attributes[name]?.isSensitive ? value : maskedValue(value, mask),
    ]),
  );

/** A diagnostic without secrets in its texts. */
export const maskedDiagnostic = (diagnostic: ProtocolDiagnostic, mask: Mask): ProtocolDiagnostic => ({
  ...diagnostic,
  summary: mask(diagnostic.summary),
  ...(diagnostic.detail === undefined ? {} : { detail: mask(diagnostic.detail) }),
});
