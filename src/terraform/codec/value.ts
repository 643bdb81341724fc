import { oncePer } from '../../domain/index.ts';
/** A type of Terraform’s language, as its protocol writes it in JSON. */
export type ValueType =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', ValueType]
  | readonly ['tuple', readonly ValueType[]]
  | readonly ['object', Attributes];

export interface Attributes {
  readonly [name: string]: ValueType;
}

type AttributeList = readonly (readonly [name: string, type: ValueType])[];

/** The attributes of each type as a list: every value of every call is read by its type, which never changes. */
export const listAttributes = oncePer((attributes: Attributes): AttributeList => Object.entries(attributes));

/** Partial knowledge about an unknown value. Advisory: core may omit it. */
export interface Refinement {
  readonly isNotNull?: boolean;
  readonly prefix?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A value that will be known after an apply. */
export class Unknown {
  readonly refinement: Refinement;

  constructor(refinement: Refinement = {}) {
    this.refinement = refinement;
  }
}

export const UNKNOWN = new Unknown();

/** A number that neither a JavaScript number nor a bigint holds exactly, as decimal text. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value with its type, for an attribute of type `dynamic`. */
export class Dynamic {
  readonly type: ValueType;
  readonly value: TerraformValue;

  constructor(type: ValueType, value: TerraformValue) {
    this.type = type;
    this.value = value;
  }
}

export type TerraformNumber = number | bigint | ExactNumber;

/** Maps are `Map`s, because their keys are arbitrary; objects have the attributes of their type. */
export type TerraformValue =
  | null
  | Unknown
  | boolean
  | string
  | TerraformNumber
  | Dynamic
  | readonly TerraformValue[]
  | MapValue
  | TerraformObject;

export type MapValue = ReadonlyMap<string, TerraformValue>;

export interface TerraformObject {
  readonly [attribute: string]: TerraformValue;
}

export const isUnknown = (value: TerraformValue): value is Unknown => value instanceof Unknown;

export const isObject = (value: TerraformValue): value is TerraformObject =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Map) &&
  !(value instanceof Unknown) &&
  !(value instanceof ExactNumber) &&
  !(value instanceof Dynamic);

/** Returns whether no part of the value is unknown. */
export function isWhollyKnown(value: TerraformValue): boolean {
  if (isUnknown(value)) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  if (value instanceof Map) return [...value.values()].every(isWhollyKnown);
  return !isObject(value) || Object.values(value).every(isWhollyKnown);
}

/** Parses decimal text, to a plain number where that is exact. */
export function numberFrom(text: string): TerraformNumber {
  const plain = Number(text);
  if (String(plain) === text) return plain;
  if (/^-?\d+$/.test(text)) {
    const whole = BigInt(text);
    return Number.isSafeInteger(plain) ? plain : whole;
  }
  return new ExactNumber(text);
}

export const numberText = (value: TerraformNumber): string =>
  value instanceof ExactNumber ? value.text : String(value);
