import { isLosslessNumber, parse } from 'lossless-json';
import { Dynamic, listAttributes, numberFrom, type TerraformValue, type ValueType } from './value.ts';
import { type PathStep, ValueError } from './value-error.ts';

const numberOf = (json: unknown, path: readonly PathStep[]): TerraformValue => {
  if (isLosslessNumber(json)) return numberFrom(json.value);
  // A state that was edited by hand may hold a number as a string.
  if (typeof json === 'string' && Number.isFinite(Number(json)) && json.trim() !== '') return numberFrom(json);
  throw new ValueError('a number expected', path);
};

function primitiveOf(json: unknown, type: 'string' | 'bool' | 'number', path: readonly PathStep[]): TerraformValue {
  if (type === 'number') return numberOf(json, path);
  if (typeof json === (type === 'bool' ? 'boolean' : 'string')) return json as string | boolean;
  throw new ValueError(`a ${type} expected`, path);
}

const membersOf = (json: unknown, path: readonly PathStep[]): readonly [string, unknown][] => {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json);
  throw new ValueError('an object expected', path);
};

function collectionOf(
  json: unknown,
  [kind, inner]: Exclude<ValueType, string>,
  path: readonly PathStep[],
): TerraformValue {
  if (kind === 'object') {
    const members = new Map(membersOf(json, path));
    const entries = Object.entries(inner).map(([name, type]) => [
      name,
      typedValue(members.get(name), type, [...path, name]),
    ]);
    return Object.fromEntries(entries);
  }
  if (kind === 'map') {
    const entries = membersOf(json, path).map(([key, member]): [string, TerraformValue] => [
      key,
      typedValue(member, inner, [...path, { key }]),
    ]);
    return new Map(entries);
  }
  if (!Array.isArray(json)) throw new ValueError(`a ${kind} expected`, path);
  const typeAt = (index: number): ValueType => (kind === 'tuple' ? (inner[index] ?? 'dynamic') : inner);
  return json.map((member: unknown, index) => typedValue(member, typeAt(index), [...path, index]));
}

function typedValue(json: unknown, type: ValueType, path: readonly PathStep[]): TerraformValue {
  if (json === null || json === undefined) return null;
  if (type === 'dynamic') {
    const members = new Map(membersOf(json, path));
    const inner = members.get('type') as ValueType;
    return new Dynamic(inner, typedValue(members.get('value'), inner, path));
  }
  return typeof type === 'string' ? primitiveOf(json, type, path) : collectionOf(json, type, path);
}

/**
 * Decodes a stored state, JSON, and keeps every number exact. Omits attributes that the type does not have: core keeps
 * those of an older schema.
 *
 * @throws ValueError
 */
export const valueFromState = (text: string, type: ValueType): TerraformValue => typedValue(parse(text), type, []);

function isCollectionOf(json: object, [kind, inner]: Exclude<ValueType, string>): boolean {
  if (kind === 'object') {
    const members = json as { readonly [name: string]: unknown };
    const attributes = listAttributes(inner);
    return (
      !Array.isArray(json) &&
      Object.keys(json).length === attributes.length &&
      attributes.every(([name, type]) => Object.hasOwn(json, name) && isOfType(members[name], type))
    );
  }
  if (kind === 'map') return !Array.isArray(json) && Object.values(json).every((member) => isOfType(member, inner));
  return kind !== 'tuple' && Array.isArray(json) && json.every((member) => isOfType(member, inner));
}

/** Is JSON a value of the type as core itself writes it, with each attribute and no other? False where that is not certain. */
export function isOfType(json: unknown, type: ValueType): boolean {
  if (json === null) return true;
  if (type === 'dynamic') return false;
  if (typeof type !== 'string') return typeof json === 'object' && isCollectionOf(json as object, type);
  return typeof json === (type === 'bool' ? 'boolean' : type);
}
