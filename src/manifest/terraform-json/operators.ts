import type { Decimal } from '../../domain/index.ts';
import { identityOf, isSame, toFlag, toNumber } from './conversion.ts';
import type { BinaryOperator } from './expression.ts';
import { Refused } from './refused.ts';
import { known, numberFrom, tryWhole, type Value } from './value.ts';

/** Terraform keeps the sign of nothing, and shows it. */
const SIGNED_ZERO = 'A zero with a sign is no plain number.';

function wholeOf(value: Value, operator: string): bigint {
  const whole = tryWhole(toNumber(value));
  if (whole !== undefined) return whole;
  throw new Refused(`\`${operator}\` is worked out for whole numbers only: Terraform rounds the others.`);
}

const onWhole =
  (operator: string, compute: (a: bigint, b: bigint) => bigint) =>
  (left: Value, right: Value): Value =>
    numberFrom(String(compute(wholeOf(left, operator), wholeOf(right, operator))));

function difference(a: Decimal, b: Decimal): bigint {
  const scale = Math.max(a.scale, b.scale);
  const [p, q] = [a, b].map(({ digits, scale: own }) => digits * 10n ** BigInt(scale - own));
  return (p ?? 0n) - (q ?? 0n);
}

const comparing =
  (holds: (difference: bigint) => boolean) =>
  (left: Value, right: Value): Value =>
    holds(difference(toNumber(left).exact, toNumber(right).exact));

function areEqual(left: Value, right: Value): boolean {
  const [a, b] = [known(left), known(right)];
  // Whether collections are equal depends on types that are not written down.
  identityOf(a);
  identityOf(b);
  return isSame(a, b);
}

function multiply(a: bigint, b: bigint): bigint {
  if (a * b === 0n && (a < 0n || b < 0n)) throw new Refused(SIGNED_ZERO);
  return a * b;
}

function divided(): never {
  throw new Refused('Divisions are not worked out: Terraform rounds them.');
}

export const BINARY: Readonly<Record<BinaryOperator, (left: Value, right: Value) => Value>> = {
  // Terraform looks at both sides, whatever the first one is.
  '||': (left, right) => [toFlag(left), toFlag(right)].some(Boolean),
  '&&': (left, right) => [toFlag(left), toFlag(right)].every(Boolean),
  '==': areEqual,
  '!=': (left, right) => !areEqual(left, right),
  '<': comparing((by) => by < 0n),
  '<=': comparing((by) => by <= 0n),
  '>': comparing((by) => by > 0n),
  '>=': comparing((by) => by >= 0n),
  '+': onWhole('+', (a, b) => a + b),
  '-': onWhole('-', (a, b) => a - b),
  '*': onWhole('*', multiply),
  '/': divided,
  '%': divided,
};

export function negate(value: Value): Value {
  const { exact } = toNumber(value);
  if (exact.digits === 0n) throw new Refused(SIGNED_ZERO);
  return { kind: 'number', exact: { ...exact, digits: -exact.digits } };
}
