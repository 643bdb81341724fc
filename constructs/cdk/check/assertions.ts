import { ASSERTION_KINDS, ASSERTION_NAMES, ASSERTIONS, type AssertionKind } from '../../../src/domain/index.ts';
import type { DataKeyplaneCheckExpect } from '../../gen/cdktf/data-keyplane-check/index.ts';
import { jsonText } from '../values/json-text.ts';
import { isRecord, jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import type { SmokeCheckExpect } from './smoke-check-expect.ts';

const asIs = (value: unknown): unknown => value;

/** The value that the data source takes for each kind; undefined for one that it cannot take. */
const ENCODE: { readonly [K in AssertionKind]: (value: unknown) => unknown } = {
  text: asIs,
  texts: (value) => (typeof value === 'string' ? [value] : value),
  pattern: asIs,
  jsonSchema: (value) => (jsonProblem(value, isUnresolved) === undefined ? jsonText(value) : undefined),
  count: asIs,
  seconds: asIs,
  flag: asIs,
  mediaFormat: asIs,
  // Terraform reads a decimal text as the exact number.
  usd: asIs,
};

/** Terraform names have words between underscores, generated classes have capitals. */
const propertyOf = (attribute: string): string =>
  attribute.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The assertions as the data source takes them. */
export function expectConfig(expect: SmokeCheckExpect): DataKeyplaneCheckExpect {
  const values: Readonly<Record<string, unknown>> = { ...expect };
  return Object.fromEntries(
    ASSERTION_NAMES.flatMap((name) => {
      const { kind, terraform } = ASSERTIONS[name];
      const value = values[name] === undefined ? undefined : ENCODE[kind](values[name]);
      return value === undefined ? [] : [[propertyOf(terraform), value]];
    }),
  );
}

/** Why a JSON object cannot be written; undefined when it can. Values that Terraform fills in may be part of it. */
export function jsonObjectProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'Expected a JSON object.';
  const problem = jsonProblem(value, isUnresolved);
  return problem && `It is not JSON: ${problem}.`;
}

/** What is wrong with the value of an assertion; undefined for a valid one. */
export function assertionProblem(kind: AssertionKind, value: unknown): string | undefined {
  if (kind === 'jsonSchema') return jsonObjectProblem(value);
  const { expected, parse } = ASSERTION_KINDS[kind];
  return parse(value) === undefined ? `Expected ${expected}.` : undefined;
}
