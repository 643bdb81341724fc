import { isJsonObject, type JsonObject, propertiesOf } from '../json-object.ts';
import type { ServingFailure, TokenFlaw, UsageFlaw } from './kinds.ts';
import { changeObjects, type EventChange, type ObjectChange } from './rewriting.ts';

const NAMES: readonly string[] = ['usage', 'usageMetadata'];
const TOTALS: readonly string[] = ['total_tokens', 'totalTokenCount', 'image_count'];

const withWrongTotal = (figures: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, TOTALS.includes(name) ? Number(value) + 1000 : value]),
  );

const isUsage = ([name, value]: readonly [string, unknown]): boolean => NAMES.includes(name) && isJsonObject(value);

const CHANGES: { readonly [F in UsageFlaw]: ObjectChange } = {
  missing: (fields) => Object.fromEntries(Object.entries(fields).filter((entry) => !isUsage(entry))),
  wrong: (fields) =>
    Object.fromEntries(
      Object.entries(fields).map((entry) => [
        entry[0],
        isUsage(entry) ? withWrongTotal(propertiesOf(entry[1])) : entry[1],
      ]),
    ),
};

/** Removes the usage figures from an answer, or makes their total differ from the sum. */
export const misreportUsage = (body: unknown, how: UsageFlaw): Promise<unknown> => changeObjects(body, CHANGES[how]);

/** Does the same to an event. A chat chunk that holds nothing but usage is dropped. */
export const misreportUsageEvent =
  (how: UsageFlaw): EventChange =>
  (data) => {
    const isOnlyUsage = isJsonObject(data) && Array.isArray(data.choices) && data.choices.length === 0;
    return how === 'missing' && isOnlyUsage ? undefined : misreportUsage(data, how);
  };

const TOKEN_COUNTS: { readonly [F in TokenFlaw]: number } = { zero: 0, constant: 12 };

/** The counted tokens, or the answer of a gateway that does not count. */
export const miscountTokens = (tokens: number, failure: ServingFailure | undefined): number =>
  failure?.kind === 'tokens' ? TOKEN_COUNTS[failure.how] : tokens;
