import fc from 'fast-check';
import * as z from 'zod';
import type { AnyFamily } from '../../../src/wire/index.ts';

type Schema = z.core.JSONSchema.JSONSchema;

const TEXTS = [
  '',
  'a',
  'auto',
  '16:9',
  '1024x1024',
  '1024*1024',
  '8',
  'text',
  'first_frame',
  'reference_image',
  'AAAA',
];
const SOURCES = ['https://example.com/a.png', 'data:image/png;base64,AAAA', 'mm_file://f', '480p', '768P', 'png'];

const text = fc.oneof(fc.constantFrom(...TEXTS, ...SOURCES), fc.string());

/** Around the bounds, so that rules see what schemas let through. */
function numbers({ type, minimum = -10, maximum = 100_000 }: Schema): fc.Arbitrary<number> {
  const edges = fc.constantFrom(minimum, maximum, Math.min(minimum + 1, maximum));
  const between = fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(edges, type === 'integer' ? between.map(Math.round) : between);
}

function objects({ properties = {}, required = [], additionalProperties: others }: Schema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema as Schema)]),
  );
  const known = fc.record(fields, { requiredKeys: required });
  if (typeof others !== 'object' || Object.keys(others).length === 0) return known;
  return fc.tuple(known, fc.dictionary(fc.string(), arbitraryOf(others))).map(([a, b]) => ({ ...b, ...a }));
}

function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice as Schema)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') return objects(schema);
  if (schema.type === 'array') {
    const { minItems = 0, maxItems = minItems + 1, items } = schema;
    return fc.array(arbitraryOf(items as Schema), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 1) });
  }
  if (schema.type === 'integer' || schema.type === 'number') return numbers(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'string') return text;
  return schema.type === 'null' ? fc.constant(null) : fc.oneof(fc.record({ bytes: fc.uint8Array() }), fc.jsonValue());
}

/** Bodies that get past a family's schema, most of them, and so to its rules. */
export const conformingBody = (family: AnyFamily): fc.Arbitrary<unknown> =>
  arbitraryOf(z.toJSONSchema(family.body, { unrepresentable: 'any', io: 'input' }));
