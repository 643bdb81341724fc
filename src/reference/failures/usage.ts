import type { UsageFlaw } from './kinds.ts';
import { changeObjects, type EventChange, isJsonObject, type JsonObject, type ObjectChange } from './rewriting.ts';

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
        isUsage(entry) ? withWrongTotal(entry[1] as JsonObject) : entry[1],
      ]),
    ),
};

/** An answer without usage figures, or with a total that is not the sum of its parts. */
export const misreportUsage = (body: unknown, how: UsageFlaw): Promise<unknown> => changeObjects(body, CHANGES[how]);

/** The same for an event. The chunk of a chat that is there for nothing else does not come at all. */
export const misreportUsageEvent =
  (how: UsageFlaw): EventChange =>
  (data) => {
    const isOnlyUsage = isJsonObject(data) && Array.isArray(data.choices) && data.choices.length === 0;
    return how === 'missing' && isOnlyUsage ? undefined : misreportUsage(data, how);
  };
