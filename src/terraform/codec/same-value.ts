import { Dynamic, isObject, isUnknown, type NumberValue, numberText, type Value, type ValueType } from './value.ts';

const isNumber = (value: Value): value is NumberValue =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && 'text' in value);

/** Compares sets, which have no order. */
function sameElements(one: readonly Value[], other: readonly Value[], type: ValueType): boolean {
  const left = [...other];
  return one.every((value) => {
    const at = left.findIndex((candidate) => isSameValue(value, candidate, type));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameMembers(one: Value, other: Value, [kind, inner]: Exclude<ValueType, string>): boolean {
  if (kind === 'map') {
    if (!(one instanceof Map) || !(other instanceof Map) || one.size !== other.size) return false;
    return [...one].every(([key, value]) => other.has(key) && isSameValue(value, other.get(key) as Value, inner));
  }
  if (kind === 'object') {
    if (!isObject(one) || !isObject(other)) return false;
    return Object.entries(inner).every(([name, type]) => isSameValue(one[name] ?? null, other[name] ?? null, type));
  }
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  if (kind === 'set') return sameElements(one, other, inner);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] ?? 'dynamic') : inner);
  return one.every((value, index) => isSameValue(value, other[index] as Value, typeAt(index)));
}

/** Compares two values of a type. All unknown values are the same. */
export function isSameValue(one: Value, other: Value, type: ValueType): boolean {
  if (isUnknown(one) || isUnknown(other)) return isUnknown(one) && isUnknown(other);
  if (one === null || other === null) return one === other;
  if (type === 'dynamic') {
    if (!(one instanceof Dynamic) || !(other instanceof Dynamic)) return false;
    return JSON.stringify(one.type) === JSON.stringify(other.type) && isSameValue(one.value, other.value, one.type);
  }
  if (type === 'number') return isNumber(one) && isNumber(other) && numberText(one) === numberText(other);
  return typeof type === 'string' ? one === other : sameMembers(one, other, type);
}
