import { ASSERTION_KINDS, ASSERTION_NAMES, ASSERTIONS, type AssertionKind } from '../../../src/domain/index.ts';
import type { DataKeyplaneCheckExpect } from '../../gen/cdktf/data-keyplane-check/index.ts';
import { jsonText } from '../values/json-text.ts';
import { propertyName } from '../values/property-name.ts';
import { isRecord, jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import type { SmokeCheckExpect } from './smoke-check-expect.ts';

const asIs = (value: unknown): unknown => value;

/** Encodes the value of each kind for the data source; undefined for values that it does not support. */
const ENCODE: { readonly [K in AssertionKind]: (value: unknown) => unknown } = {
  text: asIs,
  texts: (value) => (typeof value === 'string' ? [value] : value),
  pattern: asIs,
  jsonSchema: (value) => (jsonProblem(value, isUnresolved) === undefined ? jsonText(value) : undefined),
  count: asIs,
  seconds: asIs,
  flag: asIs,
  mediaFormat: asIs,
  // Terraform reads a decimal string as an exact number.
  usd: asIs,
};

/** Encodes assertions for the data source. */
export function expectConfig(expect: SmokeCheckExpect): DataKeyplaneCheckExpect {
  const values: Readonly<Record<string, unknown>> = { ...expect };
  return Object.fromEntries(
    ASSERTION_NAMES.flatMap((name) => {
      const { kind, terraform } = ASSERTIONS[name];
      const value = values[name] === undefined ? undefined : ENCODE[kind](values[name]);
      return value === undefined ? [] : [[propertyName(terraform), value]];
    }),
  );
}

/** Explains why a value is not a JSON object, which may contain values that Terraform fills in. */
export function jsonObjectProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'Expected a JSON object.';
  const problem = jsonProblem(value, isUnresolved);
  return problem && `It is not JSON: ${problem}.`;
}

/** Returns the error of an assertion’s value, if any. */
export function assertionProblem(kind: AssertionKind, value: unknown): string | undefined {
  if (kind === 'jsonSchema') return jsonObjectProblem(value);
  const { expected, parse } = ASSERTION_KINDS[kind];
  return parse(value) === undefined ? `Expected ${expected}.` : undefined;
}
