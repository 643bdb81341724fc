import { setImmediate } from 'node:timers/promises';
import type { JsonSchema } from 'json-schema-faker';
import { answerText, type TextSpec } from '../text.ts';
import { hashOf } from '../words.ts';
import { leastSize } from './least-size.ts';
import { customizedSchema, translated, withNames } from './schema-customizer.ts';
import { isKeywords, mapWithin } from './schema-walk.ts';
import { limitTime, type RunLimited } from './time-limit.ts';
import { UnsatisfiableSchema } from './unsatisfiable-schema.ts';
import { openSchemaCompiler, type Validate } from './validator.ts';

/** Generation strategies, from the richest to the barest: recursion ends only where lists may be empty. */
const STRATEGIES = [
  { isCustomized: true, optionalsProbability: 1, maxDefaultItems: 2, refDepthMax: 4 },
  { isCustomized: true, optionalsProbability: 0, maxDefaultItems: 1, refDepthMax: 12 },
  { isCustomized: false, optionalsProbability: 1, maxDefaultItems: 1, refDepthMax: 8 },
  { isCustomized: false, optionalsProbability: 0.3, maxDefaultItems: 1, refDepthMax: 12 },
  { isCustomized: false, optionalsProbability: 0, maxDefaultItems: 0, refDepthMax: 40 },
] as const;
const SEEDS_EACH = 10;
/** The most values that one attempt may generate: in schemas that branch and recur, their number doubles at each level. */
const MOST_VALUES = 10_000;

/** The significant digits of a number with a step, so that 29 times 0.01 is 0.29. */
const DIGITS = 12;

function roundSteps(value: unknown, schema: JsonSchema): unknown {
  const isStepped = typeof schema === 'object' && schema.multipleOf !== undefined;
  return typeof value === 'number' && isStepped ? Number(value.toPrecision(DIGITS)) : value;
}

/** Formats that the validator knows and the generator does not. */
const FORMATS = {
  'iso-time': () => '12:00:00Z',
  'iso-date-time': () => '2030-01-01T12:00:00Z',
  url: () => 'https://example.com/items',
  byte: () => 'YW5zd2Vy',
  'json-pointer-uri-fragment': () => '#/items/0',
};

/** Only recursive references go this deep, and they have a limit of their own. */
const FIXED = { formats: FORMATS, maxDepth: 200 };

class TooManyValues extends Error {}

/** Ends an attempt that has generated too many values. The generator catches errors, so each further value throws too. */
function countValues(): (value: unknown, schema: JsonSchema) => unknown {
  let count = 0;
  return (value, schema) => {
    count += 1;
    if (count > MOST_VALUES) throw new TooManyValues();
    return roundSteps(value, schema);
  };
}

async function* candidates(schema: object, spec: TextSpec, runLimited: RunLimited): AsyncGenerator<unknown> {
  const { generateSync } = await import('json-schema-faker');
  const seed = hashOf(spec.prompt, spec.seed);
  const generateName = (names: object, turn: number) =>
    generateSync(names as JsonSchema, { seed: (seed + turn) >>> 0 });
  const plain = runLimited(() => withNames(translated(schema), generateName)) as JsonSchema;
  const narrow = runLimited(() => customizedSchema(plain, spec)) as JsonSchema;
  for (const { isCustomized, ...strategy } of STRATEGIES) {
    for (let turn = 0; turn < SEEDS_EACH; turn += 1) {
      const options = { ...FIXED, ...strategy, seed: (seed + turn) >>> 0, outputTransform: countValues() };
      // Lets other requests in between.
      await setImmediate();
      try {
        yield runLimited(() => generateSync(isCustomized ? narrow : plain, options));
      } catch (thrown) {
        if (thrown instanceof UnsatisfiableSchema) throw thrown;
        // Another seed would generate as many.
        if (thrown instanceof TooManyValues) break;
      }
    }
  }
}

/** A schema that refers only to itself fails only when it is used. */
function satisfies(isValid: Validate, value: unknown): boolean {
  try {
    return value !== undefined && isValid(value);
  } catch (thrown) {
    if (thrown instanceof UnsatisfiableSchema) throw thrown;
    return false;
  }
}

/** A model that generates JSON for a schema. */
export interface JsonModel {
  /**
   * Generates a value that satisfies the schema. Equal inputs give equal values. The generator is not always right, so
   * each value is validated first.
   *
   * @throws UnsatisfiableSchema when no value was found, or when the schema is invalid.
   */
  generate(schema: unknown, spec: TextSpec): Promise<unknown>;
}

/** The most that one attempt may take. Attempts are bounded by their size; this ends what a schema multiplies beyond it. */
const ATTEMPT_MS = 5000;

/** @param mostMs the most that one attempt may take, during which nothing else runs. Default: 5 seconds. */
export function openJsonModel(mostMs: number = ATTEMPT_MS): JsonModel {
  const runLimited = limitTime(mostMs);
  const compiler = openSchemaCompiler(runLimited);
  return {
    async generate(schema, spec) {
      if (schema === true) return answerText(spec);
      if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
        throw new UnsatisfiableSchema('The schema is not a JSON Schema');
      }
      const isValid = await compiler.compile(schema);
      rejectExcess(schema);
      if (isKeywords(schema) && leastSize(schema) > MOST_VALUES)
        throw new UnsatisfiableSchema(`The schema requires too much: more than ${MOST_VALUES} values`);
      for await (const value of candidates(schema, spec, runLimited)) if (satisfies(isValid, value)) return value;
      throw new UnsatisfiableSchema('No value was found that satisfies the schema');
    },
  };
}

/** Higher values exceed what a model writes, and would keep the process busy for minutes. */
const MOST: Readonly<Record<string, number>> = { minItems: 5_000, minProperties: 1_000, minLength: 200_000 };
const MOST_REPETITIONS = 20_000;

/** The repetitions of a pattern's innermost part if all of its counts were nested. */
const repetitions = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d+)/g)].reduce((product, [, count]) => product * Math.max(1, Number(count)), 1);

/** @throws UnsatisfiableSchema when the minimum that a schema requires is too large. */
function rejectExcess(schema: unknown): void {
  if (!isKeywords(schema)) return;
  for (const [keyword, most] of Object.entries(MOST)) {
    if (Number(schema[keyword] ?? 0) <= most) continue;
    throw new UnsatisfiableSchema(`The schema requires too much: ${keyword} must be at most ${most}`);
  }
  if (typeof schema.pattern === 'string' && repetitions(schema.pattern) > MOST_REPETITIONS) {
    throw new UnsatisfiableSchema('The schema requires too much: its pattern repeats too often');
  }
  mapWithin(schema, (within) => {
    rejectExcess(within);
    return within;
  });
}
