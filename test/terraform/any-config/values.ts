import {
  ExactNumber,
  type TerraformObject,
  type TerraformValue,
  UNKNOWN,
  type ValueType,
} from '../../../src/terraform/codec/value.ts';
import { type Attribute, type AttributeTable, attributeType } from '../../../src/terraform/provider/schema.ts';

/** Texts that mean something to one attribute or another, and some that mean nothing to any. */
const TEXTS = ['', ' ', 'x', 'any', 'never', '0s', '30s', 'month', '{}', '{', '10.0.0.0/8', '1', 'chat', '\u0000', 'ä'];
const LONG_TEXTS = ['x'.repeat(10_000), '2027-01-01T00:00:00Z', '*'.repeat(60), `sk-${'a'.repeat(48)}`, '__proto__'];

const NUMBERS: readonly TerraformValue[] = [
  ...[0, 1, 2, -1, 42, 2 ** 53 - 1, 2n ** 63n],
  ...['0.1', '-0.5', '1e400', '0.0000001'].map((text) => new ExactNumber(text)),
];

const primitives: Readonly<Record<'string' | 'number' | 'bool' | 'dynamic', readonly TerraformValue[]>> = {
  string: [...TEXTS, ...LONG_TEXTS],
  number: NUMBERS,
  bool: [true, false],
  dynamic: [],
};

/** Null, unknown, empty, null elements, unknown elements and many elements of a collection. */
function collections(kind: 'list' | 'set' | 'map', inner: ValueType): readonly TerraformValue[] {
  const known = knownValues(inner);
  const element = known[0] ?? null;
  const elements: readonly (readonly TerraformValue[])[] = [
    ...[[], [null], [element, null], [UNKNOWN], [element, UNKNOWN], [null, UNKNOWN]],
    ...known.map((each) => [each]),
    known,
  ];
  if (kind !== 'map') return elements;
  return elements.map((each) => new Map(each.map((value, index) => [`k${index}`, value])));
}

function objects(types: Readonly<Record<string, ValueType>>): readonly TerraformValue[] {
  const filled = (value: TerraformValue): TerraformObject =>
    Object.fromEntries(Object.keys(types).map((name) => [name, value]));
  const one = Object.entries(types).flatMap(([name, type]) =>
    valuesOf(type).map((value): TerraformObject => ({ ...filled(null), [name]: value })),
  );
  return [filled(null), filled(UNKNOWN), ...one];
}

function knownValues(type: ValueType): readonly TerraformValue[] {
  if (typeof type === 'string') return primitives[type];
  const [kind, inner] = type;
  if (kind === 'object') return objects(inner);
  return kind === 'tuple' ? [] : collections(kind, inner);
}

/** Values of a type that core may send, valid or not, null and unknown ones among them. */
export const valuesOf = (type: ValueType): readonly TerraformValue[] => [null, UNKNOWN, ...knownValues(type)];

/** One configuration in which one attribute has one of its values. */
export interface AnyConfig {
  readonly attribute: Attribute;
  readonly name: string;
  readonly value: TerraformValue;
  readonly config: TerraformObject;
}

/** Every attribute with each of its values, next to those of a valid configuration. */
export const singleChanges = (attributes: AttributeTable, valid: TerraformObject): readonly AnyConfig[] =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    valuesOf(attributeType(attribute)).map(
      (value): AnyConfig => ({ attribute, name, value, config: { ...valid, [name]: value } }),
    ),
  );
