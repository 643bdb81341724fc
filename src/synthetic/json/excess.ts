import { isKeywords, mapWithin } from './schema-walk.ts';
import { UnsatisfiableSchema } from './unsatisfiable.ts';

/** More of these is more than a model writes, and would keep the process busy for minutes. */
const MOST: Readonly<Record<string, number>> = { minItems: 5_000, minProperties: 1_000, minLength: 200_000 };
const MOST_REPETITIONS = 20_000;

/** How often a pattern wants its innermost part repeated, were all of its counts nested. */
const repetitions = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d+)/g)].reduce((product, [, count]) => product * Math.max(1, Number(count)), 1);

/** @throws UnsatisfiableSchema when the least that a schema asks for is too much. */
export function refuseExcess(schema: unknown): void {
  if (!isKeywords(schema)) return;
  for (const [keyword, most] of Object.entries(MOST)) {
    if (Number(schema[keyword] ?? 0) <= most) continue;
    throw new UnsatisfiableSchema(`The schema asks for more than is written here: ${keyword} is at most ${most}`);
  }
  if (typeof schema.pattern === 'string' && repetitions(schema.pattern) > MOST_REPETITIONS) {
    throw new UnsatisfiableSchema('The schema asks for more than is written here: its pattern repeats too often');
  }
  mapWithin(schema, (within) => {
    refuseExcess(within);
    return within;
  });
}
