import { isInteger, isSafeNumber, parse, stringify } from 'lossless-json';
import { excessOf, type JsonLimits, parseShallowJson } from '../domain/index.ts';

/** Far more than any response needs: a page of a list holds a hundred records, the prices of a gateway some thousand. */
export const RESPONSE_LIMITS: JsonLimits = { containers: 200_000, commas: 500_000 };

/** For embeddings: two thousand of three thousand numbers. */
export const VECTOR_LIMITS: JsonLimits = { ...RESPONSE_LIMITS, commas: 10_000_000 };

/** Sixteen digits in a row may be a number that a JavaScript number cannot hold. Most responses have none. */
const MAY_BE_LARGE = /\d{16}/;

const exactNumber = (text: string): number | bigint => {
  if (isInteger(text) && !isSafeNumber(text)) return BigInt(text);
  return Number(text);
};

/**
 * A text of JSON as a value, with integers beyond 2^53 as bigint: a full update echoes fields that nobody knows, and an
 * id that came back rounded would be another id.
 *
 * @throws SyntaxError when the text is not JSON, or larger than any response needs to be
 */
export function parseJson(text: string): unknown {
  if (!MAY_BE_LARGE.test(text)) return parseShallowJson(text, RESPONSE_LIMITS);
  const excess = excessOf(text, RESPONSE_LIMITS);
  if (excess !== undefined) throw new SyntaxError(`The JSON ${excess}`);
  return parse(text, null, exactNumber);
}

function holdsBigint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Array.isArray(value) ? value.some(holdsBigint) : Object.values(value).some(holdsBigint);
}

/** The text of a value that {@link parseJson} could have read. The renderer that keeps a bigint is several times slower. */
export const renderJson = (value: unknown): string =>
  (holdsBigint(value) ? stringify(value) : JSON.stringify(value)) ?? 'null';
