import type { JsonSchema } from 'json-schema-faker';
import { answerText, type TextOrder } from './text.ts';
import { hashOf } from './words.ts';

/** No value was found that satisfies a schema, or it is no schema. */
export class UnsatisfiableSchema extends Error {}

/** How values are looked for, from the richest to the barest: recursion ends only where lists may be empty. */
const MANNERS = [
  { optionalsProbability: 1, minLength: 4, maxLength: 24, maxDefaultItems: 2, maxDepth: 12, refDepthMax: 3 },
  { optionalsProbability: 1, maxDefaultItems: 1, maxDepth: 20, refDepthMax: 8 },
  { optionalsProbability: 0.3, maxDefaultItems: 1, maxDepth: 30, refDepthMax: 12 },
  { optionalsProbability: 0, maxDefaultItems: 0, maxDepth: 40, refDepthMax: 20 },
] as const;
const SEEDS_EACH = 5;

type Validate = (value: unknown) => boolean;

/** The dialect that a schema says it is written in; without a word, the newest. */
async function dialectOf({ $schema }: { readonly $schema?: unknown }) {
  if (/draft-0[67]/.test(String($schema))) return (await import('ajv')).Ajv;
  return (await import('ajv/dist/2020.js')).Ajv2020;
}

/** @throws UnsatisfiableSchema */
async function validatorOf(schema: object): Promise<Validate> {
  const [Dialect, { default: formats }] = await Promise.all([dialectOf(schema), import('ajv-formats')]);
  try {
    const ajv = new Dialect({ strict: false, logger: false, validateSchema: true });
    formats.default(ajv);
    return ajv.compile(schema) as Validate;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnsatisfiableSchema(`The schema can not be used: ${reason}`, { cause });
  }
}

/** Where a schema asks for nothing but a text, the text is an answer. */
function isPlainText(schema: unknown): boolean {
  const { type, ...rest } = (schema ?? {}) as { type?: unknown };
  const bounds = ['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', '$ref', 'anyOf', 'oneOf', 'allOf'];
  return type === 'string' && !bounds.some((keyword) => keyword in rest);
}

/** Puts an answer wherever a member of an object is an unbounded text: it reads better than letters by chance. */
function readable(schema: unknown, value: unknown, order: TextOrder): unknown {
  if (isPlainText(schema)) return answerText(order);
  const { properties, items } = (schema ?? {}) as { properties?: Record<string, unknown>; items?: unknown };
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => readable(items, item, order));
  if (value === null || typeof value !== 'object' || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, readable(properties[name], member, order)]),
  );
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
  const isValid = await validatorOf(schema);
  const { generateSync } = await import('json-schema-faker');
  const seed = hashOf(order.prompt, order.seed);
  for (const manner of MANNERS) {
    for (let turn = 0; turn < SEEDS_EACH; turn += 1) {
      const value = tryGenerate(() => generateSync(schema as JsonSchema, { ...manner, seed: (seed + turn) >>> 0 }));
      const better = readable(schema, value, order);
      if (isValid(better)) return better;
      if (isValid(value)) return value;
    }
  }
  throw new UnsatisfiableSchema('No value was found that satisfies the schema');
}

function tryGenerate(generate: () => unknown): unknown {
  try {
    return generate();
  } catch {
    return undefined;
  }
}

/** The arguments of a function call, as the text of a JSON object. @throws UnsatisfiableSchema */
export const callArguments = async (parameters: unknown, order: TextOrder): Promise<string> =>
  JSON.stringify(await answerJson(parameters, order));
