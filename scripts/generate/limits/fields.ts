import * as z from 'zod';
import type { AnyFamily } from '../../../src/wire/index.ts';
import { alternativesOf, type JsonSchema, limitsOf, renderLimits, typesOf } from './bounds.ts';

/** One place in a body where a field can occur. */
interface Occurrence {
  readonly path: string;
  readonly schema: JsonSchema;
  /** `yes`, `no`, or the condition. Empty for items of a list. */
  readonly required: string;
}

/** One of several alternative objects: the field that distinguishes them, and its value in words. */
interface Alternative {
  readonly tag?: string | undefined;
  readonly condition?: string | undefined;
}

/** One row of the limits page. */
interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly required: string;
  readonly limit: string;
}

const hasLimits = (schema: JsonSchema): boolean => renderLimits(limitsOf(schema)) !== '';

/** Returns the field whose value distinguishes the alternatives, when more than one of them is an object. */
function tagOf(alternatives: readonly JsonSchema[]): string | undefined {
  const objects = alternatives.map(({ properties }) => properties).filter((properties) => properties !== undefined);
  if (objects.length < 2) return undefined;
  return objects.flatMap((fields) => Object.keys(fields).filter((name) => fields[name]?.const !== undefined))[0];
}

function* occurrencesInAlternatives(schema: JsonSchema, path: string): Generator<Occurrence> {
  const alternatives = alternativesOf(schema);
  const tag = tagOf(alternatives);
  for (const alternative of alternatives) {
    const value = tag === undefined ? undefined : alternative.properties?.[tag]?.const;
    yield* occurrencesIn(alternative, path, { tag, condition: value ? `for \`${tag}\` \`${value}\`` : undefined });
  }
}

function* occurrencesInFields(
  { properties = {}, required = [] }: JsonSchema,
  path: string,
  { tag, condition }: Alternative,
): Generator<Occurrence> {
  for (const [name, schema] of Object.entries(properties)) {
    const field = path === '' ? name : `${path}.${name}`;
    const when = name === tag ? 'yes' : (condition ?? 'yes');
    yield { path: field, schema, required: required.includes(name) ? when : 'no' };
    yield* occurrencesIn(schema, field);
  }
}

function* occurrencesInItems(schema: JsonSchema, path: string): Generator<Occurrence> {
  const isPlain = alternativesOf(schema).length === 0 && schema.type !== 'object';
  if ((isPlain || schema.description) && hasLimits(schema)) yield { path, schema, required: '' };
  yield* occurrencesIn(schema, path);
}

/** Yields every field inside of a value, once for each alternative that has it. */
function* occurrencesIn(schema: JsonSchema, path: string, alternative: Alternative = {}): Generator<Occurrence> {
  yield* occurrencesInAlternatives(schema, path);
  yield* occurrencesInFields(schema, path, alternative);
  if (schema.items) yield* occurrencesInItems(schema.items, `${path}[]`);
  const { additionalProperties: others = {} } = schema;
  if (typeof others === 'object' && Object.keys(others).length > 0) yield* occurrencesInItems(others, `${path}.<name>`);
}

function requirementOf(occurrences: readonly Occurrence[]): string {
  const conditions = new Set(occurrences.map(({ required }) => required));
  if (conditions.size === 1) return [...conditions].join('');
  return conditions.has('yes') ? 'no' : [...conditions].filter((condition) => condition !== 'no').join(', ');
}

const isFile = ({ form, media }: AnyFamily, path: string): boolean =>
  form === 'multipart' && media.some(({ field }) => field.replace('[]', '') === path);

function rowOf(family: AnyFamily, path: string, occurrences: readonly Occurrence[]): FieldRow {
  const [first, ...others] = occurrences.map(({ schema }) => schema);
  const schema: JsonSchema = others.length === 0 && first ? first : { anyOf: occurrences.map((each) => each.schema) };
  const type = typesOf(schema).join(' or ');
  return {
    path,
    type: isFile(family, path) ? type.replace('any', 'file') : type,
    required: requirementOf(occurrences),
    limit: renderLimits(limitsOf(schema)),
  };
}

/** Returns the fields of a family's body in the order of the contract. */
export function fieldsOf(family: AnyFamily): readonly FieldRow[] {
  const body = z.toJSONSchema(family.body, { unrepresentable: 'any', io: 'input' }) as JsonSchema;
  const byPath = new Map<string, Occurrence[]>();
  for (const occurrence of occurrencesIn(body, ''))
    byPath.set(occurrence.path, [...(byPath.get(occurrence.path) ?? []), occurrence]);
  return [...byPath].map(([path, occurrences]) => rowOf(family, path, occurrences));
}
