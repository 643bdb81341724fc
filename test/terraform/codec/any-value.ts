import fc from 'fast-check';
import {
  Dynamic,
  ExactNumber,
  type TerraformValue,
  UNKNOWN,
  type ValueType,
} from '../../../src/terraform/codec/value.ts';

export interface Typed {
  readonly type: ValueType;
  readonly value: TerraformValue;
}

const NUMBER: fc.Arbitrary<TerraformValue> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).filter((n) => !Number.isSafeInteger(Number(n))),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
  fc.constantFrom('0.1234567890123456789', '1e400', '-12345678901234567890.5').map((text) => new ExactNumber(text)),
);

const KEY = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', ''));
const NAME = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);

const PRIMITIVE: fc.Arbitrary<ValueType> = fc.constantFrom('string', 'number', 'bool');

const TYPE: fc.Arbitrary<ValueType> = fc.letrec<{ type: ValueType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    PRIMITIVE,
    fc.constant<ValueType>('dynamic'),
    fc.tuple(fc.constantFrom('list', 'set', 'map'), tie('type')) as fc.Arbitrary<ValueType>,
    fc.tuple(fc.constant('tuple'), fc.array(tie('type'), { maxLength: 3 })) as fc.Arbitrary<ValueType>,
    fc.tuple(fc.constant('object'), fc.dictionary(NAME, tie('type'), { maxKeys: 3 })) as fc.Arbitrary<ValueType>,
  ),
})).type;

function known(type: ValueType): fc.Arbitrary<TerraformValue> {
  if (type === 'string') return fc.string({ unit: 'grapheme' });
  if (type === 'bool') return fc.boolean();
  if (type === 'number') return NUMBER;
  if (type === 'dynamic')
    return PRIMITIVE.chain((inner) => valueOfType(inner).map((value) => new Dynamic(inner, value)));
  const [kind, inner] = type;
  if (kind === 'map')
    return fc.array(fc.tuple(KEY, valueOfType(inner)), { maxLength: 3 }).map((pairs) => new Map(pairs));
  if (kind === 'tuple') return fc.tuple(...inner.map(valueOfType));
  if (kind === 'object') {
    return fc.record(Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, valueOfType(each)])));
  }
  return fc.array(valueOfType(inner), { maxLength: 3 });
}

const valueOfType = (type: ValueType): fc.Arbitrary<TerraformValue> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(type).chain(known) },
    { weight: 1, arbitrary: fc.constant<TerraformValue>(null) },
    { weight: 1, arbitrary: fc.constant<TerraformValue>(UNKNOWN) },
  );

/** Any value, with its type. */
export const ANY_TYPED: fc.Arbitrary<Typed> = TYPE.chain((type) => valueOfType(type).map((value) => ({ type, value })));
