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

/** Adds the texts of a value to others. */
function addTexts(value: TerraformValue, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) addTexts(item, texts);
  else if (value instanceof Map) for (const pair of value) for (const part of pair) addTexts(part, texts);
  else if (isObject(value)) for (const name in value) addTexts(value[name] ?? null, texts);
}

/** A state without secrets outside of its sensitive attributes: everybody who reads a plan or a state sees the others. */
export function maskedState({ attributes }: Schema, state: TerraformObject, mask: Mask): TerraformObject {
  const shown = Object.entries(state).filter(([name]) => attributes[name]?.isSensitive !== true);
  const texts: string[] = [];
  for (const [, value] of shown) addTexts(value, texts);
  // What is in a text is in all of them together, which are looked through once: nearly all states hold no secret.
  const all = texts.join('\n');
  if (mask(all) === all) return state;
  return { ...state, ...Object.fromEntries(shown.map(([name, value]) => [name, maskedValue(value, mask)])) };
}

/** A diagnostic without secrets in its texts. */
export const maskedDiagnostic = (diagnostic: ProtocolDiagnostic, mask: Mask): ProtocolDiagnostic => ({
  ...diagnostic,
  summary: mask(diagnostic.summary),
  ...(diagnostic.detail === undefined ? {} : { detail: mask(diagnostic.detail) }),
});
