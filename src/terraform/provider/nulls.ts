import { isObject, isUnknown, type TerraformValue, type ValueType } from '../codec/value.ts';
import type { PathStep } from '../codec/value-error.ts';

interface TypedPart {
  readonly step: PathStep;
  readonly value: TerraformValue;
  readonly type: ValueType;
}

function partsOf(value: TerraformValue, type: ValueType): readonly TypedPart[] {
  if (typeof type === 'string') return [];
  const [kind, inner] = type;
  if (kind === 'object') {
    if (!isObject(value)) return [];
    return Object.entries(inner).map(([name, member]) => ({ step: name, value: value[name] ?? null, type: member }));
  }
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] ?? 'dynamic') : inner);
  if (value instanceof Map)
    return [...value].map(([key, member]) => ({ step: { key }, value: member, type: typeAt(0) }));
  if (!Array.isArray(value)) return [];
  return value.map((member: TerraformValue, index) => ({ step: index, value: member, type: typeAt(index) }));
}

const ELEMENTS = ['list', 'set', 'map'];

/**
 * Returns the steps to each null element of a list, a set or a map, at any depth. Within a set they end at the set: core has
 * no path into one. The attributes of an object may be null, and values of type `dynamic` are not looked into.
 */
export function nullElements(value: TerraformValue, type: ValueType): readonly (readonly PathStep[])[] {
  if (isUnknown(value)) return [];
  const isCollection = ELEMENTS.includes(type[0]);
  const found = partsOf(value, type).flatMap((part) =>
    part.value === null && isCollection
      ? [[part.step]]
      : nullElements(part.value, part.type).map((rest) => [part.step, ...rest]),
  );
  return type[0] === 'set' ? found.slice(0, 1).map(() => []) : found;
}
