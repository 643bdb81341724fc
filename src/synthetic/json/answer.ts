import type { JsonSchema } from 'json-schema-faker';
import { answerText, type TextOrder } from '../text.ts';
import { hashOf } from '../words.ts';
import { refuseExcess } from './excess.ts';
import { withNames } from './property-names.ts';
import { tailored, translated } from './schema-customizer.ts';
import { UnsatisfiableSchema } from './unsatisfiable.ts';
import { type Validate, validatorFor } from './validator.ts';

/** How values are looked for, from the richest to the barest: recursion ends only where lists may be empty. */
const MANNERS = [
  { isTailored: true, optionalsProbability: 1, maxDefaultItems: 2, refDepthMax: 4 },
  { isTailored: true, optionalsProbability: 0, maxDefaultItems: 1, refDepthMax: 12 },
  { isTailored: false, optionalsProbability: 1, maxDefaultItems: 1, refDepthMax: 8 },
  { isTailored: false, optionalsProbability: 0.3, maxDefaultItems: 1, refDepthMax: 12 },
  { isTailored: false, optionalsProbability: 0, maxDefaultItems: 0, refDepthMax: 40 },
] as const;
const SEEDS_EACH = 10;
/** How many values one attempt may make: where schemas branch as they recur, their number doubles with each level. */
const MOST_VALUES = 10_000;

/** Digits that a number with a step keeps: 29 times 0.01 is to be 0.29. */
const DIGITS = 12;

function tidied(value: unknown, schema: JsonSchema): unknown {
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

/** Only references go so deep without end, and they are bounded on their own. */
const FIXED = { formats: FORMATS, maxDepth: 200 };

class TooManyValues extends Error {}

/** Ends an attempt that has made too much. The generator catches what is thrown in it, so it goes on being thrown. */
function counting(): (value: unknown, schema: JsonSchema) => unknown {
  let made = 0;
  return (value, schema) => {
    made += 1;
    if (made > MOST_VALUES) throw new TooManyValues();
    return tidied(value, schema);
  };
}

async function* candidates(schema: object, order: TextOrder): AsyncGenerator<unknown> {
  const { generateSync } = await import('json-schema-faker');
  const seed = hashOf(order.prompt, order.seed);
  const nameFor = (names: object, turn: number) => generateSync(names as JsonSchema, { seed: (seed + turn) >>> 0 });
  const plain = withNames(translated(schema), nameFor) as JsonSchema;
  const narrow = tailored(plain, order) as JsonSchema;
  for (const { isTailored, ...manner } of MANNERS) {
    for (let turn = 0; turn < SEEDS_EACH; turn += 1) {
      const options = { ...FIXED, ...manner, seed: (seed + turn) >>> 0, outputTransform: counting() };
      try {
        yield generateSync(isTailored ? narrow : plain, options);
      } catch (thrown) {
        // Another seed would make as many.
        if (thrown instanceof TooManyValues) break;
      }
    }
  }
}

/** A schema that refers to itself and to nothing else is found out only when it is used. */
function satisfies(isValid: Validate, value: unknown): boolean {
  try {
    return value !== undefined && isValid(value);
  } catch {
    return false;
  }
}

/**
 * A value that satisfies the schema, the same for the same order. The generator is not always right, so each value is
 * held against a validator before it counts.
 *
 * @throws UnsatisfiableSchema when none was found, or when it is no schema.
 */
export async function answerJson(schema: unknown, order: TextOrder): Promise<unknown> {
  if (schema === true) return answerText(order);
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) {
    throw new UnsatisfiableSchema('The schema is no JSON Schema');
  }
  const isValid = await validatorFor(schema);
  refuseExcess(schema);
  for await (const value of candidates(schema, order)) if (satisfies(isValid, value)) return value;
  throw new UnsatisfiableSchema('No value was found that satisfies the schema');
}

/** The arguments of a function call, as the text of a JSON object. @throws UnsatisfiableSchema */
export const callArguments = async (parameters: unknown, order: TextOrder): Promise<string> =>
  JSON.stringify(await answerJson(parameters, order));
