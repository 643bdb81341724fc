import {
  Dynamic,
  isObject,
  isUnknown,
  listAttributes,
  numberText,
  type TerraformNumber,
  type TerraformValue,
  type ValueType,
} from './value.ts';

const isNumber = (value: TerraformValue): value is TerraformNumber =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && 'text' in value);

/** Compares sets, which have no order. */
function sameElements(one: readonly TerraformValue[], other: readonly TerraformValue[], type: ValueType): boolean {
  const left = [...other];
  return one.every((value) => {
    const at = left.findIndex((candidate) => isSameValue(value, candidate, type));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameMembers(one: TerraformValue, other: TerraformValue, [kind, inner]: Exclude<ValueType, string>): boolean {
  if (kind === 'map') {
    if (!(one instanceof Map) || !(other instanceof Map) || one.size !== other.size) return false;
    return [...one].every(
      ([key, value]) => other.has(key) && isSameValue(value, other.get(key) as TerraformValue, inner),
    );
  }
  if (kind === 'object') {
    if (!isObject(one) || !isObject(other)) return false;
    return listAttributes(inner).every(([name, type]) => isSameValue(one[name] ?? null, other[name] ?? null, type));
  }
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  if (kind === 'set') return sameElements(one, other, inner);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] ?? 'dynamic') : inner);
  return one.every((value, index) => isSameValue(value, other[index] as TerraformValue, typeAt(index)));
}

/** Compares two values of a type. All unknown values are the same. */
export function isSameValue(one: TerraformValue, other: TerraformValue, type: ValueType): boolean {
  if (one === other) return true;
  if (isUnknown(one) || isUnknown(other)) return isUnknown(one) && isUnknown(other);
  if (one === null || other === null) return one === other;
  if (type === 'dynamic') {
    if (!(one instanceof Dynamic) || !(other instanceof Dynamic)) return false;
    return JSON.stringify(one.type) === JSON.stringify(other.type) && isSameValue(one.value, other.value, one.type);
  }
  if (type === 'number') return isNumber(one) && isNumber(other) && numberText(one) === numberText(other);
  return typeof type === 'string' ? one === other : sameMembers(one, other, type);
}
